// Undoing at inconvenient moments: drafts that wait, filings that something else changed meanwhile.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

const BY = ['--by', 'editor@example.org'];
const WREN = { id: 'W000903', first: 'Alex', last: 'Wren', chamber: 'senate', state: 'VT' };

const uuid = (letter) => `${letter.repeat(8)}-2222-4333-8444-555555555555`;
const filing = (letter) => `senate-${uuid(letter)}`;
const row = (asset, ticker = null) => ({ date: '01/10/2024', asset, ticker, owner: 'Self' });

async function makeDesk(t, options) {
  const site = await makeSite(t, { clock: '2024-03-01T12:00:00Z', ...options });
  const put = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  await site.stockact('members', 'import', put('members.json', membersJson([HOLLIS, WREN])));
  const ingest = (letter, page) =>
    site.stockact('ingest', put(`${uuid(letter)}.html`, senatePage(page)));
  const publish = async (letter) => {
    await site.stockact('review', 'accept', filing(letter), ...BY);
    await site.stockact('publish', filing(letter), ...BY);
    await site.clock.advance(60_000);
  };
  return { site, ingest, publish };
}

onEachDatabase('undo, attacked', (kind) => {
  test('an amendment that waits follows its original to the right member', async (t) => {
    const { site, ingest, publish } = await makeDesk(t, { database: kind });
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const wrong = { filer: 'The Honorable D. Q. Marlowe', bracket: '' };
    const rows = [row('Northwind', 'NWTB'), row('Abacus')];
    await ingest('a', { ...wrong, rows });
    await site.stockact('review', 'set-filer', filing('a'), 'dana-hollis', ...BY);
    await publish('a');
    const amended = [row('Northwind', 'NWTC'), row('Abacus')];
    await ingest('b', { ...wrong, amendment: 1, rows: amended });
    await ingest('c', { rows: [row('Cinder')], reportDate: '01/30/2024' });
    await ingest('d', { ...wrong, rows: [row('Dover')], reportDate: '01/31/2024' });
    await site.stockact('review', 'claim', filing('d'), ...BY);
    const to = ['alex-wren', ...BY, '--reason', 'it is signed by Alex Wren'];
    await site.stockact('review', 'set-filer', filing('a'), ...to);

    const draft = async (letter) => (await site.stockact('review', 'show', filing(letter)))[0];
    const { member, rows: drafted } = await draft('b');
    assert.equal(member, 'alex-wren');
    assert.deepEqual(
      drafted.map((one) => one.does),
      ['changed', 'same'],
    );
    assert.equal((await draft('c')).member, 'dana-hollis', 'another printed name');
    assert.equal((await draft('d')).member, 'dana-hollis', 'a person works on it');
    await publish('b');
    const { data } = await server.json('/api/v1/trades', { key });
    assert.deepEqual(
      data.map(({ id, ticker, politician }) => [id, ticker, politician.slug]),
      [
        [`${filing('a')}-0002`, null, 'alex-wren'],
        [`${filing('a')}-0001`, 'NWTC', 'alex-wren'],
      ],
    );
    assert.equal((await site.stockact('check')).at(-1).findings, 0);
  });
});

// `stockact setup`: a new database that takes real reports, without a network.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { membersJson } from './lib/invented_members.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { onTerminal } from './lib/terminal.mjs';

onEachDatabase('setup', (database) => {
  test('fills a new database, and changes nothing when it is repeated', async (t) => {
    const site = await makeSite(t, { database, empty: true });
    const [first] = await site.stockact('setup');
    assert.ok(first.members > 1000 && first.membersAdded === first.members, first.members);
    assert.ok(first.symbols > 10000 && first.seats > 20000);
    const [again] = await site.stockact('setup');
    assert.deepEqual(again, { ...first, membersAdded: 0, symbolsAdded: 0 });
    const refused = await site.run(['demo']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is not empty: `demo` needs a new one/);
  });
});

test('a terminal gets the counts in words, and the next command', async (t) => {
  const site = await makeSite(t, { empty: true });
  const first = await onTerminal(site, ['setup']);
  assert.match(first.text, /\.db\n {2}✓ +\d,\d{3} members of Congress\n/);
  assert.match(first.text, /\nNext\n {2}stockact ingest FOLDER /);
  assert.doesNotMatch(first.text, /nothing is missing/);
  const again = await onTerminal(site, ['setup']);
  assert.match(again.text, /\n {2}· nothing is missing\n/);
});

test('a report finds its filer after setup', async (t) => {
  const site = await makeSite(t, { empty: true });
  await site.stockact('setup');
  const report = path.join(site.folder, '20990001.pdf');
  const row = {
    date: '02/17/2026',
    notified: '02/20/2026',
    asset: 'Quillbrook Holdings [OT]',
    type: 'P',
    status: 'New',
    amount: '$1,001 - $15,000',
  };
  writeFileSync(
    report,
    housePdf({ id: '20990001', filer: 'Hon. Nancy Pelosi', district: 'CA11', rows: [row] }),
  );
  await site.stockact('ingest', report);
  const [draft] = await site.stockact('review', 'list');
  assert.match(JSON.stringify(draft), /nancy-pelosi|Nancy Pelosi/);
});

test('a repeated setup keeps later imports', async (t) => {
  const site = await makeSite(t, { empty: true });
  const name = async () =>
    (await site.database.query("select name from member where id = 'P000197'"))[0].name;
  await site.stockact('setup');
  const newer = path.join(site.folder, 'newer.json');
  const renamed = { id: 'P000197', first: 'Nancy', last: 'Newname', chamber: 'house', state: 'CA' };
  writeFileSync(newer, membersJson([{ ...renamed, district: 11 }]));
  await site.stockact('members', 'import', newer);
  assert.equal(await name(), 'Nancy Newname');
  await site.stockact('setup');
  assert.equal(await name(), 'Nancy Newname');
});

test('setup refuses a database of demonstration data and says how to begin', async (t) => {
  const site = await makeSite(t, { empty: true });
  await site.stockact('demo', '--trades', '10');
  const done = await site.run(['setup']);
  assert.equal(done.code, 1);
  assert.match(done.stderr, /invented demonstration data.*STOCKACT_DATABASE=sqlite:/);
});

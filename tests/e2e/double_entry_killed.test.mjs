// The second of two people types a paper filing, and the server is killed at every step: nothing that
// was answered is lost, and nothing that is sent again is done twice.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { prepareUploads } from './lib/uploading.mjs';

const ANN = ['--by', 'ann@example.org'];
const BEN = 'ben@example.org';
const ASSETS = ['Garden Mills', 'Harbor Tools', 'Acorn Wells'];
const ROW = { side: 'buy', amountBucket: '15k_50k', ownerType: 'self', tradeDate: '2025-01-10' };

test('second entries survive kills, and are stored once', async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_DOUBLE_ENTRY: 'paper' } });
  await prepareUploads(site);
  const paper = ['house', '9000099', '--filer', 'robin-vale', '--filed', '2025-02-01'];
  const url = ['--url', 'https://example.org/9000099.pdf'];
  const [{ filingId: id }] = await site.stockact('review', 'new', ...paper, ...url, ...ANN);
  for (const assetName of ASSETS) {
    const fields = Object.entries({ assetName, ...ROW }).map(([name, value]) => `${name}=${value}`);
    await site.stockact('review', 'add-row', id, ...fields, ...ANN);
  }
  await site.stockact('review', 'accept', id, ...ANN);

  const owner = await makeOwner(site, { email: BEN, role: 'reviewer' });
  let server = await site.serve();
  let ben = await signInOnPage(server, owner);
  const restart = async () => {
    await server.kill();
    server = await site.serve();
    const { cookies } = ben;
    ben = Object.assign(newVisitor(server), { cookies });
  };
  const events = () =>
    site.database.query(
      `SELECT action, position FROM draft_history WHERE by_email = '${BEN}' ORDER BY no`,
    );
  const entry = (rest = '') => ben.open(`/desk/${id}/entry${rest}`);

  /** Sends the form, kills the server, and sends the same form again, as a browser does. */
  const kill = async (form, fill, button, stored) => {
    const before = (await events()).length;
    const sent = ben.submit(form, fill, { button, follow: false }).catch(() => null);
    if (stored) await until('it is stored', async () => (await events()).length > before);
    await restart();
    await sent;
    const isStored = (await events()).length > before;
    assert.ok(isStored || !stored);
    const again = await ben.submit(form, fill, { button });
    assert.equal(again.status, isStored ? 409 : 200, again.text());
  };

  await kill((await entry()).form('Save the number'), { rows: '3' }, 'Save the number', true);
  for (const [i, assetName] of ASSETS.entries()) {
    const form = (await entry(`/${i + 1}`)).form('Save, next row');
    const words = { of: form.value('once'), do: 'keep', assetName };
    const csrf = form.value('csrf');
    assert.equal((await ben.postJson(`/desk/${id}/entry/${i + 1}`, words, { csrf })).status, 200);
    await restart();
    const kept = (await entry(`/${i + 1}`)).form('Save, next row');
    assert.equal(kept.value('assetName'), assetName, 'typed words are there again');
    await kill(kept, { assetName, ...ROW }, 'Save, next row', i !== 1);
  }
  const last = await entry();
  await kill(last.form('Compare the entries'), {}, 'Compare the entries', false);

  const typed = (await events()).filter(({ action }) => action === 'type_row');
  assert.deepEqual(
    typed.map(({ position }) => Number(position)),
    [1, 2, 3],
  );
  const [draft] = await site.stockact('review', 'show', id);
  assert.deepEqual([draft.state, draft.entry], ['accepted', 'twice']);
  const [check] = await site.stockact('check');
  assert.ok(check, 'the database is whole');
  await site.stockact('publish', id, ...ANN);
  const { data } = await server.json('/api/v1/trades?limit=50');
  assert.deepEqual(data.map(({ assetName }) => assetName).sort(), ASSETS.toSorted());
});

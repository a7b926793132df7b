// `stockact reread`: a published trade that an older reader read wrong gets the correction through
// the log; what a person has set is kept; nothing changes without --by.

import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { rechain } from './lib/digests.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { membersJson, VALE } from './lib/invented_members.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { BY } from './lib/reviewer.mjs';

const FILING = 'house-20990001';

const row = (asset) => ({ ...HOUSE_ROW, asset });

/** A site with a published report of three rows, as an older reader might have read them. */
async function makePast(t, kind) {
  const site = await makeSite(t, { database: kind });
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE]));
  await site.stockact('members', 'import', members);
  const inbox = path.join(site.folder, 'inbox');
  mkdirSync(inbox);
  const rows = ['Harbor Tools Inc. [ST]', 'Apple Orchards [ST]', 'Lake Ferries [ST]'].map(row);
  writeFileSync(path.join(inbox, '20990001.pdf'), housePdf({ id: '20990001', rows }));
  writeFileSync(path.join(inbox, '20990002.pdf'), housePdf({ id: '20990002', rows }));
  await site.stockact('ingest', inbox);
  await site.stockact('review', 'set', FILING, 3, 'assetName', 'Lake Ferries Ltd', ...BY);
  await site.stockact('review', 'accept', FILING, ...BY);
  await site.stockact('publish', FILING, ...BY);
  for (const table of ['trade', 'draft_row']) {
    const set = (was, is) =>
      site.database.execute(`UPDATE ${table} SET asset_name = '${is}' WHERE asset_name = '${was}'`);
    await set('Harbor Tools Inc.', 'Harbor tools inc.');
    await set('Apple Orchards', 'Orchards');
  }
  await rechain(site.database); // published so
  return site;
}

const seen = (lines) =>
  lines
    .filter((line) => line.tradeId)
    .map((line) => [line.tradeId.slice(-1), line.field, line.old, line.new, line.does]);

const CASE = ['1', 'assetName', 'Harbor tools inc.', 'Harbor Tools Inc.'];
const OTHER = ['2', 'assetName', 'Orchards', 'Apple Orchards'];
const SET = ['3', 'assetName', 'Lake Ferries Ltd', 'Lake Ferries', 'kept'];

onEachDatabase('documents that are read again', (kind) => {
  test('differences are proposed, and corrected through the log', async (t) => {
    const site = await makePast(t, kind);
    const server = await site.serve();
    const names = async () => {
      const { data } = await server.json('/api/v1/trades');
      const own = data.filter((trade) => trade.id.startsWith(FILING));
      return own.map((trade) => trade.assetName).sort();
    };
    assert.deepEqual(seen(await site.stockact('reread')), [
      [...CASE, 'proposed'],
      [...OTHER, 'proposed'],
      SET,
    ]);
    const log = async () => (await server.json('/api/v1/corrections')).data;
    assert.deepEqual(await log(), [], 'nothing changes without --by');

    assert.deepEqual(seen(await site.stockact('reread', ...BY)), [
      [...CASE, 'corrected'],
      [...OTHER, 'proposed'],
      SET,
    ]);
    const [entry, ...more] = await log();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [entry.tradeId, entry.field, entry.old, entry.new],
      [`${FILING}-0001`, 'assetName', 'Harbor tools inc.', 'Harbor Tools Inc.'],
    );
    assert.match(entry.reason, /letter case/);
    assert.deepEqual(await names(), ['Harbor Tools Inc.', 'Lake Ferries Ltd', 'Orchards']);

    const named = await site.stockact('reread', FILING, ...BY, '--fields', 'assetName,ticker');
    assert.deepEqual(seen(named), [[...OTHER, 'corrected'], SET]);
    assert.deepEqual(await names(), ['Apple Orchards', 'Harbor Tools Inc.', 'Lake Ferries Ltd']);
    assert.deepEqual(seen(await site.stockact('reread', ...BY)), [SET], 'nothing is left');

    const [shown] = await site.stockact('review', 'show', FILING);
    assert.deepEqual(
      shown.rows.map((one) => one.does),
      ['same', 'same', 'same'],
      'a later review does not take the corrections back',
    );
    const history = await site.database.query(
      "SELECT position FROM draft_history WHERE action = 'reread' ORDER BY no",
    );
    assert.deepEqual(
      history.map((one) => Number(one.position)),
      [1, 2],
    );
    const [check] = await site.stockact('check');
    assert.equal(check.findings, 0);
  });

  test('a value that was corrected by hand stays', async (t) => {
    const site = await makePast(t, kind);
    const reason = ['--reason', 'as on the page'];
    const id = `${FILING}-0001`;
    await site.stockact('correct', id, 'assetName', 'HARBOR TOOLS INC.', ...BY, ...reason);
    const [first] = seen(await site.stockact('reread', FILING, ...BY));
    assert.deepEqual(first, [...CASE.with(2, 'HARBOR TOOLS INC.'), 'kept']);
  });

  test('a filing with another number of rows is not changed', async (t) => {
    const site = await makePast(t, kind);
    const draft = `SELECT no FROM draft WHERE filing_id = '${FILING}'`;
    await site.database.execute(
      `DELETE FROM draft_row WHERE draft_no = (${draft}) AND position = 3`,
    );
    const before = await site.stockact('review', 'show', FILING);
    const lines = await site.stockact('reread', ...BY);
    assert.deepEqual(seen(lines), []);
    const line = lines.find((one) => one.filingId === FILING);
    assert.equal(line.does, 'skipped');
    assert.match(line.reason, /3 rows are read now, 2 before: review it by hand/);
    assert.ok(
      lines.every((one) => one.filingId === FILING),
      'the other document has nothing to say',
    );
    const alone = await site.run(['reread', FILING, ...BY]);
    assert.equal(alone.code, 1);
    assert.match(alone.stderr, /3 rows are read now, 2 before/);
    assert.deepEqual(await site.stockact('review', 'show', FILING), before);
    const [{ n }] = await site.database.query('SELECT count(*) AS n FROM correction');
    assert.equal(Number(n), 0);
  });

  test('a filing whose draft is open is not changed', async (t) => {
    const site = await makePast(t, kind);
    await site.stockact('review', 'claim', FILING, ...BY);
    const lines = await site.stockact('reread', ...BY);
    assert.deepEqual(seen(lines), []);
    assert.match(lines.find((line) => line.filingId === FILING).reason, /in_review/);
    const alone = await site.run(['reread', FILING, ...BY]);
    assert.equal(alone.code, 1);
    assert.match(alone.stderr, /in_review/);
  });

  test('ids and fields that do not exist are errors', async (t) => {
    const site = await makePast(t, kind);
    const unknown = await site.run(['reread', 'house-1', ...BY]);
    assert.equal(unknown.code, 1);
    const field = await site.run(['reread', ...BY, '--fields', 'colour']);
    assert.equal(field.code, 2);
    assert.match(field.stderr, /colour/);
  });
});

const report = sharedData('house')?.concat('/ptr-pdf/20011886.pdf');
const skip = report && existsSync(report) ? false : noSharedData;

test('an old report is read in the letter case of its pages', { skip }, async (t) => {
  const site = await makeSite(t);
  const members = ['legislators-current.json', 'legislators-historical.csv'];
  const files = members.map((name) => sharedData('congress-legislators', name));
  await site.stockact('members', 'import', ...files);
  await site.stockact('ingest', report);
  const [shown] = await site.stockact('review', 'show', 'house-20011886');
  const amazon = shown.rows.find((one) => one.read.ticker === 'AMZN');
  assert.equal(amazon.read.assetName, 'Amazon.com, Inc.');
  assert.equal(amazon.printed.asset, 'Amazon.com, Inc. (AMZN) [ST]');
  assert.equal(amazon.printed.asset_stored, 'amazon.com, Inc. (aMZN) [ST]');
});

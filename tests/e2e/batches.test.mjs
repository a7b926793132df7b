// Batches of clean drafts on the command line: started, looked at, accepted, given back, by two
// people at once, and killed in the middle.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Child } from './lib/child.mjs';
import { BATCHES, commandsOfSection, runCommands } from './lib/guide.mjs';
import { indexXml } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';

const ANN = 'ann@example.org';
const BEN = 'ben@example.org';
const CLEAN = Array.from({ length: 24 }, (_, i) => String(20990101 + i));
const DOUBTFUL = '20990200';

/** Imports the clean reports, and one with a trade on a Sunday. */
async function importReports(site, clean = CLEAN) {
  const inbox = path.join(site.folder, 'inbox');
  const members = path.join(site.folder, 'members.json');
  mkdirSync(inbox);
  writeFileSync(members, membersJson([VALE]));
  await site.stockact('members', 'import', members);
  const ids = [...clean, DOUBTFUL];
  writeFileSync(path.join(inbox, '2025FD.xml'), indexXml(ids.map((DocID) => ({ DocID }))));
  const put = (id, row) =>
    writeFileSync(path.join(inbox, `${id}.pdf`), housePdf({ id, rows: [row] }));
  clean.forEach((id, i) => put(id, { ...HOUSE_ROW, asset: `Harbor Tools ${i} (HRBR) [ST]` }));
  put(DOUBTFUL, { ...HOUSE_ROW, date: '01/05/2025', notified: '01/06/2025' });
  await site.stockact('ingest', inbox);
}

onEachDatabase('batches of clean drafts', (kind) => {
  const shared = useSite({ database: kind, env: { STOCKACT_BATCH_REVIEW: 'on' } }, async (site) => {
    await importReports(site);
    return { server: await site.serve() };
  });
  const review = (...args) => shared.site.stockact('review', ...args);
  const attempt = (...args) => shared.site.run(['review', ...args]);
  const refused = async (words, ...args) => {
    const { code, stderr } = await attempt(...args);
    assert.notEqual(code, 0);
    assert.match(stderr, words);
  };
  const states = async () => {
    const drafts = await review('list');
    return Object.groupBy(drafts, ({ state }) => state);
  };

  test('the list of clean drafts leaves out the doubtful one', async () => {
    const ids = (await review('list', '--clean')).map(({ filingId }) => filingId);
    assert.equal(ids.length, CLEAN.length);
    assert.ok(!ids.includes(`house-${DOUBTFUL}`));
  });

  test('a batch cannot be accepted before its drawn drafts are checked', async () => {
    const [batch, ...drawn] = await review(
      'accept',
      '--clean',
      '--sample',
      '3',
      '--size',
      '10',
      '--by',
      ANN,
    );
    assert.deepEqual([batch.size, batch.sample, batch.unseen], [10, 3, 3]);
    assert.equal(drawn.length, 3);
    await refused(
      /look at the drawn filings first: 3 are left/,
      'accept',
      '--batch',
      '1',
      '--by',
      ANN,
    );
    assert.equal((await states()).accepted, undefined);
  });

  test('two batches that start at once share no draft', async () => {
    const both = await Promise.all(
      [ANN, BEN].map((by) =>
        attempt('accept', '--clean', '--sample', '2', '--size', '100', '--by', by, '--json'),
      ),
    );
    const sizes = both
      .filter(({ code }) => code === 0)
      .map(({ stdout }) => JSON.parse(stdout.split('\n')[0]).size);
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      CLEAN.length - 10,
    );
    for (const { batch, state } of await review('batch'))
      if (batch > 1 && state === 'open')
        await review('return', String(batch), '--reason', 'too large', '--by', BEN);
  });

  test('a fault returns the batch, and its draft is no longer clean', async () => {
    const [{ batch }, first] = await review(
      'accept',
      '--clean',
      '--sample',
      '2',
      '--size',
      '5',
      '--by',
      BEN,
    );
    const fault = ['look', String(batch), first.filingId, '--fault', '--by', BEN];
    await refused(/reason/, ...fault);
    const [after] = await review(...fault, '--reason', 'the page prints $15,001');
    assert.deepEqual([after.state, after.faults, after.accepted], ['returned', 1, 0]);
    assert.equal((await states()).accepted, undefined);
    const clean = (await review('list', '--clean')).map(({ filingId }) => filingId);
    assert.ok(!clean.includes(first.filingId));
    await review('set', first.filingId, '1', 'amountBucket', '15k_50k', '--by', BEN);
    await review('accept', first.filingId, '--by', BEN);
    await shared.site.stockact('publish', first.filingId, '--by', BEN);
    const { data } = await shared.server.json(`/api/v1/trades/${first.filingId}-0001`);
    assert.equal(data.source.review, 'unseen');
  });

  test('the same command continues a batch after a kill', async () => {
    const drawn = (await review('batch', '1')).slice(1);
    await review('look', '1', ...drawn.map(({ filingId }) => filingId), '--right', '--by', ANN);
    const child = new Child(binary, ['review', 'accept', '--batch', '1', '--by', ANN], {
      cwd: shared.site.folder,
      env: shared.site.env,
    });
    const accepted = async () => {
      const sql = "SELECT count(*) AS n FROM review_batch_draft WHERE outcome = 'accepted'";
      return Number((await shared.site.database.query(sql))[0].n);
    };
    while (!child.ended && (await accepted()) < 2);
    child.signal('SIGKILL');
    await child.exited;
    const [between] = await review('batch', '1');
    assert.equal((await states()).accepted?.length ?? 0, between.accepted);
    if (between.state !== 'accepted') await review('accept', '--batch', '1', '--by', ANN);
    const [after] = await review('batch', '1');
    assert.deepEqual([after.state, after.accepted], ['accepted', 10]);
    assert.equal((await states()).accepted.length, 10);
  });

  test('trades, filings and coverage show the review in a batch', async () => {
    const { accepted } = await states();
    await shared.site.stockact('publish', '--all-accepted', '--by', ANN);
    const id = accepted[0].filingId;
    const trade = await shared.server.json(`/api/v1/trades/${id}-0001`);
    assert.equal(trade.data.source.review, 'batch');
    const filing = await shared.server.json(`/api/v1/filings/${id}`);
    assert.equal(filing.data.source.review, 'batch');
    const reader = await signInOnPage(
      shared.server,
      await makeOwner(shared.site, { plan: 'wolf' }),
    );
    const page = await reader.open(`/trades/${id}-0001`);
    assert.match(page.text('main'), /in a batch: all checks passed/);
    const { data } = await shared.server.json('/api/v1/coverage');
    const none = { rowSeconds: null, pageSeconds: null };
    assert.deepEqual(data.review, {
      ...{ row: 0, page: 0, unseen: 1, batch: 10, bulk: 0, unrecorded: 0 },
      ...{ ...none, unseenSeconds: 0 },
    });
    const coverage = await reader.open('/coverage');
    assert.match(coverage.text('main'), /In a batch\s*10\s*–\s*in a batch: all checks passed/);
  });

  test('two people who accept one batch at once accept each draft once', async () => {
    const [{ batch }, ...drawn] = await review(
      ...['accept', '--clean', '--sample', '2', '--size', '8', '--by', ANN],
    );
    const ids = drawn.map(({ filingId }) => filingId);
    await review('look', String(batch), ...ids, '--right', '--by', ANN);
    const both = await Promise.all(
      [ANN, BEN].map((by) => attempt('accept', '--batch', String(batch), '--by', by)),
    );
    assert.ok(both.some(({ code }) => code === 0));
    for (const { code, stderr } of both) if (code !== 0) assert.match(stderr, /already accepted/);
    const [after] = await review('batch', String(batch));
    assert.deepEqual([after.state, after.accepted, after.left], ['accepted', 8, 0]);
    const accepts = await shared.site.database.query(
      `SELECT h.draft_no, count(*) AS n FROM draft_history h JOIN review_batch_draft b
       ON b.draft_no = h.draft_no WHERE b.batch_no = ${batch} AND h.action = 'accept'
       GROUP BY h.draft_no`,
    );
    assert.deepEqual(
      accepts.map(({ n }) => Number(n)),
      Array(8).fill(1),
    );
  });

  test('a batch cannot start without the setting', async () => {
    await refused(
      /batches are off: the operator turns them on with STOCKACT_BATCH_REVIEW=on/,
      ...['accept', '--clean', '--sample', '1', '--batch-review', 'off', '--by', ANN],
    );
  });
});

test('the commands of docs/review.md do what they say', async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_BATCH_REVIEW: 'on' } });
  await importReports(site, ['20990001', '20990002']);
  await runCommands(site, commandsOfSection(BATCHES));
  const [{ state, accepted }] = await site.stockact('review', 'batch', '1');
  assert.deepEqual([state, accepted], ['accepted', 2]);
});

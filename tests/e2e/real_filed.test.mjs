// The real Senate pages beside the real bulk history: filing times are corrected when the page of a
// bulk filing is published, and a viewer page leaves member and date of an unread paper alone. Reads
// ../shared/data and is skipped without it.

import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import { BY } from './lib/reviewer.mjs';

const dump = sharedData('senate', 'stock-watcher', 'all_daily_summaries.json');
const pages = sharedData('senate', 'ptr-html');
const papers = sharedData('senate', 'paper');
const members = ['legislators-historical.csv', 'legislators-current.json'].map((name) =>
  sharedData('congress-legislators', name),
);
const found = dump && pages && papers && members.every(Boolean);
const skip = found ? false : noSharedData;

/** Published in the test; each is three commands. */
const SAMPLE = 20;

test('filedAt takes the time of the real page', { skip }, async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_BENCH_UNLIMITED: '1' } });
  await site.stockact('members', 'import', ...members);
  await site.stockact('backfill', 'senate-stock-watcher', dump, ...BY);
  const server = await site.serve();
  const key = await site.key({ plan: 'den' });
  const all = async (target) => {
    const rows = [];
    for await (const page of server.pages(target, { key })) rows.push(...page.data);
    return rows;
  };
  const filings = new Map((await all('/api/v1/filings?limit=100')).map((one) => [one.id, one]));
  const waiting = new Map(
    (await site.stockact('review', 'list')).map((one) => [one.filingId, one]),
  );
  await site.stockact('ingest', pages, papers);

  const viewers = readdirSync(papers).filter((name) => name.endsWith('.html'));
  for (const name of viewers) {
    const id = `senate-${path.basename(name, '.html')}`;
    const before = waiting.get(id);
    if (!before) continue;
    const [draft] = await site.stockact('review', 'show', id);
    assert.deepEqual([draft.member, draft.filedAt], [before.member, before.filedAt], id);
  }

  const drafts = (await site.stockact('review', 'list')).filter((one) => filings.has(one.filingId));
  const differ = drafts.filter((one) => one.filedAt !== filings.get(one.filingId).filedAt);
  assert.deepEqual([drafts.length, differ.length], [295, 295], 'bulk history has the day alone');
  const days = (instant) =>
    new Date(instant).toLocaleDateString('en-CA', { timeZone: 'America/New_York' });
  const otherDay = differ.filter(
    (one) => days(one.filedAt) !== days(filings.get(one.filingId).filedAt),
  );
  assert.deepEqual(otherDay, []);

  const step = Math.max(1, Math.floor(drafts.length / SAMPLE));
  const sample = drafts.filter((one, i) => i % step === 0);
  let corrected = 0;
  for (const { filingId, filedAt, state } of sample) {
    if (state !== 'draft') continue;
    const accepted = await site.run(['review', 'accept', filingId, ...BY]);
    if (accepted.code !== 0) continue; // a check failed, or a row is open
    await site.stockact('publish', filingId, ...BY);
    corrected += filedAt !== filings.get(filingId).filedAt;
    filings.get(filingId).filedAt = filedAt;
  }
  assert.ok(corrected > SAMPLE / 4, `${corrected} corrected`);
  const after = await all('/api/v1/filings?limit=100');
  for (const one of after) {
    if (filings.has(one.id)) assert.equal(one.filedAt, filings.get(one.id).filedAt, one.id);
  }
  const log = await all('/api/v1/corrections?limit=100');
  const entries = log.filter((one) => one.field === 'filedAt');
  assert.equal(entries.length, corrected);
  for (const one of entries) assert.equal(one.new, filings.get(one.filingId).filedAt);
  assert.equal((await site.stockact('check')).at(-1).findings, 0);
});

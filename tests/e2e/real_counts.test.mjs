// What is said about named people, with all real documents published: the late list, who is in
// office, and the reports that wait, counted again by lib/recount.py, which shares no code with the
// program. With the bulk history of the Senate, and without it.

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { BY } from './lib/reviewer.mjs';
import { instrumented, noSharedData, root, sharedData } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';

const data = sharedData();
const skip = !data ? noSharedData : instrumented ? 'too slow in this build' : false;
const DAY = '2026-11-28';
const HELD_BACK = 25; // each so manieth report is imported last, and waits

const files = (folder, ending) =>
  readdirSync(path.join(data, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(data, folder, name));

/** Accepts the clean drafts together, and each other one by itself, in the order of filing. */
async function publishAll(site) {
  const clean = ['--clean', '--sample', '1', '--size', '2000'];
  const [{ batch }, drawn] = await site.stockact('review', 'accept', ...clean, ...BY);
  await site.stockact('review', 'look', batch, drawn.filingId, '--right', ...BY);
  await site.stockact('review', 'accept', '--batch', batch, ...BY);
  await site.stockact('publish', '--all-accepted', ...BY);
  const drafts = await site.stockact('review', 'list');
  for (const { filingId } of drafts
    .filter(({ state }) => state === 'draft')
    .sort((a, b) => a.filedAt.localeCompare(b.filedAt))) {
    const { code } = await site.run(['review', 'accept', filingId, ...BY]);
    if (code === 0) await site.stockact('publish', filingId, ...BY); // others have open rows
  }
}

async function answersOf(t, history) {
  const env = { STOCKACT_BENCH_UNLIMITED: '1', STOCKACT_BATCH_REVIEW: 'on' };
  const site = await makeSite(t, { clock: `${DAY}T12:00:00Z`, env });
  const people = ['legislators-current.json', 'history/former-members-since-2012.json'];
  await site.stockact('setup');
  const lists = people.map((name) => path.join(data, 'congress-legislators', name));
  await site.stockact('members', 'import', ...lists);
  if (history) {
    const dump = path.join(data, 'senate/stock-watcher/all_daily_summaries.json');
    await site.stockact('backfill', 'senate-stock-watcher', dump, ...BY);
  }
  const reports = [
    ...files('senate/ptr-html', '.html'),
    ...files('house/ptr-pdf', '.pdf'),
    ...files('failing', '.html'),
  ];
  await site.stockact('ingest', path.join(data, 'house/index'));
  await site.stockact('ingest', ...reports.filter((_, i) => i % HELD_BACK));
  await publishAll(site);
  await site.stockact('ingest', ...reports.filter((_, i) => i % HELD_BACK === 0));
  const [server, key] = [await site.serve(), await site.key({ plan: 'den' })];
  const walk = async (target) => {
    const rows = [];
    for await (const page of server.pages(target, { key })) rows.push(...page.data);
    return rows;
  };
  const answers = {
    day: DAY,
    history,
    ingested: reports.map((name) => path.basename(name).replace(/^(.*)\.html$/, 'senate-$1')),
    trades: await walk('/api/v1/trades?limit=100&fields=dates'),
    filings: await walk('/api/v1/filings?limit=100'),
    politicians: await walk('/api/v1/politicians?limit=100'),
  };
  const file = path.join(site.folder, 'answers.json');
  writeFileSync(file, JSON.stringify(answers));
  const script = path.join(root, 'tests/e2e/lib/recount.py');
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 };
  return JSON.parse(execFileSync('python3', ['-B', script, data, file], options));
}

for (const history of [false, true])
  test(
    `lateness, office and waiting reports are those of the documents, ${history ? 'with' : 'without'} the history`,
    {
      skip,
    },
    async (t) => {
      const { counts, findings } = await answersOf(t, history);
      assert.deepEqual(findings.slice(0, 20), []);
      t.diagnostic(JSON.stringify(counts));
      assert.ok(counts.known > (history ? 10_000 : 4500), 'lateness of most trades is known');
      assert.ok(counts.late > 500 && counts.on_time > 4000);
      assert.ok(counts['of amendments unknown'] > (history ? 0 : 500));
      assert.ok(counts['of amendments late'] < 10, 'rows that the amendment adds');
      assert.ok(counts.indexed > 7000 && counts.unmatched < 5 && counts.waitingSenate > 10);
      assert.ok(counts.days > 5000 && counts.states === 50);
    },
  );

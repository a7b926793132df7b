// What /metrics says when something outside changes: a fetch that fails, a job that nobody runs,
// drafts that wait, a server that lags or falls silent, a Redis that stops. docs/metrics.md is
// compared with the page.

import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { indexXml } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { status as answering } from './lib/official_sites.mjs';
import { freePort } from './lib/ports.mjs';
import { BY } from './lib/reviewer.mjs';
import { samples } from './lib/samples.mjs';
import { root } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { fillHouse, makeSites } from './lib/syncing.mjs';
import { until } from './lib/until.mjs';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const seconds = (instant) => (typeof instant === 'number' ? instant : Date.parse(instant)) / 1000;

/** Waits until the samples, named without `stockact_`, have these values; undefined: not there. */
async function shows(what, server, expected) {
  await until(what, async () => {
    const found = await samples(server);
    return Object.entries(expected).every(([name, value]) => found[`stockact_${name}`] === value);
  });
}

/** What a job's last run was. */
const lastRun = (job, state) => ({
  [`job_state{job="${job}",state="failed"}`]: Number(state === 'failed'),
  [`job_state{job="${job}",state="ok"}`]: Number(state === 'ok'),
});

onEachDatabase('the metrics of a server', (kind) => {
  test('tell of a fetch that fails, then works, and then is not run', async (t) => {
    const { sites, site } = await makeSites(t, { database: kind, clock: '2026-03-10T04:29:00Z' });
    fillHouse(sites);
    let refusing = true;
    sites.fault({ test: () => refusing }, answering(403), { times: Infinity });
    const env = { STOCKACT_SYNC_AT: '04:30', STOCKACT_SYNC_BASE_URL: sites.url };
    const server = await site.serve({ env });
    await shows('the fetch is planned', server, {
      'job_state{job="sync",state="never"}': 1,
      'job_late_seconds{job="sync"}': 0,
    });

    await site.clock.set('2026-03-10T04:30:00Z');
    await shows('it failed', server, {
      ...lastRun('sync', 'failed'),
      'job_failures{job="sync"}': 1,
      'job_last_ok_seconds{job="sync"}': undefined,
      'job_last_started_timestamp_seconds{job="sync"}': seconds('2026-03-10T04:30:00Z'),
    });

    refusing = false;
    await site.clock.set('2026-03-11T04:30:00Z');
    await shows('it worked', server, {
      ...lastRun('sync', 'ok'),
      'job_failures{job="sync"}': 0,
      'job_last_ok_seconds{job="sync"}': seconds('2026-03-11T04:30:00Z'),
    });

    // A server that has the lease is gone.
    const lease = Date.parse('2026-03-12T06:35:00Z');
    await site.database.execute(
      `UPDATE job SET lease_node = 'gone', lease_until = ${lease} WHERE name = 'sync'`,
    );
    await site.clock.set('2026-03-12T06:30:00Z');
    await shows('it is late', server, { 'job_late_seconds{job="sync"}': (2 * HOUR) / 1000 });
  });

  test('count drafts by what they need', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-03-10T12:00:00Z' });
    const server = await site.serve();
    await shows('nothing waits', server, {
      'drafts{state="waiting"}': 0,
      drafts_oldest_waiting_seconds: 0,
      drafts_earliest_due_timestamp_seconds: undefined,
    });
    const inbox = path.join(site.folder, 'inbox');
    const members = path.join(site.folder, 'members.json');
    const ids = ['20990101', '20990102', '20990103'];
    mkdirSync(inbox);
    writeFileSync(members, membersJson([VALE]));
    writeFileSync(path.join(inbox, '2025FD.xml'), indexXml(ids.map((DocID) => ({ DocID }))));
    for (const id of ids) {
      // The last was traded on a Sunday.
      const doubtful = id === ids[2] ? { date: '01/05/2025', notified: '01/06/2025' } : {};
      const rows = [{ ...HOUSE_ROW, ...doubtful, asset: `Harbor Tools ${id} (HRBR) [ST]` }];
      writeFileSync(path.join(inbox, `${id}.pdf`), housePdf({ id, rows }));
    }
    await site.stockact('members', 'import', members);
    await site.stockact('ingest', inbox);
    await site.clock.advance(DAY);
    await shows('three wait, two of them clean', server, {
      'drafts{state="waiting"}': 3,
      drafts_clean: 2,
      drafts_paper: 0,
      drafts_oldest_waiting_seconds: DAY / 1000,
      // 30 days after the notification
      drafts_earliest_due_timestamp_seconds: seconds('2025-02-02T00:00:00Z'),
    });
    await site.stockact('review', 'claim', `house-${ids[0]}`, ...BY);
    await site.stockact('review', 'accept', `house-${ids[1]}`, ...BY);
    await shows('one is claimed, and one is accepted', server, {
      'drafts{state="waiting"}': 1,
      'drafts{state="claimed"}': 1,
      'drafts{state="accepted"}': 1,
    });
  });

  test('tell of a server that lags, and then is silent', async (t) => {
    const site = await makeSite(t, { database: kind });
    const server = await site.serve();
    await site.account({ plan: 'den' }); // a change
    const alone = { 'nodes{state="running"}': 1, 'nodes{state="silent"}': 0 };
    await shows('it is alone', server, { ...alone, nodes_behind_max: 0, node_behind: 0 });
    const [{ seq }] = await site.database.query('SELECT seq FROM node');
    assert.ok(seq > 0);
    // Its heartbeat comes from a clock that is 4 s ahead: it counts as running for 9 s.
    await site.database.execute(
      `INSERT INTO node (id, label, seq, beat_at, version, started_at)
       SELECT 'slow' || substr(id, 5), 'slow', 0, beat_at + 4000, version, started_at FROM node`,
    );
    await shows('the other lags', server, {
      'nodes{state="running"}': 2,
      nodes_behind_max: Number(seq),
      node_behind: 0,
      database_up: 1,
    });
    const silent = { 'nodes{state="running"}': 1, 'nodes{state="silent"}': 1, nodes_behind_max: 0 };
    await until('it is silent', async () => {
      const found = await samples(server);
      return Object.entries(silent).every(([name, n]) => found[`stockact_${name}`] === n);
    });
  });
});

/** { name: { type, labels } } of the reference. */
function documented() {
  const text = readFileSync(path.join(root, 'docs/metrics.md'), 'utf8');
  const rows = text.matchAll(/^\| `(\w+)(?:\{([\w, ]+)\})?` \| (\w+) \|/gm);
  return Object.fromEntries(
    [...rows].map(([, name, labels, type]) => [name, { type, labels: labels?.split(', ') ?? [] }]),
  );
}

/** The same of a page, from its samples and TYPE lines. */
function emitted(text) {
  const found = {};
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    assert.ok(!(name in found), `${name} is there once`);
    found[name] = { type, labels: null };
  }
  for (const [, series, labels] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const name = series in found ? series : series.replace(/_(bucket|sum|count)$/, '');
    assert.ok(name in found, `${series} has a TYPE`);
    const names = [...(labels ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label);
    found[name].labels = names.filter((label) => label !== 'le');
  }
  return found;
}

test('the page of a server that uses everything has what the reference says', async (t) => {
  const env = {
    STOCKACT_SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    STOCKACT_MAIL_FROM: 'stockact <notices@example.org>',
    STOCKACT_PURGE_URL: `http://127.0.0.1:${await freePort()}/purge`,
    STOCKACT_SWEEP_AT: '12:01',
  };
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z', redis: true, env });
  await site.stockact('demo', '--trades', 200);
  const server = await site.serve();
  await shows('Redis is connected', server, { redis_up: 1 });
  const planned = "select next_at from job where name = 'sweep' and next_at is not null";
  await until('the sweep is planned', async () => (await site.database.query(planned)).length > 0);
  await site.clock.set('2026-03-10T12:01:00Z');
  await shows('it has swept', server, { sweep_last_end_seconds: seconds('2026-03-10T12:01:00Z') });
  await site.database.execute(
    `INSERT INTO draft (filing_id, revision, chamber, source_doc_id, manual, state, checks,
       created_at, due_day)
     VALUES ('house-1', 1, 'house', '1', 0, 'draft', '[]', 0, 20000)`,
  );
  await site.database.execute("UPDATE meta SET value = 'real' WHERE name = 'data'");
  for (const metric of ['drafts_earliest_due_timestamp_seconds', 'backup_timestamp_seconds'])
    await until(metric, async () => `stockact_${metric}` in (await samples(server)));
  const { text } = await server.get('/metrics', { unchecked: true });
  assert.deepEqual(emitted(text), documented());
  const lint = spawnSync('promtool', ['check', 'metrics'], { input: text });
  if (lint.error) t.diagnostic('promtool is not installed (Debian package prometheus)');
  else assert.equal(lint.status, 0, `${lint.stdout}${lint.stderr}`);

  await site.redis.child.stop('SIGTERM');
  await shows('Redis is gone', server, { redis_up: 0 });
});

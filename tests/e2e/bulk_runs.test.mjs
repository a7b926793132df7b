// `demo` and `backfill` of many trades that are killed, or that run beside another one or a server.
// On PostgreSQL they drop foreign keys and indexes until their rows are written
// (src/store/public/filing_bulk.h); a proxy between them and the database sees how far they are.

import { strict as assert } from 'node:assert';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Child } from './lib/child.mjs';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { makeProxied, noClients } from './lib/proxied_database.mjs';
import { binary, databaseKinds } from './lib/settings.mjs';
import { bulkFiling } from './lib/signal_site.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const TRADES = 20_000; // about 2,400 filings
const FEW = 2000;
const FILINGS = 2000; // of a backfill: so many drop the rules
const LOG_BEGUN = 2 ** 18; // bytes of SQLite's log
const [LOG_HEAD, FRAME_HEAD] = [32, 24]; // bytes, in SQLite's format of the log

/** `steps`: statements of PostgreSQL at which it is killed. */
const COMMANDS = {
  demo: {
    trades: TRADES,
    steps: ['COPY trade ', 'CREATE INDEX', 'change_log'],
    args: (site, trades) => ['demo', '--trades', trades, '--as-of', '2026-03-01'],
  },
  backfill: {
    trades: 2 * FILINGS,
    steps: ['ADD CONSTRAINT'],
    args: (site) => [
      ...['backfill', 'senate-stock-watcher', path.join(site.folder, 'dump.json')],
      ...['--by', 'voucher@example.org'],
    ],
  },
};

/** A site where the command can run; `run(env)` starts it. */
async function makeReady(t, kind, name) {
  const site = await makeSite(t, { database: kind });
  const file = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  if (name === 'backfill') {
    await site.stockact('members', 'import', file('members.json', membersJson([HOLLIS])));
    const filings = Array.from({ length: FILINGS }, (_, i) => bulkFiling(HOLLIS, i, 2));
    file('dump.json', JSON.stringify(filings));
  }
  const start = (env = {}, trades = TRADES) =>
    new Child(binary, [...COMMANDS[name].args(site, trades).map(String), '--json'], {
      cwd: site.folder,
      env: { ...site.env, ...env },
    });
  return { site, start };
}

const count = async (site) =>
  Number((await site.database.query('SELECT count(*) AS n FROM trade'))[0].n);

/** Foreign keys and indexes of PostgreSQL, as text. */
async function rulesOf(site) {
  const rows = await site.database.query(
    "SELECT concat(conrelid::regclass, ' ', conname, convalidated, pg_get_constraintdef(oid)) AS x" +
      " FROM pg_constraint UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'stockact'" +
      ' ORDER BY 1',
  );
  return rows.map(({ x }) => x);
}

/** On SQLite: whether a process is stopped by a signal. */
function isStopped(pid) {
  try {
    return / T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false; // it has ended
  }
}

/** Whether the last page in SQLite's log ends a transaction. */
function isCommitted(log) {
  const bytes = readFileSync(log);
  const frame = FRAME_HEAD + bytes.readUInt32BE(8); // the size of a page
  const count = Math.floor((bytes.length - LOG_HEAD) / frame);
  return bytes.readUInt32BE(LOG_HEAD + (count - 1) * frame + 4) > 0;
}

/**
 * A site, and the command in the middle of its rows there. The log of a small command grows only
 * while it commits, for milliseconds: if it was faster than the look at it, another one is started.
 */
async function stopInSqlite(t, name) {
  for (;;) {
    const { site, start } = await makeReady(t, 'sqlite', name);
    const child = start();
    const log = `${site.database.file}-wal`;
    const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    await until('its rows are on their way', () => child.ended || size() > LOG_BEGUN);
    child.signal('SIGSTOP');
    await until('it is stopped', () => child.ended || isStopped(child.pid));
    if (!child.ended && size() > LOG_BEGUN && !isCommitted(log))
      return { site, start, child, goOn: () => child.signal('SIGCONT') };
    child.signal('SIGKILL');
    await child.exited;
  }
}

/** The same on PostgreSQL, where it is about to send the last of `texts`. */
async function stopInPostgres(t, name, { trades, texts = ['COPY trade '] } = {}) {
  const { site, start } = await makeReady(t, 'postgresql', name);
  const { proxy, url } = await makeProxied(t, site.database);
  const reached = new Promise((resolve) => {
    proxy.onSent(texts, () => {
      proxy.stall();
      resolve();
    });
  });
  const child = start({ STOCKACT_DATABASE: url }, trades);
  await reached;
  return { site, start, child, goOn: () => proxy.pass() };
}

const BUSY = /another (process|program)/;

for (const name of Object.keys(COMMANDS)) {
  const { trades } = COMMANDS[name];

  onEachDatabase(
    `a first ${name}`,
    (kind) => {
      test('leaves nothing after a kill, and the next run finishes', async (t) => {
        let site;
        if (kind === 'postgresql') {
          const ready = await makeReady(t, kind, name);
          const { start } = ready;
          site = ready.site;
          const rules = await rulesOf(site);
          const { proxy, url } = await makeProxied(t, site.database);
          for (const step of COMMANDS[name].steps) {
            const child = start({ STOCKACT_DATABASE: url });
            proxy.onSent(['DROP INDEX', step], () => child.signal('SIGKILL'));
            assert.equal((await child.exited).signal, 'SIGKILL', `${step}\n${child.stderr}`);
            await noClients(site.database);
            assert.deepEqual(await rulesOf(site), rules, step);
            assert.equal(await count(site), 0, step);
          }
          assert.equal((await start().exited).code, 0);
          assert.deepEqual(await rulesOf(site), rules);
        } else {
          const stopped = await stopInSqlite(t, name);
          site = stopped.site;
          await stopped.child.stop('SIGKILL');
          assert.equal(await count(site), 0);
          assert.equal((await stopped.start().exited).code, 0);
        }
        assert.equal(await count(site), trades);
        assert.equal((await site.stockact('check'))[0].findings, 0);
      });

      test('makes another run and a server wait, or fail with the reason', async (t) => {
        const stop = kind === 'postgresql' ? stopInPostgres : stopInSqlite;
        const { site, start, child: first, goOn } = await stop(t, name);
        const second = start();
        const server = site.run(['serve', '--listen', '127.0.0.1:0']);
        assert.equal((await second.exited).code, 1);
        assert.match(second.stderr, BUSY);
        const refused = await server;
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, BUSY);
        goOn();
        assert.equal((await first.exited).code, 0, first.stderr);
        const again = start();
        assert.equal((await again.exited).code, name === 'demo' ? 1 : 0, again.stderr);
        if (name === 'demo') assert.match(again.stderr, /the database is not empty/);
        else assert.equal(JSON.parse(again.stdout).filingsUnchanged, FILINGS);
        assert.equal(await count(site), trades);
        const late = await site.serve();
        assert.equal((await late.json('/api/v1/trades?limit=1')).data.length, 1);
      });
    },
    { concurrency: true },
  );
}

if (databaseKinds.includes('postgresql'))
  test('a second demo waits for the first and finds its rows', async (t) => {
    const end = { trades: FEW, texts: ['COPY trade ', 'COMMIT'] };
    const { site, start, child: first, goOn } = await stopInPostgres(t, 'demo', end);
    const second = start({}, FEW);
    await until('the second one waits', async () => {
      const [{ n }] = await site.database.query(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'" +
          ' AND datname = current_database()',
      );
      return Number(n) === 1;
    });
    goOn();
    assert.equal((await first.exited).code, 0, first.stderr);
    assert.equal((await second.exited).code, 1);
    assert.match(second.stderr, /the database is not empty/);
    assert.equal(await count(site), FEW);
  });

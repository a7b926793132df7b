// Copies of a site's database, with `stockact copy`.

import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Child } from './child.mjs';
import { makeDatabase } from './database.mjs';
import { postgresProgram } from './postgres.mjs';
import { makeProxied, noClients } from './proxied_database.mjs';
import { binary, databaseKinds } from './settings.mjs';
import { until } from './until.mjs';

/** The kind of database that the tests copy to: PostgreSQL where the build has it. */
export const TARGET = databaseKinds.at(-1);

let folders = 0;

/** A database of `kind` for a site, empty unless `migrated`. */
export async function anotherDatabase(t, site, kind, { migrated = false } = {}) {
  const folder = path.join(site.folder, `copy-${++folders}`);
  mkdirSync(folder);
  const database = await makeDatabase(kind, folder, { empty: !migrated });
  t.after(() => database.drop());
  return database;
}

/** Runs `stockact copy ...`: the digests of its tables, and the last line. */
export async function copied(site, ...args) {
  const lines = await site.stockact('copy', ...args);
  const tables = lines.filter((line) => line.table);
  const digests = Object.fromEntries(tables.map(({ table, digest }) => [table, digest]));
  return { digests, rows: tables.reduce((sum, { rows }) => sum + rows, 0), last: lines.at(-1) };
}

/** Runs a copy that must end with an error, and returns what it said. */
export async function refusedCopy(site, ...args) {
  const done = await site.run(['copy', ...args]);
  assert.equal(done.code, 1, done.stdout);
  return done.stderr;
}

/** Starts a copy of the site's database; resolves as soon as `reached({state, trades})` of the
 *  target and `closed` (whether the source is) says so. */
export async function startCopy(site, target, reached) {
  const args = ['copy', site.database.url, target.url];
  const child = new Child(binary, args, { cwd: site.folder, env: site.env });
  await until('the copy is so far', async () => {
    if (child.ended) return true;
    try {
      const [{ state, trades }] = await target.query(
        "SELECT state, (SELECT count(*) FROM trade) AS trades FROM copy_mark WHERE role = 'target'",
      );
      return reached({ state, trades: Number(trades) });
    } catch {
      return false; // there is no database yet, or no mark
    }
  });
  return child;
}

/** Another copy is refused until PostgreSQL has noticed that the killed one is gone. */
const isGone = (target) => target.kind === 'postgresql' && noClients(target);

/** The same, and kills it then. */
export async function killedCopy(site, target, reached) {
  const child = await startCopy(site, target, reached);
  child.signal('SIGKILL');
  await child.exited;
  await isGone(target);
}

/** The same when the target has all rows and nothing is compared yet. Returns the address of the
 *  target, by which the copy can go on. */
export async function killedFilled(t, site, target) {
  if (target.kind !== 'postgresql') {
    await killedCopy(site, target, ({ state }) => state === 'filled');
    return target.url;
  }
  const { proxy, url } = await makeProxied(t, target);
  const child = new Child(binary, ['copy', site.database.url, url], {
    cwd: site.folder,
    env: site.env,
  });
  proxy.onSent(['SELECT statement FROM copy_later'], () => child.signal('SIGKILL'));
  assert.equal((await child.exited).signal, 'SIGKILL', child.stderr);
  await isGone(target);
  return url;
}

/** The state of a copy in its source: `following`, `closed`, or null. */
export async function sourceState(site) {
  const [mark] = await site.database.query("SELECT state FROM copy_mark WHERE role = 'source'");
  return mark?.state ?? null;
}

/** The target has the rows of the source, and no damage. */
export async function assertMoved(site, target) {
  const { rows } = await copied(site, '--compare', site.database.url, target.url);
  assert.ok(rows > 500);
  const [{ findings }] = await site.stockact('check', '--database', target.url);
  assert.equal(findings, 0);
}

/** Takes a lock on a table of a PostgreSQL database until the returned function is called. */
export async function lockTable(t, database, table, mode) {
  const sql = `begin; lock table stockact.${table} in ${mode} mode; select 'locked'`;
  const child = new Child(postgresProgram('psql'), ['-X', '-q', '-A', '-t', '-d', database.url], {
    env: { PATH: process.env.PATH },
    open: true,
  });
  t.after(() => child.stop('SIGKILL'));
  child.stdin.write(`${sql};\n`);
  await child.waitFor(/^locked$/m);
  return async () => {
    child.stdin.end('commit;\n');
    await child.exited;
  };
}

// Heartbeats of servers that do not exist: a killed server's, and those in a restored backup. A
// command waits only for servers that live.

import { strict as assert } from 'node:assert';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

/** A change that servers must apply: it may not wait for one that does not exist. */
async function changesAtOnce(site, email) {
  const done = await site.run(['accounts', 'create', '--email', email, '--plan', 'den', '--json']);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.stderr, '', 'no server is said to be behind');
}

onEachDatabase('heartbeats of servers that do not exist', (kind) => {
  test('a command still waits for a running server', async (t) => {
    const site = await makeSite(t, { database: kind });
    const server = await site.serve();
    let attempts = 0;
    // Again if it was stopped inside a transaction, which the command cannot wait for.
    await until('a command says that a stopped server is behind', async () => {
      const email = `late-${++attempts}@example.org`;
      server.child.signal('SIGSTOP');
      const done = await site.run(['accounts', 'create', '--email', email, '--plan', 'den']);
      server.child.signal('SIGCONT');
      return done.code === 0 && /has not applied it yet/.test(done.stderr);
    });
  });
});

test('a killed server delays no command (sqlite)', async (t) => {
  const site = await makeSite(t, { database: 'sqlite' });
  const server = await site.serve();
  await changesAtOnce(site, 'before@example.org');
  await server.kill();
  const left = await site.database.query('SELECT label FROM node');
  assert.equal(left.length, 1, 'its row is still there');
  await changesAtOnce(site, 'after@example.org');
});

/** Copies the database of a site, beside its server, to another site, which needs its key too. */
const RESTORE = {
  async sqlite(from, to) {
    const copy = path.join(from.folder, 'copy.db');
    await from.stockact('backup', copy);
    copyFileSync(copy, to.database.url.replace('sqlite:', ''));
  },
  async postgresql(from, to) {
    const script = 'pg_dump --schema=stockact "$0" | psql --quiet --set=ON_ERROR_STOP=1 "$1"';
    const words = ['-c', script, from.database.url, to.database.url];
    const done = await run('sh', words, { env: { PATH: process.env.PATH } });
    assert.equal(done.code, 0, done.stderr);
  },
};

onEachDatabase('a backup taken beside a server', (kind) => {
  test('is restored and used at once', async (t) => {
    const site = await makeSite(t, { database: kind });
    const restored = await makeSite(t, { database: kind, empty: true });
    await site.serve();
    await RESTORE[kind](site, restored);
    copyFileSync(site.env.STOCKACT_SECRET_KEY_FILE, restored.env.STOCKACT_SECRET_KEY_FILE);
    const rows = await restored.database.query('SELECT label FROM node');
    assert.equal(rows.length, 1, 'the backup has the heartbeat');
    await site.stockact('accounts', 'list'); // the other server goes on
    await changesAtOnce(restored, 'restored@example.org');
    await restored.serve();
    await changesAtOnce(restored, 'served@example.org');
  });
});

// Which database a command uses, who may create it, and what the others say.

import { strict as assert } from 'node:assert';
import { chownSync, chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

const DAEMON = 1; // the user of this number, who exists on every Debian machine
const isRoot = process.getuid() === 0;

/** A site whose commands use the default database of its folder. */
const inFolder = (t) => makeSite(t, { empty: true, env: { STOCKACT_DATABASE: '' } });

test('only commands that fill a database create one', async (t) => {
  const site = await inFolder(t);
  const file = path.join(site.folder, 'var/stockact.db');
  writeFileSync(path.join(site.folder, 'report.pdf'), '');
  for (const args of [
    ['status'],
    ['ingest', 'report.pdf'],
    ['sync', 'house', '--base-url', 'http://127.0.0.1:9'],
    ['accounts', 'create', '--email', 'ann@example.org', '--plan', 'pack'],
    ['keys', 'list', '--email', 'ann@example.org'],
    ['backup', 'copy.db'],
  ]) {
    const done = await site.run(args);
    assert.equal(done.code, 1, args.join(' '));
    assert.equal(
      done.stderr,
      `stockact: there is no database at ${file}: start with "stockact setup" (real data) or ` +
        '"stockact demo" (invented data), or set STOCKACT_DATABASE\n',
    );
    assert.ok(!existsSync(path.dirname(file)), args.join(' '));
  }
  await site.stockact('demo', '--trades', '10');
  assert.ok(existsSync(file));
  assert.equal((await site.run(['status'])).code, 0);
});

onEachDatabase('a database without members', (database) => {
  test('takes no report', async (t) => {
    const site = await makeSite(t, { database, empty: true });
    if (database !== 'sqlite') {
      const nothing = await site.run(['ingest', site.folder]);
      assert.match(
        nothing.stderr,
        /there is nothing in the PostgreSQL database: start with "stock/,
      );
    }
    await site.stockact('migrate');
    for (const args of [
      ['ingest', '.'],
      ['sync', 'senate', '--base-url', 'http://127.0.0.1:9'],
    ]) {
      const done = await site.run(args);
      assert.equal(done.code, 1, args.join(' '));
      assert.match(
        done.stderr,
        /^stockact: the database has no members.*`stockact setup` first\n$/,
      );
      assert.equal(done.stdout, '');
    }
    await site.stockact('demo', '--trades', '10'); // it is not marked as real data
    const refused = await site.run(['ingest', '.']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /demonstration data.*`stockact setup`/);
  });
});

test(
  'a file of another user is refused with its owner',
  { skip: isRoot ? false : 'root only: it makes a file of another user' },
  async (t) => {
    const site = await makeSite(t, { empty: true });
    chmodSync(site.folder, 0o755);
    const home = path.join(site.folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, DAEMON, DAEMON);
    const env = { STOCKACT_DATABASE: `sqlite:${home}/stockact.db` };
    const expected = /belongs to the user daemon: run `sudo -u daemon stockact \.\.\.`\n$/;
    for (const args of [['migrate'], ['serve', '--listen', '127.0.0.1:0']]) {
      const byRoot = await site.run(args, { env });
      assert.equal(byRoot.code, 1);
      assert.match(byRoot.stderr, expected);
    }
    assert.deepEqual(readdirSync(home), []);
    const owner = { env: { ...site.env, ...env }, cwd: '/' };
    const as = (uid, ...args) =>
      run('setpriv', [`--reuid=${uid}`, '--clear-groups', binary, ...args], owner);
    assert.equal((await as(DAEMON, 'migrate')).code, 0);
    assert.equal((await site.run(['accounts', 'list'], { env })).code, 0, 'root may read');
    const check = await site.run(['config', 'check', '--listen', '127.0.0.1:0'], { env });
    assert.equal(check.code, 1);
    assert.match(
      check.stderr,
      /the server works as the user daemon, not as this one: run `sudo -u daemon stockact config check`/,
    );
    const stranger = await as(2, 'status');
    assert.equal(stranger.code, 1);
    assert.match(stranger.stderr, expected);

    const settings = path.join(site.folder, 'settings');
    writeFileSync(settings, 'database = sqlite:other.db\n', { mode: 0o600 });
    chownSync(settings, DAEMON, DAEMON);
    const unreadable = await as(2, 'status', '--config', settings);
    assert.equal(unreadable.code, 1);
    assert.match(unreadable.stderr, /only the user daemon may read the settings in ".*settings"/);
  },
);

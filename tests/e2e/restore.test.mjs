// `stockact restore`: a backup becomes a database again, whole or not at all, and the database says
// which master key it needs (docs/operate.md).

import { strict as assert } from 'node:assert';
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdirSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { Child, run } from './lib/child.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const FEED = '/api/v1/trades?limit=100';
const NEEDS = /this database needs the key ([0-9a-f]{16})/;

/** A site, a backup of it, and an empty folder beside it whose database is `env`. */
async function prepare(site) {
  await site.stockact('demo', '--trades', 60, '--as-of', '2026-03-01');
  const server = await site.serve();
  const etag = (await server.get(FEED)).header('etag');
  await server.stop();
  const backup = path.join(site.folder, 'backup.db');
  await site.stockact('backup', backup);
  return { backup, etag, key: site.env.STOCKACT_SECRET_KEY_FILE };
}

let folders = 0;
function emptyPlace(site) {
  const folder = path.join(site.folder, `empty-${++folders}`);
  mkdirSync(folder);
  const file = path.join(folder, 'stockact.db');
  const env = { STOCKACT_DATABASE: `sqlite:${file}`, STOCKACT_SECRET_KEY_FILE: '' };
  return { folder, file, env, secret: `${file}.secret` };
}

async function restored(site, backup, env) {
  const done = await site.run(['restore', backup, '--json'], { env });
  assert.equal(done.code, 0, done.stdout + done.stderr);
  return JSON.parse(done.stdout);
}

async function refused(site, args, env, hint) {
  const done = await site.run(args, { env });
  assert.equal(done.code, 1, done.stdout + done.stderr);
  assert.match(done.stderr, hint);
}

describe('restore', () => {
  const shared = useSite({}, prepare);

  test('puts the backup in place, and its server answers the same', async () => {
    const { site, backup, etag, key } = shared;
    const place = emptyPlace(site);
    copyFileSync(key, place.secret);
    const said = await restored(site, backup, place.env);
    assert.equal(said.database, place.file);
    assert.equal(said.secretKeyFile, place.secret);
    assert.equal(said.secretKey, 'fits');
    assert.equal(statSync(place.file).mode & 0o777, 0o600);
    const server = await site.serve({ env: place.env });
    assert.equal((await server.get(FEED)).header('etag'), etag);
    await server.stop();
    await refused(site, ['restore', backup], place.env, /there is a database at/);
  });

  test('says which key is missing; without it no server starts, and no key is created', async () => {
    const { site, backup, key } = shared;
    const place = emptyPlace(site);
    const said = await restored(site, backup, place.env);
    assert.equal(said.secretKey, 'missing');
    const serve = ['serve', '--listen', '127.0.0.1:0'];
    await refused(site, serve, place.env, NEEDS);
    assert.ok(!existsSync(place.secret));
    writeFileSync(place.secret, 'another key of thirty-two bytes.', { mode: 0o600 });
    const done = await site.run(serve, { env: place.env });
    assert.equal(done.code, 1);
    assert.equal(NEEDS.exec(done.stderr)[1], said.secretKeyNeeded);
    const kept = `${place.secret}.${said.secretKeyNeeded}`; // as a rotation keeps it
    copyFileSync(key, kept);
    await refused(
      site,
      serve,
      place.env,
      /that key is kept in ".*\.secret\.[0-9a-f]{16}": copy it/,
    );
    rmSync(kept);
    rmSync(place.secret);
    copyFileSync(key, place.secret);
    await (await site.serve({ env: place.env })).stop();
  });

  test('says that the key file has a different key', async () => {
    const { site, backup, key } = shared;
    const place = emptyPlace(site);
    writeFileSync(place.secret, 'another key of thirty-two bytes.', { mode: 0o600 });
    const said = await restored(site, backup, place.env);
    assert.equal(said.secretKey, 'differs');
    assert.match(said.next, /another database's key/);
    rmSync(place.file);
    copyFileSync(key, `${place.secret}.kept`);
    const again = await restored(site, backup, place.env);
    assert.equal(again.secretKey, 'differs');
    assert.match(again.next, /that key is kept in ".*\.secret\.kept": copy it to ".*\.secret"/);
  });

  test('says that the database exists if only the last step fails', async () => {
    const { site, backup, key } = shared;
    const failing = async (on, call, injected, hint) => {
      const place = emptyPlace(site);
      copyFileSync(key, place.secret);
      const inject = injected.flatMap((one) => ['-e', `inject=${one}`]);
      const watch = ['-f', '-o', '/dev/null', '-P', on(place), '-e', `trace=${call}`];
      const done = await run('strace', [...watch, ...inject, binary, 'restore', backup], {
        env: { ...site.env, ...place.env },
      });
      assert.equal(done.code, 1, done.stdout + done.stderr);
      assert.match(done.stderr, hint);
      const [checked] = await site.stockact('check', '--database', `sqlite:${place.file}`);
      assert.equal(checked.findings, 0);
    };
    const folder = /the database is at ".*", but its folder cannot be flushed/;
    await failing((place) => place.folder, 'fsync', ['fsync:error=EIO'], folder);
    const linked = ['renameat2:error=EINVAL', 'unlink:error=EIO'];
    const second = /the database is at ".*", but ".*\.restoring" cannot be removed/;
    await failing((place) => `${place.file}.restoring`, 'renameat2,unlink', linked, second);
  });

  test('backup --keep verifies, and removes old backups but never the newest good one', async () => {
    const { site } = shared;
    const folder = path.join(site.folder, 'kept');
    const names = () => readdirSync(folder).sort();
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'mine.db'), '');
    const made = [];
    for (let i = 0; i < 4; i++) {
      const lines = await site.stockact('backup', '--keep', 3, folder);
      made.push(path.basename(lines.find(({ backup }) => backup).backup));
      assert.equal(lines.find(({ verified }) => verified).secretKey, 'fits');
    }
    assert.deepEqual(names(), ['mine.db', ...made.slice(1)]);

    // of a database whose rows were changed, nothing is kept and nothing removed
    await site.database.execute("UPDATE filing SET url = url || '?' WHERE no = 1");
    await refused(site, ['backup', '--keep', 1, folder], {}, /cannot be restored: it failed/);
    assert.deepEqual(names(), ['mine.db', ...made.slice(1)]);
    await site.database.execute("UPDATE filing SET url = rtrim(url, '?') WHERE no = 1");
    const [{ verified }] = await site.stockact('backup', '--verify', folder);
    assert.equal(path.basename(verified), made[3]);
    await site.stockact('backup', '--keep', 1, folder);
    assert.equal(names().length, 2);
  });

  test('backup --verify finds a changed page, and leaves nothing behind', async () => {
    const { site, backup } = shared;
    const bad = path.join(site.folder, 'changed.db');
    copyFileSync(backup, bad);
    truncateSync(bad, statSync(bad).size - 8192);
    await refused(site, ['backup', '--verify', bad], {}, /cannot be restored/);
    assert.deepEqual(
      readdirSync(site.folder).filter((name) => name.includes('drill')),
      [],
    );
  });

  test('backup --follow gives back every change of two seconds ago, and any time before', async (t) => {
    const site = await makeSite(t);
    await site.stockact('demo', '--trades', 300, '--as-of', '2026-03-01');
    await (await site.serve()).stop(); // it makes the master key
    const email = await site.account();
    const folder = path.join(site.folder, 'followed');
    mkdirSync(folder);
    const follower = new Child(binary, ['backup', '--follow', folder], {
      cwd: site.folder,
      env: site.env,
    });
    await follower.waitFor(/copied/);
    const log = path.join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.log')),
    );
    /** A change that is in the log when this resolves, and a time at which it was. */
    const change = async () => {
      const before = statSync(log).size;
      const { id } = await site.mint({ email });
      await until('the log grows', () => statSync(log).size > before);
      return { id, at: new Date().toISOString() };
    };
    const first = await change();
    const second = await change();
    await refused(site, ['backup', '--follow', folder], {}, /another backup follows into/);
    follower.signal('SIGKILL');
    await follower.exited;
    for (const ending of ['', '-wal', '-shm']) rmSync(site.database.file + ending, { force: true });

    const keys = async (...at) => {
      const place = emptyPlace(site);
      const done = await site.run(['restore', folder, ...at, '--json'], { env: place.env });
      assert.equal(done.code, 0, done.stderr);
      assert.ok(JSON.parse(done.stdout).restoredTo);
      const list = await site.run(['keys', 'list', '--email', email, '--json'], { env: place.env });
      return [first, second].map(({ id }) => list.stdout.includes(id));
    };
    assert.deepEqual(await keys(), [true, true]);
    assert.deepEqual(await keys('--at', first.at), [true, false]);
    const early = ['restore', folder, '--at', '2026-01-01T00:00:00Z'];
    await refused(site, early, emptyPlace(site).env, /no copy of .* that is old enough/);
  });

  test('refuses a file that is not a complete backup, and leaves nothing behind', async () => {
    const { site, backup } = shared;
    const place = emptyPlace(site);
    const bad = path.join(site.folder, 'bad.db');
    const expectNothing = () =>
      assert.deepEqual(
        readdirSync(place.folder).filter((name) => !name.endsWith('.lock')),
        [],
      );
    await refused(site, ['restore', `${bad}-none`], place.env, /cannot open the backup/);
    expectNothing();
    writeFileSync(bad, 'not a database, but long enough to be read as one. '.repeat(100));
    await refused(site, ['restore', bad], place.env, /cannot be restored/);
    expectNothing();
    copyFileSync(backup, bad);
    truncateSync(bad, 40_960);
    await refused(site, ['restore', bad], place.env, /cannot be restored/);
    expectNothing();
    rmSync(bad);
    await site.run(['migrate'], { env: { STOCKACT_DATABASE: `sqlite:${bad}` } });
    writeFileSync(`${bad}-wal`, 'changes');
    await refused(site, ['restore', bad], place.env, /a database in use, not a backup/);
    expectNothing();
  });

  test('refuses beside the log of a former database, and while a server runs', async (t) => {
    const { site, backup } = shared;
    const place = emptyPlace(site);
    writeFileSync(`${place.file}-wal`, 'left');
    await refused(site, ['restore', backup], place.env, /stockact\.db-wal" is left over from/);
    const other = await makeSite(t);
    await other.serve();
    renameSync(other.database.file, `${other.database.file}.moved`);
    await refused(
      other,
      ['restore', backup],
      {},
      /a server runs on this database: stop it, then restore/,
    );
    renameSync(`${other.database.file}.moved`, other.database.file);
  });

  test('names the command for PostgreSQL', async () => {
    const env = { STOCKACT_DATABASE: 'postgresql://127.0.0.1:1/none' };
    await refused(shared.site, ['restore', shared.backup], env, /pg_restore .*--dbname/);
  });

  test('leaves a complete database or none after a kill at any step, and can be repeated', async () => {
    const { site, backup, etag, key } = shared;
    const place = emptyPlace(site);
    copyFileSync(key, place.secret);
    const env = { ...site.env, ...place.env };
    const killedAt = async (call, n) => {
      const inject = `inject=${call}:signal=KILL:when=${n}`;
      const args = ['-f', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
      const killed = [...args, binary, 'restore', backup];
      const done = await run('strace', killed, { env, endsBy: 'SIGKILL' });
      return done.code !== 0;
    };
    let kills = 0;
    const all = {
      renameat2: [1],
      rename: [1, 2],
      fsync: [1, 2, 3, 4],
      write: [1, 2],
      pwrite64: [1],
    };
    for (const [call, numbers] of Object.entries({ ...all, unlink: [1, 3, 5], openat: [8, 12] }))
      for (const n of numbers) {
        if (await killedAt(call, n)) kills++;
        if (existsSync(place.file)) {
          const [checked] = await site.stockact('check', '--database', `sqlite:${place.file}`);
          assert.equal(checked.findings, 0, `${call} ${n}`);
        } else {
          await restored(site, backup, place.env);
        }
        if (call === 'fsync') {
          const server = await site.serve({ env: place.env });
          assert.equal((await server.get(FEED)).header('etag'), etag, `${call} ${n}`);
          await server.stop();
        }
        for (const name of readdirSync(place.folder))
          if (!name.endsWith('.secret')) rmSync(path.join(place.folder, name));
      }
    assert.ok(kills >= 8, `${kills} kills`);
  });
});

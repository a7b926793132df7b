// `stockact copy` that is killed, cut off, out of room or wrong (docs/adr/0037-copy.md): the old
// database is used on, and the copy goes on or says what to do.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import {
  TARGET,
  anotherDatabase,
  assertMoved,
  copied,
  killedFilled,
  lockTable,
  refusedCopy,
  sourceState,
  startCopy,
} from './lib/copying.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const MOVED = /this database was moved to/;

async function filledSite(t, trades, options = {}) {
  const site = await makeSite(t, options);
  await site.stockact('demo', '--trades', trades, '--as-of', '2026-03-01');
  site.email = await site.account({ plan: 'den' });
  return site;
}

const cutOff = (database) =>
  database.query(
    'SELECT count(pg_terminate_backend(pid)) AS n FROM pg_stat_activity' +
      " WHERE datname = current_database() AND query LIKE '%copy_mark%' = false" +
      " AND application_name <> 'psql'",
  );

test('a target that holds data, or that has another schema, is refused', async (t) => {
  const site = await filledSite(t, 300);
  const copyTo = (target) => refusedCopy(site, site.database.url, target.url);

  const used = await anotherDatabase(t, site, TARGET, { migrated: true });
  const plan = ['--plan', 'pack', '--database', used.url];
  await site.stockact('accounts', 'create', '--email', 'a@example.org', ...plan);
  assert.match(await copyTo(used), /this database is not empty, its table \w+ has rows/);

  const older = await anotherDatabase(t, site, TARGET, { migrated: true });
  await older.execute("INSERT INTO meta (name, value) VALUES ('data', 'real')");
  await older.execute('DELETE FROM migration WHERE number = (SELECT max(number) FROM migration)');
  assert.match(await copyTo(older), /older than this program; run `stockact migrate`/);

  const newer = await anotherDatabase(t, site, TARGET, { migrated: true });
  await newer.execute("INSERT INTO migration (number, checksum) VALUES (9999, 'x')");
  assert.match(await copyTo(newer), /newer/);

  const changed = await anotherDatabase(t, site, TARGET, { migrated: true });
  await changed.execute('ALTER TABLE typed ADD COLUMN more TEXT');
  assert.match(await copyTo(changed), /table typed has different columns/);

  assert.equal(await sourceState(site), null); // nothing was begun
  await site.key({ email: site.email });
});

test('a copy names a row that another program changed in the target', async (t) => {
  const site = await filledSite(t, 5000);
  const target = await anotherDatabase(t, site, TARGET);
  const address = await killedFilled(t, site, target);
  await target.execute("UPDATE trade SET ticker = 'EVIL' WHERE no = 7");
  const said = await refusedCopy(site, site.database.url, address);
  assert.match(said, /the row trade 7 differs/);
  const { prefix } = await site.mint({ email: site.email }); // the old database is used on

  // the way out that the guide names
  await site.stockact('copy', '--cancel', site.database.url);
  const fresh = await anotherDatabase(t, site, TARGET);
  await copied(site, site.database.url, fresh.url);
  await assertMoved(site, fresh);
  assert.equal((await fresh.query(`SELECT 1 FROM api_key WHERE prefix = '${prefix}'`)).length, 1);
});

test('a copy to a full disk continues once there is room', async (t) => {
  const site = await filledSite(t, 10_000, { database: TARGET });
  const target = await anotherDatabase(t, site, 'sqlite');
  const args = ['copy', site.database.url, target.url];
  const done = await site.run(['--fsize=3000000:', binary, ...args], { program: 'prlimit' });
  assert.equal(done.code, 1);
  assert.match(done.stderr, /the disk is full|file-size limit/);
  await site.key({ email: site.email });
  await copied(site, site.database.url, target.url);
  await assertMoved(site, target);
});

if (TARGET === 'postgresql') {
  test('a copy that loses the new database continues', async (t) => {
    const site = await filledSite(t, 20_000);
    const target = await anotherDatabase(t, site, TARGET);
    const child = await startCopy(site, target, ({ trades }) => trades > 0);
    await cutOff(target);
    const { code } = await child.exited;
    assert.equal(code, 1);
    assert.match(child.stderr, /the connection was lost|terminating connection/);
    await site.key({ email: site.email });
    await copied(site, site.database.url, target.url);
    await assertMoved(site, target);
  });

  for (const [what, end] of [
    ['cut off', (target) => cutOff(target)],
    ['killed', (target, child) => child.signal('SIGKILL')],
  ])
    test(`a copy that is ${what} in its last step`, async (t) => {
      const site = await filledSite(t, 5000);
      const target = await anotherDatabase(t, site, TARGET);
      const child = await startCopy(site, target, ({ state }) => state === 'filling');
      // the last step waits for this lock, and nothing before it does
      const release = await lockTable(t, target, 'meta', 'row exclusive');
      await until('the source is closed', async () => (await sourceState(site)) === 'closed');
      assert.match(
        await refusedCopy(site, site.database.url, target.url),
        /another `stockact copy` fills this database/,
      );
      const late = await site.run(['keys', 'mint', '--email', site.email, '--name', 'late']);
      assert.match(late.stderr, MOVED);
      await end(target, child);
      await child.exited;
      await release();
      // killed: until somebody decides
      assert.equal(await sourceState(site), what === 'killed' ? 'closed' : 'following');
      if (what === 'cut off') await site.key({ email: site.email });
      await copied(site, site.database.url, target.url);
      await assertMoved(site, target);
    });
}

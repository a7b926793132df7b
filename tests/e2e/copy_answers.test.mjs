// `stockact copy` that loses the answer to a commit, that is killed at each of its steps, or that
// runs beside another one (docs/adr/0037-copy.md). A proxy between the copy and PostgreSQL sees how
// far the copy is.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { Child } from './lib/child.mjs';
import {
  anotherDatabase,
  assertMoved,
  copied,
  lockTable,
  refusedCopy,
  sourceState,
} from './lib/copying.mjs';
import { makeProxied, noClients } from './lib/proxied_database.mjs';
import { binary, databaseKinds } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const skip = databaseKinds.includes('postgresql') ? false : 'this build has no PostgreSQL';

async function filledSite(t, trades, database) {
  const site = await makeSite(t, { database });
  await site.stockact('demo', '--trades', trades, '--as-of', '2026-03-01');
  site.email = await site.account({ plan: 'den' });
  return site;
}

const start = (site, ...urls) =>
  new Child(binary, ['copy', ...urls, '--json'], { cwd: site.folder, env: site.env });

async function targetState(target) {
  try {
    const [mark] = await target.query("SELECT state FROM copy_mark WHERE role = 'target'");
    return mark?.state ?? null;
  } catch {
    return null; // there is no such table yet
  }
}

describe('a copy that loses the response to a commit', { skip }, () => {
  test('opens its source again, or says how to', async (t) => {
    const site = await filledSite(t, 1000, 'postgresql');
    const target = await anotherDatabase(t, site, 'sqlite');
    const { proxy, url } = await makeProxied(t, site.database);
    for (const isBack of [true, false]) {
      proxy.pass();
      proxy.onSent(['copy_close', 'COMMIT'], () => proxy.mute());
      const child = start(site, url, target.url);
      await until('the source is closed', async () => (await sourceState(site)) === 'closed');
      if (isBack) {
        proxy.reset();
        proxy.pass();
      } else {
        proxy.cut();
      }
      assert.equal((await child.exited).code, 1);
      assert.match(child.stderr, /the connection was lost|no answer in time/);
      assert.equal(/may take no changes until you run this again/.test(child.stderr), !isBack);
      assert.equal(await sourceState(site), isBack ? 'following' : 'closed');
      if (isBack) await site.key({ email: site.email });
    }
    await copied(site, site.database.url, target.url);
    await assertMoved(site, target);
  });

  test('finds that its target is whole, or says what to do', async (t) => {
    for (const isBack of [true, false]) {
      const site = await filledSite(t, 1000);
      const target = await anotherDatabase(t, site, 'postgresql');
      const { proxy, url } = await makeProxied(t, target);
      proxy.onSent(['ENABLE TRIGGER USER', 'COMMIT'], () => proxy.mute());
      const child = start(site, site.database.url, url);
      await until('the target is whole', async () => (await targetState(target)) === 'whole');
      if (isBack) {
        proxy.reset();
        proxy.pass();
      } else {
        proxy.cut();
      }
      assert.equal((await child.exited).code, isBack ? 0 : 1, child.stderr);
      assert.equal(/takes no changes until you run this again/.test(child.stderr), !isBack);
      assert.equal(await sourceState(site), 'closed');
      proxy.pass();
      const { last } = await copied(site, site.database.url, url);
      assert.equal(last.state, 'moved before');
      await assertMoved(site, target);
    }
  });
});

/** Statements in their order, each of another step. */
const STEPS = {
  target: ['DISABLE TRIGGER', 'COPY "trade"', 'ADD CONSTRAINT', 'ANALYZE', 'ENABLE TRIGGER'],
  source: [
    'copy_note_trade',
    'FROM "trade"',
    'DELETE FROM copy_change',
    'copy_close',
    'SET at = at',
  ],
};

describe('a copy that is killed at each of its steps', { skip }, () => {
  for (const [side, from, to] of [
    ['target', 'sqlite', 'postgresql'],
    ['source', 'postgresql', 'sqlite'],
  ])
    test(`goes on (${from} to ${to})`, async (t) => {
      const site = await filledSite(t, 3000, from);
      const target = await anotherDatabase(t, site, to);
      const proxied = side === 'source' ? site.database : target;
      const { proxy, url } = await makeProxied(t, proxied);
      const urls = side === 'source' ? [url, target.url] : [site.database.url, url];
      for (const step of STEPS[side]) {
        const child = start(site, ...urls);
        proxy.onSent([step], () => child.signal('SIGKILL'));
        assert.equal((await child.exited).signal, 'SIGKILL', `${step}\n${child.stderr}`);
        await noClients(proxied);
        if ((await sourceState(site)) !== 'closed') await site.key({ email: site.email });
      }
      const { last } = await copied(site, ...urls);
      assert.equal(last.state, 'moved');
      await assertMoved(site, target);
    });
});

describe('two copies at once', { skip }, () => {
  test('of one database: one of them ends with an error', async (t) => {
    const site = await filledSite(t, 1000, 'postgresql');
    const targets = [];
    for (const kind of ['sqlite', 'postgresql']) targets.push(await anotherDatabase(t, site, kind));
    // each has read that no copy was begun, and waits for this lock to begin its own
    const release = await lockTable(t, site.database, 'account', 'row exclusive');
    const children = targets.map((target) => start(site, site.database.url, target.url));
    await until('both wait', async () => {
      const [{ n }] = await site.database.query(
        'SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM' +
          ' pg_database WHERE datname = current_database())',
      );
      return Number(n) === 2;
    });
    await release();
    const codes = await Promise.all(children.map(async ({ exited }) => (await exited).code));
    assert.deepEqual(codes.toSorted(), [0, 1], children.map(({ stderr }) => stderr).join(''));
    const [won, lost] = [codes.indexOf(0), codes.indexOf(1)];
    assert.match(children[lost].stderr, /is being copied to /);
    await assertMoved(site, targets[won]);
    assert.notEqual(await targetState(targets[lost]), 'whole');
    assert.match(
      await refusedCopy(site, site.database.url, targets[lost].url),
      /, or was: .*`stockact copy --cancel`/,
    );
  });

  for (const kind of databaseKinds)
    test(`into one database: the second one ends with an error (${kind})`, async (t) => {
      const site = await filledSite(t, 1000, 'postgresql');
      const target = await anotherDatabase(t, site, kind);
      const { proxy, url } = await makeProxied(t, site.database);
      const reached = new Promise((resolve) => {
        proxy.onSent(['FROM "trade"'], () => {
          proxy.stall();
          resolve();
        });
      });
      const first = start(site, url, target.url);
      await reached;
      const said = await refusedCopy(site, site.database.url, target.url);
      assert.match(
        said,
        kind === 'sqlite' ? /another server|uses/ : /another `stockact copy` fills/,
      );
      proxy.pass();
      assert.equal((await first.exited).code, 0, first.stderr);
      await assertMoved(site, target);
    });
});

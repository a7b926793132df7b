// `stockact copy`: a database moves to another one while servers use it, and nothing that was
// acknowledged is lost (docs/adr/0037-copy.md). The target is a PostgreSQL database where the build
// has it, else an SQLite file.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { TARGET, anotherDatabase, copied, killedCopy } from './lib/copying.mjs';
import { openSqlite } from './lib/database.mjs';
import { fillDesk, idOf, CLEAN, DOUBTFUL } from './lib/desk_site.mjs';
import { assertPromise } from './lib/measured.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { BY } from './lib/reviewer.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const FEED = '/api/v1/trades?limit=100';
const KEYS_MAX = 10; // of the plan Den
const MOVED = /this database was moved to/;
const MOVED_TO = /^This database was moved to .* name that one in the settings/;

/** Mints keys, as many as the plan has, and publishes until `ended()`: what was acknowledged. */
async function useDatabase(site, ended) {
  const keys = [];
  const published = [];
  let refused = '';
  const run = async (...args) => {
    const done = await site.run([...args, '--json']);
    if (done.code !== 0) refused = done.stderr;
    return done.code === 0 ? JSON.parse(done.stdout) : null;
  };
  while (!ended()) {
    if (keys.length < KEYS_MAX) {
      const minted = await run('keys', 'mint', '--email', site.email, '--name', 'k');
      if (minted) keys.push(minted.key);
    }
    const made = await run('demo', '--publish', 1, '--rows', 3);
    if (made) published.push(made.disclosedAt);
  }
  return { keys, published, refused };
}

const DIRECTIONS =
  TARGET === 'sqlite'
    ? [['sqlite', TARGET]]
    : [
        ['sqlite', TARGET],
        [TARGET, 'sqlite'],
      ];

for (const [from, to] of DIRECTIONS)
  test(`a copy has the changes made while it runs (${from} to ${to})`, async (t) => {
    const site = await makeSite(t, { database: from });
    await site.stockact('demo', '--trades', 5000, '--as-of', '2026-03-01');
    site.email = await site.account({ plan: 'den' });
    const owner = await makeOwner(site);
    const target = await anotherDatabase(t, site, to);
    const server = await site.serve();

    let ended = false;
    const writing = useDatabase(site, () => ended);
    const { last } = await copied(site, site.database.url, target.url);
    ended = true;
    const { keys, published, refused } = await writing;
    assert.equal(last.state, 'moved');
    assert.ok(last.rows > 15_000);
    assertPromise(t, 'changes are refused', last.readOnlyMs, 10_000);
    const { digests } = await copied(site, '--compare', site.database.url, target.url);
    assert.ok(digests.trade);
    t.diagnostic(
      `${keys.length} keys and ${published.length} publications meanwhile, ` +
        `${last.changedMeanwhile} rows changed, ` +
        `read-only for ${last.readOnlyMs} ms`,
    );
    if (refused) assert.match(refused, MOVED);
    const before = await until('the old server has read the last publication', async () => {
      const answer = await server.get(FEED);
      const [newest] = answer.json.data;
      return (!published.length || newest.disclosedAt >= published.at(-1)) && answer;
    });

    await t.test('the old database answers what reads and refuses what writes', async () => {
      assert.equal((await server.get(FEED)).status, 200);
      const visitor = newVisitor(server);
      const page = await visitor.open('/sign-in');
      await visitor.submit(page.form('/sign-in'), owner, { status: 503 });
      const done = await site.run(['keys', 'mint', '--email', site.email, '--name', 'late']);
      assert.equal(done.code, 1);
      assert.match(done.stderr, MOVED);
      const status = await site.stockact('status');
      assert.match(status[0].text, MOVED_TO);
      await server.child.stop(); // 1: it cannot write the last counts
      const started = await site.run(['serve', '--listen', '127.0.0.1:0']);
      assert.match(started.stderr, /copy --cancel/);
    });

    await t.test('the new one has every key and answers the same bytes', async () => {
      const env = { STOCKACT_DATABASE: target.url };
      const moved = await site.serve({ env });
      for (const key of keys) assert.equal((await moved.get('/api/v1/usage', { key })).status, 200);
      const after = await moved.get(FEED);
      assert.equal(after.header('etag'), before.header('etag'));
      assert.equal(after.text, before.text);
      const instants = new Set(after.json.data.map(({ disclosedAt }) => disclosedAt));
      for (const at of published.slice(-30)) assert.ok(instants.has(at), at);
      await moved.stop();
      const done = await site.run(['check', '--json'], { env });
      assert.equal(JSON.parse(done.stdout).findings, 0);
    });

    await t.test('the way back gives the same rows', async () => {
      const back = await anotherDatabase(t, site, from);
      await copied(site, target.url, back.url);
      const there = await copied(site, '--compare', target.url, back.url);
      assert.ok(there.rows > 15_000);
      assert.equal(there.digests.trade, digests.trade);
      const [{ findings }] = await site.stockact('check', '--database', back.url);
      assert.equal(findings, 0);
    });
  });

/** Rows of people, keys, endpoints, alerts, documents, drafts, trades, samples and sessions. */
async function fillAll(site) {
  const server = await site.serve();
  await fillDesk(site);
  for (const document of CLEAN.slice(0, 2)) {
    await site.stockact('review', 'claim', idOf(document), ...BY);
    await site.stockact('review', 'accept', idOf(document), ...BY);
  }
  await site.stockact('publish', '--all-accepted', ...BY);
  await site.stockact('review', 'claim', idOf(DOUBTFUL), ...BY);
  const { email, password } = await makeOwner(site, { plan: 'den' });
  await site.key({ email });
  await site.stockact('webhooks', 'add', '--email', email, '--url', 'https://hooks.example.org/a');
  await site.stockact('alerts', 'add', '--email', email, '--ticker', 'ZZZ');
  await site.stockact('review', 'sample-draw');
  await signInOnPage(server, { email, password });
  await server.stop();
}

const KINDS_OF_ROWS = [
  'account',
  'action_log',
  'alert',
  'api_key',
  'chain',
  'document_bytes',
  'document_page',
  'document_version',
  'draft',
  'draft_history',
  'draft_row',
  'endpoint',
  'sample_row',
  'session',
  'trade',
];

test(`every kind of row survives a copy there and back (${TARGET})`, async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  await fillAll(site);
  const target = await anotherDatabase(t, site, TARGET);
  const back = await anotherDatabase(t, site, 'sqlite');
  const there = await copied(site, site.database.url, target.url);
  const again = await copied(site, target.url, back.url);
  assert.deepEqual(again.digests, there.digests);
  const kinds = Object.keys(there.digests);
  assert.deepEqual(
    KINDS_OF_ROWS.filter((kind) => !kinds.includes(kind)),
    [],
  );
  assert.deepEqual(
    (await copied(site, '--compare', site.database.url, back.url)).digests,
    there.digests,
  );
});

test(`a killed copy continues (${TARGET})`, async (t) => {
  const site = await makeSite(t, {});
  await site.stockact('demo', '--trades', 20_000, '--as-of', '2026-03-01');
  await (await site.serve()).stop(); // it makes the master key
  site.email = await site.account();
  const target = await anotherDatabase(t, site, TARGET);
  await killedCopy(site, target, ({ trades }) => trades > 0);
  const [{ state }] = await target.query("SELECT state FROM copy_mark WHERE role = 'target'");
  assert.match(state, /^fill/);
  const refused = await site.run(['check'], { env: { STOCKACT_DATABASE: target.url } });
  assert.match(refused.stderr, /this is an unfinished copy of/);
  assert.equal(refused.code, 1);

  // the source is used on
  const key = await site.key({ email: site.email });
  await site.stockact('demo', '--publish', 3, '--rows', 2);
  await killedCopy(site, target, ({ state }) => state === 'filled');
  const { last } = await copied(site, site.database.url, target.url);
  assert.equal(last.state, 'moved');
  const { rows } = await copied(site, '--compare', site.database.url, target.url);
  assert.ok(rows > 40_000);
  const moved = await site.serve({ env: { STOCKACT_DATABASE: target.url } });
  assert.equal((await moved.get('/api/v1/usage', { key })).status, 200);
  await moved.stop();
  const [again] = await site.stockact('copy', site.database.url, target.url);
  assert.equal(again.state, 'moved before');

  await t.test('the old database accepts changes after the copy is cancelled', async () => {
    const [given] = await site.stockact('copy', '--cancel', site.database.url);
    assert.match(given.next, /no server uses the copy/);
    await site.key({ email: site.email });
    const database = openSqlite(site.database.file, { readOnly: true });
    const left = database.prepare(
      "SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 'copy_%' AND type = 'trigger'",
    );
    assert.equal(left.get().n, 0);
    database.close();
  });
});

// What readers, editors and receivers of webhooks see of `stockact copy`: nothing. A server on the
// copy answers the same bytes, takes the same cursors, keys and sessions, and sends what was due
// (docs/adr/0037-copy.md).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { TARGET, anotherDatabase, copied, sourceState } from './lib/copying.mjs';
import { MINUTE, openEndpoint, received, status } from './lib/endpoint_site.mjs';
import { assertPromise } from './lib/measured.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { because } from './lib/reviewer.mjs';
import { until } from './lib/until.mjs';

const MASTER_KEY_FILE = 'STOCKACT_SECRET_KEY_FILE';
const READ_ONLY_MS = 10_000; // from the last step of the copy until a new server takes a change

/** Targets that cover each kind of answer, with what is in the database. */
async function targetsOf(server) {
  const pages = [];
  let target = '/api/v1/trades?limit=7';
  for (let i = 0; i < 4 && target; i++) {
    pages.push(target);
    const { nextCursor } = (await server.get(target)).json;
    target = nextCursor && `/api/v1/trades?limit=7&cursor=${nextCursor}`;
  }
  const [trade] = (await server.get('/api/v1/trades?limit=1')).json.data;
  const [ticker] = (await server.get('/api/v1/tickers?limit=1')).json.data;
  return [
    ...pages,
    `/api/v1/trades/${trade.id}`,
    '/api/v1/trades?format=csv&limit=50',
    '/api/v1/filings?limit=20',
    '/api/v1/politicians?limit=50',
    `/api/v1/politicians/${trade.politician.slug}`,
    `/api/v1/tickers/${ticker.ticker}`,
    '/api/v1/corrections',
    '/api/v1/changes?limit=50',
    '/api/v1/coverage',
    `/trades/${trade.id}`,
    `/politicians/${trade.politician.slug}`,
  ];
}

async function answers(server, targets, key) {
  const all = {};
  for (const target of targets) {
    const options = target.startsWith('/api/') ? { key } : {};
    const answer = await server.get(target, options);
    all[target] = { code: answer.status, etag: answer.header('etag'), body: answer.text };
  }
  return all;
}

test(`a server on the copy continues where the old one stopped (${TARGET})`, async (t) => {
  const own = await openEndpoint(t, {});
  const { site, receiver } = own;
  const key = await site.key({ plan: 'den' });
  const owner = await makeOwner(site);
  await own.publish(2, { rows: 4 });
  await own.settled(2);
  const [row] = await site.database.query('SELECT id FROM trade ORDER BY no DESC LIMIT 1');
  await site.stockact('withdraw', row.id, ...because('printed twice'));
  status(own, 500);
  await own.publish(3);
  await until('each was refused once', () => receiver.requests.length >= 5);
  await own.settled(5);
  const due = (await own.deliveries(own.endpointAdded)).filter(({ state }) => state === 'pending');
  assert.equal(due.length, 3);
  const visitor = await signInOnPage(own.server, owner);
  const targets = await targetsOf(own.server);
  const before = await answers(own.server, targets, key);

  const target = await anotherDatabase(t, site, TARGET);
  const isClosed = async () => (await sourceState(site)) === 'closed';
  const closing = until('the old database is closed', isClosed).then(() => performance.now());
  const { last } = await copied(site, site.database.url, target.url);
  assert.equal(last.state, 'moved');
  assert.equal(receiver.requests.length, 5);
  const env = { STOCKACT_DATABASE: target.url, [MASTER_KEY_FILE]: site.env[MASTER_KEY_FILE] };
  const moved = await site.serve({ env });
  await signInOnPage(moved, owner);
  const readOnlyMs = performance.now() - (await closing);
  assertPromise(t, 'changes are refused', readOnlyMs, READ_ONLY_MS);
  await own.server.kill();
  status(own, 200);

  await t.test('bytes, tags and cursors are the same', async () => {
    const after = await answers(moved, targets, key);
    for (const each of targets) assert.deepEqual(after[each], before[each]);
    const [page] = targets;
    const headers = { 'If-None-Match': before[page].etag };
    assert.equal((await moved.get(page, { key, headers })).status, 304);
  });

  await t.test('a session goes on', async () => {
    const again = newVisitor(moved);
    again.cookies = visitor.cookies;
    const page = await again.open('/account/settings');
    assert.ok(page.html.includes(owner.email));
  });

  await t.test('what was due is sent, once, under the same ids', async () => {
    await site.clock.advance(10 * MINUTE);
    await received(own, 8);
    assert.deepEqual(receiver.ids.slice(5).toSorted(), due.map(({ id }) => id).toSorted());
  });

  await t.test('the chain over publications is the same', async () => {
    const head = async (url) => (await site.stockact('check', '--database', url)).at(-1).head;
    assert.equal(await head(target.url), await head(site.database.url));
  });
});

// `stockact trigger`: an invented event to an endpoint, or to a URL without a database; and `stockact demo
// --live`: a server whose data changes.

import { strict as assert } from 'node:assert';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { WHY } from './lib/changing.mjs';
import { Child, run } from './lib/child.mjs';
import { Client } from './lib/client.mjs';
import { Delivering } from './lib/delivering.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { Receiver, answer } from './lib/receivers.mjs';
import { binary } from './lib/settings.mjs';
import { assertVerified } from './lib/webhooks.mjs';

const TYPES = ['trade.published', 'trade.corrected', 'trade.withdrawn', 'trade.reinstated'];

const empty = () => mkdtempSync(path.join(os.tmpdir(), 'stockact-trigger-'));

/** `stockact trigger` in a folder without a database. */
async function trigger(...args) {
  const done = await run(binary, ['trigger', ...args, '--json'], { cwd: empty() });
  const lines = done.stdout.trim().split('\n').filter(Boolean);
  return { ...done, records: lines.map((line) => JSON.parse(line)) };
}

/** The names of all members, and whether a value is an object, a list, or neither. */
function shape(value) {
  if (Array.isArray(value)) return value.length ? [shape(value[0])] : [];
  if (value === null || typeof value !== 'object') return 'value';
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, shape(it)]));
}

test('an event has the body of a real one of its type', async (t) => {
  const hooks = await Delivering.open(t);
  const { site } = hooks;
  await site.stockact('demo', '--publish', 1, '--rows', 2);
  const [{ id }] = await site.database.query('SELECT id FROM trade ORDER BY no DESC LIMIT 1');
  const [{ bracket }] = await site.database.query(
    `SELECT amount_bucket AS bracket FROM trade WHERE id = '${id}'`,
  );
  const other = bracket === '15k_50k' ? '50k_100k' : '15k_50k';
  await site.stockact('correct', id, 'amountBucket', other, ...WHY);
  await site.stockact('withdraw', id, ...WHY);
  await site.stockact('reinstate', id, ...WHY);
  const rows = await site.database.query('SELECT type, body FROM event ORDER BY no');
  const real = Object.fromEntries(rows.map(({ type, body }) => [type, JSON.parse(body)]));
  assert.deepEqual(Object.keys(real), TYPES);
  const description = await OpenApi.load(await hooks.serve());
  const receiver = await Receiver.start(t);
  for (const type of TYPES) {
    const { code, stderr } = await trigger(type, '--to', receiver.url());
    assert.equal(code, 0, stderr);
    const body = JSON.parse(receiver.requests.at(-1).body);
    assert.deepEqual(shape(body), shape(real[type]), type);
    assert.equal(body.event, type);
    description.checkEvent(real[type]);
    description.checkEvent(body);
  }
});

test('a URL needs no database, and gets both signatures', async (t) => {
  const receiver = await Receiver.start(t);
  const before = Date.now();
  const { code, records } = await trigger(
    'trade.published',
    '--to',
    `127.0.0.1:${receiver.port}/hook`,
  );
  assert.equal(code, 0);
  const [{ delivery, event, url, status, secret }] = records;
  assert.deepEqual([event, url, status], ['trade.published', receiver.url(), 200]);
  const [request] = receiver.requests;
  assert.equal(request.headers['x-data'], 'invented');
  assert.equal(request.headers['x-svc-event'], 'trade.published');
  assert.equal(request.headers['x-svc-delivery-id'], delivery);
  assertVerified(request, { now: before, secrets: [secret] });
  const again = await trigger('trade.published', '--to', receiver.url());
  assert.equal(again.records[0].secret, secret, 'the same secret on this machine');
  assert.notEqual(again.records[0].delivery, delivery);
  assert.notDeepEqual(receiver.requests[1].body, request.body);
});

test('an endpoint gets it with its own secret, and the log says so', async (t) => {
  const hooks = await Delivering.open(t);
  await hooks.serve(); // makes the master key
  const receiver = await Receiver.start(t);
  const endpoint = await hooks.endpoint(receiver.url());
  const [sent] = await hooks.site.stockact('trigger', 'trade.withdrawn', '--to', endpoint.id);
  assert.equal(sent.status, 200);
  const [request] = receiver.requests;
  assert.equal(request.headers['x-svc-event'], 'trade.withdrawn');
  assert.equal(request.headers['x-data'], 'invented');
  const now = Number(request.headers['webhook-timestamp']) * 1000;
  assertVerified(request, { now, secrets: [endpoint.secret] });
  assert.deepEqual(await hooks.deliveries(endpoint), [], 'nothing is queued');
  const events = await hooks.site.database.query('SELECT id FROM event');
  assert.deepEqual(events, [], 'nothing is published');
  const log = await hooks.site.stockact('log');
  assert.ok(JSON.stringify(log).includes(endpoint.id));
});

test('a receiver that refuses, does not answer or does not exist is exit status 1', async (t) => {
  const refusing = await Receiver.start(t, answer(500));
  const refused = await trigger('trade.published', '--to', refusing.url());
  assert.equal(refused.code, 1);
  assert.equal(refused.records.at(-1).error, 'webhook_test_failed');
  assert.match(refused.stderr, /the receiver returned status 500/);
  await refusing.close();
  const gone = await trigger('trade.published', '--to', refusing.url());
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /no response: .*connect/i);
  const unknown = await trigger('trade.sold', '--to', refusing.url());
  assert.notEqual(unknown.code, 0);
  assert.match(unknown.stderr, /no event "trade\.sold": the events are trade\.published, /);
});

// --- demo --live

/** Starts `demo --live` on a free port: {child, client}. */
async function live(t, folder, ...args) {
  const file = path.join(folder, 'live.db');
  const child = new Child(
    binary,
    [
      'demo',
      '--live',
      '--trades',
      50,
      '--listen',
      '127.0.0.1:0',
      '--database',
      `sqlite:${file}`,
      ...args,
    ],
    { cwd: folder, dieWithParent: 'SIGKILL' },
  );
  t.after(() => child.stop('SIGKILL'));
  const [, host, port] = await child.waitFor(/^stockact: listening on http:\/\/(.+):(\d+)/m);
  return { child, client: new Client({ host, port: Number(port) }) };
}

const newest = async (client) => (await client.json('/api/v1/trades?limit=1')).data[0].id;

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`filings are published while it serves, until ${signal}`, async (t) => {
    const folder = empty();
    const { child, client } = await live(t, folder, '--every', '200ms', '--rows', 2);
    await child.waitFor(/^publication\tdisclosedAt\ttrades\n2\t\S+Z\t2$/m);
    assert.match(
      await newest(client),
      /^demo-filing-[0-9a-f]{16}-/,
      'readers have what is printed',
    );
    client.close();
    await child.stop(signal); // both processes have closed their output
    const again = await live(t, folder, '--every', '1h');
    assert.ok(await newest(again.client), 'demonstration data that is there is used');
    again.client.close();
    assert.match(again.child.stderr, /has demonstration data already, so --trades changes nothing/);
    assert.doesNotMatch(child.stderr, /changes nothing/);
    await again.child.stop('SIGTERM');
  });
}

test('the options of demo are checked', async () => {
  for (const [args, words] of [
    [['--live', '--publish', 1], /--live or --publish, not both/],
    [['--every', '30s'], /--every needs --live or --publish/],
    [['--publish', 1, '--trades', 9], /--publish adds to the data that is there: .* no --trades/],
    [['--live', '--every', '30'], /invalid value "30" for --every/],
  ]) {
    const done = await run(binary, ['demo', ...args.map(String)], { cwd: empty() });
    assert.notEqual(done.code, 0);
    assert.match(done.stderr, words);
  }
});

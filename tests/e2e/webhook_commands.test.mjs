// Owners' commands for their endpoints, while a server runs (spec 6; decisions 27, 33, 36).

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { membersJson, VALE } from './lib/invented_members.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { onTerminal } from './lib/terminal.mjs';
import { until } from './lib/until.mjs';
import { assertSignedBy } from './lib/webhooks.mjs';

const LOCAL = { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' };

async function open(t, options = {}) {
  const site = await makeSite(t, { env: LOCAL, ...options });
  await site.stockact('demo', '--trades', 20);
  const receiver = await PlainReceiver.start(t);
  const server = await site.serve();
  return { site, server, receiver };
}

const webhooks = async (site, ...args) => (await site.stockact('webhooks', ...args))[0];
const publish = (site, n) => site.stockact('demo', '--publish', n, '--rows', 1);

/** Runs a command that must fail; returns its output lines, the last of which is the error. */
async function refused(site, args, env) {
  const { code, stdout, stderr } = await site.run([...args, '--json'], { env });
  const objects = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(code, objects.at(-1).error === 'invalid_parameter' ? 2 : 1, stderr);
  return objects;
}

onEachDatabase('webhooks commands', (kind) => {
  test('a test request for real data has no X-Data', async (t) => {
    const site = await makeSite(t, { database: kind, env: LOCAL });
    const members = path.join(site.folder, 'members.json');
    writeFileSync(members, membersJson([VALE]));
    await site.stockact('members', 'import', members);
    await site.serve(); // creates the master key
    const receiver = await PlainReceiver.start(t);
    const email = await site.account({ plan: 'pack' });
    const added = await webhooks(site, 'add', '--email', email, '--url', receiver.url(200));
    await webhooks(site, 'test', '--id', added.id);
    const [request] = await receiver.have(1);
    assert.equal(request.headers['x-svc-event'], 'test');
    assert.equal(request.headers['x-data'], undefined);
  });

  test('an endpoint is added, tested and used, and its deliveries are listed', async (t) => {
    const { site, receiver } = await open(t, { database: kind });
    const email = await site.account({ plan: 'pack' });
    const added = await webhooks(site, 'add', '--email', email, '--url', receiver.url(200));
    assert.deepEqual(Object.keys(added), ['id', 'url', 'secret']);
    assert.match(added.secret, /^whsec_[\w+/]{43}=$/);
    const tried = await webhooks(site, 'test', '--id', added.id);
    assert.equal(tried.class, '2xx');
    assert.equal(tried.answer, 'so it is');
    const [first] = await receiver.have(1);
    assert.equal(first.headers['x-svc-event'], 'test');
    assert.equal(first.headers['x-svc-delivery-id'], tried.delivery);
    assert.equal(first.headers['x-data'], 'invented');
    assert.equal(JSON.parse(first.body).endpoint, added.id);
    assertSignedBy(first, added.secret);

    await publish(site, 1);
    const [, second] = await receiver.have(2);
    assertSignedBy(second, added.secret);
    const delivery = await until('the outcome is written', async () => {
      const [row] = await site.stockact('webhooks', 'deliveries', '--endpoint', added.id);
      return row.state === 'delivered' && row;
    });
    assert.equal(delivery.id, second.headers['x-svc-delivery-id']);
    assert.equal(delivery.endpointId, added.id);
    assert.match(delivery.eventId, /^evt_/);
    assert.match(delivery.filingId, /^demo-filing-/);
    const short = await onTerminal(site, ['webhooks', 'deliveries'], { columns: 160 });
    assert.equal(short.lines.length, 2, short.text);
    for (const line of short.lines) assert.ok([...line].length <= 160, line);
    const attempts = await site.stockact('webhooks', 'deliveries', '--attempts', delivery.id);
    assert.equal(attempts.length, 1); // the test is not in the log
    assert.equal(attempts[0].status, 200);
    assert.equal(attempts[0].answer, 'so it is');
    const [listed] = await site.stockact('webhooks', 'list', '--email', email);
    assert.equal(listed.state, 'enabled');
    assert.equal('secret' in listed, false);
  });

  test('a replay wakes the server and keeps the id', async (t) => {
    const { site, receiver } = await open(t, { database: kind });
    const email = await site.account({ plan: 'pack' });
    await webhooks(site, 'add', '--email', email, '--url', receiver.url(204));
    await publish(site, 1);
    const [first] = await receiver.have(1);
    const id = first.headers['x-svc-delivery-id'];
    await until('it is delivered', async () => {
      const [row] = await site.stockact('webhooks', 'deliveries');
      return row.state === 'delivered';
    });
    assert.deepEqual(await webhooks(site, 'replay', id), { replayed: 1 });
    const [, second] = await receiver.have(2);
    assert.equal(second.headers['x-svc-delivery-id'], id);
    assert.equal(second.body, first.body);
    const since = ['--failed-since', '2026-01-01T00:00:00Z'];
    assert.deepEqual(await webhooks(site, 'replay', ...since), { replayed: 0 });
  });
});

test('events held for a disabled endpoint are sent when it is enabled', async (t) => {
  const { site, receiver } = await open(t);
  const email = await site.account({ plan: 'pack' });
  const { id } = await webhooks(site, 'add', '--email', email, '--url', receiver.url(204));
  assert.equal((await webhooks(site, 'disable', '--id', id)).state, 'disabled');
  await publish(site, 3);
  const held = await site.stockact('webhooks', 'deliveries', '--endpoint', id);
  assert.deepEqual(
    held.map((row) => row.state),
    Array(3).fill('pending'),
  );
  assert.equal(receiver.requests.length, 0);
  assert.equal((await webhooks(site, 'enable', '--id', id)).state, 'enabled');
  const sent = await receiver.have(3);
  assert.deepEqual(
    new Set(sent.map((one) => one.headers['x-svc-delivery-id'])),
    new Set(held.map((row) => row.id)),
  );
});

test("a plan's cap rejects a new endpoint, and a smaller plan pauses the newest", async (t) => {
  const { site, receiver } = await open(t);
  const email = await site.account({ plan: 'den' });
  const ids = [];
  for (let i = 0; i < 10; i++) {
    const { id } = await webhooks(site, 'add', '--email', email, '--url', receiver.url(204));
    ids.push(id);
  }
  const add = ['webhooks', 'add', '--email', email, '--url', receiver.url(204)];
  const [error] = await refused(site, add);
  assert.equal(error.error, 'webhook_endpoint_limit_reached');
  assert.equal(error.limit, 10);
  const states = async () => {
    const rows = await site.stockact('webhooks', 'list', '--email', email);
    return rows.map((row) => row.state);
  };
  const setPlan = (plan) => site.stockact('accounts', 'set-plan', '--email', email, '--plan', plan);
  await webhooks(site, 'disable', '--id', ids[9]);
  await setPlan('pack');
  const fallen = [...Array(3).fill('enabled'), ...Array(6).fill('paused'), 'disabled'];
  assert.deepEqual(await states(), fallen);
  const [noRoom] = await refused(site, ['webhooks', 'enable', '--id', ids[9]]);
  assert.equal(noRoom.error, 'webhook_endpoint_limit_reached');
  assert.equal(noRoom.limit, 3);
  const [paused] = await refused(site, ['webhooks', 'enable', '--id', ids[3]]);
  assert.equal(paused.error, 'refused');
  await webhooks(site, 'remove', '--id', ids[0]); // the oldest paused one takes its place
  assert.deepEqual((await states()).slice(0, 4), ['enabled', 'enabled', 'enabled', 'paused']);
  await setPlan('den');
  assert.deepEqual(await states(), [...Array(8).fill('enabled'), 'disabled']);
});

test('a test without a 2xx fails and says why', async (t) => {
  const { site, receiver } = await open(t);
  const email = await site.account({ plan: 'pack' });
  const { id } = await webhooks(site, 'add', '--email', email, '--url', receiver.url(500));
  const [shown, error] = await refused(site, ['webhooks', 'test', '--id', id]);
  assert.equal(shown.status, 500);
  assert.equal(shown.class, '5xx');
  assert.equal(error.error, 'webhook_test_failed');
  const inner = { STOCKACT_WEBHOOK_ALLOW: '10.0.0.0/8' };
  const [stopped] = await refused(site, ['webhooks', 'test', '--id', id], inner);
  assert.equal(stopped.class, 'refused_address');
  assert.equal(stopped.status, null);
  const [listed] = await site.stockact('webhooks', 'list');
  assert.equal(listed.failures, 0);
  assert.equal(receiver.requests.length, 1);
});

test('without allowed networks a URL must be https, and another master key is rejected', async (t) => {
  const { site, server, receiver } = await open(t);
  const email = await site.account({ plan: 'pack' });
  const add = ['webhooks', 'add', '--email', email, '--url'];
  const [plain] = await refused(site, [...add, receiver.url(200)], { STOCKACT_WEBHOOK_ALLOW: '' });
  assert.equal(plain.error, 'invalid_parameter');
  const { id } = await webhooks(site, ...add.slice(1), receiver.url(200));
  await server.stop();
  const missing = { STOCKACT_SECRET_KEY_FILE: `${site.folder}/none.key` };
  const [none] = await refused(site, [...add, receiver.url(200)], missing);
  assert.match(
    none.hint,
    /there is no master key at ".*none\.key", and this database needs the key [0-9a-f]{16}/,
  );
  const other = await makeSite(t);
  await (await other.serve()).stop(); // makes a key
  const wrong = { STOCKACT_SECRET_KEY_FILE: other.env.STOCKACT_SECRET_KEY_FILE };
  for (const args of [
    [...add, receiver.url(200)],
    ['webhooks', 'rotate', '--id', id],
    ['webhooks', 'test', '--id', id],
  ]) {
    const [error] = await refused(site, args, wrong);
    assert.equal(error.error, 'refused', args.join(' '));
    assert.match(error.hint, /the master key in ".*" is [0-9a-f]{16}, and this database needs/);
  }
});

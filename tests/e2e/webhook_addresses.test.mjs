// Allowed destinations (decision 37): certificates, names whose address changes, addresses that are
// not public.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { CLOCK, Delivering } from './lib/delivering.mjs';
import { Authority, NameServer, Receiver, answer } from './lib/receivers.mjs';
import { until } from './lib/until.mjs';

test('certificates are verified, and TLS is at least 1.2', async (t) => {
  const names = { 'good.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] };
  const dns = await NameServer.start(t, names);
  const hooks = await Delivering.open(t, { env: { STOCKACT_WEBHOOK_NAME_SERVERS: dns.address } });
  const own = await Authority.make(hooks.site.folder);
  const stranger = await Authority.make(hooks.site.folder, 'stranger');
  const good = await own.certificate('good.test');
  await hooks.serve({ env: { STOCKACT_WEBHOOK_CA_FILE: own.file } });
  const old = { ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' };
  const cases = {
    good: [good, 'good.test', null],
    'of the wrong host': [good, 'other.test', 'tls'],
    expired: [await own.certificate('good.test', { expired: true }), 'good.test', 'tls'],
    'of a stranger': [await stranger.certificate('good.test'), 'good.test', 'tls'],
    'TLS 1.0': [old, 'good.test', 'tls'],
  };
  const endpoints = {};
  for (const [name, [secure, host]] of Object.entries(cases)) {
    const receiver = await Receiver.start(t, answer(200), { secure });
    endpoints[name] = await hooks.endpoint(receiver.url(host));
  }
  await hooks.publish();
  await hooks.settled(Object.keys(cases).length);
  for (const [name, [, , error]] of Object.entries(cases)) {
    const [attempt] = await hooks.attempts(endpoints[name]);
    assert.equal(attempt.error, error, `${name}: ${attempt.detail}`);
  }
});

test('a name is resolved and checked for every attempt', async (t) => {
  const names = {
    'turns.test': [['127.0.0.2'], ['127.0.0.1']],
    'mixed.test': [['127.0.0.2', '127.0.0.1']],
  };
  const dns = await NameServer.start(t, names);
  const hooks = await Delivering.open(t, {
    clock: CLOCK,
    allow: '127.0.0.2/32',
    env: { STOCKACT_WEBHOOK_NAME_SERVERS: dns.address },
  });
  await hooks.serve();
  const outer = await Receiver.start(t, answer(500), { host: '127.0.0.2' });
  const inner = await Receiver.start(t, answer(200), { port: outer.port });
  const turns = await hooks.endpoint(outer.url('turns.test'));
  const mixed = await hooks.endpoint(outer.url('mixed.test'));
  const nowhere = await hooks.endpoint(outer.url('nowhere.test'));
  const spelled = await hooks.endpoint(outer.url('0x7f000001'));
  await hooks.publish();
  await hooks.settled(4);
  await hooks.site.clock.advance(30_000);
  await hooks.settled(8);
  const classes = async (endpoint) => (await hooks.attempts(endpoint)).map((one) => one.error);
  assert.deepEqual(await classes(turns), ['5xx', 'refused_address']);
  assert.deepEqual(await classes(mixed), ['refused_address', 'refused_address']);
  assert.deepEqual(await classes(nowhere), ['resolve', 'resolve']);
  assert.deepEqual(await classes(spelled), ['refused_address', 'refused_address']);
  assert.equal(inner.connections, 0);
  assert.equal(outer.requests.length, 1);
});

test("private addresses need permission, and the server's own listener is always blocked", async (t) => {
  const hooks = await Delivering.open(t, { allow: null });
  const closed = await hooks.serve();
  const canary = await Receiver.start(t);
  const plain = await hooks.endpoint(canary.url());
  const secure = await hooks.endpoint(`https://127.0.0.1:${canary.port}/`);
  await hooks.publish();
  await hooks.settled(2);
  assert.equal((await hooks.attempts(plain))[0].error, 'not_sent');
  const [shown] = await hooks.site.stockact('webhooks', 'show', '--id', plain.id);
  assert.equal(shown.lastError, 'not_sent');
  assert.match(shown.lastDetail, /https/);
  assert.equal((await hooks.attempts(secure))[0].error, 'refused_address');
  assert.equal(canary.connections, 0);
  canary.close();
  await closed.stop();
  const open = await hooks.serve({ env: { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  const own = await hooks.endpoint(`${open.url}/api/v1/trades`);
  await hooks.publish();
  await until('an attempt', async () => (await hooks.attempts(own)).length === 1);
  assert.equal((await hooks.attempts(own))[0].error, 'refused_address');
});

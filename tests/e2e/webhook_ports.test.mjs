// What `webhooks add` says about destinations that no delivery can reach, and ports that
// webhooks do not use (decision 37).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { Delivering } from './lib/delivering.mjs';
import { NameServer, Receiver } from './lib/receivers.mjs';

async function open(t, options) {
  const hooks = await Delivering.open(t, options);
  await hooks.serve();
  const email = await hooks.site.account({ plan: 'den' });
  const add = async (url, env = {}) => {
    const args = ['webhooks', 'add', '--email', email, '--url', url, '--json'];
    const { code, stdout, stderr } = await hooks.site.run(args, { env });
    return { code, stderr, ...JSON.parse(stdout.trimEnd().split('\n').at(-1)) };
  };
  return { hooks, add };
}

test('add rejects a destination that no delivery can reach', async (t) => {
  const { hooks, add } = await open(t, { allow: null });
  const cases = {
    'https://10.0.0.1/': /10\.0\.0\.1 may not be connected to \(a private network\)/,
    'https://169.254.169.254/latest/': /\(link-local\)/,
    'https://0x7f.1/': /127\.0\.0\.1 may not be connected to \(loopback\)/,
    'https://[::1]/': /\[::1\] may not be connected to \(loopback\)/,
    'https://example.org:3306/': /port 3306 may not be connected to \(MySQL\)/,
    'https://localhost/': /the public DNS has no names of the machine itself/,
    'https://receiver/': /the public DNS has no names without a dot/,
    'https://site.onion/': /no name server has names of Tor/,
  };
  for (const [url, reason] of Object.entries(cases)) {
    const refused = await add(url);
    assert.equal(refused.code, 1, url);
    assert.equal(refused.error, 'refused', url);
    assert.match(refused.hint, reason);
  }
  for (const url of ['http://example.org/', 'https://a:b@example.org/', 'https://example.org/#x']) {
    const invalid = await add(url);
    assert.equal(invalid.code, 2, url);
    assert.equal(invalid.error, 'invalid_parameter', url);
    assert.doesNotMatch(invalid.hint, /a:b/);
  }
  assert.deepEqual(await hooks.site.stockact('webhooks', 'list'), []);
});

test("add rejects the server's own listener", async (t) => {
  const { add } = await open(t);
  const own = { STOCKACT_LISTEN: '127.0.0.1:18080' };
  const refused = await add('http://127.0.0.1:18080/', own);
  assert.equal(refused.error, 'refused');
  assert.match(refused.hint, /this server's own listener/);
});

test('add warns of a name that deliveries cannot reach at the moment', async (t) => {
  const dns = await NameServer.start(t, {
    'good.test': [['127.0.0.1']],
    'inner.test': [['127.0.0.1', '10.9.8.7']],
  });
  const env = { STOCKACT_WEBHOOK_NAME_SERVERS: dns.address };
  const { add } = await open(t, { env });
  assert.deepEqual(Object.keys(await add('http://good.test/')), [
    'code',
    'stderr',
    'id',
    'url',
    'secret',
  ]);
  const inner = await add('http://inner.test/');
  assert.equal(inner.code, 0);
  assert.match(inner.secret, /^whsec_/);
  assert.match(
    inner.warning,
    /^a delivery to "inner\.test" would fail at the moment: 10\.9\.8\.7 may not .*private network/,
  );
  const missing = await add('http://missing.test/');
  assert.equal(missing.code, 0);
  assert.match(missing.warning, /^a delivery to "missing\.test" would fail at the moment: /);
});

test('without a network an endpoint is added, with a warning', async (t) => {
  const env = { STOCKACT_WEBHOOK_NAME_SERVERS: '255.255.255.255:53' }; // refused at once
  const { add } = await open(t, { env });
  const added = await add('https://hooks.example.org/hook');
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.warning, /would fail at the moment: no name server can be reached/);
});

test('a port that is refused later stops deliveries, with the reason in the log', async (t) => {
  const hooks = await Delivering.open(t);
  const first = await hooks.serve();
  const receiver = await Receiver.start(t);
  const endpoint = await hooks.endpoint(receiver.url());
  await first.stop();
  const env = { STOCKACT_WEBHOOK_REFUSED_PORTS: `default,${receiver.port}` };
  await hooks.serve({ env });
  await hooks.publish();
  await hooks.settled(1);
  const [attempt] = await hooks.attempts(endpoint);
  assert.equal(attempt.error, 'refused_address');
  assert.match(attempt.detail, new RegExp(`^port ${receiver.port} may not be connected to`));
  assert.match(attempt.detail, /STOCKACT_WEBHOOK_REFUSED_PORTS/);
  assert.equal(receiver.connections, 0);
  const tried = await hooks.site.run(['webhooks', 'test', '--id', endpoint.id, '--json'], { env });
  assert.equal(tried.code, 1);
  assert.match(tried.stdout, new RegExp(`port ${receiver.port} may not be connected to`));
});

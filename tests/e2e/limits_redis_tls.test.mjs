// Limits shared through a Redis with TLS (ADR 9): rediss:// verifies the certificate and its host,
// and fails like a Redis that does not answer.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import tls from 'node:tls';
import { Authority } from './lib/receivers.mjs';
import { REFUSE, Redis } from './lib/redis.mjs';
import { makeSite } from './lib/site.mjs';
import { assertPromise } from './lib/measured.mjs';
import { until } from './lib/until.mjs';

const NOON = '2026-03-15T12:00:30.000Z';
const FILINGS = '/api/v1/filings';
const PASSWORD = 'open:sesame@home';
// the rights that deploy/README.md recommends
const RIGHTS = '+evalsha +script|load +time +select +get +set +decr';
const WITH_PASSWORD = `limits:${encodeURIComponent(PASSWORD)}@`;

/** A site, an authority, and Redis servers that end with the test. */
async function open(t, options) {
  const site = await makeSite(t, { clock: NOON, ...options });
  const authority = await Authority.make(site.folder);
  const redis = async (host, { by = authority, expired = false, ...more } = {}) => {
    const certificate = await by.certificate(host, { expired });
    const files = { cert: certificate.cert, key: certificate.key };
    for (const [name, bytes] of Object.entries(files)) {
      files[name] = path.join(site.folder, `${host}-${by === authority}-${expired}.${name}`);
      writeFileSync(files[name], bytes);
    }
    const started = await Redis.start({ tls: { ...files, ca: by.file }, ...more });
    t.after(() => started.stop());
    return started;
  };
  return { site, authority, redis };
}

const serve = (site, url, { ca, env = {} } = {}) =>
  site.serve({
    env: { STOCKACT_REDIS: url, ...REFUSE, ...(ca ? { STOCKACT_REDIS_CA_FILE: ca } : {}), ...env },
  });

const answers = (server, status, key) =>
  until(`status ${status}`, async () => (await server.get(FILINGS, { key })).status === status);

const reasonOf = (server) =>
  until('the reason in the log', async () => {
    const [, reason] = /redis is unreachable.* reason="?([^"\n]*)/.exec(server.log) ?? [];
    return reason;
  });

test('two servers share a limit through TLS, and go on after Redis was killed', async (t) => {
  const { site, authority, redis } = await open(t);
  const acl = `limits on >${PASSWORD} ~stockact:* ${RIGHTS}`;
  const shared = await redis('127.0.0.1', { users: [acl, 'default off'] });
  const { key } = await site.mint({ plan: 'pack' });
  const url = `rediss://${WITH_PASSWORD}127.0.0.1:${shared.port}/1`;
  const server = await serve(site, url, { ca: authority.file });
  await answers(server, 200, key); // 1 of 60
  const { limit } = await server.get(FILINGS, { key });
  assert.equal(limit.limit - limit.remaining, 2);
  await shared.child.stop('SIGKILL');
  await answers(server, 503, key);
  const again = await redis('127.0.0.1', { users: [acl, 'default off'], port: shared.port });
  await answers(server, 200, key);
  for (const counts of ['requests', 'sign-ins'])
    for (const event of ['unreachable', 'connected again'])
      await until(`the log says that redis is ${event} (${counts})`, () =>
        new RegExp(`redis is ${event}.* counts=${counts} `).test(server.log),
      );
  const after = await server.get(FILINGS, { key });
  assert.equal(after.limit.limit - after.limit.remaining, 4); // counted on from the server's mirror
  assert.equal(server.log.includes('sesame'), false);
  await again.child.stop('SIGTERM');
});

test('the system or the environment can name the authorities, and a name can be the host', async (t) => {
  const { site, authority, redis } = await open(t);
  const shared = await redis('localhost');
  const url = `rediss://localhost:${shared.port}`;
  const trusting = await serve(site, url, { env: { SSL_CERT_FILE: authority.file } });
  await answers(trusting, 200);
  await trusting.stop();
  const strict = await serve(site, url);
  assert.match(await reasonOf(strict), /^its certificate is not valid: .*(issuer|self-signed)/);
  assert.equal((await strict.get(FILINGS)).status, 503);
});

test('a certificate that is not valid for the host is refused before the login', async (t) => {
  const { site, authority, redis } = await open(t);
  const stranger = await Authority.make(site.folder, 'stranger');
  const cases = [
    [
      await redis('127.0.0.1', { by: stranger }),
      /^its certificate is not valid: .*(issuer|self-signed|signature)/,
    ],
    [await redis('127.0.0.2'), /^its certificate is not valid: IP address mismatch/],
    [await redis('localhost'), /^its certificate is not valid: IP address mismatch/],
    [
      await redis('127.0.0.1', { expired: true }),
      /^its certificate is not valid: certificate has expired/,
    ],
  ];
  for (const [shared, expected] of cases) {
    const url = `rediss://${WITH_PASSWORD}127.0.0.1:${shared.port}`;
    const server = await serve(site, url, { ca: authority.file });
    assert.match(await reasonOf(server), expected);
    assert.equal((await server.get(FILINGS)).status, 503);
    assert.equal(server.log.includes('sesame'), false);
    await server.stop();
  }
});

test('TLS is at least 1.2, and both sides must speak it', async (t) => {
  const { site, authority, redis } = await open(t);
  const certificate = await authority.certificate('127.0.0.1');
  const old = tls.createServer({
    ...certificate,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL:@SECLEVEL=0',
  });
  old.on('tlsClientError', () => {});
  await new Promise((resolve) => old.listen(0, '127.0.0.1', resolve));
  t.after(() => old.close());
  const plain = await Redis.start();
  t.after(() => plain.stop());
  const strict = await redis('127.0.0.1', { clients: true });
  const cases = [
    [`rediss://127.0.0.1:${old.address().port}`, /^TLS handshake: .*(version|protocol)/],
    [`rediss://127.0.0.1:${plain.port}`, /^(no TLS connection in time|TLS handshake: )/],
    [`rediss://127.0.0.1:${strict.port}`, /^TLS.*: .*(certificate required|closed|reset)/],
    [`redis://127.0.0.1:${strict.port}`, /closed|reset|Protocol error|in time/],
  ];
  for (const [url, expected] of cases) {
    const server = await serve(site, url, { ca: authority.file });
    assert.match(await reasonOf(server), expected);
    assert.equal((await server.get(FILINGS)).status, 503);
    await server.stop();
  }
});

test('a server that hangs in the handshake costs a second, not a request', async (t) => {
  const { site, authority } = await open(t);
  const sockets = [];
  const silent = net.createServer((socket) => sockets.push(socket.on('error', () => {})));
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const began = performance.now();
  const server = await serve(site, `rediss://127.0.0.1:${silent.address().port}`, {
    ca: authority.file,
  });
  assert.equal((await server.get(FILINGS)).status, 503);
  assert.equal(await reasonOf(server), 'no TLS connection in time');
  await until('another attempt', async () => sockets.length > 1);
  assertPromise(t, 'two attempts', performance.now() - began, 10_000);
  await server.stop();
});

test('a CA file without certificates ends the start', async (t) => {
  const { site } = await open(t);
  const env = { STOCKACT_REDIS: 'rediss://127.0.0.1:1' };
  const empty = path.join(site.folder, 'empty.pem');
  writeFileSync(empty, '');
  for (const file of [empty, path.join(site.folder, 'none.pem')]) {
    const done = await site.run(['serve', '--listen', '127.0.0.1:0'], {
      env: { ...env, STOCKACT_REDIS_CA_FILE: file },
    });
    assert.equal(done.code, 2);
    assert.match(
      done.stderr,
      /cannot load CA certificates from ".*\.pem" \(STOCKACT_REDIS_CA_FILE\)/,
    );
  }
});

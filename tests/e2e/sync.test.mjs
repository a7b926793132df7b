// The behaviour of `stockact sync` towards any site, and the daily run of `serve`.

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import test from 'node:test';
import { hanging, status } from './lib/official_sites.mjs';
import { onEachDatabase } from './lib/site.mjs';
import {
  SEARCH,
  WAY_IN,
  fillHouse,
  fillSenate,
  index,
  makeSites,
  report,
  states,
  sync,
  view,
} from './lib/syncing.mjs';
import { until } from './lib/until.mjs';

test('requests keep their pace, run one at a time, and name the contact', async (t) => {
  const env = { STOCKACT_SYNC_PACE_MS: '60', STOCKACT_SYNC_CONTACT: 'clerk@example.org' };
  const { sites, site } = await makeSites(t, { env });
  fillHouse(sites);
  const done = await site.run(['sync', 'house', '--base-url', sites.url]);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(sites.requests.length, 6);
  assert.equal(sites.atOnce, 1);
  for (const [i, { at, headers }] of sites.requests.entries()) {
    assert.match(headers['user-agent'], /^stockact\/\d[\w.+]+ \(clerk@example.org\)$/);
    if (i > 0) assert.ok(at - sites.requests[i - 1].at >= 60, 'a pause before each request');
  }
});

test('a faster pace and plain HTTP are accepted for this machine only', async (t) => {
  const { sites, site } = await makeSites(t);
  const official = await site.run(['sync', 'house']);
  assert.equal(official.code, 1);
  assert.match(official.stderr, /STOCKACT_SYNC_PACE_MS is for tests/);
  const elsewhere = await site.run(['sync', 'house', '--base-url', 'http://192.0.2.1']);
  assert.equal(elsewhere.code, 2);
  assert.deepEqual(sites.asked(), []);
});

test('an untrusted certificate is rejected', async (t) => {
  const { site } = await makeSites(t);
  const [key, cert] = ['key', 'cert'].map((name) => path.join(site.folder, `${name}.pem`));
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
  let asked = 0;
  const options = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = https.createServer(options, () => asked++);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `https://127.0.0.1:${server.address().port}`;
  const done = await site.run(['sync', 'house', '--base-url', url]);
  assert.equal(done.code, 1);
  assert.match(done.stderr, /certificate/);
  assert.equal(asked, 0);
});

test('a proxy from the settings is used, one from the environment is not', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites, ['9000001']);
  const nowhere = 'http://127.0.0.1:1';
  const env = { http_proxy: nowhere, ALL_PROXY: nowhere, NO_PROXY: '*' };
  const args = ['sync', 'house', '--year', '2026', '--base-url'];
  const straight = await site.run([...args, sites.url], { env });
  assert.equal(straight.code, 0, straight.stderr);
  sites.asked();
  const proxied = { ...env, STOCKACT_SYNC_PROXY: sites.url };
  const through = await site.run([...args, nowhere], { env: proxied });
  assert.equal(through.code, 0, through.stderr);
  assert.deepEqual(sites.asked(), [`GET ${nowhere}/public_disc/financial-pdfs/2026FD.zip`]);
});

onEachDatabase('serve', (kind) => {
  test('fetches daily at its time, once for all servers, and stores the result', async (t) => {
    const { sites, site } = await makeSites(t, { database: kind, clock: '2026-03-10T04:29:00Z' });
    fillHouse(sites, ['9000001']);
    fillSenate(sites, 1);
    const env = { STOCKACT_SYNC_AT: '04:30', STOCKACT_SYNC_BASE_URL: sites.url };
    const servers = [await site.serve({ env })];
    if (kind === 'postgresql') servers.push(await site.serve({ env }));
    const job = async () =>
      (await site.database.query("select * from job where name = 'sync'"))[0] ?? {};
    await until('the run is planned', async () => (await job()).next_at);
    assert.deepEqual(sites.asked(), [], 'nothing before its time');

    await site.clock.advance(60_000);
    await until('the run has ended', async () => (await job()).ended_at);
    const { result, next_at: next, lease_node: holder } = await job();
    assert.equal(new Date(Number(next)).toISOString(), '2026-03-11T04:30:00.000Z');
    assert.equal(holder, null);
    const { house, senate } = JSON.parse(result);
    assert.deepEqual([house.documents, senate.documents], [2, 1], result);
    assert.deepEqual(sites.asked(), [
      ...[index(2025), index(2026), report('9000001'), report('8000009', 2025)],
      ...[...WAY_IN, SEARCH, view(1)],
    ]);
    const synced = () => servers.flatMap(({ log }) => log.match(/event=synced/g) ?? []).length;
    await until('both are logged', () => synced() === 2);

    sites.fault(/./, status(403), { times: 2 });
    await site.clock.advance(86_400_000);
    await until('the next day has ended', async () => {
      const row = await job();
      return row.ended_at && row.result !== result;
    });
    const refused = JSON.parse((await job()).result);
    assert.match(refused.house.hint, /refuses this machine/);
    assert.match(refused.senate.hint, /refuses this machine/);
  });
});

test('a server that stops ends its run', async (t) => {
  const { sites, site } = await makeSites(t, { clock: '2026-03-10T04:29:00Z' });
  fillHouse(sites);
  sites.fault(/9000002/, hanging);
  const env = { STOCKACT_SYNC_AT: '04:30', STOCKACT_SYNC_BASE_URL: sites.url };
  const server = await site.serve({ env });
  const job = async () =>
    (await site.database.query("select * from job where name = 'sync'"))[0] ?? {};
  await until('the run is planned', async () => (await job()).next_at);
  await site.clock.advance(60_000);
  await until('a report hangs', () => sites.requests.some(({ path: p }) => p.includes('9000002')));
  await server.stop();
  const { lease_node: holder, next_at: next, result } = await job();
  assert.equal(holder, null);
  assert.equal(Number(next), Number(site.clock.now), 'the next server does the rest');
  assert.deepEqual(JSON.parse(result), { house: { error: 'stopped' } });
  assert.equal((await states(site, 'house'))['20990001'], 'needs_manual');
});

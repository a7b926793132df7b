// `stockact doctor`: what it says when all is well, and for each thing that is not.

import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import tls from 'node:tls';
import { ChaosProxy } from './lib/chaos.mjs';
import { run } from './lib/child.mjs';
import { makePostgresDatabase } from './lib/database.mjs';
import { assertSays, examine } from './lib/doctor.mjs';
import { mailSettings } from './lib/mail_sink.mjs';
import { assertPromise } from './lib/measured.mjs';
import { freePort } from './lib/ports.mjs';
import { Cluster, FOLLOWED, unprivilegedUser } from './lib/postgres.mjs';
import { Authority } from './lib/receivers.mjs';
import { Redis } from './lib/redis.mjs';
import { RedisCluster } from './lib/redis_cluster.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import { onTerminal } from './lib/terminal.mjs';

const NOON = '2026-03-15T12:00:00.000Z';
const BOUND_MS = 30_000;

async function startRedis(t, options) {
  const redis = await Redis.start(options);
  t.after(() => redis.stop());
  return redis;
}

async function startCluster(t, options) {
  const cluster = await Cluster.start(options);
  t.after(() => cluster.stop());
  return cluster;
}

test('doctor finds no fault beside a running server', async (t) => {
  const { sink, env } = await mailSettings(t);
  const redis = await startRedis(t);
  const site = await makeSite(t, {
    database: 'postgresql',
    env: { ...env, STOCKACT_REDIS: redis.url },
  });
  await (await site.serve()).get('/api/v1/trades');
  const all = await examine(site);
  assert.equal(all.code, 0, all.stdout);
  assertSays(all, 'database', 'ok', /^postgresql:\/\/.*, schema \d+$/);
  assertSays(all, 'database answers', 'ok', /ms, the median of 9$/);
  assertSays(all, 'database writes', 'ok', /accepts writes/);
  assertSays(all, 'database sessions', 'ok', /^\d+ are left/);
  assertSays(all, 'database clock', 'ok', /by \d+ ms$/);
  assertSays(all, 'redis', 'ok', /^version \S+, standalone, primary$/);
  assertSays(all, 'redis writes', 'ok', /runs scripts/);
  assertSays(all, 'redis clock', 'ok', /by \d+ ms$/);
  assertSays(all, 'redis memory', 'ok', /without a maximum$/);
  assertSays(all, 'mail', 'ok', /answers without TLS$/);
  assertSays(all, 'documents', 'ok', /confined process/);
  assert.equal(sink.offered, 0);
  assert.equal(await redis.command('TTL', 'stockact:doctor').then((s) => Number(s) <= 10), true);
});

test('doctor needs only a database file, and finds its faults', async (t) => {
  const site = await makeSite(t, { empty: true });
  const absent = await examine(site);
  assert.equal(absent.code, 1);
  assertSays(absent, 'database', 'fail', /there is no database at /, /create it/);
  assert.match(absent.stderr, /^stockact: \d checks? failed/);

  await site.stockact('demo', '--trades', '10');
  const well = await examine(site);
  assert.equal(well.code, 0, well.stdout);
  assertSays(well, 'database writes', 'ok', /accepts writes/);
  assertSays(well, 'disk', 'ok', / left$/);
  assertSays(well, 'redis', 'off', /not set/);
  assertSays(well, 'mail', 'off', /not set/);

  await (await site.serve()).stop();
  const key = path.join(site.folder, 'secret.key');
  chmodSync(key, 0o644);
  chmodSync(site.database.file, 0o604);
  const open = await examine(site);
  assert.equal(open.code, 1);
  assertSays(open, 'master key file', 'fail', /mode 644: others can use it/, /chmod 600 .*secret/);
  assertSays(open, 'database file', 'fail', /mode 604/, /chmod o-rwx/);
  rmSync(key);
  assertSays(
    await examine(site),
    'master key',
    'fail',
    /does not exist, and the database needs it/,
    /./,
  );

  writeFileSync(
    site.database.file,
    'not a database, but long enough to be taken for one\n'.repeat(99),
  );
  assertSays(await examine(site), 'database', 'fail', /./, /stockact check/);
});

test('a limit of file sizes counts as a full disk', async (t) => {
  const site = await makeSite(t, { empty: true });
  await site.stockact('demo', '--trades', '10');
  const command = `ulimit -f 64; exec ${binary} doctor --json`;
  const done = await run('bash', ['-c', command], { cwd: site.folder, env: site.env });
  assert.equal(done.code, 1, done.stderr);
  assert.match(done.stdout, /"check":"disk","result":"fail","found":"[^"]*the disk is full/);
});

test('a PostgreSQL that is stopped, refuses the password or is a standby fails', async (t) => {
  const hba = path.join(os.tmpdir(), `stockact-hba-${process.pid}`);
  writeFileSync(
    hba,
    'local all tests trust\nlocal replication tests trust\nlocal all all scram-sha-256\n',
  );
  t.after(() => rmSync(hba));
  const cluster = await startCluster(t, { settings: { ...FOLLOWED, hba_file: hba } });
  const database = await makePostgresDatabase((name) => cluster.url(name));
  const site = await makeSite(t, { database });
  const standby = await cluster.startStandby();
  t.after(() => standby.stop());
  const at = (url) => examine(site, { env: { STOCKACT_DATABASE: url } });

  const following = await at(standby.url(database.name));
  assert.equal(following.code, 1);
  assertSays(following, 'database writes', 'fail', /standby/, /target_session_attrs=read-write/);

  const wrong = await at(database.url.replace('tests@', 'other:maple@'));
  assertSays(wrong, 'database', 'fail', /password authentication failed/, /password/);
  assert.doesNotMatch(wrong.stdout + wrong.stderr, /maple/);

  await database.execute(`ALTER DATABASE "${database.name}" CONNECTION LIMIT 4`);
  assertSays(
    await at(database.url),
    'database sessions',
    'warn',
    /^[1-4] are left/,
    /limit of the/,
  );

  await cluster.halt();
  assertSays(
    await at(database.url),
    'database',
    'fail',
    /No such file|refused/,
    /start PostgreSQL/,
  );
});

test('a clock that differs fails', async (t) => {
  const redis = await startRedis(t);
  const env = { STOCKACT_REDIS: redis.url };
  const site = await makeSite(t, { database: 'postgresql', clock: NOON, env });
  const off = await examine(site);
  assert.equal(off.code, 1);
  for (const check of ['database clock', 'redis clock'])
    assertSays(off, check, 'fail', /^\d+\.\d s (ahead of|behind) this machine's$/, /NTP/);
});

test('a Redis that is stopped, is full, evicts keys or hides INFO is reported', async (t) => {
  const users = ['limits on >maple ~stockact:* +evalsha +script|load +time +select +set'];
  const redis = await startRedis(t, { users, settings: ['maxmemory 8mb'] });
  const site = await makeSite(t, { empty: true });
  await site.stockact('demo', '--trades', '10');
  const at = (url) => examine(site, { env: { STOCKACT_REDIS: url } });

  assertSays(await at(redis.url), 'redis memory', 'ok', / of 8\.0 MiB, policy noeviction, 0 keys/);
  const guarded = await at(`redis://limits:maple@127.0.0.1:${redis.port}`);
  assertSays(guarded, 'redis memory', 'off', /may not run INFO/, /\+info/);
  assertSays(guarded, 'redis writes', 'ok', /stores keys/);
  const wrong = await at(`redis://limits:birch@127.0.0.1:${redis.port}`);
  assertSays(wrong, 'redis', 'fail', /refused the login$/, /password/);
  assert.doesNotMatch(wrong.stdout + wrong.stderr, /birch/);

  await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
  assertSays(await at(redis.url), 'redis memory', 'warn', /policy allkeys-lru/, /noeviction/);
  await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  await redis.command('CONFIG', 'SET', 'maxmemory', '100');
  assertSays(await at(redis.url), 'redis writes', 'fail', /OOM/, /raise maxmemory/);

  await redis.halt();
  const gone = await at(redis.url);
  assert.equal(gone.code, 1);
  assertSays(gone, 'redis', 'fail', /Connection refused$/, /start Redis/);
});

test('a Redis Cluster without one of its nodes gets a warning', async (t) => {
  const cluster = await RedisCluster.start();
  t.after(() => cluster.stop());
  const site = await makeSite(t, { empty: true });
  await site.stockact('demo', '--trades', '10');
  const at = (url) => examine(site, { env: { STOCKACT_REDIS: url } });
  const name = ({ port }) => `redis 127.0.0.1:${port}`;
  const whole = await at(cluster.url);
  assert.equal(whole.code, 0, whole.stdout);
  for (const node of cluster.masters) {
    assertSays(whole, name(node), 'ok', /cluster, primary, cluster state ok$/);
    assertSays(whole, `${name(node)} writes`, 'ok', /^it runs scripts/);
  }
  const [first, lost] = cluster.masters;
  await lost.halt();
  const less = await at(cluster.url);
  assertSays(less, name(lost), 'warn', /Connection refused$/, /start that node/);
  const alone = await startRedis(t);
  const mixed = await at(`${alone.url},127.0.0.1:${first.port}`);
  assertSays(mixed, name(alone), 'fail', /standalone/, /nodes of one Redis Cluster/);
});

test('certificates of PostgreSQL, Redis and the mail server are checked', async (t) => {
  const site = await makeSite(t, { empty: true });
  const authority = await Authority.make(site.folder);
  const files = async (host, expired) => {
    const pair = await authority.certificate(host, { expired });
    return Object.fromEntries(
      ['cert', 'key'].map((name) => {
        const file = path.join(site.folder, `${host}.${expired}.${name}`);
        writeFileSync(file, pair[name], { mode: name === 'key' ? 0o600 : 0o644 });
        return [name, file];
      }),
    );
  };
  const redisWith = async (expired) => {
    const pair = await files('127.0.0.1', expired);
    return startRedis(t, { tls: { ...pair, ca: authority.file } });
  };
  const env = { STOCKACT_REDIS_CA_FILE: authority.file };
  const at = (redis) =>
    examine(site, { env: { ...env, STOCKACT_REDIS: `rediss://127.0.0.1:${redis.port}` } });
  const soon = await at(await redisWith(false));
  assertSays(soon, 'redis certificate', 'warn', /^valid until .*, [01] days$/, /renew/);
  const expired = await at(await redisWith(true));
  assertSays(expired, 'redis', 'fail', /certificate has expired$/, /^renew/);

  const mailWith = async (isExpired) => {
    const pair = await authority.certificate('127.0.0.1', { expired: isExpired });
    const server = tls.createServer(pair, (socket) => {
      socket.on('error', () => {}).on('data', () => socket.write('250 ok\r\n'));
      socket.write('220 sink.test\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const sender = {
      STOCKACT_SMTP_URL: `smtps://127.0.0.1:${server.address().port}`,
      STOCKACT_MAIL_FROM: 'notices@example.org',
      STOCKACT_WEBHOOK_CA_FILE: authority.file,
    };
    return examine(site, { env: sender });
  };
  const mail = await mailWith(false);
  assertSays(mail, 'mail', 'ok', /answers with TLS$/);
  assertSays(mail, 'mail certificate', 'warn', /^valid until .*, [01] days$/, /renew/);
  assertSays(await mailWith(true), 'mail', 'fail', /certificate has expired/, /certificate/);

  // Another loopback address, because its port is that of every PostgreSQL.
  const host = `127.${1 + (process.pid % 200)}.7.9`;
  const pair = await files(host, true);
  const user = await unprivilegedUser();
  chmodSync(site.folder, 0o755);
  if (user.uid !== undefined) chownSync(pair.key, user.uid, user.gid);
  const ssl = { ssl: 'on', ssl_cert_file: pair.cert, ssl_key_file: pair.key };
  const cluster = await startCluster(t, { settings: { listen_addresses: host, ...ssl } });
  const database = await makePostgresDatabase((name) => cluster.url(name));
  const secure = await makeSite(t, { database });
  const url = `postgresql://tests@${host}/${database.name}?sslmode=require`;
  const found = await examine(secure, { env: { STOCKACT_DATABASE: url } });
  assertSays(found, 'database certificate', 'fail', /^expired on 2021-01-01$/, /renew/);
});

test('doctor says whether the mail server accepts an e-mail', async (t) => {
  const { sink, env } = await mailSettings(t);
  const site = await makeSite(t, { empty: true, env });
  await site.stockact('demo', '--trades', '10');
  const sent = await examine(site, { args: ['--send-to', 'ann@example.org'] });
  assertSays(sent, 'mail sent', 'ok', /accepted an e-mail to ann@example\.org$/);
  const [mail] = await sink.have(1);
  assert.equal(mail.to, 'ann@example.org');
  sink.reply = '550 not from you';
  const refused = await examine(site, { args: ['--send-to', 'ann@example.org'] });
  assertSays(refused, 'mail sent', 'fail', /550 not from you/, /log of the mail server/);

  const closed = net.createServer((socket) => socket.end('554 no service here\r\n'));
  await new Promise((resolve) => closed.listen(0, '127.0.0.1', resolve));
  t.after(() => closed.close());
  const at = (port, query = '') =>
    examine(site, { env: { STOCKACT_SMTP_URL: `smtp://127.0.0.1:${port}${query}` } });
  assertSays(await at(closed.address().port), 'mail', 'fail', /554 no service here/, /./);
  assertSays(await at(await freePort()), 'mail', 'fail', /Connection refused$/, /start the mail/);
  const plain = Number(new URL(sink.url).port);
  assertSays(await at(plain, '?starttls=required'), 'mail', 'fail', /STARTTLS/, /certificate|mail/);
});

test('half-open peers delay doctor by at most 30 s', async (t) => {
  const { sink, env } = await mailSettings(t);
  const redis = await startRedis(t);
  const deaf = async (where) => {
    const proxy = await ChaosProxy.start(where);
    t.after(() => proxy.stop());
    proxy.swallow();
    return proxy.port;
  };
  const mailPort = Number(new URL(sink.url).port);
  const site = await makeSite(t, { empty: true, env });
  const began = performance.now();
  const all = await examine(site, {
    env: {
      STOCKACT_DATABASE: `postgresql://tests@127.0.0.1:${await deaf(redis.where)}/none`,
      STOCKACT_REDIS: `redis://127.0.0.1:${await deaf(redis.where)}`,
      STOCKACT_SMTP_URL: `smtp://127.0.0.1:${await deaf({ host: '127.0.0.1', port: mailPort })}`,
      STOCKACT_PURGE_URL: `https://127.0.0.1:${await deaf(redis.where)}/`,
    },
  });
  assertPromise(t, 'doctor beside peers that say nothing', performance.now() - began, BOUND_MS);
  assert.equal(all.code, 1);
  assertSays(all, 'database', 'fail', /timeout|expired/, /start PostgreSQL/);
  assertSays(all, 'redis', 'fail', /does not answer$/, /start Redis/);
  assertSays(all, 'mail', 'fail', /does not answer/, /start the mail/);
  assertSays(all, 'purge', 'fail', /does not answer/, /start the cache/);
  assertSays(all, 'documents', 'ok', /confined/);
});

test('invalid settings are listed', async (t) => {
  const site = await makeSite(t, { empty: true });
  const done = await site.run(['doctor'], { env: { STOCKACT_THREADS: '9999' } });
  assert.equal(done.code, 2);
  assert.match(done.stdout, /^check\tresult\tfound\tfix\nsettings\tfail\tinvalid value "9999"/);
});

test('a terminal gets the fixes in a second table', async (t) => {
  const site = await makeSite(t, { empty: true });
  await site.stockact('demo', '--trades', '10');
  const env = { STOCKACT_REDIS: `redis://127.0.0.1:${await freePort()}` };
  const { code, text, lines } = await onTerminal(site, ['doctor'], { env });
  assert.equal(code, 1, text);
  for (const line of lines) assert.ok([...line].length <= 80 || line.includes(site.folder), line);
  assert.match(text, /\nredis +✗ fail +127\.0\.0\.1:\d+: Connection refused\n/);
  assert.match(text, /\ncheck +to fix\n(.*\n)*redis +start Redis, or correct/);
});

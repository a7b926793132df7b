// `stockact doctor`: every other fault that it knows, provoked, with the words that say what to mend.
// doctor.test.mjs has the usual ones; tests/unit/test_cmd_doctor.c those that need another machine.

import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import tls from 'node:tls';
import { ChaosProxy } from './lib/chaos.mjs';
import { run } from './lib/child.mjs';
import { makePostgresDatabase, openSqlite } from './lib/database.mjs';
import { assertSays, examine } from './lib/doctor.mjs';
import { MailSink } from './lib/mail_sink.mjs';
import { freePort } from './lib/ports.mjs';
import { Cluster, FOLLOWED } from './lib/postgres.mjs';
import { Authority } from './lib/receivers.mjs';
import { Redis } from './lib/redis.mjs';
import { RedisCluster } from './lib/redis_cluster.mjs';
import { binary } from './lib/settings.mjs';
import { psql } from './lib/shared.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const LATE_MS = 30; // above what an answer may take
const STANDBY_BYTES = 20 * 2 ** 20; // above what a standby may lack

async function makeFilled(t, options = {}) {
  const site = await makeSite(t, { empty: true, ...options });
  await site.stockact('demo', '--trades', '10');
  return site;
}

async function slowTo(t, where) {
  const proxy = await ChaosProxy.start(where);
  t.after(() => proxy.stop());
  proxy.slow(LATE_MS);
  return proxy.port;
}

test('settings that a server would not work with', async (t) => {
  const site = await makeFilled(t);
  const own = site.env.STOCKACT_SECRET_KEY_FILE;
  await (await site.serve()).stop(); // makes the key
  const at = (env) => examine(site, { env });

  assertSays(
    await at({ STOCKACT_LISTENN: '127.0.0.1:1' }),
    'environment',
    'warn',
    /STOCKACT_LISTENN is not a setting \(did you mean STOCKACT_LISTEN\?\)/,
    /^correct the name of the variable/,
  );
  assertSays(
    await at({ STOCKACT_LISTEN: 'unix:http.sock' }),
    'address',
    'warn',
    /share one limit/,
    /^set STOCKACT_TRUSTED_PROXIES, and STOCKACT_BASE_URL/,
  );
  assertSays(
    await at({ STOCKACT_SYNC_AT: '04:30' }),
    'daily fetch',
    'warn',
    /STOCKACT_SYNC_CONTACT is not set/,
    /^set STOCKACT_SYNC_CONTACT/,
  );
  const other = path.join(site.folder, 'other.key');
  writeFileSync(other, randomBytes(32), { mode: 0o600 });
  const key = /STOCKACT_SECRET_KEY_FILE .*Keys and secrets/;
  const differs = await at({ STOCKACT_SECRET_KEY_FILE: other });
  assertSays(differs, 'master key', 'fail', /is the key of another database$/, key);
  copyFileSync(own, `${other}.old`);
  rmSync(other);
  const beside = await at({ STOCKACT_SECRET_KEY_FILE: other });
  assertSays(beside, 'master key', 'fail', /the database's key is in ".*other\.key\.old"/, key);
  writeFileSync(other, randomBytes(32), { mode: 0o644 });
  const open = await at({ STOCKACT_SECRET_KEY_FILE: other });
  assertSays(open, 'master key', 'fail', /run chmod 600 on it$/, /^run that command$/);
});

test('files that others can read', async (t) => {
  const site = await makeFilled(t);
  const server = await site.serve(); // while it runs, there is a log beside the database
  chmodSync(`${site.database.file}-wal`, 0o644);
  const config = path.join(site.folder, 'stockact.conf');
  writeFileSync(config, 'smtp_url = smtp://ann:maple@127.0.0.1\n', { mode: 0o644 });
  const open = await examine(site, { args: ['--config', config] });
  assertSays(open, 'settings file', 'warn', /mode 644: others can use it$/, /`chmod o-rwx .*conf`/);
  assertSays(open, 'database log file', 'fail', /mode 644/, /`chmod o-rwx .*-wal`/);
  for (const check of ['settings file', 'database log file']) {
    const [, command] = /`(.*)`/.exec(open.of(check)[2]);
    assert.equal((await run('sh', ['-c', command])).code, 0, command);
  }
  const closed = await examine(site, { args: ['--config', config] });
  for (const check of ['settings file', 'database log file'])
    assertSays(closed, check, 'ok', /mode 640$/);
  await server.stop();

  writeFileSync(config, 'listen = 127.0.0.1:1\n');
  chmodSync(config, 0o644);
  assertSays(
    await examine(site, { args: ['--config', config] }),
    'settings file',
    'ok',
    /mode 644$/,
  );
});

test('the files of a connection to PostgreSQL', async (t) => {
  const site = await makeSite(t, { database: 'postgresql' });
  const authority = await Authority.make(site.folder);
  const pair = await authority.certificate('ann', { expired: true });
  const file = (name, content, mode) => {
    const where = path.join(site.folder, name);
    writeFileSync(where, content, { mode });
    return where;
  };
  const passfile = file('pgpass', '*:*:*:tests:maple\n', 0o640);
  const sslcert = file('client.crt', pair.cert, 0o644);
  const sslkey = file('client.key', pair.key, 0o640);
  const names = { passfile, sslcert, sslkey, sslrootcert: authority.file };
  const joined = site.database.url.includes('?') ? '&' : '?';
  const env = { STOCKACT_DATABASE: `${site.database.url}${joined}${new URLSearchParams(names)}` };
  const found = await examine(site, { env });
  const closed = /mode 640: others can use it$/;
  assertSays(found, 'database password file', 'fail', closed, /`chmod 600 .*pgpass`/);
  assertSays(found, 'database key file', 'fail', closed, /`chmod 600 .*client\.key`/);
  assertSays(found, 'database CA', 'warn', /^valid until .*, 1 day$/, /new certificate into .*ca/);
  assertSays(found, 'database client', 'fail', /^expired on 2021-01-01$/, /into .*client\.crt/);
  rmSync(passfile);
  const gone = await examine(site, { env });
  assertSays(gone, 'database password file', 'fail', /No such file/, /^correct passfile in STOCK/);
});

test('CA files that have expired or have no certificate', async (t) => {
  const site = await makeFilled(t);
  const authority = await Authority.make(site.folder);
  const { cert } = await authority.certificate('old', { expired: true });
  const file = path.join(site.folder, 'authorities.pem');
  const at = () => examine(site, { env: { STOCKACT_WEBHOOK_CA_FILE: file } });
  const check = 'CA for webhooks';
  const present = readFileSync(authority.file, 'utf8');
  const renew = /^put the new certificate into .*authorities\.pem$/;

  assertSays(await at(), check, 'fail', /No such file/, /^correct STOCKACT_WEBHOOK_CA_FILE/);
  writeFileSync(file, 'not a certificate\n');
  assertSays(await at(), check, 'fail', /has no certificate in PEM$/, /^put the certificate of/);
  writeFileSync(file, cert);
  assertSays(await at(), check, 'fail', /^expired on 2021-01-01$/, renew);
  writeFileSync(file, `${cert}${cert}`);
  assertSays(await at(), check, 'fail', /^all its certificates have expired, the last on/, renew);
  writeFileSync(file, `the old one\n${cert}the new one\n${present}`);
  assertSays(await at(), check, 'warn', /^2 certificates, 1 expired, the next valid until/, renew);
  const redis = await examine(site, { env: { STOCKACT_REDIS_CA_FILE: authority.file } });
  assertSays(redis, 'CA for Redis', 'warn', /^valid until .*, 1 day$/, /^put the new/);
});

test('a database that is slow, locked, older, newer or read-only', async (t) => {
  const cluster = await Cluster.start();
  t.after(() => cluster.stop());
  const database = await makePostgresDatabase((name) => cluster.url(name));
  const site = await makeSite(t, { database });
  const port = await slowTo(t, cluster.where);
  const url = `postgresql://tests@127.0.0.1:${port}/${database.name}`;
  const slow = await examine(site, { env: { STOCKACT_DATABASE: url } });
  assert.equal(slow.code, 0, slow.stdout);
  assertSays(
    slow,
    'database answers',
    'warn',
    /^in ([3-9]\d|\d{3,})\.\d ms/,
    /closer to the database/,
  );

  await database.execute('CREATE ROLE reader LOGIN');
  const reader = cluster.url(database.name).replace('tests@', 'reader@');
  const refused = () => examine(site, { env: { STOCKACT_DATABASE: reader } });
  assertSays(await refused(), 'database', 'fail', /does not exist$/, /and the role's rights$/);
  await database.execute('GRANT USAGE ON SCHEMA stockact TO reader');
  assertSays(await refused(), 'database', 'fail', /permission denied/, /the owner of the schema$/);

  const future = "stockact.migration (number, checksum) VALUES (9999, 'x')";
  await database.execute(`INSERT INTO ${future}`);
  assertSays(
    await examine(site),
    'database',
    'fail',
    /newer than this program/,
    /^do what the message says/,
  );
  await database.execute('DELETE FROM stockact.migration WHERE number >= 35');
  assertSays(
    await examine(site),
    'database',
    'fail',
    /older than this program/,
    /^do what the message says/,
  );
  const invalid = await examine(site, { env: { STOCKACT_DATABASE: 'postgresql://[broken' } });
  assertSays(invalid, 'database', 'fail', /not a PostgreSQL URI/, /^correct STOCKACT_DATABASE$/);

  const file = await makeFilled(t);
  const writer = openSqlite(file.database.file);
  writer.exec('BEGIN IMMEDIATE');
  const locked = await examine(file);
  writer.close();
  assertSays(locked, 'database writes', 'warn', /./, /^another command is writing: wait/);
  assert.equal(locked.code, 0, locked.stdout);
});

test('each host of the database: a standby that follows, lags or is gone', async (t) => {
  const cluster = await Cluster.start({ settings: FOLLOWED });
  t.after(() => cluster.stop());
  const database = await makePostgresDatabase((name) => cluster.url(name));
  const site = await makeSite(t, { database });
  const standby = await cluster.startStandby();
  t.after(() => standby.stop());
  const [one, two] = await Promise.all(
    [cluster, standby].map(async ({ where }) => {
      const proxy = await ChaosProxy.start(where);
      t.after(() => proxy.stop());
      return proxy;
    }),
  );
  const hosts = [one, two].map(({ port }) => `127.0.0.1:${port}`);
  const url = `postgresql://tests@${hosts}/${database.name}?target_session_attrs=read-write`;
  const [first, second] = hosts.map((host) => `database ${host}`);
  const look = () => examine(site, { env: { STOCKACT_DATABASE: url } });

  const whole = await look();
  assert.equal(whole.code, 0, whole.stdout);
  assertSays(whole, first, 'ok', /^the primary$/);
  assertSays(whole, second, 'ok', /^a standby, \d+(\.\d)? (bytes|[KM]iB) behind$/);

  const cut = ["ALTER SYSTEM SET primary_conninfo = ''", 'SELECT pg_reload_conf()'];
  for (const sql of cut) await psql(standby.url('postgres'), sql);
  await until('the standby follows no longer', async () => {
    const sql = 'SELECT count(*) FROM pg_stat_replication';
    return (await psql(cluster.url('postgres'), sql)).trim() === '0';
  });
  const more = `SELECT pg_logical_emit_message(true, '', repeat('x', ${STANDBY_BYTES}))`;
  await psql(database.url, `${more} IS NULL`);
  const late = await look();
  assertSays(late, second, 'warn', /^a standby, 2\d\.\d MiB behind$/, /^check its log: a fail/);

  const awaited = async (wait) => {
    if (wait) await cluster.waitForStandby();
    const reset = ['ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()'];
    for (const sql of wait ? [] : reset) await psql(cluster.url('postgres'), sql);
    const sql =
      "SELECT CASE WHEN current_setting('synchronous_standby_names') = '' THEN 0 ELSE 1 END";
    await until(
      'the setting counts',
      async () => (await psql(database.url, sql)).trim() === `${+wait}`,
    );
  };
  await awaited(true);
  const waits = await look();
  assert.equal(waits.code, 1, waits.stdout);
  const alone = /^changes wait for a standby, and none is connected$/;
  assertSays(waits, 'database writes', 'fail', alone, /^start the standby; to go on without it/);
  await awaited(false);

  two.cut();
  const gone = await look();
  assert.equal(gone.code, 0, gone.stdout);
  assertSays(gone, second, 'warn', /^Connection refused$/, /without it there is no failover$/);
  two.pass();
  one.cut();
  const lost = await look();
  assert.equal(lost.code, 1);
  assertSays(lost, 'database', 'fail', /./, /start PostgreSQL/);
  assertSays(lost, second, 'warn', /^a standby, and no host is the primary$/, /promote this one$/);
  one.pass();
  await standby.promote();
  const both = await look();
  assert.equal(both.code, 1);
  for (const host of [first, second])
    assertSays(both, host, 'fail', /^a primary, and not the only one$/, /^stop the old primary/);
});

test('Redis that is slow, a replica, nearly full, or refuses a command', async (t) => {
  const users = ['few on >maple ~stockact:* +script|load +time +select +set +info'];
  const redis = await Redis.start({ users, settings: ['repl-diskless-sync-delay 0'] });
  t.after(() => redis.stop());
  const replica = await Redis.start({ settings: [`replicaof 127.0.0.1 ${redis.port}`] });
  t.after(() => replica.stop());
  const site = await makeFilled(t);
  const at = (url) => examine(site, { env: { STOCKACT_REDIS: url } });
  const rights = /^give the address of a primary, and its user the rights/;

  const slow = await at(`redis://127.0.0.1:${await slowTo(t, redis.where)}`);
  assert.equal(slow.code, 0, slow.stdout);
  assertSays(slow, 'redis answers', 'warn', /^in ([3-9]\d|\d{3,})\.\d ms/, /^run Redis closer/);
  const few = await at(`redis://few:maple@127.0.0.1:${redis.port}`);
  assertSays(few, 'redis writes', 'fail', /no permissions/i, rights);
  const following = await at(replica.url);
  assertSays(following, 'redis', 'ok', /replica$/);
  assertSays(following, 'redis writes', 'fail', /READONLY/, rights);
  const invalid = await at('redis://127.0.0.1:1/x');
  assertSays(invalid, 'redis', 'fail', /./, /^correct STOCKACT_REDIS$/);

  const used = /^used_memory:(\d+)/m.exec(await redis.command('INFO', 'memory'))[1];
  await redis.command('CONFIG', 'SET', 'maxmemory', Math.ceil(used * 1.03));
  assertSays(await at(redis.url), 'redis memory', 'warn', /noeviction/, /^raise maxmemory: when/);
});

test('a Redis Cluster without a majority', async (t) => {
  const cluster = await RedisCluster.start();
  t.after(() => cluster.stop());
  const site = await makeFilled(t);
  const [left, ...lost] = cluster.masters;
  for (const node of lost) await node.halt();
  await until('the node that is left knows it', async () =>
    (await left.command('CLUSTER', 'INFO')).includes('cluster_state:fail'),
  );
  const found = await examine(site, { env: { STOCKACT_REDIS: cluster.url } });
  assert.equal(found.code, 1);
  const name = `redis 127.0.0.1:${left.port}`;
  assertSays(found, name, 'fail', /cluster state fail$/, /`redis-cli cluster info`/);
});

/** A mail server that answers each line as `answer` says. Options: `host`, where it listens. */
async function mailServer(t, answer, host = '127.0.0.1') {
  const server = net.createServer((socket) => {
    socket.on('error', () => {}).on('data', (line) => socket.write(`${answer(String(line))}\r\n`));
    socket.write('220 sink.test\r\n');
  });
  server.listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close());
  return server.address().port;
}

test('mail that cannot work', async (t) => {
  const site = await makeFilled(t);
  const sender = { STOCKACT_MAIL_FROM: 'notices@example.org' };
  const at = (env) => examine(site, { env: { ...sender, ...env } });

  assertSays(
    await at({ STOCKACT_SIGNUP: 'open' }),
    'mail',
    'fail',
    /STOCKACT_SIGNUP is open: no address can be confirmed$/,
    /^set STOCKACT_SMTP_URL, or STOCKACT_SIGNUP to invite/,
  );
  const sink = await MailSink.start(t);
  assertSays(
    await at({ STOCKACT_SMTP_URL: sink.url, STOCKACT_MAIL_FROM: '' }),
    'mail',
    'fail',
    /^e-mails have no sender$/,
    /^set STOCKACT_MAIL_FROM/,
  );
  assertSays(
    await at({ STOCKACT_SMTP_URL: 'http://127.0.0.1' }),
    'mail',
    'fail',
    /./,
    /^correct STOCKACT_SMTP_URL$/,
  );
  const port = await mailServer(t, (line) =>
    line.startsWith('EHLO') ? '250-sink.test\r\n250 AUTH PLAIN' : '535 not you',
  );
  const login = await at({ STOCKACT_SMTP_URL: `smtp://ann:maple@127.0.0.1:${port}` });
  assertSays(login, 'mail', 'fail', /535 not you/, /^correct the user and password/);
  assert.doesNotMatch(login.stdout + login.stderr, /maple/);
});

test('a mail server of another machine without TLS', async (t) => {
  const site = await makeFilled(t);
  const name = os.hostname();
  const found = await dns.lookup(name, { family: 4 }).catch(() => null);
  if (!found) return t.skip('the name of this machine has no address');
  const port = await mailServer(t, () => '250 ok', found.address);
  const mail = await examine(site, {
    env: { STOCKACT_SMTP_URL: `smtp://${name}:${port}`, STOCKACT_MAIL_FROM: 'a@example.org' },
  });
  assertSays(mail, 'mail', 'warn', /answers without TLS$/, /STARTTLS, and add \?starttls=required/);
});

test('the cache in front and the official sites', async (t) => {
  const site = await makeFilled(t);
  const authority = await Authority.make(site.folder);
  const server = tls.createServer(await authority.certificate('127.0.0.1'));
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const secure = `https://127.0.0.1:${server.address().port}`;
  const gone = `http://127.0.0.1:${await freePort()}`;

  const purge = await examine(site, { env: { STOCKACT_PURGE_URL: `${secure}/` } });
  assertSays(purge, 'purge', 'fail', /certificate/, /^renew its certificate, or install/);
  const stopped = await examine(site, { env: { STOCKACT_PURGE_URL: gone } });
  assertSays(stopped, 'purge', 'fail', /refused$/, /^start the cache, or correct STOCKACT_PURGE/);

  const sites = (url) => examine(site, { args: ['--sites'], env: { STOCKACT_SYNC_BASE_URL: url } });
  for (const check of ['House', 'Senate'])
    assertSays(
      await sites(gone),
      check,
      'fail',
      /Connection refused$/,
      /firewall, or set STOCKACT/,
    );
  const plain = net.createServer((socket) => socket.on('error', () => {}));
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  t.after(() => plain.close());
  const well = await sites(`http://127.0.0.1:${plain.address().port}`);
  for (const check of ['House', 'Senate'])
    assertSays(well, check, 'ok', /^it accepts connections$/);
});

test('a machine without the programs that read documents', async (t) => {
  const site = await makeFilled(t);
  const hidden = ['pdftoppm', 'tesseract'].map((name) => `mount --bind none /usr/bin/${name}`);
  const command = `touch none && ${hidden.join(' && ')} && exec ${binary} doctor --json`;
  const options = { cwd: site.folder, env: site.env };
  const bare = await run('unshare', ['--mount', 'sh', '-c', command], options);
  if (!bare.stdout) return t.skip('this machine lets nobody mount');
  const lines = bare.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (check) => {
    const { result, found, fix } = lines.find((line) => line.check === check);
    return [result, found, fix];
  };
  assert.equal(bare.code, 1);
  assertSays({ of }, 'documents', 'fail', /pdftoppm/, /^install poppler-utils/);
  assertSays({ of }, 'scans', 'off', /^tesseract is not installed/);
});

test('each command that doctor prints is run, and then the server starts', async (t) => {
  const site = await makeSite(t, { empty: true });
  const config = path.join(site.folder, 'stockact.conf');
  writeFileSync(config, 'smtp_url = smtp://ann:maple@127.0.0.1\nmail_from = a@example.org\n');
  const args = ['--config', config];
  const obey = async () => {
    const { lines } = await examine(site, { args });
    const fixes = lines.flatMap(({ fix }) => [...(fix ?? '').matchAll(/`([^`]+)`/g)]);
    const commands = [...new Set(fixes.map(([, command]) => command))];
    for (const command of commands) {
      const named = command.replace(/^stockact /, `${binary} `);
      const done = await run('sh', ['-c', named], { cwd: site.folder, env: site.env });
      assert.equal(done.code, 0, `${command}: ${done.stderr}`);
    }
    return commands;
  };

  chmodSync(config, 0o600);
  assert.ok((await obey()).includes('stockact setup'));
  await (await site.serve({ args })).stop(); // makes the key
  const open = [config, site.database.file, site.env.STOCKACT_SECRET_KEY_FILE];
  for (const file of open) chmodSync(file, 0o644);
  const done = await obey();
  for (const file of open)
    assert.ok(done.includes(`chmod 600 ${file}`) || done.includes(`chmod o-rwx ${file}`), file);
  assert.doesNotMatch((await obey()).join(), /chmod/);
  const server = await site.serve({ args });
  assert.equal((await server.get('/api/v1/trades')).status, 200);
});

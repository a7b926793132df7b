// `stockact config`: where each setting comes from, and whether what the settings name is there.

import { strict as assert } from 'node:assert';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { makeSite } from './lib/site.mjs';
import { onTerminal } from './lib/terminal.mjs';

async function withFile(t, text) {
  const site = await makeSite(t, { empty: true });
  const file = path.join(site.folder, 'stockact.conf');
  writeFileSync(file, text);
  return { site, file };
}

test('config show names the source of each value', async (t) => {
  const text = 'signup = invite\nthreads = 2\nsmtp_url = smtp://ann:maple@mail.example.org:587\n';
  const { site, file } = await withFile(t, text);
  const args = ['config', 'show', '--config', file, '--threads', '3', '--json'];
  const done = await site.run(args, { env: { STOCKACT_SIGNUP: 'off' } });
  assert.equal(done.code, 0, done.stderr);
  const lines = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (name) => {
    const { value, from } = lines.find((line) => line.setting === `STOCKACT_${name}`);
    return [value, from];
  };
  assert.deepEqual(of('THREADS'), ['3', '--threads']);
  assert.deepEqual(of('SIGNUP'), ['off', 'STOCKACT_SIGNUP']);
  assert.deepEqual(of('SMTP_URL'), ['smtp://***@mail.example.org:587', file]);
  assert.deepEqual(of('SWEEP_AT'), ['06:00', 'default']);
  assert.deepEqual(of('REDIS'), [null, 'not set']);
  assert.doesNotMatch(done.stdout, /maple|TEST_CLOCK/);
});

test('config show is a page on a terminal, by source', async (t) => {
  const { site, file } = await withFile(t, 'base_url = https://trades.example.org\n');
  const args = ['config', 'show', '--config', file, '--threads', '3'];
  const { code, text, lines } = await onTerminal(site, args);
  assert.equal(code, 0, text);
  for (const line of lines) assert.ok([...line].length <= 80 || line.includes(site.folder), line);
  assert.match(text, /From options\n {2}STOCKACT_THREADS +3\n/);
  assert.match(text, new RegExp(`From ${file}\\n  STOCKACT_BASE_URL +https://trades`));
  assert.match(text, /\nDefaults\n( {2}STOCKACT_\w+ +\S+\n)* {2}STOCKACT_SWEEP_AT +06:00\n/);
  assert.match(text, /\nNot set\n {2}(STOCKACT_\w+\s+)*STOCKACT_REDIS /);
  assert.doesNotMatch(text, /TEST_CLOCK/);
});

test('config check passes for a database that serves', async (t) => {
  const { site, file } = await withFile(t, 'listen = 127.0.0.1:0\n');
  const absent = await site.stockact('config', 'check', '--config', file);
  const database = (lines) => lines.find((line) => line.check === 'database');
  assert.equal(database(absent).result, 'doubt');
  assert.match(database(absent).text, /there is no database at .*stockact setup/);
  await site.stockact('setup');
  const checks = await site.stockact('config', 'check', '--config', file);
  assert.equal(database(checks).result, 'ok');
  assert.equal(checks[0].text, file);
  assert.ok(
    checks.every((line) => ['ok', 'off'].includes(line.result)),
    JSON.stringify(checks),
  );
});

test('config check finds settings that would not work', async (t) => {
  const { site, file } = await withFile(
    t,
    'listen = 127.0.0.1:0\nsmtp_url = smtp://mail.example.org\nsync_at = 04:00\nwebhook_ca_file = /nowhere/ca.pem\n',
  );
  const done = await site.run(['config', 'check', '--config', file]);
  assert.equal(done.code, 1);
  assert.match(done.stdout, /\nmail\tfailed\tSTOCKACT_MAIL_FROM is not set/);
  assert.match(done.stdout, /\ndaily fetch\tdoubt\tSTOCKACT_SYNC_CONTACT is not set/);
  assert.match(done.stdout, /\nCA for webhooks\tfailed\tcannot read "\/nowhere\/ca\.pem"/);
  assert.match(done.stderr, /^stockact: 2 of the checks failed/);
  writeFileSync(file, 'thraeds = 2\n');
  const wrong = await site.run(['config', 'check', '--config', file]);
  assert.equal(wrong.code, 2);
  assert.match(
    wrong.stderr,
    /stockact\.conf:1: unknown setting "thraeds" \(did you mean "threads"\?\)/,
  );
});

test('config check lists every setting that is not valid', async (t) => {
  const { site, file } = await withFile(
    t,
    'thraeds = 2\nport\nthreads = 9999\nsmtp_url = smtp://ann:maple@mail.example.org\n',
  );
  const args = ['config', 'check', '--config', file, '--sweep-at', 'noon'];
  const done = await site.run(args);
  assert.equal(done.code, 2);
  assert.deepEqual(
    done.stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.replaceAll(file, 'FILE')),
    [
      'settings\tfailed\tFILE:1: unknown setting "thraeds" (did you mean "threads"?)',
      'settings\tfailed\tFILE:2: expected key = value',
      'settings\tfailed\tinvalid value "noon" for --sweep-at: expected HH:MM|off',
      'settings\tfailed\tinvalid value "9999" for STOCKACT_THREADS in FILE: expected 1-256',
    ],
  );
  assert.match(done.stderr, /^stockact: 4 settings are invalid, as listed above; see /);
  const json = await site.run([...args, '--json']);
  assert.equal(json.stdout.trim().split('\n').map(JSON.parse).length, 4);
  const other = await site.run(['config', 'show', '--config', file]);
  assert.equal(other.stdout, '');
});

test('config check says whether the address is free', async (t) => {
  const site = await makeSite(t, { empty: true });
  await site.stockact('demo', '--trades', '10');
  const check = async (target, address) => {
    const done = await target.run(['config', 'check', '--listen', address]);
    return done.stdout.split('\n').find((line) => line.startsWith('port'));
  };
  assert.equal(await check(site, '127.0.0.1:0'), 'port\tok\t127.0.0.1:0 is free');
  const file = path.join(site.folder, 'socket');
  const server = await site.serve({ listen: `unix:${file}` });
  assert.equal(await check(site, `unix:${file}`), `port\tok\tthe running server has unix:${file}`);
  const other = await makeSite(t, { empty: true });
  assert.match(await check(other, `unix:${file}`), /\tfailed\t.* is in use: stop that program, or/);
  await server.stop();
});

test('config check finds a misspelt variable', async (t) => {
  const site = await makeSite(t, { empty: true });
  const env = { STOCKACT_LISTN: '127.0.0.1:0', STOCKACT_ELSEWHERE: '1' };
  const { stdout } = await site.run(['config', 'check', '--listen', '127.0.0.1:0'], { env });
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.startsWith('environment')),
    [
      'environment\tdoubt\tthe variable STOCKACT_LISTN is not a setting (did you mean STOCKACT_LISTEN?)',
    ],
  );
});

test('config check compares the master key with the database', async (t) => {
  const site = await makeSite(t, { empty: true });
  await site.stockact('demo', '--trades', '10');
  const keyFile = path.join(site.folder, 'secret.key');
  const check = async () => {
    const { stdout } = await site.run(['config', 'check']);
    return stdout.split('\n').find((line) => line.startsWith('master key'));
  };
  assert.match(await check(), /\tok\tthe first start of the server creates /);
  await (await site.serve()).stop();
  assert.match(await check(), /\tok\t.*secret\.key$/);
  const key = readFileSync(keyFile);
  rmSync(keyFile);
  assert.match(
    await check(),
    /\tfailed\t.*does not exist, and the database needs it: copy it back/,
  );
  writeFileSync(keyFile, Buffer.alloc(32, 7), { mode: 0o600 });
  assert.match(await check(), /\tfailed\t.*is the key of another database/);
  writeFileSync(`${keyFile}.kept`, key);
  const kept = /\tfailed\tthe database's key is in ".*secret\.key\.kept": copy it to ".*key"/;
  assert.match(await check(), kept);
  rmSync(keyFile);
  assert.match(await check(), kept);
  writeFileSync(keyFile, key.subarray(0, 31), { mode: 0o600 });
  assert.match(await check(), /\tfailed\t/);
});

test('a header with a token is shown neither by config show nor in an error', async (t) => {
  const { site, file } = await withFile(t, 'purge_header = Fastly-Key: maple\n');
  const shown = await site.run(['config', 'show', '--config', file]);
  assert.match(shown.stdout, /PURGE_HEADER.*not shown/);
  writeFileSync(file, 'purge_header = maple\n');
  const refused = await site.run(['config', 'show', '--config', file]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /STOCKACT_PURGE_HEADER/);
  assert.ok(!`${shown.stdout}${refused.stderr}`.includes('maple'));
});

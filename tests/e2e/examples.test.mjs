// The programs in examples/, each against a real server (examples/webhook-receiver: webhook_verifiers).

import { strict as assert } from 'node:assert';
import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { WHY } from './lib/changing.mjs';
import { Child, run } from './lib/child.mjs';
import { makeSite } from './lib/site.mjs';
import { binary, root } from './lib/settings.mjs';
import { until } from './lib/until.mjs';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PYTHON = '/usr/bin/python3'; // with the packages of Debian

const example = (...parts) => path.join(root, 'examples', ...parts);

const folder = () => mkdtempSync(path.join(os.tmpdir(), 'stockact-examples-'));

/** A server with demonstration data, a key, and the environment that the examples read. */
async function open(t, trades) {
  const site = await makeSite(t);
  await site.stockact('demo', '--trades', trades);
  const server = await site.serve();
  const key = await site.key({ plan: 'den' });
  const env = { PATH: process.env.PATH, SVC_API_URL: server.url, SVC_API_KEY: key };
  return { site, server, key, env };
}

// --- keep-a-copy/sync.py

/** All trades of the API, by id. */
async function served(server, key) {
  const trades = {};
  for await (const page of server.pages('/api/v1/trades?limit=100', { key }))
    for (const trade of page.data) trades[trade.id] = trade;
  return trades;
}

/** The trades of a copy, by id, as it keeps them, and their number by its columns. */
async function copied(file) {
  const program =
    'import json, sqlite3, sys\n' +
    'db = sqlite3.connect(sys.argv[1])\n' +
    'print(json.dumps({id: json.loads(text) for id, text in db.execute("SELECT id, json FROM trade")}))\n' +
    'print(json.dumps(db.execute("SELECT kind, field, old, new, reason FROM change WHERE kind <> ' +
    "'published' ORDER BY seq\").fetchall()))\n";
  const { code, stdout, stderr } = await run(PYTHON, ['-c', program, file]);
  assert.equal(code, 0, stderr);
  const [trades, changes] = stdout.trim().split('\n');
  return { trades: JSON.parse(trades), changes: JSON.parse(changes) };
}

const sync = (file, env) => run(PYTHON, [example('keep-a-copy/sync.py'), file], { env });

test('the copy in SQLite equals the API after kills, corrections and withdrawals', async (t) => {
  const { site, server, key, env } = await open(t, 1200);
  const file = path.join(folder(), 'copy.db');
  for (const bytes of [1, 200_000, 600_000]) {
    const child = new Child(PYTHON, [example('keep-a-copy/sync.py'), file], {
      env,
      dieWithParent: 'SIGKILL',
    });
    const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    await until(`${bytes} bytes are copied`, () => child.ended || size() >= bytes);
    await child.stop('SIGKILL');
  }
  const first = await sync(file, env);
  assert.equal(first.code, 0, first.stderr);
  const before = await served(server, key);
  assert.deepEqual((await copied(file)).trades, before);

  const [corrected, withdrawn] = Object.keys(before);
  const side = before[corrected].side === 'exchange' ? 'buy' : 'exchange';
  await site.stockact('correct', corrected, 'side', side, ...WHY);
  await site.stockact('withdraw', withdrawn, ...WHY);
  await site.stockact('demo', '--publish', 1, '--rows', 3);
  assert.equal((await sync(file, env)).code, 0);
  const { trades, changes } = await copied(file);
  assert.deepEqual(trades, await served(server, key));
  assert.equal(trades[corrected].side, side);
  assert.equal(trades[withdrawn], undefined);
  assert.deepEqual(changes, [
    ['corrected', 'side', before[corrected].side, side, 'read again'],
    ['withdrawn', null, null, null, 'read again'],
  ]);
});

test('the copy starts again when the history was replaced, and says why it cannot', async (t) => {
  const { server, key, env } = await open(t, 300);
  const file = path.join(folder(), 'copy.db');
  assert.equal((await sync(file, env)).code, 0);
  const other = await open(t, 150);
  const again = await sync(file, other.env);
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual((await copied(file)).trades, await served(other.server, other.key));
  const refused = await sync(file, { ...env, SVC_API_KEY: `${key}x` });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /status 401: .*invalid_api_key/);
  assert.ok(server.running);
});

// --- pandas/trades.py

const hasPandas = existsSync('/usr/lib/python3/dist-packages/pandas');

test(
  'the pandas script prints what SQL counts',
  { skip: !hasPandas && 'no python3-pandas' },
  async (t) => {
    const { server, key, env } = await open(t, 700);
    const { code, stdout, stderr } = await run(PYTHON, [example('pandas/trades.py')], { env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^700 trades, disclosed /);
    const trades = Object.values(await served(server, key));
    const counts = {};
    for (const { politician } of trades)
      counts[politician.name] = (counts[politician.name] ?? 0) + 1;
    const most = Math.max(...Object.values(counts));
    const busiest = Object.keys(counts).filter((name) => counts[name] === most);
    const line = new RegExp(`^(?:${busiest.join('|')}) +${most} `, 'm');
    assert.match(stdout, line);
    const signals = trades.filter(({ conflictSignal }) => conflictSignal).length;
    assert.match(stdout, new RegExp(`^True +${signals} `, 'm'));
  },
);

// --- web-app/app.mjs

/** Starts the app on a free port. */
async function openApp(t, env) {
  const child = new Child(process.execPath, [example('web-app/app.mjs')], {
    env: { ...env, WEBHOOK_SECRET: SECRET, PORT: '0' },
    dieWithParent: 'SIGKILL',
  });
  t.after(() => child.stop('SIGKILL'));
  const [, port] = await child.waitFor(/^http:\/\/127\.0\.0\.1:(\d+)$/m);
  const url = `http://127.0.0.1:${port}`;
  const get = async (target) => {
    const response = await fetch(url + target);
    return { status: response.status, text: await response.text() };
  };
  return { child, get, url };
}

test('the web app shows trades, filters them, and tells open pages about new ones', async (t) => {
  const { server, key, env } = await open(t, 200);
  const { child, get, url } = await openApp(t, env);
  const { data } = await server.json('/api/v1/trades?limit=20', { key });
  const all = await get('/');
  assert.equal(all.status, 200);
  assert.equal(all.text.match(/<tr><td>/g).length, 20);
  const { ticker } = data.find((trade) => trade.ticker);
  const some = await get(`/?ticker=${ticker}`);
  assert.ok(some.text.includes(`<td>${ticker}<td>`));
  assert.ok(some.text.match(/<tr><td>/g).length < 20);
  const hostile = await get(`/?ticker=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.ok(!hostile.text.includes('<script>alert'));

  const waiting = new AbortController();
  const news = await fetch(`${url}/events`, { signal: waiting.signal });
  const reader = news.body.getReader();
  await reader.read(); // connected
  const secretFile = path.join(folder(), 'secret');
  writeFileSync(secretFile, SECRET);
  const sent = await run(binary, [
    ...['trigger', 'trade.published', '--to', `${url}/hook`, '--secret-file', secretFile],
  ]);
  assert.equal(sent.code, 0, sent.stderr);
  const { value } = await reader.read();
  assert.match(Buffer.from(value).toString(), /data: news/);
  waiting.abort();
  const forged = await run(binary, ['trigger', 'trade.published', '--to', `${url}/hook`]);
  assert.equal(forged.code, 1);
  await child.waitFor(/rejected a webhook: wrong signature/, { stream: 'stderr' });

  await server.stop();
  const away = await get('/');
  assert.equal(away.status, 502);
  assert.match(away.text, /The trades could not be read/);
});

// Operation: servers that cannot start, failed imports, a second server, kill -9, graceful
// shutdown, backups. command_line.test.mjs tests the output of commands.

import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { Server } from './lib/server.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const FEED = '/api/v1/trades?limit=1';

/** `serve` must exit 1 by itself, with one line that says why. */
async function refusedToServe(site, env, pattern) {
  const done = await site.run(['serve', '--listen', '127.0.0.1:0'], { env });
  assert.equal(done.code, 1, done.stderr);
  assert.match(done.stderr, pattern);
  assert.equal(done.stderr.trim().split('\n').length, 1, done.stderr);
  return done;
}

describe('servers that cannot start', () => {
  test('a damaged file', async (t) => {
    const site = await makeSite(t);
    await site.stockact('demo', '--trades', 2000, '--as-of', '2026-03-01');
    const file = path.join(site.folder, 'damaged.db');
    await site.stockact('backup', file);
    truncateSync(file, 40_960);
    await refusedToServe(site, { STOCKACT_DATABASE: `sqlite:${file}` }, /damaged\.db/);
  });

  test('no PostgreSQL at the given address', async (t) => {
    const site = await makeSite(t);
    const url = 'postgresql://reader:hunter2secret@127.0.0.1:1/none';
    const done = await refusedToServe(site, { STOCKACT_DATABASE: url }, /127\.0\.0\.1/);
    assert.ok(!done.stderr.includes('hunter2secret'));
  });

  test('a second server on one file is rejected, commands are not', async (t) => {
    const site = await makeSite(t);
    const server = await site.serve();
    await refusedToServe(site, {}, /serv/i);
    await site.account();
    assert.equal((await server.get(FEED)).status, 200);
  });

  test('an address in use', async (t) => {
    const site = await makeSite(t);
    const other = await makeSite(t);
    const server = await other.serve();
    const done = await site.run(['serve', '--listen', `127.0.0.1:${server.port}`]);
    assert.equal(done.code, 1);
    assert.match(done.stderr, new RegExp(`${server.port}`));
  });
});

onEachDatabase('kill -9', (kind) => {
  test('publications and keys survive; month counts lose at most a second', async (t) => {
    const site = await makeSite(t, { database: kind });
    await site.stockact('demo', '--trades', 200, '--as-of', '2026-03-01');
    const { key } = await site.mint({ plan: 'den' });
    const server = await site.serve();
    await site.stockact('demo', '--publish', 3, '--rows', 2);
    for (let i = 0; i < 100; i++) await server.get(FEED, { key });
    const newest = (await server.json(FEED, { key })).data[0];
    await until('the draws are written', async () => {
      const [row] = await site.database.query('SELECT sum(used) AS used FROM month_count');
      return Number(row.used) >= 101;
    });
    await server.kill();
    const again = await site.serve();
    assert.deepEqual((await again.json(FEED, { key })).data[0], newest);
    await again.stop();
    const [row] = await site.database.query('SELECT sum(used) AS used FROM month_count');
    assert.equal(Number(row.used), 102);
  });

  /** Publishes 5 reports of 3 trades. On a busy machine others can keep the database from it for so
   *  long that it gives up. Returns how many publications it acknowledged. */
  async function publish(site) {
    const done = await site.run(['demo', '--publish', '5', '--rows', '3', '--json']);
    const acknowledged = done.stdout.match(/"publication":/g)?.length ?? 0;
    if (done.code !== 0) assert.match(done.stderr, /another process is writing to it/);
    else assert.equal(acknowledged, 5);
    return acknowledged;
  }

  test('acknowledged publications of six commands survive', async (t) => {
    const site = await makeSite(t, { database: kind });
    await site.stockact('demo', '--trades', 100, '--as-of', '2026-03-01');
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const counts = await Promise.all([...Array(6).keys()].map(() => publish(site)));
    const acknowledged = counts.reduce((sum, count) => sum + count, 0);
    t.diagnostic(`${acknowledged} of 30 publications at once`);
    await server.kill();
    const again = await site.serve();
    const trades = [];
    for await (const page of again.pages('/api/v1/trades?limit=100', { key }))
      trades.push(...page.data);
    assert.equal(trades.length, 100 + 3 * acknowledged);
    const instants = new Set(trades.slice(0, 3 * acknowledged).map((trade) => trade.disclosedAt));
    assert.equal(instants.size, acknowledged, 'no two publications share an instant');
    const checked = await site.run(['check']);
    assert.equal(checked.code, 0, checked.stderr);
  });
});

test('SIGTERM lets running requests finish and exits 0', async (t) => {
  const site = await makeSite(t);
  await site.stockact('demo', '--trades', 500, '--as-of', '2026-03-01');
  const key = await site.key({ plan: 'den' });
  const server = await site.serve();
  const connections = await Promise.all([...Array(20).keys()].map(() => server.connect()));
  for (const one of connections) {
    one.send(`GET /api/v1/trades?limit=100 HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`);
  }
  const responses = await Promise.all([
    ...connections.map((one) => one.read({ method: 'GET' })),
    server.stop(),
  ]);
  for (const response of responses.slice(0, -1)) {
    if (response !== null) assert.equal(response.json.data.length, 100);
  }
});

test('without a standard error the log goes nowhere else', async (t) => {
  const site = await makeSite(t);
  await site.stockact('migrate');
  const script = path.join(site.folder, 'closed.sh');
  writeFileSync(script, `#!/bin/sh\nexec '${binary}' "$@" 2>&-\n`, { mode: 0o755 });
  const server = await Server.start(script, ['--listen', '127.0.0.1:0'], {
    cwd: site.folder,
    env: site.env,
  });
  assert.equal((await server.get(FEED)).status, 200);
  await server.stop();
  const lock = site.env.STOCKACT_DATABASE.replace('sqlite:', '') + '.lock';
  assert.equal(
    statSync(path.resolve(site.folder, lock)).size,
    0,
    'no log in the first file opened',
  );
});

describe('files that cannot be imported', () => {
  const good = {
    id: { bioguide: 'Z000001' },
    name: { first: 'Ada', last: 'Example', official_full: 'Ada Example' },
    terms: [
      {
        type: 'rep',
        start: '2019-01-03',
        end: '2021-01-03',
        state: 'CA',
        district: 1,
        party: 'Independent',
      },
    ],
  };
  const cases = [
    ['text', 'not json at all'],
    ['a JSON object', '{}'],
    ['cut short', JSON.stringify([good]).slice(0, -5)],
    ['a member without id', JSON.stringify([good, { ...good, id: {} }])],
    ['a member without terms', JSON.stringify([{ ...good, terms: [] }])],
    [
      'a wrong date',
      JSON.stringify([{ ...good, terms: [{ ...good.terms[0], start: '2019-02-30' }] }]),
    ],
    ['a wrong chamber', JSON.stringify([{ ...good, terms: [{ ...good.terms[0], type: 'king' }] }])],
    ['a number for a name', JSON.stringify([{ ...good, name: 5 }])],
    ['deep nesting', '['.repeat(100_000)],
    ['bytes that are no text', Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d])],
    ['another CSV', 'a,b,c\r\n1,2,3\r\n'],
    ['nothing', ''],
  ];
  for (const [name, content] of cases) {
    test(`${name}: the file is named and nothing is imported`, async (t) => {
      const site = await makeSite(t);
      const ok = path.join(site.folder, 'good.json');
      const bad = path.join(site.folder, 'bad.json');
      writeFileSync(ok, JSON.stringify([good]));
      writeFileSync(bad, content);
      const done = await site.run(['members', 'import', ok, bad]);
      assert.equal(done.code, 1);
      assert.match(done.stderr, /bad\.json/);
      const [row] = await site.database.query('SELECT count(*) AS n FROM member');
      assert.equal(Number(row.n), 0);
    });
  }

  test('a missing file', async (t) => {
    const site = await makeSite(t);
    const done = await site.run(['members', 'import', 'nowhere.json']);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /nowhere\.json/);
  });
});

describe('settings, backups, demonstration', () => {
  test('settings come from flags, then the environment, then the file', async (t) => {
    const site = await makeSite(t);
    const config = path.join(site.folder, 'stockact.conf');
    const [fromFile, fromEnv, fromFlag] = ['a', 'b', 'c'].map((name) =>
      path.join(site.folder, `${name}.db`),
    );
    writeFileSync(config, `# where\nSTOCKACT_DATABASE=sqlite:${fromFile}\n`);
    const migrate = (args, env) => site.run(['migrate', '--config', config, ...args], { env });
    await migrate([], { STOCKACT_DATABASE: '' });
    await migrate([], { STOCKACT_DATABASE: `sqlite:${fromEnv}` });
    await migrate(['--database', `sqlite:${fromFlag}`], { STOCKACT_DATABASE: `sqlite:${fromEnv}` });
    for (const file of [fromFile, fromEnv, fromFlag]) assert.ok(statSync(file).size > 0, file);
  });

  test('a backup is a complete database and overwrites nothing', async (t) => {
    const site = await makeSite(t);
    await site.stockact('demo', '--trades', 300, '--as-of', '2026-03-01');
    const server = await site.serve();
    const folder = path.join(site.folder, 'copies');
    mkdirSync(folder);
    const file = path.join(folder, 'copy.db');
    writeFileSync(`${file}.part`, 'of a killed run', { mode: 0o644 });
    const lock = spawn('flock', [`${file}.part`, 'sh', '-c', 'echo; exec cat'], { stdio: 'pipe' });
    await once(lock.stdout, 'data');
    assert.equal((await site.run(['backup', file])).code, 1); // another one runs
    lock.stdin.end();
    await once(lock, 'close');
    const small = ['--fsize=8192:', binary, 'backup', file];
    assert.equal((await site.run(small, { program: 'prlimit' })).code, 1);
    assert.deepEqual(readdirSync(folder), []); // no half file under any name
    await site.stockact('backup', file);
    assert.deepEqual(readdirSync(folder), ['copy.db']);
    assert.equal((await site.run(['backup', file])).code, 1);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const [checked] = await site.stockact('check', '--database', `sqlite:${file}`);
    assert.equal(checked.findings, 0);
    copyFileSync(file, path.join(folder, 'again.db'));
    const before = await server.get('/api/v1/trades', { from: '127.0.7.1' });
    await server.stop();
    const copy = await site.serve({ env: { STOCKACT_DATABASE: `sqlite:${folder}/again.db` } });
    const after = await copy.get('/api/v1/trades', { from: '127.0.7.1' });
    assert.equal(after.header('etag'), before.header('etag'));
  });

  test('the demonstration data is the same for the same day', async (t) => {
    const pages = [];
    for (let i = 0; i < 2; i++) {
      const site = await makeSite(t);
      await site.stockact('demo', '--trades', 300, '--as-of', '2026-03-01');
      const server = await site.serve();
      pages.push((await server.get('/api/v1/trades?limit=100')).text);
    }
    assert.equal(pages[0], pages[1]);
  });
});

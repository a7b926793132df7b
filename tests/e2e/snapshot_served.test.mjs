// /data: snapshots as files that caches keep and that a client continues, and as a page to cite
// (docs/adr/0043-snapshots.md).

import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const DAYS = ['2026-03-04', '2026-03-05'];
const FILE = `/data/${DAYS[1]}/trades.jsonl.gz`;

onEachDatabase('the files of snapshots', (database) => {
  const shared = useSite({ database, clock: '2026-03-02T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 200, '--as-of', '2026-03-01');
    const folder = path.join(site.folder, 'data');
    const env = { STOCKACT_SNAPSHOTS: folder, STOCKACT_OPEN_DATA: 'on' };
    const server = await site.serve({ env });
    for (const day of DAYS) {
      await site.clock.set(`${day}T12:00:00Z`);
      await site.stockact('snapshot', folder);
    }
    return { folder, server };
  });
  const bytesOf = (day, name) => readFileSync(path.join(shared.folder, day, name));
  const get = (target, headers = {}) => shared.server.get(target, { headers });

  test('are those of the folder, and caches keep those of a day for good', async () => {
    for (const day of DAYS)
      for (const name of readdirSync(path.join(shared.folder, day))) {
        const response = await get(`/data/${day}/${name}`);
        assert.equal(response.status, 200, name);
        assert.deepEqual(response.body, bytesOf(day, name), name);
        assert.match(response.header('cache-control'), /immutable/);
        assert.equal(response.header('content-length'), String(response.body.length));
        assert.equal(response.header('access-control-allow-origin'), '*');
        const tag = response.header('etag');
        const again = await get(`/data/${day}/${name}`, { 'If-None-Match': tag });
        assert.equal(again.status, 304);
      }
    const latest = await get('/data/latest/trades.jsonl.gz');
    assert.deepEqual(latest.body, bytesOf(DAYS[1], 'trades.jsonl.gz'));
    assert.doesNotMatch(latest.header('cache-control'), /immutable/);
    const key = await get('/.well-known/stockact.pub');
    assert.deepEqual(key.body, bytesOf(DAYS[0], 'stockact.pub'));
    const head = await shared.server.request('HEAD', FILE);
    assert.equal(head.header('content-length'), String(latest.body.length));
  });

  test('continue where a client stopped', async () => {
    const whole = bytesOf(DAYS[1], 'trades.jsonl.gz');
    const n = whole.length;
    const tag = (await get(FILE)).header('etag');
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-', 100, n - 1],
      ['bytes=5-9', 5, 9],
      [`bytes=${n - 3}-${n + 50}`, n - 3, n - 1],
      ['bytes=-7', n - 7, n - 1],
      [`bytes=-${2 * n}`, 0, n - 1],
    ]) {
      const part = await get(FILE, { Range: range, 'If-Range': tag });
      assert.equal(part.status, 206, range);
      assert.equal(part.header('content-range'), `bytes ${from}-${to}/${n}`);
      assert.deepEqual(part.body, whole.subarray(from, to + 1), range);
    }
    for (const range of [`bytes=${n}-`, 'bytes=-0']) {
      const none = await get(FILE, { Range: range });
      assert.equal(none.status, 416, range);
      assert.equal(none.header('content-range'), `bytes */${n}`);
    }
    // not a range of bytes, several of them, or of another file: all of it
    for (const range of ['rows=1-2', 'bytes=', 'bytes=-', 'bytes=9-5', 'bytes=x-', 'bytes=0-1,5-6'])
      assert.deepEqual((await get(FILE, { Range: range })).body, whole, range);
    const changed = await get(FILE, { Range: 'bytes=5-9', 'If-Range': '"0123456789abcdef"' });
    assert.equal(changed.status, 200);
  });

  test('are what the manifest names, and no other file', async () => {
    writeFileSync(path.join(shared.folder, DAYS[0], 'more.csv'), 'more');
    for (const target of [
      ...[`/data/${DAYS[0]}/more.csv`, '/data/2026-03-06/manifest.json', '/data/x/manifest.json'],
      ...['/data/.lock/manifest.json', `/data/${DAYS[0]}/..%2f.lock`, '/data/%2e%2e/manifest.json'],
    ])
      assert.equal((await get(target)).status, 404, target);
    rmSync(path.join(shared.folder, DAYS[0], 'more.csv'));
  });

  test('are checked over the network, to the first link', async () => {
    const { site, server } = shared;
    const [said] = await site.stockact('verify', `${server.url}/data/`);
    assert.deepEqual([said.snapshots, said.newest], [2, DAYS[1]]);
    const none = await site.run(['verify', `${server.url}/nothing`]);
    assert.match(none.stderr + none.stdout, /latest.*it is missing/s);
  });

  test('can be cited: a page for each version leads to its files', async () => {
    const visitor = newVisitor(shared.server);
    const home = await visitor.open('/');
    assert.ok(home.all('main a').some((a) => a.attribs.href === '/data'));
    const page = await visitor.open('/data');
    const digest = createHash('sha256').update(bytesOf(DAYS[1], 'manifest.json')).digest('hex');
    assert.match(page.text('#cite + figure'), new RegExp(`version ${DAYS[1]} .*${digest}`, 's'));
    for (const a of page.all('main a')) {
      const { href } = a.attribs;
      if (href.startsWith('/data/')) assert.equal((await get(href)).status, 200, text(a));
    }
    const data = JSON.parse(
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.html)[1],
    );
    assert.equal(data['@type'], 'Dataset');
    assert.equal(data.version, DAYS[1]);
    const manifest = JSON.parse(bytesOf(DAYS[1], 'manifest.json'));
    assert.deepEqual(
      data.distribution.map(({ name, sha256 }) => ({ name, sha256 })),
      manifest.files.map(({ name, sha256 }) => ({ name, sha256 })),
    );
    const first = await visitor.open(`/data/${DAYS[0]}`);
    assert.match(first.text('#cite + figure'), /number 1/);
    await visitor.open('/data/2026-03-06', { status: 404 });
  });
});

/** A server of files that changes one byte of one of them. */
async function serveChanged(t, folder) {
  const changed = { file: null };
  const server = createServer((request, response) => {
    const name = request.url.slice('/data/'.length);
    let bytes;
    try {
      bytes = readFileSync(path.join(folder, name));
    } catch {
      response.writeHead(404).end();
      return;
    }
    if (name === changed.file) bytes[bytes.length - 5] ^= 1;
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { changed, url: `http://127.0.0.1:${server.address().port}/data` };
}

test('verify names a byte that a server changed in a file, a manifest or a link', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-02T12:00:00Z' });
  await site.stockact('demo', '--trades', 20, '--as-of', '2026-02-01');
  await (await site.serve()).stop(); // makes the master key
  const folder = path.join(site.folder, 'data');
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-04']) {
    await site.clock.set(`${day}T12:00:00Z`);
    await site.stockact('snapshot', folder);
  }
  const { changed, url } = await serveChanged(t, folder);
  const faults = async (...args) => {
    const done = await site.run(['verify', url, ...args, '--json']);
    const lines = done.stdout.trim().split('\n').map(JSON.parse);
    return lines.filter(({ fault }) => fault).map(({ fault }) => fault.slice(url.length + 1));
  };
  assert.deepEqual(await faults(), []);
  for (const name of readdirSync(path.join(folder, '2026-03-03'))) {
    changed.file = `2026-03-03/${name}`;
    const found = await faults();
    const is = /^(manifest|stockact\.pub)/.test(name) ? '2026-03-03' : changed.file;
    assert.deepEqual(found, [is], name);
  }
  changed.file = 'latest/manifest.json';
  assert.deepEqual(await faults(), ['latest']);
  // another record under another key, signed well: the next link does not fit
  changed.file = null;
  const other = path.join(site.folder, 'other');
  await site.clock.set('2026-03-03T13:00:00Z');
  await site.stockact('snapshot', other);
  rmSync(path.join(folder, '2026-03-03'), { recursive: true });
  cpSync(path.join(other, '2026-03-03'), path.join(folder, '2026-03-03'), { recursive: true });
  assert.deepEqual(await faults(), ['2026-03-04']);
});

test('files come with plans that have CSV, unless they are open', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-02T12:00:00Z' });
  await site.stockact('demo', '--trades', 50, '--as-of', '2026-02-01');
  const folder = path.join(site.folder, 'data');
  const server = await site.serve({ env: { STOCKACT_SNAPSHOTS: folder } });
  await site.stockact('snapshot', folder);
  const target = '/data/latest/trades.csv.gz';
  const signIn = async (plan) => signInOnPage(server, await makeOwner(site, { plan }));
  const nobody = await newVisitor(server).request('GET', target);
  assert.equal(nobody.status, 303);
  assert.match(nobody.header('location'), /^\/sign-in/);
  assert.equal((await (await signIn('scout')).request('GET', target)).status, 403);
  const wolf = await (await signIn('wolf')).request('GET', target);
  assert.equal(wolf.status, 200);
  assert.match(wolf.header('cache-control'), /private|no-store/);
});

test('a visitor gets no version that has younger rows', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-02T12:00:00Z' });
  await site.stockact('demo', '--trades', 50, '--as-of', '2026-02-01');
  const env = (name) => ({
    STOCKACT_SNAPSHOTS: path.join(site.folder, name),
    STOCKACT_OPEN_DATA: 'on',
  });
  await (await site.serve()).stop(); // makes the master key
  await site.stockact('snapshot', '--whole', path.join(site.folder, 'whole'));
  await site.stockact('snapshot', '--visitor-delay', 1, path.join(site.folder, 'young'));
  await site.stockact('snapshot', '--visitor-delay', 0, path.join(site.folder, 'now'));
  for (const [name, later] of [
    ['whole', 404],
    ['young', 200],
    ['now', 404],
  ]) {
    await site.clock.set('2026-03-02T12:00:00Z');
    const server = await site.serve({ env: env(name) });
    const status = async () => (await server.get('/data/latest/manifest.json')).status;
    assert.equal(await status(), 404, name);
    await site.clock.set('2026-03-04T12:00:00Z');
    assert.equal(await status(), later, name);
    await server.stop();
  }
});

test('serve makes a snapshot a day, and status says that one failed', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-02T04:29:00Z' });
  await site.stockact('demo', '--trades', 50, '--as-of', '2026-02-01');
  const folder = path.join(site.folder, 'data');
  const env = {
    STOCKACT_SNAPSHOTS: folder,
    STOCKACT_SNAPSHOT_AT: '04:30',
    STOCKACT_OPEN_DATA: 'on',
  };
  const server = await site.serve({ env });
  const job = async () =>
    (await site.database.query("select * from job where name = 'snapshot'"))[0] ?? {};
  const ran = async (before) => {
    await until('a run has ended', async () => (await job()).ended_at > (before ?? 0));
    return job();
  };
  await until('the run is planned', async () => (await job()).next_at);
  assert.match((await newVisitor(server).open('/data')).text('main'), /no version yet/);
  await site.clock.advance(60_000);
  const first = await ran();
  assert.equal(JSON.parse(first.result).snapshot.snapshot, '2026-03-02', first.result);
  const manifest = await server.json('/data/latest/manifest.json');
  assert.equal(manifest.sequence, 1);

  writeFileSync(path.join(folder, '2026-03-02', 'stockact.pub'), 'no key');
  await site.clock.advance(86_400_000);
  const second = await ran(first.ended_at);
  assert.match(JSON.parse(second.result).snapshot.hint, /damaged/, second.result);
  const status = await site.run(['status']);
  assert.match(status.stdout, /The last run of "snapshot" failed/);
});

test('a daily snapshot needs a folder', async (t) => {
  const site = await makeSite(t, {});
  const done = await site.run(['serve', '--snapshot-at', '04:30', '--listen', '127.0.0.1:0']);
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, /set STOCKACT_SNAPSHOTS/);
});

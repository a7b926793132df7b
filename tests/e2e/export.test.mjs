// `stockact export` and GET /api/v1/export: the trades of a filter, with the columns and rows of a
// snapshot.

import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { run } from './lib/child.mjs';
import { decodedText } from './lib/client.mjs';
import { openSqlite } from './lib/database.mjs';
import { PACK, drawn, presetMonth } from './lib/limited_site.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const DAY = '2026-03-02';
const FILTERS = ['chamber=house', 'side=buy', 'asset_type=stock'];
const EXPORT = '/api/v1/export';
const NOON = `${DAY}T12:00:30.000Z`;

/** A response as it comes: its text so far, and how it ended: 'end', or 'cut' without its end. */
async function follow(t, server, key) {
  const seen = { text: '', closed: null };
  const options = { host: server.host, port: server.port, agent: false };
  const headers = { Authorization: `Bearer ${key}` };
  await new Promise((resolve, reject) => {
    const request = http.get(
      { ...options, path: `${EXPORT}?format=jsonl`, headers },
      (response) => {
        seen.status = response.statusCode;
        response.setEncoding('utf8');
        response.on('data', (text) => (seen.text += text));
        response.on('end', () => (seen.closed ??= 'end'));
        response.on('error', () => (seen.closed ??= 'cut'));
        resolve();
      },
    );
    request.on('error', (error) => (seen.closed ? null : reject(error)));
    t.after(() => request.destroy());
  });
  seen.rows = () => seen.text.split('\n').length - 1;
  return seen;
}

/** A site with 3,500 trades whose key has `left` requests of its minute, or of its month. */
async function openNarrow(t, { left, month = false, env }) {
  const site = await makeSite(t, { clock: NOON });
  await site.stockact('demo', '--trades', 3500, '--as-of', '2026-03-01');
  const { key, id } = await site.mint({ plan: 'pack' });
  if (month) await presetMonth(site, NOON, PACK.perMonth - left);
  const server = await site.serve({ env });
  for (let i = month ? left : PACK.perMinute; i > left; i--)
    assert.equal((await server.get('/api/v1/filings', { key })).status, 200);
  return { site, server, key, id };
}

onEachDatabase('export', (database) => {
  const shared = useSite({ database, clock: `${DAY}T12:00:00Z` }, async (site) => {
    await site.stockact('demo', '--trades', 400, '--as-of', DAY);
    const server = await site.serve();
    const folder = path.join(site.folder, 'data');
    await site.stockact('snapshot', folder);
    return { server, folder };
  });
  const exported = async (...args) => {
    const done = await shared.site.run(['export', ...args]);
    assert.equal(done.code, 0, done.stderr);
    return done.stdout;
  };
  const written = (name) =>
    gunzipSync(readFileSync(path.join(shared.folder, DAY, name))).toString();

  test('prints the files of a snapshot', async () => {
    assert.equal(await exported('--format', 'csv'), written('trades.csv.gz'));
    assert.equal(await exported('--format', 'jsonl'), written('trades.jsonl.gz'));
    const all = await exported('--format', 'jsonl', '--whole');
    assert.equal(all.split('\n').length, 401);
  });

  test('takes the filters of the API, and leaves out what visitors do not see', async () => {
    const { server, site } = shared;
    const key = await site.key();
    const wanted = [];
    for await (const page of server.pages(`/api/v1/trades?limit=100&${FILTERS.join('&')}`, { key }))
      wanted.push(...page.data.map(({ id }) => id));
    const seen = new Set(
      written('trades.jsonl.gz')
        .split('\n')
        .slice(0, -1)
        .map((row) => JSON.parse(row).id),
    );
    const got = (await exported('--format', 'jsonl', ...FILTERS)).split('\n').slice(0, -1);
    assert.ok(got.length > 5 && got.length < 300, `${got.length} trades`);
    assert.deepEqual(
      got.map((row) => JSON.parse(row).id),
      wanted.filter((id) => seen.has(id)),
    );
    const none = await exported('--format', 'csv', 'ticker=NONESUCH');
    assert.equal(none.split('\r\n').length, 2); // the header
  });

  test('the API answers with the same rows, compressed or not', async () => {
    const { server, site } = shared;
    const key = await site.key();
    for (const [format, type] of [
      ['csv', /^text\/csv; charset=utf-8; header=present$/],
      ['jsonl', /^application\/x-ndjson$/],
    ]) {
      const wanted = await exported('--format', format, '--whole', ...FILTERS);
      for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
        const target = `${EXPORT}?format=${format}&${FILTERS.join('&')}`;
        const got = await server.get(target, { key, headers });
        assert.equal(got.status, 200);
        assert.match(got.header('content-type'), type);
        assert.match(got.header('content-disposition'), new RegExp(`"trades.${format}"`));
        assert.equal(got.header('content-encoding'), headers['Accept-Encoding'] ?? null);
        assert.equal(decodedText(got), wanted);
      }
    }
    const bare = await server.get(EXPORT, { key });
    assert.equal(bare.text, await exported('--format', 'csv', '--whole'));
    const none = await server.get(`${EXPORT}?ticker=NONESUCH&format=jsonl`, { key });
    assert.equal(none.text, '');
    const head = await server.request('HEAD', EXPORT, { key });
    assert.equal(head.status, 200);
  });

  test('saves the table of a snapshot for SQLite', async () => {
    const file = path.join(shared.site.folder, 'some.sqlite');
    const [said] = await shared.site.stockact('export', '--format', 'sqlite', '--output', file);
    const rowsOf = (from) => {
      const db = openSqlite(from, { readOnly: true });
      const rows = db.prepare('select * from trades').all();
      const types = db.prepare("select name, type from pragma_table_info('trades')").all();
      const found = db.prepare("select count(*) n from trades_fts where trades_fts match 'a*'");
      const { n } = found.get();
      db.close();
      return { rows, types, n };
    };
    const got = rowsOf(file);
    assert.deepEqual(got, rowsOf(path.join(shared.folder, DAY, 'stockact.sqlite')));
    assert.equal(said.rows, got.rows.length);
  });

  test('refuses what it cannot do, and leaves no half of a file', async () => {
    const { site } = shared;
    const file = path.join(site.folder, 'half.sqlite');
    const sqlite = ['--format', 'sqlite', '--output', file];
    for (const [args, hint] of [
      [['--format', 'parquet'], /csv\|jsonl\|sqlite/],
      [['--format', 'csv', '--output', file], /--output FILE goes with --format sqlite/],
      [['--format', 'sqlite'], /--output FILE goes with/],
      [['--format', 'csv', 'chamber=lords'], /"chamber" must be/],
      [['--format', 'csv', 'colour=red'], /"colour" is not a parameter/],
      [['--format', 'csv', 'side=buy', 'side=sell'], /more than once/],
      [['--format', 'csv', 'side=%2'], /escape|%/],
    ]) {
      const done = await site.run(['export', ...args]);
      assert.equal(done.code, 2, done.stdout + done.stderr);
      assert.match(done.stderr, hint);
    }
    const watch = ['-f', '-o', '/dev/null', '-e', 'trace=pwrite64,fsync'];
    const full = ['-P', `${file}.new`, '-e', 'inject=pwrite64:error=ENOSPC:when=3+'];
    const killed = ['-P', `${file}.new`, '-e', 'inject=fsync:signal=KILL:when=1'];
    for (const [how, ends] of [
      [full, {}],
      [killed, { endsBy: 'SIGKILL' }],
    ]) {
      const args = [...watch, ...how, binary, 'export', ...sqlite];
      const done = await run('strace', args, { env: site.env, ...ends });
      if (!ends.endsBy) assert.match(done.stderr, /full/);
      assert.ok(!existsSync(file));
    }
    await site.stockact('export', ...sqlite);
    const again = await site.run(['export', ...sqlite]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /is there already/);
    assert.ok(!readdirSync(site.folder).some((name) => name.endsWith('.new')));
    const device = await run('sh', ['-c', `"${binary}" export --format csv >/dev/full`], {
      env: site.env,
    });
    assert.equal(device.code, 1, device.stderr);
  });

  test('the API goes on behind each row, and refuses what it cannot do', async () => {
    const { server, site } = shared;
    const key = await site.key({ plan: 'den' });
    const all = (await exported('--format', 'jsonl', '--whole')).split('\n').slice(0, -1);
    const ids = all.map((row) => JSON.parse(row).id);
    for (const at of [0, 24, 25, 198, all.length - 1]) {
      const rest = await server.get(`${EXPORT}?format=jsonl&after=${ids[at]}`, { key });
      assert.deepEqual(rest.text.split('\n').slice(0, -1), all.slice(at + 1));
    }
    await site.stockact('withdraw', ids[9], '--by', 'a@example.org', '--reason', 'Entered twice.');
    for (const [query, error] of [
      [`after=${ids[9]}`, 'invalid_parameter'],
      ['after=none', 'invalid_parameter'],
      ['format=json', 'invalid_parameter'],
      ['limit=5', 'invalid_parameter'],
      ['side=hold', 'invalid_parameter'],
    ]) {
      const response = await server.get(`${EXPORT}?${query}`, { key });
      assert.deepEqual([response.status, response.json.error], [400, error], query);
    }
    for (const options of [{}, { from: '127.0.0.9' }]) {
      const response = await server.get(`${EXPORT}?format=jsonl`, options);
      assert.deepEqual([response.status, response.json.error], [403, 'csv_export_not_available']);
    }
  });
});

test('the API draws one for 1,000 rows, waits for the next minute, and has a bound', async (t) => {
  const { site, server, key } = await openNarrow(t, { left: 2, env: { STOCKACT_STREAMS: '1' } });
  const seen = await follow(t, server, key);
  await until('two draws', () => seen.rows() === 2000);
  const other = await site.key({ plan: 'den' });
  const refused = await server.get(EXPORT, { key: other });
  assert.equal(refused.status, 503);
  assert.ok(refused.header('retry-after'));
  assert.equal(seen.closed, null);
  await site.clock.advance(60_000);
  await until('the end', () => seen.closed);
  assert.equal(seen.closed, 'end');
  const rows = (await server.get(`${EXPORT}?format=jsonl`, { key: other })).text;
  assert.equal(seen.text, rows);
  await server.stop();
  assert.equal(await drawn(site, NOON), PACK.perMinute + 2 + 4);
});

test('the API cuts a file when the month is used up, the key is revoked or it stops', async (t) => {
  const spent = await openNarrow(t, { left: 3, month: true });
  const month = await follow(t, spent.server, spent.key);
  await until('the end', () => month.closed);
  assert.deepEqual([month.status, month.closed, month.rows()], [200, 'cut', 3000]);
  for (const how of ['revoke', 'stop']) {
    const { site, server, key, id } = await openNarrow(t, { left: 1 });
    const seen = await follow(t, server, key);
    await until('a draw', () => seen.rows() === 1000);
    if (how === 'stop') await server.stop();
    else await site.stockact('keys', 'revoke', '--id', id);
    await until('the end', () => seen.closed);
    assert.deepEqual([seen.closed, seen.rows()], ['cut', 1000], how);
  }
});

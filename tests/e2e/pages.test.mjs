// Walking the feed: cursors, stability, conditional requests, compression, CSV
// (spec 4.1, 8; decisions 5, 6, 15, 28).

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parse as parseCsv } from 'csv-parse/sync';
import Papa from 'papaparse';
import { decodedText } from './lib/client.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';

const COLUMNS = [
  'id',
  'politician_slug',
  'politician_name',
  'chamber',
  'party',
  'state',
  'ticker',
  'asset_name',
  'asset_type',
  'side',
  'amount_bucket',
  'amount_min',
  'amount_max',
  'trade_date',
  'disclosed_at',
  'filing_url',
  'owner_type',
];
const UNLIMITED = { STOCKACT_BENCH_UNLIMITED: '1' };

async function walk(server, target, options) {
  const trades = [];
  for await (const page of server.pages(target, options)) trades.push(...page.data);
  return trades;
}

const newerFirst = (a, b) =>
  a.disclosedAt === b.disclosedAt
    ? Buffer.compare(Buffer.from(b.id), Buffer.from(a.id))
    : a.disclosedAt < b.disclosedAt
      ? 1
      : -1;

onEachDatabase('walking the feed', (kind) => {
  const shared = useSite({ database: kind, env: UNLIMITED }, async (site) => {
    await site.stockact('demo', '--trades', 700, '--as-of', '2026-03-01');
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });

  test('each trade is returned once, newest first, with any page size', async () => {
    const all = await walk(shared.server, '/api/v1/trades?limit=100', { key: shared.key });
    assert.equal(all.length, 700);
    assert.equal(new Set(all.map((trade) => trade.id)).size, 700);
    assert.deepEqual(all, [...all].sort(newerFirst));
    const small = await walk(shared.server, '/api/v1/trades?limit=7', { key: shared.key });
    assert.deepEqual(small, all);
  });

  test('a filter returns the same as filtering the whole feed', async () => {
    const { server, key } = shared;
    const all = await walk(server, '/api/v1/trades?limit=100', { key });
    const some = all[311];
    const ticker = all.find((trade) => trade.ticker !== null).ticker;
    const cases = [
      [`chamber=house`, (one) => one.politician.chamber === 'house'],
      [`chamber=senate`, (one) => one.politician.chamber === 'senate'],
      [`ticker=${ticker}`, (one) => one.ticker === ticker],
      [`ticker=${ticker.toLowerCase()}`, (one) => one.ticker === ticker],
      [
        `politician_slug=${some.politician.slug}`,
        (one) => one.politician.slug === some.politician.slug,
      ],
      [`politician=${some.politician.slug}`, (one) => one.politician.slug === some.politician.slug],
      [`since=${some.disclosedAt}`, (one) => one.disclosedAt >= some.disclosedAt],
      [
        `chamber=house&ticker=${ticker}`,
        (one) => one.politician.chamber === 'house' && one.ticker === ticker,
      ],
      [
        `since=${some.disclosedAt}&chamber=${some.politician.chamber}&politician=${some.politician.slug}`,
        (one) =>
          one.disclosedAt >= some.disclosedAt && one.politician.slug === some.politician.slug,
      ],
      ['ticker=NOSUCH', () => false],
      ['politician=nobody-at-all', () => false],
    ];
    for (const [query, keeps] of cases) {
      const found = await walk(server, `/api/v1/trades?limit=13&${query}`, { key });
      assert.deepEqual(
        found.map((one) => one.id),
        all.filter(keeps).map((one) => one.id),
        query,
      );
    }
  });

  test('the last page of exactly `limit` rows has no cursor', async () => {
    const { server, key } = shared;
    const first = await server.json('/api/v1/trades?limit=100', { key });
    const since = first.data[24].disclosedAt;
    const count = (await walk(server, `/api/v1/trades?limit=100&since=${since}`, { key })).length;
    const page = await server.json(`/api/v1/trades?limit=${count}&since=${since}`, { key });
    assert.equal(page.data.length, count);
    assert.equal(page.nextCursor, null);
  });

  test('a cursor works with another limit, after a restart and on another server', async (t) => {
    const { server, site, key } = shared;
    const page = await server.json('/api/v1/trades?limit=10', { key });
    const next = `/api/v1/trades?limit=50&cursor=${page.nextCursor}`;
    const here = await server.json(next, { key });
    const all = await server.json('/api/v1/trades?limit=60', { key });
    assert.deepEqual([...page.data, ...here.data], all.data);
    if (kind === 'postgresql') {
      const other = await site.serve();
      assert.deepEqual(await other.json(next, { key }), here);
      await other.stop();
    }
  });

  test('a walk returns each trade once while another process publishes', async () => {
    const { server, site, key } = shared;
    const before = await walk(server, '/api/v1/trades?limit=100', { key });
    const publishing = site.stockact('demo', '--publish', 15, '--rows', 4);
    const seen = await walk(server, '/api/v1/trades?limit=9', { key });
    await publishing;
    const old = new Set(before.map((one) => one.id));
    assert.deepEqual(
      seen.filter((one) => old.has(one.id)).map((one) => one.id),
      before.map((one) => one.id),
    );
    const since = before[0].disclosedAt;
    const news = await walk(server, `/api/v1/trades?limit=100&since=${since}`, { key });
    const fresh = news.filter((one) => !old.has(one.id));
    assert.equal(fresh.length, 60, 'the command returned when the server had them');
    assert.ok(fresh.every((one) => one.disclosedAt > since));
  });

  test('500 trades with one disclosedAt are returned once each, seven to a page', async () => {
    const { server, site, key } = shared;
    await site.stockact('demo', '--publish', 1, '--rows', 500);
    const [newest] = (await server.json('/api/v1/trades?limit=1', { key })).data;
    const target = `/api/v1/trades?limit=7&since=${newest.disclosedAt}`;
    const seen = await walk(server, target, { key });
    assert.equal(seen.length, 500);
    assert.equal(new Set(seen.map((one) => one.id)).size, 500);
    assert.deepEqual([...new Set(seen.map((one) => one.disclosedAt))], [newest.disclosedAt]);
    assert.deepEqual(seen, [...seen].sort(newerFirst));
  });

  test('a cursor whose trade was withdrawn still works', async () => {
    const { server, site, key } = shared;
    const all = await server.json('/api/v1/trades?limit=30', { key });
    const first = await server.json('/api/v1/trades?limit=10', { key });
    const cursorRow = first.data.at(-1).id;
    await site.stockact(
      'withdraw',
      cursorRow,
      '--by',
      'editor@example.org',
      '--reason',
      'entered twice',
    );
    const rest = await server.json(`/api/v1/trades?limit=20&cursor=${first.nextCursor}`, { key });
    assert.deepEqual(
      rest.data.map((one) => one.id),
      all.data.slice(10).map((one) => one.id),
    );
    const now = await server.json('/api/v1/trades?limit=29', { key });
    assert.deepEqual(
      now.data.map((one) => one.id),
      all.data.filter((one) => one.id !== cursorRow).map((one) => one.id),
    );
  });
});

describe('invalid cursors', () => {
  const shared = useSite({ env: UNLIMITED }, async (site) => {
    await site.stockact('demo', '--trades', 200, '--as-of', '2026-03-01');
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });

  async function refused(target) {
    const response = await shared.server.get(target, { key: shared.key });
    assert.equal(response.status, 400, target);
    assert.equal(response.json.error, 'invalid_cursor', target);
  }

  test('every truncation, flipped bit and addition is rejected', async () => {
    const { nextCursor } = await shared.server.json('/api/v1/trades?limit=5', { key: shared.key });
    const spoiled = new Set();
    for (let n = 0; n < nextCursor.length; n++) spoiled.add(nextCursor.slice(0, n));
    for (let at = 0; at < nextCursor.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const bytes = Buffer.from(nextCursor, 'latin1');
        bytes[at] ^= 1 << bit;
        spoiled.add(bytes.toString('latin1'));
      }
    }
    for (const tail of ['!', '=', '\n', '\0', 'A', ' ', 'A'.repeat(4096)])
      spoiled.add(nextCursor + tail);
    spoiled.add(Buffer.from(nextCursor, 'base64url').toString('base64'));
    for (const text of spoiled) {
      if (text === nextCursor) continue;
      const encoded = [...Buffer.from(text, 'latin1')]
        .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
        .join('');
      if (encoded.length > 8_000) await refused(`/api/v1/trades?cursor=${text}`);
      else await refused(`/api/v1/trades?cursor=${encoded}`);
    }
  });

  test('a cursor of one list is rejected by another', async () => {
    const { server, key } = shared;
    const trades = await server.json('/api/v1/trades?limit=5', { key });
    const filings = await server.json('/api/v1/filings?limit=5', { key });
    await refused(`/api/v1/filings?cursor=${trades.nextCursor}`);
    await refused(`/api/v1/trades?cursor=${filings.nextCursor}`);
    await refused('/api/v1/trades?cursor=');
  });
});

describe('conditional requests and compression', () => {
  const shared = useSite({ env: UNLIMITED }, async (site) => {
    await site.stockact('demo', '--trades', 300, '--as-of', '2026-03-01');
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });
  const get = (headers, target = '/api/v1/trades') =>
    shared.server.get(target, { key: shared.key, headers });

  test('a known tag gives 304 with the same headers and no body', async () => {
    const full = await get({});
    assert.match(full.header('etag'), /^"[^"]+"$/);
    assert.equal(full.header('cache-control'), 'private, no-cache');
    assert.equal(full.header('vary'), 'Accept-Encoding, Authorization, X-Api-Key');
    for (const known of [
      full.header('etag'),
      `W/${full.header('etag')}`,
      '*',
      `"a", ${full.header('etag')} , "b"`,
    ]) {
      const response = await get({ 'If-None-Match': known });
      assert.equal(response.status, 304, known);
      assert.equal(response.body.length, 0);
      for (const name of ['etag', 'vary', 'cache-control']) {
        assert.equal(response.header(name), full.header(name));
      }
    }
    for (const other of ['"other"', full.header('etag').slice(1, -1)]) {
      assert.equal((await get({ 'If-None-Match': other })).status, 200, other);
    }
  });

  test('codings have separate tags and the same content', async () => {
    const plain = await get({});
    const packed = await get({ 'Accept-Encoding': 'gzip' });
    assert.equal(packed.header('content-encoding'), 'gzip');
    assert.notEqual(packed.header('etag'), plain.header('etag'));
    assert.equal(gunzipSync(packed.body).toString(), plain.text);
    assert.deepEqual((await get({ 'Accept-Encoding': 'gzip' })).body, packed.body);
    assert.equal(packed.body.readUInt32LE(4), 0, 'no time in the gzip header');
    assert.equal(
      (await get({ 'Accept-Encoding': 'gzip', 'If-None-Match': packed.header('etag') })).status,
      304,
    );
  });

  const codings = [
    ['gzip', true],
    ['gzip;q=0', false],
    ['identity;q=0, gzip', true],
    ['*;q=0', false],
    ['br', false],
    ['br, *', true],
    ['deflate, gzip;q=0.5', true],
    ['x-gzip', true],
    ['GZIP', true],
    ['', false],
    ['gzip;q=0.5, identity;q=1', false],
    ['gzip; q=0.001', true],
    ['gzip;q=bad', false],
  ];
  for (const [accept, packed] of codings) {
    test(`Accept-Encoding: "${accept}" is answered ${packed ? 'with' : 'without'} gzip`, async () => {
      const response = await get({ 'Accept-Encoding': accept });
      assert.equal(response.status, 200);
      assert.equal(response.header('content-encoding') === 'gzip', packed);
      assert.equal(JSON.parse(decodedText(response)).data.length, 25);
    });
  }

  test('small bodies are not compressed', async () => {
    const response = await get({ 'Accept-Encoding': 'gzip' }, '/api/v1/trades?ticker=NOSUCH');
    assert.equal(response.header('content-encoding'), null);
    assert.ok(response.body.length < 1024);
  });

  test('HEAD returns the headers of GET', async () => {
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      const whole = await get(headers);
      const head = await shared.server.request('HEAD', '/api/v1/trades', {
        key: shared.key,
        headers,
      });
      assert.equal(head.header('content-length'), String(whole.body.length));
      assert.equal(head.header('etag'), whole.header('etag'));
      assert.equal(head.body.length, 0);
    }
  });

  test('a publication keeps the tags of other pages, also after a restart', async () => {
    const { server, site, key } = shared;
    const { nextCursor } = await server.json('/api/v1/trades?limit=50', { key });
    const old = `/api/v1/trades?cursor=${nextCursor}`;
    const before = (await get({}, old)).header('etag');
    const first = (await get({})).header('etag');
    await site.stockact('demo', '--publish', 1, '--rows', 2);
    assert.equal((await get({}, old)).header('etag'), before);
    assert.notEqual((await get({})).header('etag'), first);
    await server.stop();
    shared.server = await site.serve();
    assert.equal((await get({}, old)).header('etag'), before);
  });
});

describe('CSV', () => {
  const shared = useSite({ env: UNLIMITED }, async (site) => {
    await site.stockact('demo', '--trades', 400, '--as-of', '2026-03-01');
    return { server: await site.serve(), key: await site.key({ plan: 'pack' }) };
  });

  const rowOf = (trade) => ({
    id: trade.id,
    politician_slug: trade.politician.slug,
    politician_name: trade.politician.name,
    chamber: trade.politician.chamber,
    party: trade.politician.party ?? '',
    state: trade.politician.state ?? '',
    ticker: trade.ticker ?? '',
    asset_name: trade.assetName,
    asset_type: trade.assetType ?? '',
    side: trade.side,
    amount_bucket: trade.amountBucket,
    amount_min: String(trade.amountRange.min),
    amount_max: String(trade.amountRange.max ?? ''),
    trade_date: trade.tradeDate ?? '',
    disclosed_at: trade.disclosedAt,
    filing_url: trade.filingUrl ?? '',
    owner_type: trade.ownerType ?? '',
  });

  test('following Link returns the same rows as JSON, with two CSV parsers', async () => {
    const { server, key } = shared;
    const trades = await walk(server, '/api/v1/trades?limit=100', { key });
    const rows = [];
    let target = '/api/v1/trades?format=csv&limit=60';
    while (target) {
      const response = await server.get(target, { key });
      assert.equal(response.status, 200);
      assert.equal(response.header('content-type'), 'text/csv; charset=utf-8; header=present');
      assert.equal(response.header('content-disposition'), 'attachment; filename="trades.csv"');
      assert.ok(response.text.startsWith(`${COLUMNS.join(',')}\r\n`));
      assert.ok(response.text.endsWith('\r\n'));
      const page = parseCsv(response.text, { columns: true, record_delimiter: '\r\n' });
      const other = Papa.parse(response.text, {
        header: true,
        newline: '\r\n',
        skipEmptyLines: true,
      });
      assert.deepEqual(other.errors, []);
      assert.deepEqual(other.data, page);
      rows.push(...page);
      const link = /^<([^>]+)>; rel="next"$/.exec(response.header('link') ?? '');
      assert.equal(link === null, response.header('x-next-cursor') === null);
      if (link) {
        const url = new URL(link[1]);
        assert.equal(url.origin, server.url);
        assert.equal(url.searchParams.get('cursor'), response.header('x-next-cursor'));
        assert.equal(url.searchParams.get('format'), 'csv');
        assert.equal(url.searchParams.get('limit'), '60');
        target = url.pathname + url.search;
      } else {
        target = null;
      }
    }
    assert.deepEqual(rows, trades.map(rowOf));
  });

  test('only fields that need quotes have them', async () => {
    const response = await shared.server.get('/api/v1/trades?format=csv&limit=100', {
      key: shared.key,
    });
    for (const [, quoted] of response.text.matchAll(/(?:^|,|\n)"((?:[^"]|"")*)"/g)) {
      assert.match(quoted, /[",\r\n]/);
    }
  });

  test('an empty page has only the header line', async () => {
    const response = await shared.server.get('/api/v1/trades?format=csv&ticker=NOSUCH', {
      key: shared.key,
    });
    assert.equal(response.status, 200);
    assert.equal(response.text, `${COLUMNS.join(',')}\r\n`);
  });

  test('JSON pages carry the same Link', async () => {
    const response = await shared.server.get('/api/v1/trades?limit=5&chamber=house', {
      key: shared.key,
    });
    const url = new URL(/^<([^>]+)>; rel="next"$/.exec(response.header('link'))[1]);
    assert.equal(url.searchParams.get('cursor'), response.json.nextCursor);
    assert.equal(url.searchParams.get('chamber'), 'house');
  });

  test('anonymous callers never get CSV', async () => {
    const response = await shared.server.get('/api/v1/trades?format=csv', { from: '127.0.5.1' });
    assert.equal(response.status, 403);
    assert.equal(response.json.error, 'csv_export_not_available');
  });
});

test('the empty feed is one empty page', async (t) => {
  const site = await makeSite(t);
  const server = await site.serve();
  for (const target of ['/api/v1/trades', '/api/v1/filings']) {
    assert.deepEqual(await server.json(target), { data: [], nextCursor: null });
  }
});

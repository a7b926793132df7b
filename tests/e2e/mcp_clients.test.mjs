// stockact-mcp under the official clients, over standard streams, with a running server: all tools,
// each result compared with the API's response, with and without a key (spec 4.6, 8.8).
//
// Both clients validate structured content against the output schema (a first test checks that).
// lib/mcp.mjs validates it again with a strict checker, and arguments too.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { McpHost, faces, mcpCommand, oneOfEach } from './lib/mcp.mjs';
import { instrumented, noSharedData, sharedData } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';
import { BY } from './lib/reviewer.mjs';

const UNLIMITED = { STOCKACT_BENCH_UNLIMITED: '1' };
const TRADES = 700;
const TOOLS = [
  'list_trades',
  'count_trades',
  'find_ticker',
  'get_politician',
  'get_committee',
  'get_ticker',
  'list_filings',
  'list_corrections',
  'find_politician',
  'get_conflicted_trades',
  'get_trade',
  'get_coverage',
];

const open = (t, face, { site, server, key }, hooks) =>
  McpHost.open(t, face, mcpCommand(site, server, key), hooks);

async function walk(server, target, options) {
  const rows = [];
  for await (const page of server.pages(target, options)) rows.push(...page.data);
  return rows;
}

async function tickerOf({ server, key }) {
  const { data } = await server.json('/api/v1/trades?limit=100', { key });
  return data.find(({ ticker }) => ticker !== null).ticker;
}

/** Calls that do not match the input schema, and the message. */
const REFUSED = [
  ['list_trades', { limit: 0 }, /^limit must be an integer from 1 to 100/],
  ['list_trades', { limit: 101 }, /^limit .* 1 to 100/],
  ['list_trades', { limit: 2.5 }, /^limit /],
  ['list_trades', { limit: '5' }, /^limit /],
  ['list_trades', { chamber: 'both' }, /^chamber must be house or senate/],
  ['list_trades', { since: 'yesterday' }, /^since must be a date, or an ISO 8601 instant/],
  ['list_trades', { traded_from: 'March 2020' }, /^traded_from must be a date/],
  ['list_trades', { conflict: 'maybe' }, /^conflict must be true or false/],
  ['list_trades', { amount_min: '$50,000' }, /^amount_min must be an integer from 0 /],
  ['list_trades', { ticker: 5 }, /^ticker must be a string of at most 1600/],
  ['get_ticker', { symbol: 'A'.repeat(33) }, /^symbol .* 32/],
  ['list_trades', { cursor: 'A'.repeat(501) }, /^cursor .* 500/],
  ['list_trades', { symbol: 'AAPL' }, /^"symbol" is not an argument/],
  ['get_politician', {}, /^slug is required/],
  ['get_ticker', {}, /^symbol is required/],
  ['get_trade', { id: 7 }, /^id must be a string/],
  ['list_filings', { limit: 1000 }, /^limit .* 1 to 100/],
  ['find_politician', {}, /^name is required/],
  ['find_politician', { name: 'x', max_pages: 9 }, /^max_pages must be an integer from 1 to 8/],
  ['get_conflicted_trades', { max_pages: 6 }, /^max_pages must be an integer from 1 to 5/],
  ['get_conflicted_trades', { about: 'x'.repeat(101) }, /^about .* 100/],
  [
    'get_committee',
    { name: 'Vale' },
    /^"name" is not an argument of this tool; it takes id, on\.$/,
  ],
  ['list_corrections', { since: '2026' }, /^since must be a date/],
  ['get_coverage', { year: 2026 }, /^"year" is not an argument of this tool; it takes none/],
];

/**
 * Calls of the tools that pass through one response of the API, and that response; `trade` has a
 * ticker.
 */
function relayed(trade) {
  const { slug, chamber } = trade.politician;
  const since = trade.disclosedAt;
  const filters = { ticker: trade.ticker, politician_slug: slug, chamber, since, limit: 100 };
  return [
    ['list_trades', {}, '/api/v1/trades'],
    ['list_trades', filters, `/api/v1/trades?${new URLSearchParams(filters)}`],
    ['get_politician', { slug }, `/api/v1/politicians/${slug}`],
    ['list_trades', { conflict: true }, '/api/v1/trades?conflict=true'],
    ['get_ticker', { symbol: trade.ticker }, `/api/v1/tickers/${encodeURIComponent(trade.ticker)}`],
    ['list_filings', {}, '/api/v1/filings'],
    ['list_filings', { chamber, limit: 3 }, `/api/v1/filings?chamber=${chamber}&limit=3`],
    [
      'list_filings',
      { politician_slug: slug, chamber },
      `/api/v1/filings?politician_slug=${slug}&chamber=${chamber}`,
    ],
    ['list_corrections', { since: '2020-01-01', limit: 2 }, '/api/v1/corrections?limit=2'],
    ['get_trade', { id: trade.id }, `/api/v1/trades/${trade.id}`],
    ['get_coverage', {}, '/api/v1/coverage'],
    [
      'count_trades',
      { group_by: 'party,year', sort: 'buys', chamber },
      `/api/v1/stats?group_by=party,year&sort=buys&chamber=${chamber}`,
    ],
    ['find_ticker', { name: 'works', limit: 3 }, '/api/v1/tickers?q=works&limit=3'],
  ];
}

/** The address of the page with as many rows as a result has room for. */
function fitting(target, { data, nextCursor }) {
  if (!nextCursor) return target;
  const [path, query] = target.split('?');
  return `${path}?${new URLSearchParams([
    ...[...new URLSearchParams(query)].filter(([name]) => name !== 'limit'),
    ['limit', data.length],
  ])}`;
}

/** Every tool must return the same as the API, and a note where known reports wait (decision 52). The
 *  sentence that data is invented (decision 49) is left out. */
async function callAll(host, { server, key }) {
  const newest = await server.json('/api/v1/trades?limit=100', { key });
  const trade = newest.data.find(({ ticker }) => ticker !== null);
  for (const [name, args, target] of relayed(trade)) {
    const { dataNotice: _, note, ...result } = await host.ask(name, args);
    const answer = await server.get(fitting(target, result), { key });
    assert.deepEqual(result, answer.json, target);
    assert.equal(Boolean(note), Boolean(answer.header('x-reports-waiting')), target);
  }

  const { name, slug } = trade.politician;
  const found = await host.ask('find_politician', { name });
  assert.equal(found.data[0].slug, slug);
  const flagged = await host.ask('get_conflicted_trades', { max_pages: 1 });
  const data = newest.data.filter(({ conflictSignal }) => conflictSignal);
  assert.ok(flagged.data.length > 0 && flagged.nextCursor);
  assert.deepEqual(flagged.data, data.slice(0, flagged.data.length));
  assert.match(flagged.note, /^Only \d+ trades were scanned\..* everywhere: true/);

  const [{ id }] = (await server.json('/api/v1/committees?limit=1', { key })).data;
  const seats = await host.ask('get_committee', { id });
  assert.deepEqual(seats.data, (await server.json(`/api/v1/committees/${id}`, { key })).data);
}

/** Walks by cursor must return the same trades as the API's walks, in the same order. */
async function walkAll(host, { server, key }) {
  const feed = await walk(server, '/api/v1/trades?limit=100', { key });
  assert.deepEqual(await host.walk('list_trades', { limit: 100 }), feed);
  const flagged = await walk(server, '/api/v1/trades?limit=100&conflict=true', { key });
  assert.ok(flagged.length > 0 && flagged.length < feed.length, `${flagged.length} are flagged`);
  assert.deepEqual(await host.walk('get_conflicted_trades', { max_pages: 5 }), flagged);
  return { feed, flagged };
}

describe('stockact-mcp and the official clients', () => {
  const shared = useSite({ env: UNLIMITED }, async (site) => {
    await site.stockact('demo', '--trades', TRADES);
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });

  for (const face of oneOfEach) {
    test(`${face.name}: rejects a result that does not match the output schema`, async (t) => {
      const incoming = (message) => {
        for (const tool of message.result?.tools ?? []) tool.outputSchema.required.push('other');
        return message;
      };
      const host = await open(t, face, shared, { incoming });
      await host.client.listTools();
      for (const name of ['list_trades', 'get_coverage'])
        await assert.rejects(host.call(name, {}), /does not match the tool's output schema/);
    });
  }

  for (const face of faces) {
    test(`${face.name}: lists the tools and calls each`, async (t) => {
      const host = await open(t, face, shared);
      assert.equal(host.client.getServerVersion().name, 'stockact');
      assert.match(host.client.getInstructions(), /conflict signal/);
      const tools = await host.tools();
      assert.deepEqual([...tools.keys()], TOOLS);
      for (const { tool } of tools.values()) assert.equal(tool.annotations.readOnlyHint, true);
      await callAll(host, shared);
    });
  }

  for (const face of oneOfEach) {
    test(`${face.name}: walks by cursor return the same as the API's`, async (t) => {
      const host = await open(t, face, shared);
      const { feed, flagged } = await walkAll(host, shared);
      assert.equal(feed.length, TRADES);
      for (const max_pages of [1, 2])
        assert.deepEqual(await host.walk('get_conflicted_trades', { max_pages }), flagged);
      const [house, limit] = ['house', 40];
      const filtered = await host.walk('list_trades', { chamber: house, limit });
      assert.deepEqual(
        filtered,
        feed.filter(({ politician }) => politician.chamber === house),
      );
      const filings = await walk(shared.server, '/api/v1/filings?limit=100', shared);
      assert.deepEqual(await host.walk('list_filings', { limit }), filings);
    });

    test(`${face.name}: scans report progress`, async (t) => {
      const sent = [];
      const incoming = (message) => {
        if (message.method === 'notifications/progress') sent.push(message.params);
        return message;
      };
      const host = await open(t, face, shared, { incoming });
      for (const [name, args] of [['find_politician', { name: 'nobody of that name' }]]) {
        const told = [];
        await host.ask(name, args, { onprogress: ({ progress }) => told.push(progress) });
        const pages = sent.splice(0).map(({ progress, total }) => [progress, total]);
        assert.deepEqual(
          pages,
          [1, 2, 3].map((page) => [page, 3]),
        );
        // SDK 2.x drops what it reads together with the result
        assert.deepEqual(told, [1, 2, 3].slice(0, told.length));
      }
      await host.ask('get_conflicted_trades');
      assert.deepEqual(sent, [], 'nothing where nobody asked for it');
    });

    test(`${face.name}: a cancelled scan stays silent`, async (t) => {
      const cancelling = new AbortController();
      const outgoing = (message) => {
        if (message.method === 'tools/call') setImmediate(() => cancelling.abort());
        return message;
      };
      const answers = [];
      const incoming = (message) => {
        if (message.result?.structuredContent?.scan) answers.push(message.id);
        return message;
      };
      const host = await open(t, face, shared, { incoming, outgoing });
      const scan = ['find_politician', { name: 'nobody of that name', max_pages: 8 }];
      await assert.rejects(host.call(...scan, { signal: cancelling.signal }), /abort/i);
      await host.ask(...scan);
      assert.equal(answers.length, 1);
    });

    test(`${face.name}: many calls run concurrently`, async (t) => {
      const host = await open(t, face, shared);
      const { data } = await shared.server.json('/api/v1/trades?limit=50', shared);
      const all = await Promise.all(data.map(({ id }) => host.ask('get_trade', { id })));
      assert.deepEqual(
        all.map((one) => one.data.trade),
        data,
      );
    });

    test(`${face.name}: arguments that the schema rejects, the tool rejects by name`, async (t) => {
      const host = await open(t, face, shared);
      const tools = await host.tools();
      for (const [name, args, sentence] of REFUSED) {
        const what = `${name} ${JSON.stringify(args)}`;
        assert.throws(() => tools.get(name).input(args), undefined, what);
        assert.match(await host.refusal(name, args), sentence, what);
      }
    });

    test(`${face.name}: an unknown tool is a protocol error`, async (t) => {
      const host = await open(t, face, shared);
      await assert.rejects(host.call('no_such_tool', {}), { code: -32602 });
    });
  }

  const stateless = oneOfEach.at(-1);

  test("the text equals the API's body byte for byte, before the notice", async (t) => {
    const host = await open(t, stateless, shared);
    const [trade] = await host.walk('list_trades', { limit: 100, ticker: await tickerOf(shared) });
    for (const [name, args, target] of relayed(trade)) {
      const { content, structuredContent } = await host.call(name, args);
      if (Array.isArray(structuredContent.data)) continue; // a table
      const response = await shared.server.get(target, shared);
      const text = content[0].text.replace(/,"dataNotice":"The data of [^"]*"\}$/, '}');
      assert.equal(text, response.text.trimEnd(), target);
    }
  });

  test('optional arguments that are null or empty count as absent', async (t) => {
    const host = await open(t, stateless, shared);
    const args = { ticker: '', politician_slug: null, chamber: null, since: '', cursor: '' };
    const { structuredContent } = await host.call('list_trades', { ...args, limit: null });
    assert.deepEqual(structuredContent, await host.ask('list_trades'));
  });

  test('every politician of the feed is found by a name in either order', async (t) => {
    const host = await open(t, stateless, shared);
    const names = new Map();
    for (const { politician } of await walk(shared.server, '/api/v1/trades?limit=100', shared))
      names.set(politician.slug, politician.name);
    let turning = false;
    for (const [slug, name] of names) {
      const words = name.split(' ');
      const turned = `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`.toUpperCase();
      turning = !turning;
      const args = { name: turning ? turned : name, max_pages: 8 };
      const { data, scan } = await host.ask('find_politician', args);
      assert.equal(data[0]?.slug, slug, args.name);
      assert.deepEqual(scan, {
        trades: TRADES,
        politicians: names.size,
        complete: true,
        searched: false,
        cutShort: null,
      });
    }
  });

  test('API errors are sentences that say what to do', async (t) => {
    const { site, server } = shared;
    const host = await open(t, stateless, shared);
    assert.match(await host.refusal('list_trades', { cursor: 'made-up' }), /nextCursor/);
    assert.match(await host.refusal('get_politician', { slug: 'nobody' }), /find_politician/);
    assert.match(await host.refusal('get_ticker', { symbol: 'NOSUCH' }), /symbol/);
    assert.match(await host.refusal('get_trade', { id: 'none' }), /no trade/);
    const stranger = await open(t, stateless, { site, server, key: `svc_${'A'.repeat(43)}` });
    assert.match(await stranger.refusal('list_trades', {}), /SVC_API_KEY/);
    const { key, email } = await site.mint({ plan: 'pack' });
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'wolf');
    const { hint } = await server.json('/api/v1/trades', { key, status: 403 });
    const former = await open(t, stateless, { site, server, key });
    assert.ok((await former.refusal('list_trades', {})).includes(hint), hint);
  });
});

describe('stockact-mcp without a key', () => {
  const shared = useSite({ clock: '2026-03-31T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 300);
    const [server, key] = [await site.serve(), await site.key()];
    const ticker = await tickerOf({ server, key });
    const { data } = await server.json(`/api/v1/trades?ticker=${ticker}&limit=1`, { key });
    const [newest] = (await server.json('/api/v1/trades?limit=1', { key })).data;
    return { server, trade: data[0], newest };
  });

  for (const face of oneOfEach) {
    test(`${face.name}: calls each tool, is warned, and learns how long to wait`, async (t) => {
      const { site, server, trade, newest } = shared;
      await site.clock.advance(60_000);
      const host = await open(t, face, { site, server });
      const { slug } = trade.politician;
      const { name } = newest.politician; // a sure match in the first page
      const calls = [
        ['find_politician', { name, max_pages: 1 }],
        ['get_conflicted_trades', { max_pages: 1 }],
        ['get_politician', { slug }],
        ['get_ticker', { symbol: trade.ticker }],
        ['list_filings', { limit: 1 }],
        ['get_coverage', {}],
        ['get_trade', { id: trade.id }],
        ['list_trades', { limit: 1 }],
        ['find_politician', { name, max_pages: 1 }],
        ['get_conflicted_trades', { max_pages: 1 }],
      ];
      const warnings = [];
      for (const [tool, args] of calls)
        warnings.push((await host.ask(tool, args)).rateLimitWarning);
      assert.deepEqual(warnings.slice(0, 6), Array(6).fill(undefined));
      const again = new Date(site.clock.now + 60_000).toISOString();
      warnings.slice(6).forEach((warning, i) => {
        assert.ok(warning?.startsWith('Requests left in this minute'), warning);
        assert.ok(
          warning.includes(`: ${3 - i} of 10; the next minute begins at ${again}.`),
          warning,
        );
      });
      assert.match(await host.refusal('list_trades', {}), /wait 60 seconds/);
      await site.clock.advance(60_000);
      assert.equal((await host.ask('list_trades', {})).rateLimitWarning, undefined);
    });
  }
});

// The rosters are today's. Applied to trades of 2012 to 2020 they give enough signals; whether the
// signals are right does not matter here.
const LEGISLATORS = [
  'legislators-current.json',
  'legislators-historical.csv',
  'committees-current.json',
  'committee-membership-current.json',
].map((name) => sharedData('congress-legislators', name));
const SYMBOLS = sharedData('tickers', 'sp500-constituents.csv');
const HISTORY = sharedData('senate', 'stock-watcher', 'all_daily_summaries.json');

/** Names as people write them, of senators in the newest 800 trades of the history. */
const KNOWN = [
  ['Ron Wyden', 'ron-wyden'],
  ['wyden', 'ron-wyden'],
  ['Senator Mitch McConnell', 'mitch-mcconnell'],
  ['mcconell', 'mitch-mcconnell'],
  ['Tom Carper', 'thomas-carper'],
  ['Carper, Thomas R.', 'thomas-carper'],
  ['Pat Toomey', 'patrick-toomey'],
  ['Pat Roberts', 'pat-roberts'],
  ['Jim Inhofe', 'james-inhofe'],
  ['Shelley Moore Capito', 'shelley-capito'],
  ['Chris Coons', 'christopher-coons'],
  ['William Cassidy', 'bill-cassidy'],
  ['Daniel Sullivan', 'dan-sullivan'],
  ['Angus King', 'angus-king'],
  ['Kaine', 'timothy-kaine'],
  ['Jackie Rosen', 'jacky-rosen'],
];

const whole = LEGISLATORS.every(Boolean) && SYMBOLS && HISTORY;
const withoutRealData = whole
  ? instrumented && 'the invented data goes the same ways in this build'
  : noSharedData;

describe('stockact-mcp and the real Senate history', { skip: withoutRealData }, () => {
  const shared = useSite({ env: UNLIMITED }, async (site) => {
    const [current, historical, committees, seats] = LEGISLATORS;
    await site.stockact('members', 'import', current, historical);
    await site.stockact('tickers', 'import', SYMBOLS);
    await site.stockact('committees', 'import', committees, seats, '--as-of', '2012-01-01');
    const by = BY;
    await site.stockact('backfill', 'senate-stock-watcher', HISTORY, ...by);
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });

  for (const face of oneOfEach) {
    test(`${face.name}: calls each tool, and walks return the same as the API's`, async (t) => {
      const host = await open(t, face, shared);
      await callAll(host, shared);
      const { feed } = await walkAll(host, shared);
      assert.ok(feed.length > 8000);
    });
  }

  test('senators are found as people write their names', async (t) => {
    const host = await open(t, oneOfEach.at(-1), shared);
    for (const [name, slug] of KNOWN) {
      const { data } = await host.ask('find_politician', { name, max_pages: 8 });
      assert.equal(data[0]?.slug, slug, name);
    }
  });
});

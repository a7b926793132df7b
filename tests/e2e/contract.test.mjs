// The shapes of spec 2 and 4, and their description in openapi.json: every response here is checked
// against it (openapi_tools.test.mjs checks the description itself with its tools).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { OpenApi } from './lib/openapi.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';

const TRADE = [
  'id',
  'politician',
  'ticker',
  'assetName',
  'assetType',
  'side',
  'amountBucket',
  'amountRange',
  'tradeDate',
  'disclosedAt',
  'filingUrl',
  'ownerType',
  'conflictSignal',
  'conflictReason',
];

/** Of the dates of a trade's report, and of its source. */
const DATES = [
  'filedOn',
  'filedAt',
  'firstReportedOn',
  'notifiedDate',
  'dueDate',
  'daysToReport',
  'daysLate',
  'lateStatus',
  'lateReason',
  'firstPublishedAt',
];
const POLITICIAN = ['slug', 'name', 'chamber', 'party', 'state'];
const FILING = ['id', 'chamber', 'sourceDocId', 'url', 'politicianId', 'filedAt', 'status'];
const BRACKETS = {
  '1k_15k': [1001, 15000, '$1,001 – $15,000'],
  '15k_50k': [15001, 50000, '$15,001 – $50,000'],
  '50k_100k': [50001, 100000, '$50,001 – $100,000'],
  '100k_250k': [100001, 250000, '$100,001 – $250,000'],
  '250k_500k': [250001, 500000, '$250,001 – $500,000'],
  '500k_1m': [500001, 1000000, '$500,001 – $1,000,000'],
  '1m_5m': [1000001, 5000000, '$1,000,001 – $5,000,000'],
  '5m_25m': [5000001, 25000000, '$5,000,001 – $25,000,000'],
  '25m_50m': [25000001, 50000000, '$25,000,001 – $50,000,000'],
  over_50m: [50000001, null, 'Over $50,000,000'],
  over_1m_spouse: [1000001, null, 'Over $1,000,000 (spouse or dependent holdings)'],
};
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

onEachDatabase('resources', (kind) => {
  const shared = useSite(
    { database: kind, env: { STOCKACT_BENCH_UNLIMITED: '1' } },
    async (site) => {
      await site.stockact('demo', '--trades', 1500, '--as-of', '2026-03-01');
      const server = await site.serve();
      return { server, key: await site.key({ plan: 'den' }), api: await OpenApi.load(server) };
    },
  );
  /** GET, checked against the description. */
  async function get(target, options = {}) {
    const response = await shared.server.get(target, { key: shared.key, ...options });
    shared.api.check('GET', target.split('?')[0], response);
    return response;
  }

  test('a Trade has exactly the members of the spec, in its order', async () => {
    const sides = new Set();
    const brackets = new Set();
    for await (const page of shared.server.pages('/api/v1/trades?limit=100', { key: shared.key })) {
      assert.deepEqual(Object.keys(page), ['data', 'nextCursor']);
      for (const trade of page.data) {
        assert.deepEqual(Object.keys(trade), TRADE);
        assert.deepEqual(Object.keys(trade.politician), POLITICIAN);
        assert.deepEqual(Object.keys(trade.amountRange), ['min', 'max', 'label']);
        const [min, max, label] = BRACKETS[trade.amountBucket];
        assert.deepEqual(trade.amountRange, { min, max, label });
        assert.match(trade.disclosedAt, INSTANT);
        if (trade.tradeDate !== null) assert.match(trade.tradeDate, /^\d{4}-\d\d-\d\d$/);
        assert.equal(trade.conflictSignal, trade.conflictReason !== null);
        assert.match(trade.id, /-\d{4}$/);
        sides.add(trade.side);
        brackets.add(trade.amountBucket);
      }
    }
    assert.deepEqual([...sides].sort(), ['buy', 'exchange', 'sell_full', 'sell_partial']);
    assert.ok(brackets.size >= 9, 'the demonstration shows nearly every bracket');
  });

  test('a page of trades matches its description', async () => {
    const response = await get('/api/v1/trades');
    assert.equal(response.json.data.length, 25);
    assert.equal(response.header('content-type'), 'application/json');
  });

  test('filings have exactly their members, newest publication first', async () => {
    const seen = [];
    for await (const page of shared.server.pages('/api/v1/filings?limit=40', { key: shared.key })) {
      for (const filing of page.data) {
        assert.deepEqual(Object.keys(filing), FILING);
        assert.equal(filing.status, 'published');
        assert.match(filing.filedAt, INSTANT);
        assert.match(filing.id, /^(house|senate|demo)-[a-z0-9-]+$/);
        seen.push(filing.id);
      }
    }
    assert.equal(new Set(seen).size, seen.length);
    await get('/api/v1/filings?chamber=senate&status=published&limit=2');
    const house = (await get('/api/v1/filings?chamber=house&limit=100')).json;
    assert.ok(house.data.every((filing) => filing.chamber === 'house'));
    const [{ politicianId }] = house.data;
    const { slug } = (await get(`/api/v1/politicians/${politicianId}`)).json.data.profile;
    const own = (await get(`/api/v1/filings?politician_slug=${slug}`)).json;
    assert.ok(own.data.length > 0);
    assert.ok(own.data.every((filing) => filing.politicianId === politicianId));
    assert.deepEqual((await get(`/api/v1/filings?politician=${politicianId}`)).json, own);
  });

  test('extensions of the contract match their description', async () => {
    const { data: trades } = (await get('/api/v1/trades')).json;
    const { data } = (await get(`/api/v1/trades/${trades[0].id}`)).json;
    assert.deepEqual(Object.keys(data), ['trade', 'details', 'source', 'conflict']);
    assert.deepEqual(data.trade, trades[0]);
    assert.deepEqual(Object.keys(data.source), [
      'filingId',
      'url',
      'sha256',
      'page',
      'row',
      'printed',
      'tickerBasis',
      'company',
      'capGainsOver200',
      'review',
      'reviewSeconds',
      'entry',
      'reviewers',
      'amends',
      'amendedBy',
      'corrections',
      'doubts',
      ...DATES,
    ]);
    for (const target of [
      '/api/v1/trades/none',
      `/api/v1/filings/${data.source.filingId}`,
      '/api/v1/filings/none',
      '/api/v1/tickers?limit=3&has_trades=true',
      '/api/v1/corrections',
      '/api/v1/stats?group_by=politician,year&limit=3',
      '/api/v1/stats?group_by=flag_committee,side&limit=100',
      '/api/v1/changes?limit=3',
      '/api/v1/events?limit=3&events=trade.published',
      '/api/v1/coverage',
      '/api/v1/politicians?limit=3&q=a',
      '/api/v1/trades?side=buy&until=2026-01-01T00:00:00Z&amount_min=15001',
    ]) {
      await get(target);
    }
  });

  test('a profile has profile, recent trades, counts and last activity', async () => {
    const { data: trades } = (await get('/api/v1/trades?limit=100')).json;
    const { slug } = trades[0].politician;
    const { data } = (await get(`/api/v1/politicians/${slug}`)).json;
    assert.deepEqual(Object.keys(data), ['profile', 'recentTrades', 'counts', 'lastActivity']);
    assert.deepEqual(Object.keys(data.profile), [
      'id',
      'slug',
      'name',
      'chamber',
      'party',
      'state',
      'district',
      'inOffice',
      'service',
      'committees',
    ]);
    const all = [];
    for await (const page of shared.server.pages(
      `/api/v1/trades?limit=100&politician_slug=${slug}`,
      { key: shared.key },
    )) {
      all.push(...page.data);
    }
    assert.deepEqual(data.recentTrades, all.slice(0, 25));
    const count = (...sides) => all.filter((trade) => sides.includes(trade.side)).length;
    const { conflictsA, conflictsB, conflictsC, ...others } = data.counts;
    const { filings, conflicts, conflictsLater, late, lateUnknown, indexed, waiting, ...counts } =
      others;
    assert.deepEqual([indexed, waiting], [null, 0], 'invented data has no index and no documents');
    assert.deepEqual(counts, {
      trades: all.length,
      buys: count('buy'),
      sells: count('sell_full', 'sell_partial'),
      exchanges: count('exchange'),
    });
    assert.equal(conflicts, all.filter((trade) => trade.conflictSignal).length);
    assert.equal(conflictsLater, await onLaterList(`politician_slug=${slug}`));
    assert.deepEqual(
      { conflictsA, conflictsB, conflictsC },
      await byGrade(`politician_slug=${slug}`),
    );
    assert.equal(conflictsA + conflictsB + conflictsC, conflicts);
    assert.ok(filings >= 1);
    const found = await lateness(`politician_slug=${slug}`);
    assert.deepEqual([late, lateUnknown], [found.late, found.lateUnknown]);
    assert.equal(found.onTime, all.length - late - lateUnknown);
    assert.equal(data.lastActivity, all[0].disclosedAt);
    const byId = (await get(`/api/v1/politicians/${data.profile.id}`)).json;
    assert.deepEqual(byId.data, data);
  });

  async function countOf(filter) {
    let count = 0;
    const list = `/api/v1/trades?limit=100&${filter}`;
    for await (const page of shared.server.pages(list, { key: shared.key }))
      count += page.data.length;
    return count;
  }

  const onLaterList = (filter) => countOf(`basis=later_list&${filter}`);
  const byGrade = async (filter) => ({
    conflictsA: await countOf(`grade=A&${filter}`),
    conflictsB: await countOf(`grade=B&${filter}`),
    conflictsC: await countOf(`grade=C&${filter}`),
  });

  /** How many trades of a filter were reported late, on time, or neither is known. */
  async function lateness(filter) {
    const counted = {};
    for (const [name, value] of [
      ['late', 'true'],
      ['onTime', 'false'],
      ['lateUnknown', 'unknown'],
    ]) {
      const list = `/api/v1/trades?limit=100&late=${value}&${filter}`;
      counted[name] = 0;
      for await (const page of shared.server.pages(list, { key: shared.key }))
        counted[name] += page.data.length;
    }
    return counted;
  }

  test('a ticker has recent trades and aggregates', async () => {
    const { data: trades } = (await get('/api/v1/trades?limit=100')).json;
    const { ticker } = trades.find((trade) => trade.ticker !== null);
    const { data } = (await get(`/api/v1/tickers/${ticker}`)).json;
    assert.deepEqual(Object.keys(data), [
      'ticker',
      'companyName',
      'industry',
      'companies',
      'recentTrades',
      'aggregates',
    ]);
    const all = [];
    for await (const page of shared.server.pages(`/api/v1/trades?limit=100&ticker=${ticker}`, {
      key: shared.key,
    })) {
      all.push(...page.data);
    }
    assert.deepEqual(data.recentTrades, all.slice(0, 25));
    const count = (...sides) => all.filter((trade) => sides.includes(trade.side)).length;
    const { late, lateUnknown } = await lateness(`ticker=${ticker}`);
    assert.deepEqual(data.aggregates, {
      trades: all.length,
      buys: count('buy'),
      sells: count('sell_full', 'sell_partial'),
      exchanges: count('exchange'),
      politicians: new Set(all.map((trade) => trade.politician.slug)).size,
      conflicts: all.filter((trade) => trade.conflictSignal).length,
      conflictsLater: await onLaterList(`ticker=${ticker}`),
      ...(await byGrade(`ticker=${ticker}`)),
      late,
      lateUnknown,
      firstActivity: all.at(-1).disclosedAt,
      lastActivity: all[0].disclosedAt,
    });
  });

  test('an unknown name is 404 in a path and an empty page in a filter', async () => {
    assert.equal((await get('/api/v1/politicians/no-such-person')).json.error, 'not_found');
    assert.equal((await get('/api/v1/tickers/NOSUCH')).status, 404);
    for (const query of [
      'trades?ticker=NOSUCH',
      'trades?politician_slug=no-such-person',
      'filings?politician_slug=no-such-person',
    ]) {
      assert.deepEqual((await get(`/api/v1/${query}`)).json, { data: [], nextCursor: null });
    }
  });

  const invalid = [
    '/api/v1/trades?limit=0',
    '/api/v1/trades?limit=101',
    '/api/v1/trades?limit=-1',
    '/api/v1/trades?limit=1.5',
    '/api/v1/trades?limit=abc',
    '/api/v1/trades?limit=',
    '/api/v1/trades?limit=5&limit=5',
    '/api/v1/trades?limit=%205',
    '/api/v1/trades?limit=99999999999999999999',
    '/api/v1/trades?limit=+5',
    '/api/v1/trades?chamber=lower',
    '/api/v1/trades?chamber=',
    '/api/v1/trades?chamber=both',
    '/api/v1/trades?ticker=',
    '/api/v1/trades?ticker=A%20B',
    '/api/v1/trades?ticker=%C3%A9',
    `/api/v1/trades?ticker=${'A'.repeat(33)}`,
    '/api/v1/trades?since=2026-01-01',
    '/api/v1/trades?since=yesterday',
    '/api/v1/trades?since=2026-02-30T00:00:00Z',
    '/api/v1/trades?since=2026-01-01T00:00:00',
    '/api/v1/trades?since=',
    '/api/v1/trades?format=xml',
    '/api/v1/trades?format=tsv',
    '/api/v1/trades?format=',
    '/api/v1/trades?foo=1',
    '/api/v1/trades?Limit=5',
    '/api/v1/trades?politician=a&politician_slug=a',
    '/api/v1/trades?politician=',
    '/api/v1/trades?tickr=AAPL',
    '/api/v1/trades?=5',
    '/api/v1/trades?limit',
    '/api/v1/filings?status=draft',
    '/api/v1/filings?status=',
    '/api/v1/filings?ticker=A',
    '/api/v1/filings?politician=a&politician_slug=a',
    '/api/v1/filings?politician_slug=%2F',
    '/api/v1/filings?since=2026-01-01T00:00:00Z',
    '/api/v1/politicians/a?limit=5',
    '/api/v1/tickers/A?x=1',
    '/api/v1/openapi.json?x=1',
    '/api/v1/trades?until=2026-01-01',
    '/api/v1/trades?traded_from=2026-02-30',
    '/api/v1/trades?traded_to=',
    '/api/v1/trades?side=sold',
    '/api/v1/trades?owner=aunt',
    '/api/v1/trades?asset_type=shares',
    '/api/v1/trades?party=',
    '/api/v1/trades?party=Whig',
    '/api/v1/trades?state=zz',
    '/api/v1/trades?amount_min=1.5',
    '/api/v1/trades?conflict=yes',
    '/api/v1/trades?q=a',
    '/api/v1/politicians?q=',
    '/api/v1/politicians?q=%21',
    '/api/v1/politicians?limit=101',
    '/api/v1/politicians?since=2026-01-01T00:00:00Z',
    '/api/v1/corrections?chamber=house',
    '/api/v1/corrections?since=yesterday',
    '/api/v1/changes?after=-1',
    '/api/v1/changes?after=',
    '/api/v1/changes?after=9007199254740992',
    '/api/v1/changes?since=2026-01-01T00:00:00Z',
    '/api/v1/events?events=trade',
    '/api/v1/events?events=trade.published,',
    '/api/v1/events?events=trade.published,trade.published',
    '/api/v1/coverage?year=2026',
    '/api/v1/trades/x?limit=5',
  ];
  test('an invalid value is 400 with a hint that names the parameter', async () => {
    for (const target of invalid) {
      const response = await get(target);
      assert.equal(response.status, 400, target);
      assert.equal(response.json.error, 'invalid_parameter', target);
      const name = decodeURIComponent(/[?&]([^=&]*)/.exec(target)[1]);
      assert.ok(response.json.hint.includes(name), `${target}: ${response.json.hint}`);
    }
  });

  test('an invalid percent escape is 400', async () => {
    for (const target of [
      '/api/v1/trades?limit=%zz',
      '/api/v1/trades?limit=5%',
      '/api/v1/trades?%',
    ]) {
      const response = await get(target);
      assert.deepEqual([response.status, response.json.error], [400, 'invalid_parameter'], target);
    }
  });

  test('since accepts offsets, and a space instead of a plus', async () => {
    const { data } = (await get('/api/v1/trades?limit=100')).json;
    const at = data[40].disclosedAt;
    const expected = (await get(`/api/v1/trades?limit=100&since=${at}`)).json;
    assert.equal(expected.data.at(-1).disclosedAt, at, 'inclusive');
    const shifted = new Date(Date.parse(at) + 5.5 * 3_600_000).toISOString().replace('Z', '');
    for (const offset of ['%2B05:30', '+05:30', '%2b05:30']) {
      const same = (await get(`/api/v1/trades?limit=100&since=${shifted}${offset}`)).json;
      assert.deepEqual(same.data, expected.data, offset);
    }
    const later = at.replace('Z', '0001Z');
    const after = (await get(`/api/v1/trades?limit=100&since=${later}`)).json;
    assert.deepEqual(
      after.data,
      expected.data.filter((trade) => trade.disclosedAt > at),
    );
  });
});

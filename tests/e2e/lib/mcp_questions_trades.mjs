// Questions about trades and symbols; see mcp_questions.mjs.

import { strict as assert } from 'node:assert';
import { every, inDays, listing, sameTrades } from './mcp_questions.mjs';

const isSenate = ({ politician }) => politician.chamber === 'senate';
const inSymbol = (d) => (trade) => trade.ticker === d.symbol;
const atLeast = (dollars) => (trade) => trade.amountRange.min >= dollars;
const isSale = ({ side }) => side.startsWith('sell');
const is = (name, value) => (trade) => trade[name] === value;
const ofParty = (party) => (trade) => trade.politician.party === party;
const days = ({ from, to }) => ({ traded_from: from, traded_to: to });
const dayBefore = (day, count) =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);

/** The week before the newest disclosure. */
function lastWeek(d) {
  const to = d.newest.disclosedAt.slice(0, 10);
  return { since: dayBefore(to, 6), until: to };
}

const wasDisclosed =
  ({ since, until }) =>
  ({ disclosedAt }) =>
    disclosedAt.slice(0, 10) >= since && disclosedAt.slice(0, 10) <= until;

export const QUESTIONS = [
  listing(
    (d) => `What did senators trade in ${d.month.name}?`,
    (d) => ({ chamber: 'senate', ...days(d.month) }),
    (d) => every(isSenate, inDays(d.month)),
    {
      source(rows, [answer], d) {
        const traded = rows.filter(({ day }) => day >= d.month.from && day <= d.month.to);
        assert.equal(answer.data.length, Math.min(100, traded.length));
        assert.equal(answer.nextCursor === null, traded.length <= 100);
      },
    },
  ),
  listing(
    (d) => `What did Republicans buy in ${d.month.name}?`,
    (d) => ({ party: 'Republican', side: 'buy', ...days(d.month) }),
    (d) => every(ofParty('Republican'), is('side', 'buy'), inDays(d.month)),
  ),
  listing(
    (d) => `What did Democrats sell in ${d.month.name}?`,
    (d) => ({ party: 'Democrat', side: 'sell', ...days(d.month) }),
    (d) => every(ofParty('Democrat'), isSale, inDays(d.month)),
  ),
  listing(
    (d) => `What did members from ${d.state} trade in ${d.year.name}?`,
    (d) => ({ state: d.state, ...days(d.year) }),
    (d) => every(({ politician }) => politician.state === d.state, inDays(d.year)),
  ),
  listing(
    () => 'What became public in the last week?',
    lastWeek,
    (d) => wasDisclosed(lastWeek(d)),
  ),
  {
    asks: () => 'What are the ten latest trades?',
    calls: [() => ['list_trades', { limit: 10 }]],
    fits: (d, [answer]) => sameTrades(answer, d.trades.slice(0, 10)),
  },
  listing(
    () => 'What did the House trade lately?',
    () => ({ chamber: 'house' }),
    () => (trade) => !isSenate(trade),
  ),
  listing(
    () => 'Which trades are of more than a million dollars?',
    () => ({ amount_min: 1_000_000 }),
    () => atLeast(1_000_000),
    {
      source(rows, [answer]) {
        const large = rows.filter(({ least }) => least >= 1_000_000);
        assert.equal(large.length, 35, 'in the file');
        assert.equal(answer.data.length, large.length);
      },
    },
  ),
  listing(
    () => 'Which spouses traded for over 250,000 dollars?',
    () => ({ owner: 'spouse', amount_min: 250_000 }),
    () => every(is('ownerType', 'spouse'), atLeast(250_000)),
    {
      source(rows, [answer]) {
        const wanted = rows.filter(({ owner, least }) => owner === 'Spouse' && least >= 250_000);
        assert.equal(answer.data.length, Math.min(100, wanted.length));
      },
    },
  ),
  {
    asks: () => 'Which options were traded, and are they calls or puts?',
    calls: [() => ['list_trades', { asset_type: 'option', fields: 'details', limit: 100 }]],
    async fits(d, [{ data }]) {
      const wanted = d.trades.filter(is('assetType', 'option')).slice(0, 100);
      const told = await d.read('/api/v1/trades?asset_type=option&fields=details&limit=100');
      assert.deepEqual(
        data.map(({ id }) => id),
        wanted.map(({ id }) => id),
      );
      assert.deepEqual(data, told);
      assert.ok(data.some(({ details }) => details?.optionType === 'put'));
    },
  },
  listing(
    () => 'Who traded cryptocurrency?',
    () => ({ asset_type: 'crypto' }),
    () => is('assetType', 'crypto'),
  ),
  listing(
    (d) => `Who traded municipal bonds in ${d.year.name}?`,
    (d) => ({ asset_type: 'municipal_bond', ...days(d.year) }),
    (d) => every(is('assetType', 'municipal_bond'), inDays(d.year)),
  ),
  listing(
    () => "What was traded for members' children?",
    () => ({ owner: 'child' }),
    () => is('ownerType', 'child'),
    {
      source: (rows, [answer]) =>
        assert.equal(
          answer.data.length,
          Math.min(100, rows.filter(({ owner }) => owner === 'Child').length),
        ),
    },
  ),
  listing(
    () => 'What was exchanged rather than bought or sold?',
    () => ({ side: 'exchange' }),
    () => is('side', 'exchange'),
    {
      source: (rows, [answer]) =>
        assert.equal(answer.data.length, rows.filter(({ type }) => type === 'Exchange').length),
    },
  ),
  {
    asks: (d) => `How often did Congress trade ${d.symbol}, and who does it most?`,
    calls: [(d) => ['get_ticker', { symbol: d.symbol }]],
    fits(d, [{ data }]) {
      const traded = d.trades.filter(inSymbol(d));
      assert.equal(data.aggregates.trades, traded.length);
      assert.equal(data.aggregates.buys, traded.filter(is('side', 'buy')).length);
      assert.equal(data.aggregates.sells, traded.filter(isSale).length);
      const people = new Set(traded.map(({ politician }) => politician.slug));
      assert.equal(data.aggregates.politicians, people.size);
    },
    source: (rows, [{ data }], d) =>
      assert.equal(data.aggregates.trades, rows.filter(({ ticker }) => ticker === d.symbol).length),
  },
  listing(
    (d) => `Who bought ${d.symbol} in ${d.year.name}?`,
    (d) => ({ ticker: d.symbol, side: 'buy', ...days(d.year) }),
    (d) => every(inSymbol(d), is('side', 'buy'), inDays(d.year)),
    {
      source(rows, [answer], d) {
        const bought = rows.filter(
          ({ ticker, type, day }) =>
            ticker === d.symbol && type === 'Purchase' && day.startsWith(d.year.name),
        );
        assert.equal(answer.data.length, bought.length);
      },
    },
  ),
  listing(
    (d) => `Did any senator trade ${d.symbol.toLowerCase()} in ${d.month.name}?`,
    (d) => ({ ticker: d.symbol.toLowerCase(), chamber: 'Senate', ...days(d.month) }),
    (d) => every(isSenate, inSymbol(d), inDays(d.month)),
  ),
  {
    asks: (d) => `Which company is ${d.symbol}, and in which industry?`,
    calls: [(d) => ['get_ticker', { symbol: d.symbol }]],
    async fits(d, [{ data }]) {
      const { companyName, industry } = await d.read(`/api/v1/tickers/${d.symbol}`);
      assert.deepEqual([data.companyName, data.industry], [companyName, industry]);
      assert.ok(companyName);
    },
    source: (rows, [{ data }]) => assert.match(data.companyName, /^Apple/),
  },
  {
    asks: (d) => `When did a member last trade ${d.symbol}, and when first?`,
    calls: [(d) => ['get_ticker', { symbol: d.symbol }]],
    fits(d, [{ data }]) {
      const times = d.trades.filter(inSymbol(d)).map(({ disclosedAt }) => disclosedAt);
      assert.equal(data.aggregates.lastActivity, times[0]);
      assert.equal(data.aggregates.firstActivity, times.at(-1));
    },
  },
  {
    asks: () => 'Did anybody trade NOSUCHQ?',
    calls: [
      () => ['get_ticker', { symbol: 'NOSUCHQ' }],
      () => ['list_trades', { ticker: 'NOSUCHQ' }],
    ],
    fits(d, [one, list]) {
      assert.match(one.failure, /no disclosed trade has it/);
      assert.deepEqual(list.data, []);
      assert.match(list.note, /get_ticker/);
    },
  },
];

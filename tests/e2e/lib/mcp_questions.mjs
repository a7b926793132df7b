// Questions that people ask a language model about trades of Congress, each with the calls that
// answer it: what a table of them consists of, and the data that they are asked about.
//
// A question is {asks(d), calls, fits(d, answers), source(rows, answers, d), only}:
// - calls: at most three functions of (d, answers so far) that return [tool, arguments];
// - fits checks the answers against the data `d`, which was read from the API without the tools;
// - source, optional, checks them against the rows of the file that real data was imported from;
// - only, optional: 'real' or 'demo', for a question that makes sense on one kind of data.

import { strict as assert } from 'node:assert';

export const CALLS_MAX = 3;

const somebody = { name: 'a member' };

/** Names for the titles of tests, which are given before the data is there. */
export const UNNAMED = {
  person: somebody,
  other: { name: 'another member' },
  quiet: { name: 'a member without trades' },
  corrected: { politician: somebody },
  month: { name: 'a month' },
  year: { name: 'a year' },
  state: 'a state',
  symbol: 'a symbol',
  industry: 'an industry',
  signal: { ticker: 'a symbol' },
};

export const listTrades = (args) => (d) => ['list_trades', args(d)];

/** The list must be these trades, in this order; an empty one says what to try. */
export function sameTrades({ data, note }, wanted) {
  assert.deepEqual(
    data.map(({ id }) => id),
    wanted.map(({ id }) => id),
  );
  assert.deepEqual(data, wanted);
  if (wanted.length === 0) assert.match(note, /\.$/, 'an empty list says what to try');
}

/** A question that one call of list_trades answers: `keep(d)` returns the test of a trade. */
export const listing = (asks, args, keep, more = {}) => ({
  asks,
  calls: [listTrades((d) => ({ limit: 100, ...args(d) }))],
  fits: (d, [answer]) => sameTrades(answer, d.trades.filter(keep(d)).slice(0, 100)),
  ...more,
});

export const find = (name) => (d) => ['find_politician', { name: name(d) }];
export const slugOf = (answers) => answers[0].data[0].slug;

/** A question about the person of the data: finds them, then calls `tool`. */
export const aboutPerson = (asks, tool, args, fits, more = {}) => ({
  asks,
  calls: [find((d) => d.person.name), (d, answers) => [tool, args(slugOf(answers), d)]],
  fits(d, [found, answer]) {
    assert.equal(found.data[0].slug, d.person.slug);
    fits(answer, d);
  },
  ...more,
});

export const byPerson = (d) => (trade) => trade.politician.slug === d.person.slug;
export const inDays =
  ({ from, to }) =>
  ({ tradeDate }) =>
    tradeDate !== null && tradeDate >= from && tradeDate <= to;
export const every =
  (...tests) =>
  (trade) =>
    tests.every((test) => test(trade));

/** The key with the most trades, and how often each occurs. */
export function mostFrequent(trades, keyOf) {
  const counts = new Map();
  for (const trade of trades) {
    const key = keyOf(trade);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key);
}

/** A whole month, given as 2020-03. */
export function monthOf(text) {
  const [year, month] = text.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0));
  return {
    name: last.toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    from: `${text}-01`,
    to: last.toISOString().slice(0, 10),
  };
}

export const yearOf = (year) => ({ name: year, from: `${year}-01-01`, to: `${year}-12-31` });

async function walk(server, target, key) {
  const rows = [];
  for await (const page of server.pages(target, { key })) rows.push(...page.data);
  return rows;
}

/** What is asked about, picked from any data. */
function picks(trades) {
  const bySlug = new Map(trades.map((trade) => [trade.politician.slug, trade.politician]));
  const [slug, other] = mostFrequent(trades, (trade) => trade.politician.slug);
  const senators = trades.filter((trade) => trade.politician.chamber === 'senate');
  const [month] = mostFrequent(senators, ({ tradeDate }) => tradeDate?.slice(0, 7) ?? null);
  const [year] = mostFrequent(trades, ({ tradeDate }) => tradeDate?.slice(0, 4) ?? null);
  const signal = trades.find(({ conflictSignal }) => conflictSignal);
  const [, industry] = /, which over\w+ (.*?), the industry of /.exec(signal.conflictReason);
  return {
    person: bySlug.get(slug),
    other: bySlug.get(other),
    symbol: mostFrequent(trades, ({ ticker }) => ticker)[0],
    state: mostFrequent(trades, (trade) => trade.politician.state)[0],
    month: monthOf(month),
    year: yearOf(year),
    newest: trades[0],
    signal,
    industry,
  };
}

/** Everything that the server has, read without the tools; `own` replaces picks. */
export async function readData(server, key, own = {}) {
  const trades = await walk(server, '/api/v1/trades?limit=100', key);
  const members = await walk(server, '/api/v1/politicians?limit=100', key);
  const active = new Set(trades.map((trade) => trade.politician.slug));
  const quiet = members.find(({ slug, inOffice }) => inOffice && !active.has(slug));
  return {
    trades,
    members,
    filings: await walk(server, '/api/v1/filings?limit=100', key),
    corrections: await walk(server, '/api/v1/corrections?limit=100', key),
    coverage: (await server.json('/api/v1/coverage', { key })).data,
    read: async (target) => (await server.json(target, { key })).data,
    quiet,
    ...picks(trades),
    ...own,
  };
}

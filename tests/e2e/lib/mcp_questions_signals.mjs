// Questions about conflict signals; see mcp_questions.mjs.

import { strict as assert } from 'node:assert';
import { aboutPerson, byPerson, every, inDays, sameTrades } from './mcp_questions.mjs';

const has = ({ conflictSignal }) => conflictSignal;
const says =
  (...words) =>
  ({ conflictReason }) =>
    words.every((word) => conflictReason?.toLowerCase().includes(word));
const signals = (args) => (d) => ['get_conflicted_trades', args(d)];

/** A question that one call answers, with trades that pass `keep`. */
const signalled = (asks, args, keep, more = {}) => ({
  asks,
  calls: [signals((d) => ({ limit: 100, ...args(d) }))],
  fits: (d, [answer]) => sameTrades(answer, d.trades.filter(every(has, keep(d))).slice(0, 100)),
  ...more,
});

/** The same with words, which reads up to five pages of 100 trades with a signal. */
const saying = (asks, words, args = () => ({}), keep = () => () => true, more = {}) => ({
  asks,
  calls: [signals((d) => ({ about: words(d).join(' '), max_pages: 5, ...args(d) }))],
  fits(d, [{ data, nextCursor }]) {
    const all = d.trades.filter(every(has, says(...words(d)), keep(d)));
    assert.deepEqual(data, all.slice(0, data.length));
    assert.ok(nextCursor !== null || data.length === all.length, 'all, or there is more');
    assert.ok(data.length > 0 || all.length === 0);
  },
  ...more,
});

export const QUESTIONS = [
  saying(
    () => 'Who bought defense stocks while on Armed Services?',
    () => ['armed services', 'defense'],
    () => ({ side: 'buy' }),
    () =>
      ({ side }) =>
        side === 'buy',
    {
      source(rows, [{ data }]) {
        assert.ok(data.length >= 10);
        assert.ok(data.some(({ politician }) => politician.slug === 'david-perdue'));
      },
    },
  ),
  saying(
    (d) => `Who traded in ${d.industry} while overseeing it?`,
    (d) => d.industry.split(' '),
  ),
  saying(
    () => 'Which members sold bank stocks while their committee oversees banks?',
    () => ['consumer', 'lending'],
    () => ({ side: 'sell_full' }),
    () =>
      ({ side }) =>
        side === 'sell_full',
  ),
  saying(
    () => 'Which chairs of a committee traded in an industry that it oversees?',
    () => ['chair'],
  ),
  {
    asks: () => 'Which of the latest trades have a conflict signal?',
    calls: [signals(() => ({}))],
    fits(d, [{ data, note, nextCursor }]) {
      assert.ok(data.length > 0);
      assert.deepEqual(data, d.trades.filter(has).slice(0, data.length));
      if (nextCursor !== null) assert.match(note, /^Only \d+ trades .* everywhere: true/);
    },
  },
  signalled(
    () => 'Which trades of all times have a conflict signal?',
    () => ({ everywhere: true }),
    () => () => true,
  ),
  signalled(
    (d) => `Which trades of ${d.person.name} have a conflict signal?`,
    (d) => ({ politician_slug: d.person.slug }),
    byPerson,
  ),
  signalled(
    (d) => `Did anybody trade ${d.signal.ticker} with a conflict signal?`,
    (d) => ({ ticker: d.signal.ticker }),
    (d) => (trade) => trade.ticker === d.signal.ticker,
  ),
  signalled(
    (d) => `Which trades of ${d.month.name} have a conflict signal?`,
    (d) => ({ traded_from: d.month.from, traded_to: d.month.to }),
    (d) => inDays(d.month),
  ),
  signalled(
    () => 'Which Democrats bought with a conflict signal?',
    () => ({ party: 'Democrat', side: 'buy' }),
    () =>
      ({ side, politician }) =>
        side === 'buy' && politician.party === 'Democrat',
  ),
  signalled(
    () => 'Which conflict signals are about more than 100,000 dollars?',
    () => ({ amount_min: 100_000 }),
    () => (trade) => trade.amountRange.min >= 100_000,
  ),
  aboutPerson(
    (d) => `How many of ${d.person.name}'s trades have a conflict signal?`,
    'get_politician',
    (slug) => ({ slug }),
    ({ data }, d) =>
      assert.equal(data.counts.conflicts, d.trades.filter(every(byPerson(d), has)).length),
  ),
  {
    asks: () => 'Why does the newest flagged trade have a conflict signal?',
    calls: [
      signals(() => ({ everywhere: true, limit: 1 })),
      (d, [{ data }]) => ['get_trade', { id: data[0].id }],
    ],
    fits(d, [list, { data }]) {
      assert.equal(list.data[0].id, d.trades.find(has).id);
      assert.ok(data.conflict.committees.length > 0);
      assert.ok(list.data[0].conflictReason.includes(data.conflict.industry.toLowerCase()));
    },
  },
  {
    asks: (d) => `Does the newest trade of ${d.person.name} have a conflict signal, and why not?`,
    calls: [
      (d) => ['list_trades', { politician_slug: d.person.slug, conflict: false, limit: 1 }],
      (d, [{ data }]) => ['get_trade', { id: data[0].id }],
    ],
    fits(d, [list, { data }]) {
      assert.equal(list.data[0].id, d.trades.find(every(byPerson(d), (one) => !has(one))).id);
      assert.equal(data.conflict, null);
    },
  },
];

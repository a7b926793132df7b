// Questions about politicians; see mcp_questions.mjs.

import { strict as assert } from 'node:assert';
import {
  aboutPerson,
  byPerson,
  every,
  find,
  inDays,
  sameTrades,
  slugOf,
} from './mcp_questions.mjs';

const days = ({ from, to }) => ({ traded_from: from, traded_to: to });
const words = ({ person }) => person.name.replace(/,.*/, '').split(' ');
const lastName = (d) => words(d).at(-1);
const member = (d, slug) => d.members.find((one) => one.slug === slug);

/** A trade of the person that passes `keep`, by list_trades with `args`. */
const persons = (asks, args, keep, more) =>
  aboutPerson(
    asks,
    'list_trades',
    (politician_slug, d) => ({ politician_slug, limit: 100, ...args(d) }),
    (answer, d) => sameTrades(answer, d.trades.filter(every(byPerson(d), keep(d))).slice(0, 100)),
    more,
  );

const named = (asks, name, only) => ({
  asks,
  only,
  calls: [find(name), (d, answers) => ['get_politician', { slug: slugOf(answers) }]],
  fits(d, [found, { data }]) {
    assert.equal(found.data[0].slug, d.person.slug);
    assert.equal(data.counts.trades, d.trades.filter(byPerson(d)).length);
  },
});

export const QUESTIONS = [
  persons(
    (d) => `What has ${d.person.name} traded?`,
    () => ({}),
    () => () => true,
  ),
  aboutPerson(
    (d) => `How many trades has ${d.person.name} disclosed, and how many were purchases?`,
    'get_politician',
    (slug) => ({ slug }),
    ({ data }, d) => {
      const traded = d.trades.filter(byPerson(d));
      assert.equal(data.counts.trades, traded.length);
      assert.equal(data.counts.buys, traded.filter(({ side }) => side === 'buy').length);
    },
    {
      source: (rows, [, { data }], d) =>
        assert.equal(
          data.counts.trades,
          rows.filter(({ last }) => last.includes(lastName(d))).length,
        ),
    },
  ),
  persons(
    (d) => `What did ${d.person.name} buy in ${d.year.name}?`,
    (d) => ({ side: 'buy', ...days(d.year) }),
    (d) => every(({ side }) => side === 'buy', inDays(d.year)),
    {
      source(rows, [, answer], d) {
        const bought = rows.filter(
          ({ last, type, day }) =>
            last.includes(lastName(d)) && type === 'Purchase' && day.startsWith(d.year.name),
        );
        assert.equal(answer.data.length, Math.min(100, bought.length));
      },
    },
  ),
  persons(
    (d) => `What are the largest trades of ${d.person.name}?`,
    () => ({ amount_min: 100_001 }),
    () => (trade) => trade.amountRange.min >= 100_001,
  ),
  persons(
    (d) => `What does ${d.person.name}'s spouse trade?`,
    () => ({ owner: 'spouse' }),
    () => (trade) => trade.ownerType === 'spouse',
  ),
  persons(
    (d) => `Which positions did ${d.person.name} sell completely?`,
    () => ({ side: 'sell_full' }),
    () => (trade) => trade.side === 'sell_full',
  ),
  persons(
    (d) => `Did ${d.person.name} trade ${d.symbol}?`,
    (d) => ({ ticker: d.symbol }),
    (d) => (trade) => trade.ticker === d.symbol,
  ),
  persons(
    (d) => `What did ${d.person.name} trade in ${d.month.name}?`,
    (d) => days(d.month),
    (d) => inDays(d.month),
  ),
  named(
    (d) => `How active is ${lastName(d)}? (the last name only)`,
    (d) => lastName(d),
  ),
  named(
    (d) => `How active is ${d.person.name}? (the last name in front)`,
    (d) => `${lastName(d)}, ${words(d)[0]}`,
  ),
  named(
    (d) => `How active is ${d.person.name}? (misspelled)`,
    (d) => `${words(d)[0]} ${lastName(d).slice(0, -2)}${lastName(d).at(-1)}`,
  ),
  {
    asks: () => 'How many trades has Tom Carper disclosed? (a nickname)',
    only: 'real',
    calls: [
      find(() => 'Tom Carper'),
      (d, answers) => ['get_politician', { slug: slugOf(answers) }],
    ],
    fits(d, [found, { data }]) {
      assert.equal(found.data[0].name, 'Thomas R. Carper');
      assert.equal(data.counts.trades, 900, 'as in the file');
    },
  },
  {
    asks: (d) => `Did ${d.quiet.name} disclose any trades?`,
    calls: [
      find((d) => d.quiet.name),
      (d, answers) => ['get_politician', { slug: slugOf(answers) }],
    ],
    fits(d, [found, { data }]) {
      assert.equal(found.data[0].slug, d.quiet.slug);
      assert.deepEqual([found.data[0].trades, found.data[0].inOffice], [0, d.quiet.inOffice]);
      assert.equal(found.scan.searched, true);
      assert.match(found.note, /all members were searched too/);
      assert.equal(data.counts.trades, 0);
    },
  },
  {
    asks: () => 'What did Qwertz Yxcvb trade? (nobody of that name)',
    calls: [find(() => 'Qwertz Yxcvb')],
    fits(d, [found]) {
      assert.deepEqual(found.data, []);
      assert.match(found.note, /no name matches\. Try the last name alone/);
    },
  },
  aboutPerson(
    (d) => `Which committees does ${d.person.name} sit on?`,
    'get_politician',
    (slug) => ({ slug }),
    ({ data }, d) => {
      const { counts, lastActivity, ...profile } = member(d, d.person.slug);
      assert.deepEqual(data.profile, profile);
      assert.ok(counts.trades > 0 === (lastActivity !== null));
    },
  ),
  aboutPerson(
    (d) => `Is ${d.person.name} still in office, and of which party and state?`,
    'get_politician',
    (slug) => ({ slug }),
    ({ data: { profile } }, d) => {
      const { inOffice, party, state } = member(d, d.person.slug);
      assert.deepEqual([profile.inOffice, profile.party, profile.state], [inOffice, party, state]);
    },
    {
      source: (rows, [, { data }]) =>
        assert.deepEqual([data.profile.inOffice, data.profile.state], [false, 'GA']),
    },
  ),
  aboutPerson(
    (d) => `When did ${d.person.name} last disclose a trade?`,
    'get_politician',
    (slug) => ({ slug }),
    ({ data }, d) => assert.equal(data.lastActivity, d.trades.find(byPerson(d)).disclosedAt),
  ),
  {
    asks: (d) => `Did both ${d.person.name} and ${d.other.name} trade ${d.symbol}?`,
    calls: [(d) => d.person, (d) => d.other].map((who) => (d) => [
      'list_trades',
      { politician_slug: who(d).slug, ticker: d.symbol, limit: 1 },
    ]),
    fits(d, answers) {
      for (const [i, { slug }] of [d.person, d.other].entries()) {
        const traded = ({ politician, ticker }) => politician.slug === slug && ticker === d.symbol;
        sameTrades(answers[i], d.trades.filter(traded).slice(0, 1));
      }
    },
  },
];

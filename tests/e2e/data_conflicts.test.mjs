// /conflicts: flagged trades with their evidence, and their counts by committee and industry.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { parseCsv } from './lib/csv.mjs';
import { text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { importSeats, makeSignalling } from './lib/signal_site.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const number = (words) => Number(words.replace(/,/g, ''));

/** [{href, numbers: trades, members, later; trades, grades}] of cells of the matrix. */
const cells = (page, selector) =>
  page.all(`.matrix ${selector}`).map((node) => {
    const { title, href } = node.attribs;
    const [, members, later = '0', grades] =
      /^by ([\d,]+)(?:, ([\d,]+) later)?:((?: [ABC] [\d,]+)+)$/.exec(title.trim());
    const ofGrades = [...grades.matchAll(/([ABC]) ([\d,]+)/g)].map(([, a, n]) => [a, number(n)]);
    const sum = ofGrades.reduce((all, [, n]) => all + n, 0);
    const words = text(node);
    const trades = /^[\d,]+$/.test(words) ? number(words) : sum;
    return {
      words,
      href,
      trades,
      numbers: [trades, number(members), number(later)],
      sum,
      grades: Object.fromEntries(ofGrades),
    };
  });

const total = (page) => {
  const words = page.text('.overview > p');
  const found = /^([\d,]+) flagged trades? by ([\d,]+) members?(?:, ([\d,]+) of them)?/.exec(words);
  return [found[1], found[2], found[3] ?? '0'].map(number);
};

const link = (page, words) => page.all('main a').find((a) => text(a) === words).attribs.href;

const ids = (page) =>
  page
    .all('.judged > li > p:first-child > a:first-child')
    .map(({ attribs }) => attribs.href.replace('/trades/', ''));

/** All pages of the list. */
async function walk(visitor, target) {
  const found = [];
  for (let next = target; next;) {
    const page = await visitor.open(next);
    found.push(...ids(page));
    next = page.all('a[rel=next]')[0]?.attribs.href;
  }
  return found;
}

describe('conflicts on pages', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 1500, '--as-of', '2026-02-01');
    const key = await site.key({ plan: 'den' });
    const server = await site.serve();
    const flagged = [];
    for (let target = '/api/v1/trades?conflict=true&limit=100'; target;) {
      const { data, nextCursor: next } = await server.json(target, { key });
      flagged.push(...data);
      target = next && `/api/v1/trades?conflict=true&limit=100&cursor=${next}`;
    }
    for (const trade of flagged) {
      const { data } = await server.json(`/api/v1/trades/${trade.id}`, { key });
      trade.evidence = data.conflict;
      trade.parents = [...new Set(data.conflict.committees.map(({ id }) => id.slice(0, 4)))];
    }
    return { server, key, flagged, wolf: await makeOwner(site, { plan: 'wolf' }) };
  });
  const visitor = () => newVisitor(the.server);
  const open = (target, options) => visitor().open(target, options);
  /** Trades, members, and of the trades those by a list later than the trade. */
  const counted = (trades) => [
    trades.length,
    new Set(trades.map(({ politician }) => politician.slug)).size,
    trades.filter(({ evidence }) => evidence.basis === 'later_list').length,
  ];

  test('each industry and each committee has the counts of the evidence', async () => {
    const page = await open('/conflicts');
    assert.deepEqual(total(page), counted(the.flagged));
    const industries = cells(page, 'thead a');
    assert.ok(industries.length > 5);
    for (const { words, numbers } of industries) {
      const own = the.flagged.filter(({ evidence }) => evidence.industry === words);
      assert.deepEqual(numbers, counted(own), words);
    }
    assert.ok(counted(the.flagged)[2] > 0, 'some rest on a later list');
    const committees = page.all('.matrix tbody th a');
    const sums = cells(page, 'tbody td[title]');
    assert.ok(committees.length > 5);
    for (const [i, link] of committees.entries()) {
      const id = /flag_committee=(\w+)/.exec(link.attribs.href)[1];
      const own = the.flagged.filter(({ parents }) => parents.includes(id));
      assert.deepEqual(sums[i].numbers, counted(own), id);
      for (const [grade, count] of Object.entries(sums[i].grades)) {
        const ofGrade = own.filter(({ evidence }) => evidence.grade === grade);
        assert.equal(count, ofGrade.length, `${id} ${grade}`);
      }
    }
    assert.equal(new Set(the.flagged.flatMap(({ parents }) => parents)).size, committees.length);
  });

  test('a cell of committee and industry leads to its trades', async () => {
    const page = await open('/conflicts');
    const codes = new Map(
      page
        .all('.matrix thead a')
        .map((a) => [/flag_industry=(\w+)/.exec(a.attribs.href)[1], text(a)]),
    );
    /** The flagged trades of a cell, by its address. */
    const ofCell = (href) => {
      const [, id, code] = /flag_committee=(\w+)&flag_industry=(\w+)/.exec(href);
      return the.flagged.filter(
        ({ evidence, parents }) => evidence.industry === codes.get(code) && parents.includes(id),
      );
    };
    const filled = cells(page, 'td a');
    for (const { href, numbers, trades, sum, grades } of filled) {
      const own = ofCell(href);
      assert.deepEqual(numbers, counted(own), href);
      assert.equal(sum, trades);
      for (const [grade, count] of Object.entries(grades))
        assert.equal(count, own.filter(({ evidence }) => evidence.grade === grade).length);
    }
    const pairs = the.flagged.flatMap(({ evidence, parents }) =>
      parents.map((id) => `${id} ${evidence.industry}`),
    );
    assert.equal(filled.length, new Set(pairs).size, 'an empty cell has no trade');
    const [first] = filled.sort((a, b) => b.trades - a.trades);
    const own = ofCell(first.href);
    assert.deepEqual(
      await walk(visitor(), first.href),
      own.map((trade) => trade.id),
    );
    const chosen = await open(first.href);
    assert.match(
      chosen.text('main'),
      new RegExp(`${first.trades} trades? by ${first.numbers[1]} `),
    );
    const grouped = await open(link(chosen, 'Group these'));
    assert.match(grouped.text('h1'), new RegExp(`: ${first.trades} trades? of `));
  });

  test('each seat is listed with its role and its time', async () => {
    const page = await open('/conflicts');
    const shown = page.all('.judged > li ul small:first-of-type').map((node) => text(node));
    const time = ({ from, to }) => (to === null ? `since ${from}` : `from ${from} to ${to}`);
    const seats = ids(page).flatMap(
      (id) => the.flagged.find((trade) => trade.id === id).evidence.committees,
    );
    assert.ok(seats.some(({ to }) => to === null));
    assert.deepEqual(
      shown.map((words) => words.replace(/^, [a-z ]+? (?=since|from)/, '')),
      seats.map(time),
    );
  });

  test('a subcommittee, and the filters of trades, narrow the list', async () => {
    const sub = the.flagged
      .flatMap(({ evidence }) => evidence.committees)
      .find(({ id }) => id.length > 4);
    const on = the.flagged.filter(({ evidence }) =>
      evidence.committees.some(({ id }) => id === sub.id),
    );
    assert.deepEqual(
      await walk(visitor(), `/conflicts?flag_committee=${sub.id.toLowerCase()}`),
      on.map(({ id }) => id),
    );
    const bought = the.flagged.filter(({ side }) => side === 'buy');
    assert.deepEqual(
      await walk(visitor(), '/conflicts?side=buy'),
      bought.map(({ id }) => id),
    );
    assert.deepEqual(total(await open('/conflicts?side=buy')), counted(bought));
    const days = the.flagged.flatMap(({ tradeDate }) => tradeDate ?? []).sort();
    const [from, to] = [days[5], days.at(-5)];
    const page = await open(`/conflicts?traded_from=${from}&traded_to=${to}`);
    assert.equal(page.one('#f-traded_from').attribs.value, from);
    const between = the.flagged.filter(({ tradeDate: day }) => day && day >= from && day <= to);
    assert.deepEqual(total(page), counted(between));
    assert.match(page.text('title'), /^Flagged trades: traded from /);
    assert.deepEqual(
      page.all('main section').map(({ attribs }) => attribs['aria-label']),
      ['By committee and industry', 'Trades with their evidence'],
    );
    const { politician } = the.flagged[0];
    const his = the.flagged.filter((trade) => trade.politician.slug === politician.slug);
    assert.deepEqual(
      total(await open(`/conflicts?politician_slug=${politician.slug}`)),
      counted(his),
    );
  });

  test('the list is offered as JSON, CSV, feed and table, with its filters', async () => {
    const wolf = await signInOnPage(the.server, the.wolf);
    const page = await wolf.open('/conflicts');
    const [first] = cells(page, 'td a').sort((a, b) => b.trades - a.trades);
    const chosen = await wolf.open(first.href);
    const own = await walk(wolf, first.href);
    const json = await the.server.json(`${link(chosen, 'JSON')}&limit=100`, { key: the.key });
    assert.deepEqual(
      json.data.map(({ id }) => id),
      own,
    );
    const csv = parseCsv((await wolf.request('GET', link(chosen, 'CSV'))).text);
    assert.deepEqual(
      csv.slice(1).map(([id]) => id),
      own,
    );
    const atom = (await visitor().request('GET', link(chosen, 'Atom feed'))).text;
    const entries = [...atom.matchAll(/<id>[^<]*\/trades\/([^<]+)<\/id>/g)].map(([, id]) => id);
    assert.deepEqual(entries, own.slice(0, 50));
    assert.equal(chosen.all('link[type="application/feed+json"]').length, 1);
    assert.deepEqual(
      (await wolf.open(link(chosen, 'The same trades as a table'))).all('main tbody tr').length,
      Math.min(own.length, 25),
    );
  });

  test('each trade has its seats and rules, and the page says what a signal is not', async () => {
    const page = await open('/conflicts');
    assert.match(page.text('main .note'), /A flag is not an allegation/);
    const [first] = the.flagged;
    const row = text(page.all('.judged > li')[0]);
    for (const { name } of first.evidence.committees) assert.ok(row.includes(name), name);
    assert.ok(row.includes(first.evidence.industry));
    assert.ok(row.includes(first.evidence.mapEntry.committees[0].jurisdiction));
    await open(page.all('.judged a[href$="#signal"]')[0].attribs.href.replace('#signal', ''));
  });

  test('an invalid query shows its fault beside the field', async () => {
    for (const [query, words] of [
      ['flag_industry=zebras', /This must be aerospace_defense, /],
      ['flag_committee=%3Cb%3E', /This must be/],
      ['flag_committee=banking', /id of a committee such as HSBA/],
      ['flag_committee=XXXX', /\bHSBA, /],
      ['cursor=x', /The cursor in this address is invalid/],
    ]) {
      const page = await open(`/conflicts?${query}`, { status: 400 });
      assert.match(page.text('.faults'), words, query);
    }
    const none = await open('/conflicts?conflict=false');
    assert.match(none.text('main'), /No flagged trade matches/);
  });

  test('list and counts omit delayed trades', async () => {
    const wolf = await signInOnPage(the.server, the.wolf);
    await the.site.stockact('demo', '--publish', 12, '--rows', 20);
    const fresh = async () =>
      (
        await the.server.json('/api/v1/trades?conflict=true&limit=100', { key: the.key })
      ).data.filter(({ disclosedAt }) => disclosedAt > '2026-03');
    await until('flagged trades are served', async () => (await fresh()).length > 0);
    const [now] = total(await wolf.open('/conflicts'));
    const [then] = total(await open('/conflicts'));
    assert.equal(then, the.flagged.length);
    assert.equal(now - then, (await fresh()).length);
    assert.ok(ids(await wolf.open('/conflicts')).includes((await fresh())[0].id));
    assert.deepEqual(ids(await open('/conflicts'))[0], the.flagged[0].id);
  });
});

onEachDatabase('conflicts of a running server', (kind) => {
  test('follow a sweep', async (t) => {
    const site = await makeSignalling(t, [3], { database: kind });
    const wolf = await makeOwner(site, { plan: 'wolf' });
    const server = await site.serve();
    const visitor = await signInOnPage(server, wolf);
    const seen = async () => total(await visitor.open('/conflicts')).slice(0, 2);
    assert.deepEqual(await seen(), [0, 0]);
    const offered = async () =>
      (await newVisitor(server).open('/trades'))
        .all('select[name=flag_committee] option')
        .map(text);
    const before = await offered();
    assert.ok(before.includes('House Committee on Financial Services'), before.join(', '));
    await importSeats(site, '');
    await site.stockact('sweep');
    await until('the signals are served', async () => (await seen())[0] === 3);
    assert.deepEqual(await seen(), [3, 1]);
    assert.deepEqual(await offered(), before, 'the choice says nothing about signals');
    const page = await visitor.open('/conflicts?flag_committee=SSBK');
    assert.match(page.text('.judged'), /Senate Committee on Banking/);
    assert.equal(ids(page).length, 3);
    await importSeats(site, null);
    await site.stockact('sweep');
    await until('the signals are gone', async () => (await seen())[0] === 0);
  });
});

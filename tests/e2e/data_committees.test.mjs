// /committees, /committees/{id} and /industries/{code}: members on a day, their trades while they
// sat on the committee, and who oversees what, compared with the API; and what visitors do not see.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const number = (words) => Number(/[\d,]+/.exec(words)[0].replace(/,/g, ''));
/** The texts of a row's cells, with spaces between them. */
const cells = (row) =>
  row.children
    .filter(({ name }) => name === 'th' || name === 'td')
    .map((cell) => text(cell).trim())
    .join(' ');
const CONGRESS = 'traded_from=2025-01-03&traded_to=2027-01-02';

describe('committees on pages', () => {
  const the = useSite(
    { clock: '2026-03-10T12:00:00Z', env: { STOCKACT_BENCH_UNLIMITED: '1' } },
    async (site) => {
      await site.stockact('demo', '--trades', 3000, '--as-of', '2026-02-01');
      const key = await site.key({ plan: 'den' });
      const server = await site.serve();
      const { data } = await server.json('/api/v1/committees?limit=100', { key });
      return {
        server,
        key,
        committees: data,
        wolf: await makeOwner(site, { plan: 'wolf' }),
      };
    },
  );
  const get = async (target) => the.server.json(target, { key: the.key });
  const open = (target, options) => newVisitor(the.server).open(target, options);
  const stat = (page, name) => {
    const at = page.all('.stats dt').findIndex((dt) => text(dt) === name);
    return number(text(page.all('.stats dd')[at]));
  };
  /** Rows of a table by the words of its first cell: numbers and links. */
  const rows = (page, label) =>
    page.all(`[aria-label="${label}"] tbody tr`).map((row) => {
      const links = [];
      const walk = (node) => {
        if (node.name === 'a') links.push(node.attribs.href);
        (node.children ?? []).forEach(walk);
      };
      walk(row);
      return { words: cells(row), links };
    });

  test('the list has every committee, and each leads to its page', async () => {
    const page = await open('/committees');
    const whole = the.committees.filter((committee) => committee.parent === null);
    const listed = rows(page, 'Committees').filter(({ links }) =>
      whole.some(({ id }) => links.includes(`/committees/${id}`)),
    );
    assert.equal(listed.length, whole.length);
    for (const committee of whole.slice(0, 5)) {
      const body = await open(`/committees/${committee.id}`);
      assert.equal(body.text('h1'), committee.name);
    }
  });

  test('members, their trades and the rules are those of the API', async () => {
    const busy = the.committees.filter(({ conflicts }) => conflicts).slice(0, 4);
    assert.equal(busy.length, 4);
    for (const { id } of busy) {
      const page = await open(`/committees/${id}`);
      const { data } = await get(`/api/v1/committees/${id}`);
      const sums = (query) => get(`/api/v1/stats?seat=${id}&${CONGRESS}&${query}`);
      const { totals, data: groups } = await sums('group_by=politician&limit=100');
      assert.equal(stat(page, 'Trades while seated'), totals.trades);
      assert.equal(stat(page, 'Bought'), totals.buys);
      assert.equal(stat(page, 'Members with trades'), totals.politicians);
      assert.equal(page.all('aside.banner').length, 1, 'only the one of invented data');
      const members = rows(page, 'Members on that day');
      assert.equal(members.length, data.members.length);
      data.members.forEach(({ politician }, i) => {
        const own = groups.find((group) => group.politician.slug === politician.slug);
        assert.ok(members[i].links.includes(`/politicians/${politician.slug}`));
        assert.equal(
          members[i].links.some((link) => link.includes(`politician_slug=${politician.slug}`)),
          own !== undefined,
        );
        if (own) assert.match(members[i].words, new RegExp(`\\b${own.trades}\\b`));
      });
      const { data: sectors } = await sums('group_by=sector&limit=100');
      const rules = rows(page, 'Industries');
      assert.equal(rules.length, data.oversees.length);
      data.oversees.forEach((line, i) => {
        const own = sectors.find((group) => group.sector === line.industry);
        assert.ok(rules[i].words.includes(line.source));
        assert.equal(number(/\d[\d,]*$/.exec(rules[i].words)[0]), own?.trades ?? 0);
      });
      const months = page.all('figure.chart tbody tr').map(cells);
      const { data: by } = await sums('group_by=month&limit=100');
      assert.equal(months.length, totals.trades ? 24 : 0);
      for (const group of by)
        assert.ok(
          months.includes([group.month, group.buys, group.sells, group.exchanges].join(' ')),
          group.month,
        );
    }
  });

  test('an industry has its companies, traders and overseers', async () => {
    const { data: groups, totals } = await get('/api/v1/stats?group_by=sector&limit=100');
    const { sector, trades } = groups.find((group) => group.sector !== null);
    assert.ok(trades > 0 && trades <= totals.trades);
    const page = await open(`/industries/${sector}`);
    const { data } = await get(`/api/v1/industries/${sector}`);
    assert.equal(page.text('h1'), data.industry.name);
    assert.equal(stat(page, 'Trades'), trades);
    const whole = data.overseenBy.filter(
      (line) =>
        line.committee.parent === null &&
        (line.from ?? '') <= '2026-03-10' &&
        (line.to ?? '9') >= '2026-03-10',
    );
    assert.deepEqual(
      rows(page, 'Committees').map(({ links }) => links[0]),
      whole.map((line) => `/committees/${line.committee.id}`),
    );
    const { data: symbols } = await get(`/api/v1/stats?sector=${sector}&group_by=ticker&limit=25`);
    assert.deepEqual(
      rows(page, 'Companies with trades').map(({ links }) => links[0]),
      symbols.filter(({ ticker }) => ticker).map(({ ticker }) => `/tickers/${ticker}`),
    );
  });

  test('a committee that there never was is refused, with those that there are', async () => {
    const tool = async (name, args) => {
      const { json } = await the.server.request('POST', '/mcp', {
        key: the.key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        }),
        unchecked: true,
      });
      return json.result;
    };
    for (const name of ['seat', 'flag_committee'])
      for (const [id, fits] of [
        ['NOPE', /\bHSBA, /],
        ['HSBA99', /\bHSBA16\b/],
      ]) {
        for (const list of ['trades', 'stats']) {
          const { status, json } = await the.server.get(`/api/v1/${list}?${name}=${id}`, {
            key: the.key,
          });
          assert.deepEqual([status, json.error], [400, 'invalid_parameter']);
          assert.match(json.hint, fits);
        }
        for (const [called, args] of [
          ['list_trades', {}],
          ['count_trades', { group_by: 'party' }],
          ['get_conflicted_trades', {}],
        ]) {
          const { isError, content } = await tool(called, { ...args, [name]: id });
          assert.equal(isError, true);
          assert.match(content[0].text, fits);
        }
      }
    /* of the 116th and 117th Congress alone */
    for (const name of ['seat', 'flag_committee'])
      assert.ok(Array.isArray((await get(`/api/v1/trades?${name}=HSCN`)).data));
  });

  test('a wrong day is marked beside its field, with what fits', async () => {
    const [{ id }] = the.committees;
    for (const [target, status] of [
      [`/committees/${id}?on=1999-01-01`, 400],
      [`/committees/${id}?on=soon`, 400],
      [`/committees/${id}?day=2026-01-01`, 400],
      ['/committees?on=2099-01-01', 400],
      ['/committees/NONE', 404],
      ['/industries/tulips', 404],
    ]) {
      const page = await open(target, { status });
      if (target.includes('on=')) assert.match(page.text('main'), /This must be a date/);
    }
  });

  test('nothing younger than the line is shown or counted', async () => {
    const wolf = await signInOnPage(the.server, the.wolf);
    const sums = async (visitor) => {
      const counts = [];
      for (const { id } of the.committees.filter(({ parent }) => parent === null).slice(0, 12))
        counts.push(stat(await visitor.open(`/committees/${id}`), 'Trades while seated'));
      for (const { code } of (await get('/api/v1/industries?limit=12')).data)
        counts.push(stat(await visitor.open(`/industries/${code}`), 'Trades'));
      return counts;
    };
    const before = await sums(newVisitor(the.server));
    assert.deepEqual(await sums(wolf), before);
    await the.site.stockact('demo', '--publish', 12, '--rows', 20);
    const fresh = async () =>
      (await get('/api/v1/trades?limit=100')).data.filter((row) => row.disclosedAt > '2026-03');
    await until('the trades are served', async () => (await fresh()).length > 50);
    assert.deepEqual(await sums(newVisitor(the.server)), before);
    assert.notDeepEqual(await sums(wolf), before);
  });
});

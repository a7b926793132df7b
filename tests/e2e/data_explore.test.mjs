// /explore: trades grouped and summed, as by GET /api/v1/stats.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { parseCsv } from './lib/csv.mjs';
import { all, text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const FILTERS = 'chamber=senate&side=sell&traded_from=2025-01-24&traded_to=2025-12-20';
const number = (shown) => Number(shown.replace(/[,+]/g, ''));

/** The rows of the table: {column: text}, and the link of the number of trades. */
const rowsOf = (page, part = 'tbody') =>
  page.all(`.grouped ${part} tr`).map((row) => {
    const cells = all('td', row).map((cell) => [cell.attribs['data-label'], text(cell)]);
    const [link] = all('td.sum a', row);
    return {
      name: text(all('th', row)[0]),
      link: link?.attribs.href,
      ...Object.fromEntries(cells),
    };
  });

describe('trades in groups', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 1500, '--as-of', '2026-02-01');
    const server = await site.serve();
    const signIn = async (plan) => signInOnPage(server, await makeOwner(site, { plan }));
    return {
      server,
      key: await site.key({ plan: 'den' }),
      wolf: await signIn('wolf'),
      scout: await signIn('scout'),
    };
  });
  const open = (target, options) => newVisitor(the.server).open(target, options);
  const stats = (query) => the.server.json(`/api/v1/stats?${query}`, { key: the.key });

  test('each dimension has the groups, numbers and totals of the API, in its order', async () => {
    const options = (page, name) =>
      page.all(`select[name=${name}] option`).map(({ attribs }) => attribs.value);
    const front = await open('/explore');
    const sorts = options(front, 'sort');
    assert.ok(sorts.length > 12);
    const dimensions = options(front, 'group_by');
    assert.ok(dimensions.length > 12);
    for (const [i, by] of [...dimensions, 'party,month', 'politician,side'].entries()) {
      const sort = sorts[i % sorts.length];
      const query = `group_by=${by}&sort=${sort}&${i % 2 ? `${FILTERS}&order=asc` : ''}`;
      const page = await open(`/explore?${query.replace(/&$/, '')}`);
      const { data, totals } = await stats(query.replace(/&$/, ''));
      const rows = rowsOf(page);
      assert.equal(rows.length, Math.min(25, data.length), query);
      for (const [k, row] of [...rows, ...rowsOf(page, 'tfoot')].entries()) {
        const group = k < rows.length ? data[k] : totals;
        assert.deepEqual(
          ['Trades', 'Bought', 'Sold', 'Flagged', 'At least, $', 'At most, $'].map((name) =>
            number(row[name]),
          ),
          [
            group.trades,
            group.buys,
            group.sells,
            group.conflicts,
            group.amountMin,
            group.amountMax,
          ],
          `${query} ${row.name}`,
        );
        assert.equal(row['Last trade'], group.lastTraded ?? '', query);
        assert.equal(row['At most, $'].endsWith('+'), group.amountOpen > 0);
        assert.equal(number(row.Late.split(' ')[0]), group.late);
      }
    }
  });

  test('each bar leads to exactly the trades of its group', async () => {
    for (const by of [
      'politician',
      'ticker',
      'month',
      'year',
      'late_status',
      'flag_industry',
      'side',
    ])
      for (const query of [`group_by=${by}`, `group_by=${by}&${FILTERS}`]) {
        const rows = rowsOf(await open(`/explore?${query}`));
        assert.ok(rows.length > 0);
        for (const row of [rows[0], rows.at(-1)]) {
          if (!row.link) continue;
          const list = await open(row.link);
          assert.equal(number(list.text('.count').split(' ')[0]), number(row.Trades), row.link);
        }
      }
    const [all25] = rowsOf(await open('/explore?group_by=bracket'));
    assert.equal(all25.link, undefined, 'no filter chooses one range');
  });

  test('the title says in plain language what is shown, and how many trades of how many members', async () => {
    const { totals } = await stats(`group_by=politician&${FILTERS}`);
    const page = await open(`/explore?${FILTERS}`);
    assert.equal(
      page.text('h1'),
      `Senators' sales, 24 Jan to 20 Dec 2025, by member: ` +
        `${totals.trades} trades of ${totals.politicians} members`,
    );
    assert.equal(page.text('title'), `${page.text('h1')} · stockact`);
    assert.equal(page.all('.chips a').length, 4);
    const party = await open('/explore?party=Republican&group_by=state,year&conflict=true');
    assert.match(
      party.text('h1'),
      /^Republican members' trades, flagged, by state and year: \d+ trades of \d+ members$/,
    );
  });

  test('the form leads to one address, heads sort by their column, and pages go on', async () => {
    const asked = await newVisitor(the.server).request(
      'GET',
      '/explore?group_by=party&then=month&sort=late&chamber=&ticker=',
    );
    assert.equal(asked.status, 303);
    const { searchParams } = new URL(asked.header('location'), the.server.url);
    assert.deepEqual(Object.fromEntries(searchParams), { sort: 'late', group_by: 'party,month' });
    const page = await open(asked.header('location'));
    const head = (label) => page.all('thead a').find((link) => text(link).startsWith(label));
    assert.match(head('Late').attribs.href, /order=asc/);
    const turned = await open(head('Late').attribs.href);
    assert.equal(turned.all('th[aria-sort=ascending]').length, 1);
    assert.doesNotMatch(head('Flagged').attribs.href, /order/);
    const { data } = await stats('group_by=ticker&limit=60');
    const seen = [];
    for (let target = '/explore?group_by=ticker'; target && seen.length < 60;) {
      const next = await open(target);
      seen.push(...rowsOf(next).map(({ Trades }) => number(Trades)));
      target = next.all('a[rel=next]')[0]?.attribs.href;
    }
    assert.deepEqual(
      seen.slice(0, 60),
      data.map(({ trades }) => trades),
    );
  });

  test('a wrong value is marked beside its field, with what fits', async () => {
    for (const [query, field, words] of [
      ['group_by=colour', 'group_by', /politician, ticker/],
      ['group_by=party,month,side', 'group_by', /one or two/],
      ['sort=politicians', 'sort', /trades, buys/],
      ['party=Nobody', 'party', /Democrat, Republican/],
    ]) {
      const page = await open(`/explore?${query}`, { status: 400 });
      assert.match(page.form('/explore').fault(field) ?? '', words, query);
      assert.equal(page.all('.grouped').length, 0);
    }
    const unknown = await open('/explore?colour=red', { status: 400 });
    assert.match(unknown.text('main'), /no filter "colour"/);
  });

  test('JSON and CSV have the same groups, and feeds the trades', async () => {
    const target = `/explore?group_by=party,month&${FILTERS}`;
    const page = await the.wolf.open(target);
    const links = Object.fromEntries(
      page.all('main p.small a').map((link) => [text(link), link.attribs.href]),
    );
    const { data } = await the.server.json(links.JSON, { key: the.key });
    const csv = await the.wolf.request('GET', links.CSV);
    const [header, ...rows] = parseCsv(csv.text);
    assert.equal(rows.length, data.length);
    assert.deepEqual(header.slice(0, 3), ['party', 'month', 'trades']);
    assert.deepEqual(
      rows.slice(0, data.length).map(([party, month, trades]) => [party, month, Number(trades)]),
      data.map(({ party, month, trades }) => [party, month, trades]),
    );
    assert.match(links['Atom feed'], /^\/trades\.atom\?/);
    assert.doesNotMatch(links['Atom feed'], /group_by/);
    assert.equal((await the.scout.request('GET', links.CSV)).status, 403);
    await the.wolf.open('/explore.csv?group_by=colour', { status: 400 });
  });

  test('a list leads to its groups with the same filters', async () => {
    const page = await open(`/trades?${FILTERS}`);
    const link = page.all('main a').find((a) => text(a) === 'Group these');
    const { searchParams } = new URL(link.attribs.href, the.server.url);
    assert.equal(searchParams.get('side'), 'sell');
    assert.equal(searchParams.get('chamber'), 'senate');
    assert.equal(searchParams.size, 4);
  });
});

test('groups count only what their visitor may see, and an empty page says why', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  await site.stockact('demo', '--trades', 20, '--as-of', '2026-02-01');
  const server = await site.serve();
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const nobody = newVisitor(server);
  const total = async (visitor) => rowsOf(await visitor.open('/explore'), 'tfoot')[0].Trades;
  assert.equal(await total(wolf), '20');
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  await until('the trade is served', async () => (await total(wolf)) === '21');
  assert.equal(await total(nobody), '20');
  const since = 'since=2026-03-10T00:00:00Z';
  const empty = await nobody.open(`/explore?${since}`);
  assert.match(empty.text('.empty'), /1 trade was published in the last 48 hours/);
  assert.match(empty.text('h1'), /: 0 trades$/);
  assert.equal(rowsOf(await wolf.open(`/explore?${since}`)).length, 1);
  const nothing = await nobody.open('/explore?ticker=NONE');
  assert.match(nothing.text('.empty'), /No trade matches/);
  await site.clock.advance(48 * 3_600_000);
  assert.equal(await total(nobody), '21');
});

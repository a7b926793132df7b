// /filings, /filings/{id} and the front page: what is new, how much there is, and the rows of a report.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { because } from './lib/reviewer.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import { filing, makeDesk, row } from './lib/undoing.mjs';
import { until } from './lib/until.mjs';

const ROWS = '.table tbody tr';
const links = (page, selector) => page.all(selector).map(({ attribs }) => attribs.href);

describe('filings on pages', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 400, '--as-of', '2026-02-01');
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });
  const open = (target, options) => newVisitor(the.server).open(target, options);

  test('the list has the filings of the API, page after page', async () => {
    let target = '/filings?chamber=house';
    const seen = [];
    while (target) {
      const page = await open(target);
      seen.push(...links(page, `${ROWS} th a`));
      target = page.all('a[rel=next]')[0]?.attribs.href;
    }
    const expected = [];
    for (let next = 'filings?chamber=house&limit=100'; next;) {
      const { data, nextCursor } = await api(next);
      expected.push(...data.map(({ id }) => `/filings/${id}`));
      next = nextCursor && `filings?chamber=house&limit=100&cursor=${nextCursor}`;
    }
    assert.ok(expected.length > 25);
    assert.deepEqual(seen, expected);
    const faulty = await open('/filings?chamber=lords&x=1', { status: 400 });
    assert.ok(faulty.form('/filings').fault('chamber'));
    assert.match(faulty.text('main'), /There is no filter "x"/);
    await open('/filings?cursor=damaged', { status: 400 });
  });

  test('the page of a member leads to the list of their filings in every form', async () => {
    const ids = (await api('filings?limit=100')).data.map((filing) => filing.politicianId);
    const politicianId = ids.find((id, i) => ids.indexOf(id) < i);
    const { slug, name } = (await api(`politicians/${politicianId}`)).data.profile;
    const { data } = await api(`filings?limit=100&politician_slug=${slug}`);
    const own = data.map(({ id }) => `/filings/${id}`);
    assert.ok(own.length > 1 && own.length <= 25);
    const query = `?politician_slug=${slug}`;
    const table = await open(`/politicians/${slug}/filings`);
    for (const [type, target] of [
      ['application/json', `/api/v1/filings${query}`],
      ['application/atom+xml', `/filings.atom${query}`],
      ['application/feed+json', `/filings.json${query}`],
    ]) {
      const named = table.all('link[rel=alternate]').find(({ attribs }) => attribs.type === type);
      assert.equal(named.attribs.href, target);
      assert.ok(links(table, 'main a').includes(target), target);
    }
    assert.match(table.text('main'), /CSV with the Wolf plan or higher/);
    assert.ok(links(table, 'main a').includes(`/filings${query}`));
    const page = await open(`/filings${query}`);
    assert.deepEqual(links(page, `${ROWS} th a`), own);
    assert.equal(page.one('#f-politician_slug').attribs.value, slug);
    const feed = JSON.parse((await the.server.get(`/filings.json${query}`)).text);
    assert.deepEqual(
      feed.items.map(({ url }) => url),
      own.map((path) => the.server.url + path),
    );
    const typed = encodeURIComponent(name.toUpperCase());
    for (const other of [`politician=${slug}`, `politician_slug=${typed}`]) {
      const response = await newVisitor(the.server).request('GET', `/filings?${other}`);
      assert.equal(response.header('location'), `/filings${query}`);
    }
    const nobody = await open('/filings?politician_slug=No+Such+Person', { status: 400 });
    assert.ok(nobody.form('/filings').fault('politician_slug'));
    const elsewhere = data[0].chamber === 'house' ? 'senate' : 'house';
    const none = await open(`/filings${query}&chamber=${elsewhere}`);
    assert.match(none.text('.empty'), /^No filing matches/);
  });

  test('a filing has its trades, its document and its numbers', async () => {
    const { data } = await api('filings?limit=30');
    for (const { id, url } of data) {
      const page = await open(`/filings/${id}`);
      const trades = await api(`trades?filing=${id}&limit=100`);
      assert.deepEqual(
        links(page, `${ROWS} th a`),
        trades.data.map((trade) => `/trades/${trade.id}`).reverse(), // as in the document
      );
      assert.ok(links(page, 'main a').includes(url));
      assert.equal(page.text('.stats dd'), String(trades.data.length));
    }
    await open('/filings/house-1', { status: 404 });
  });

  test('the front page has the newest trades, the numbers, and three doors', async () => {
    const page = await open('/');
    const { data } = await api('trades?limit=5');
    assert.deepEqual(
      links(page, '.dealt tbody th a'),
      data.map(({ id }) => `/trades/${id}`),
    );
    for (const [i, { amountBucket }] of data.entries()) {
      const row = text(page.all('.dealt tbody tr')[i]);
      assert.match(row, /bought|sold|exchanged/, amountBucket);
      assert.match(row, /\$/);
    }
    assert.deepEqual(links(page, '.total a'), [
      '/trades',
      '/conflicts?basis=in_force',
      '/conflicts?basis=later_list',
      '/trades?late=true',
    ]);
    assert.equal(page.text('.total strong'), '400');
    assert.equal(page.all('.total + p a').at(-1).attribs.href, '/coverage');
    for (const [path, field] of [
      ['/politicians', '[name=state] option[value=CA]'],
      ['/tickers', 'input[name=q]'],
      ['/conflicts', '[name=flag_committee] option[value=SSBK]'],
    ])
      assert.equal(page.all(`.doors form[action="${path}"] ${field}`).length, 1, path);
    await open('/conflicts?flag_committee=SSBK');
    await open('/politicians?state=CA');
  });

  test('each month of the chart has the trades that its link lists', async () => {
    const page = await open('/');
    const months = page.all('.chart tbody tr').map((row) => {
      const [label, ...counts] = row.children.filter(({ type }) => type === 'tag');
      const [link] = label.children.filter(({ name }) => name === 'a');
      return {
        month: text(label),
        counts: counts.map((n) => Number(text(n))),
        href: link.attribs.href,
      };
    });
    const all = [];
    for (let next = 'trades?limit=100'; next;) {
      const { data, nextCursor } = await api(next);
      all.push(...data);
      next = nextCursor && `trades?limit=100&cursor=${nextCursor}`;
    }
    const inWashington = new Intl.DateTimeFormat('sv', { timeZone: 'America/New_York' });
    const of = (month, chamber) =>
      all.filter(
        ({ disclosedAt, politician }) =>
          inWashington.format(new Date(disclosedAt)).startsWith(month) &&
          politician.chamber === chamber,
      ).length;
    assert.ok(months.length > 6);
    for (const { month, counts } of months)
      assert.deepEqual(counts, [of(month, 'house'), of(month, 'senate')], month);
    const sum = months.flatMap(({ counts }) => counts).reduce((a, b) => a + b);
    assert.equal(sum, all.length);
    const [few] = months.filter(({ counts: [a, b] }) => a + b > 0 && a + b <= 25);
    const visitor = newVisitor(the.server);
    const { headers } = await visitor.request('GET', few.href);
    const listed = await visitor.open(headers.get('location'));
    assert.equal(listed.all(ROWS).length, few.counts[0] + few.counts[1]);
    const bars = page.all('svg.bars a').map(({ attribs }) => attribs.href);
    assert.deepEqual(
      bars,
      months.filter(({ counts: [a, b] }) => a + b > 0).map(({ href }) => href),
    );
  });

  test('a withdrawn filing is 410', async () => {
    const { data } = await api('filings?limit=1');
    await the.site.stockact('withdraw', data[0].id, ...because('filed twice'));
    const gone = async () =>
      (await newVisitor(the.server).request('GET', `/filings/${data[0].id}`)).status === 410;
    await until('the filing is gone', gone);
  });
});

test('the rows of a long filing are in the order of the document, page after page', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  await site.stockact('demo', '--trades', 20, '--as-of', '2026-02-01');
  const server = await site.serve();
  await site.stockact('demo', '--publish', 1, '--rows', 2100);
  await site.clock.advance(48 * 3_600_000);
  const visitor = newVisitor(server);
  const first = links(await visitor.open('/filings'), `${ROWS} th a`)[0];
  const pages = [];
  for (let target = first; target;) {
    const page = await visitor.open(target);
    pages.push(links(page, `${ROWS} th a`).map((link) => Number(link.slice(-4))));
    target = page.all('a[rel=next]')[0]?.attribs.href;
    assert.equal(page.all('a[rel=prev]').length, pages.length > 1 ? 1 : 0);
  }
  assert.deepEqual(
    pages.map(({ length }) => length),
    [...Array(42).fill(50)],
  );
  assert.deepEqual(
    pages.flat(),
    Array.from({ length: 2100 }, (_, i) => i + 1),
  );
  const next = (await visitor.open(first)).all('a[rel=next]')[0].attribs.href;
  const other = links(await visitor.open('/filings'), `${ROWS} th a`)[1];
  for (const target of [`${next}x`, next.replace(first, other)]) {
    const page = await visitor.open(target, { status: 400 });
    assert.match(page.text('.faults'), /does not work.*The cursor in this address is invalid/s);
    assert.equal(page.all(ROWS).length, 0);
  }
});

test('a new trade is on the front page at once with a plan, and 48 hours later without', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  await site.stockact('demo', '--trades', 20, '--as-of', '2026-02-01');
  const server = await site.serve();
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const nobody = newVisitor(server);
  const first = async (visitor) => links(await visitor.open('/'), '.dealt tbody th a')[0];
  const old = await first(nobody);
  await site.stockact('demo', '--publish', 1, '--rows', 3);
  await until('the trade is served', async () => (await first(wolf)) !== old);
  assert.equal(await first(nobody), old);
  const target = await first(wolf);
  const early = await nobody.open(target, { status: 404 });
  assert.match(early.text('main'), /appears here on 2026-03-12 08:00 EDT/);
  await site.clock.advance(48 * 3_600_000);
  assert.equal(await first(nobody), target);
  await nobody.open(target);
});

test('with STOCKACT_PUBLIC_PAGES=off the front page shows visitors no data', async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_PUBLIC_PAGES: 'off' } });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const page = await newVisitor(server).open('/');
  assert.equal(page.all('.dealt, .doors, .total').length, 0);
  assert.equal(page.all('nav a[href="/trades"]').length, 0);
});

test('an amendment says what it is, and changes, trades and late rows lead to it', async (t) => {
  const desk = await makeDesk(t, {});
  const [late, changed] = [
    { ...row('Dovetail'), amount: '$15,001 - $50,000' },
    { ...row('Abacus'), type: 'Sale (Full)' },
  ];
  await desk.publish('a', { rows: [row('Abacus'), row('Bellows')] });
  const filed = '02/28/2024 @ 9:05 AM';
  await desk.publish('b', { rows: [changed, row('Bellows')], amendment: 1, filed });
  await desk.publish('c', { rows: [changed, late], amendment: 2, filed });
  const server = await desk.site.serve();
  const open = (target) => newVisitor(server).open(target);
  assert.match(
    (await open('/')).text('main'),
    /were published in the last 48 hours: the first appears here on/,
  );
  await desk.site.clock.advance(48 * 3_600_000);
  const list = await open('/filings');
  assert.deepEqual(
    list.all('td[data-label="Of these"]').map((node) => text(node)),
    ['1 not known if late', '', ''],
  );
  const corrects = await open(`/filings/${filing('b')}`);
  assert.equal(corrects.text('h1'), 'Dana Hollis: amendment filed on 2024-02-28');
  assert.match(corrects.text('.empty'), /This amendment added no trade/);
  const [log] = links(corrects, '.note a').filter((href) => href.startsWith('/corrections'));
  const changes = await open(log);
  assert.match(changes.text(ROWS), /Dana Hollis.*withdrawn/);
  assert.ok(links(changes, `${ROWS} td:last-child a`).includes(`/filings/${filing('b')}`));
  const page = await open(`/filings/${filing('c')}`);
  assert.match(page.text('.stats'), /Trades added ?1.*Reported late ?not known ?of 1: the rule/);
  const trade = await open(`/trades/${filing('c')}-0002`);
  assert.match(trade.text('.stats'), /not known ?The row is of an amendment\. It may correct/);
  assert.deepEqual(trade.all('.bad, .late'), []);
  const first = await open(`/trades/${filing('a')}-0001`);
  assert.doesNotMatch(first.text('.stats'), /amendment/);
  assert.deepEqual(links(first, 'section[aria-labelledby=corrected] a'), [
    `/filings/${filing('b')}`,
  ]);
});

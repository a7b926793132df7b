// /trades: the filters of the API as a form that works without script.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { parseCsv } from './lib/csv.mjs';
import { all, text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';

const TRADES = '.table tbody tr';
const NOT_FILTERS = [
  'industry',
  'committee',
  'sort',
  'order',
  'limit',
  'cursor',
  'format',
  'fields',
  'politician',
]; // an alias

const shown = (page) => page.all(`${TRADES} th a`).map(({ attribs }) => attribs.href);
const addresses = ({ data }) => data.map(({ id }) => `/trades/${id}`);

/** What the form says and what the list has. */
const stateOf = (page) =>
  page.evaluate(() => ({
    chamber: document.querySelector('form.filters [name="chamber"]').value,
    side: document.querySelector('form.filters [name="side"]').value,
    search: location.search,
    first: document.querySelector('.table tbody a').getAttribute('href'),
  }));

describe('the list of trades', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 400, '--as-of', '2026-02-01');
    const server = await site.serve();
    const { data } = await server.json('/api/v1/trades?limit=1');
    return {
      server,
      slug: data[0].politician.slug,
      key: await site.key({ plan: 'den' }),
      wolf: await makeOwner(site, { plan: 'wolf' }),
      scout: await makeOwner(site, { plan: 'scout' }),
    };
  });
  const browser = useBrowser();
  const open = (target, options) => newVisitor(the.server).open(target, options);
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });

  test('each filter of the API has a field, and shows the same trades as the API', async () => {
    const page = await open('/trades');
    const { paths } = await api('openapi.json');
    const filters = paths['/api/v1/trades'].get.parameters
      .map(({ name }) => name)
      .filter((name) => !NOT_FILTERS.includes(name));
    assert.ok(filters.length > 10);
    const names = page.form('/trades').controls.map(({ attribs }) => attribs.name);
    assert.deepEqual(
      filters.filter((name) => !names.includes(name)),
      [],
    );
    const query = 'trades?side=sell&chamber=house';
    assert.deepEqual(shown(await open(`/${query}`)), addresses(await api(query)));
  });

  test('an address with filters has a title, chips without each of them, and one canonical form', async () => {
    const { name } = (await api(`politicians/${the.slug}`)).data.profile;
    const query = `politician_slug=${the.slug}&amount_min=15001&late=true&traded_from=2024-01-01`;
    const page = await open(`/trades?${query}`);
    for (const words of [
      `by ${name}`,
      'from $15,001',
      'reported late: Yes',
      'traded from 2024-01-01',
    ])
      assert.ok(page.text('title').includes(words), page.text('title'));
    const chips = page.all('.chips a');
    assert.equal(chips.length, 4);
    for (const chip of chips) {
      const without = new URL(chip.attribs.href, the.server.url).searchParams;
      assert.equal(without.size, 3);
      assert.equal((await open(chip.attribs.href)).all('.chips a').length, 3);
    }
    const canonical = (one) => one.one('link[rel=canonical]').attribs.href;
    const turned = query.split('&').reverse().join('&');
    assert.equal(canonical(await open(`/trades?${turned}`)), canonical(page));
    assert.equal(canonical(await open('/trades')), `${the.server.url}/trades`);
    const faulty = await open('/trades?side=x', { status: 400 });
    assert.equal(faulty.all('link[rel=canonical]').length, 0);
    assert.equal(faulty.text('title'), 'Trades · stockact');
    assert.equal(faulty.all('details.fold[open]').length, 1, 'the fault is not folded away');
  });

  test('a list says how many trades it has, and its links say what happened', async () => {
    for (const query of ['', '?side=buy&chamber=house', '?ticker=NONE']) {
      const page = await open(`/trades${query}`);
      let count = 0;
      for (let next = `trades${query || '?'}&limit=100`; next;) {
        const { data, nextCursor } = await api(next);
        count += data.length;
        next = nextCursor && `trades${query || '?'}&limit=100&cursor=${nextCursor}`;
      }
      assert.equal(page.text('.count'), `${count} trades`, query);
    }
    const { data } = await api('trades?limit=25');
    const names = (await open('/trades')).all(`${TRADES} th[scope=row] a`);
    assert.deepEqual(
      names.map(({ attribs }) =>
        attribs['aria-label'].replace(/ (sold in part|sold|bought|exchanged) /, ' '),
      ),
      data.map(
        ({ politician, ticker, assetName, tradeDate }) =>
          `${politician.name} ${ticker ?? assetName}, ${tradeDate}`,
      ),
    );
  });

  test('a trade that was reported late says by how many days, on each list that has it', async () => {
    const { data } = await api('trades?late=true&limit=40');
    const [flagged] = (await api('trades?late=true&conflict=true&limit=1')).data;
    const [{ id, politician }] = data;
    const told = new Map();
    for (const target of [
      '/trades?late=true',
      '/trades?late=false',
      `/filings/${id.replace(/-\d+$/, '')}`,
      `/tickers/${data.find(({ ticker }) => ticker).ticker}`,
      `/politicians/${politician.slug}`,
      `/conflicts?politician_slug=${flagged.politician.slug}`,
    ]) {
      const before = told.size;
      for (const row of (await open(target)).all('main tbody tr, .judged > li')) {
        const [link] = all('a[href^="/trades/"]', row);
        const [mark] = all('.late, td .bad', row);
        if (link)
          told.set(
            `${target} ${link.attribs.href}`,
            mark ? text(mark).replace('reported ', '') : '',
          );
      }
      assert.ok(told.size > before, target);
    }
    for (const [row, mark] of told) {
      const { daysLate } = (await api(row.split(' /')[1])).data.source;
      const words = daysLate === 1 ? '1 day late' : `${daysLate} days late`;
      assert.equal(mark, daysLate > 0 ? words : '', row);
    }
  });

  test('pages lead from the newest trade to the oldest, and keep the filters', async () => {
    let target = '/trades?chamber=senate';
    const seen = [];
    for (let pages = 0; target; pages++) {
      assert.ok(pages < 20);
      const page = await open(target);
      seen.push(...shown(page));
      target = page.all('a[rel=next]')[0]?.attribs.href;
      assert.match(target ?? 'chamber=senate&cursor=', /chamber=senate&cursor=/);
    }
    assert.equal(new Set(seen).size, seen.length);
    const newest = addresses(await api('trades?chamber=senate&limit=100'));
    assert.deepEqual(seen.slice(0, 100), newest);
  });

  test('the CSV is the whole filtered list, for plans that have it', async () => {
    const wolf = await signInOnPage(the.server, the.wolf);
    const page = await wolf.open('/trades?chamber=house');
    const link = page.all('a[download]')[0].attribs.href;
    assert.equal(link, '/trades.csv?chamber=house');
    const response = await wolf.request('GET', link);
    assert.equal(response.status, 200);
    assert.match(response.header('content-disposition'), /stockact-trades-2026-03-10\.csv/);
    const [header, ...rows] = parseCsv(response.text);
    const expected = [];
    for (let target = 'trades?chamber=house&limit=100'; target;) {
      const { data, nextCursor } = await api(target);
      expected.push(...data.map(({ id }) => id));
      target = nextCursor && `trades?chamber=house&limit=100&cursor=${nextCursor}`;
    }
    assert.ok(expected.length > 100);
    assert.equal(header[0], 'id');
    assert.deepEqual(
      rows.map(([id]) => id),
      expected,
    );
    const nobody = newVisitor(the.server);
    assert.equal((await nobody.open('/trades')).all('a[download]').length, 0);
    assert.equal((await nobody.request('GET', link)).status, 303);
    const scout = await signInOnPage(the.server, the.scout);
    assert.equal((await scout.request('GET', link)).status, 403);
    const faulty = await wolf.open('/trades.csv?amount_min=x', { status: 400 });
    assert.ok(faulty.form('/trades').fault('amount_min'));
    assert.ok(faulty.all('#f-amount_min option').length > 5);
  });

  test('empty fields and tracking parameters redirect to the address without them', async () => {
    const visitor = newVisitor(the.server);
    for (const [from, to] of [
      ['/trades?ticker=&side=buy&chamber=', '/trades?side=buy'],
      [`/trades?politician=${the.slug}`, `/trades?politician_slug=${the.slug}`],
      ['/politicians?q=&utm_source=mail', '/politicians'],
      [`/politicians/${the.slug}?utm_source=mail`, `/politicians/${the.slug}`],
      ['/filings?chamber=', '/filings'],
      [`/corrections?politician=${the.slug}&kind=`, `/corrections?politician_slug=${the.slug}`],
      ['/tickers?q=', '/tickers'],
      ['/trades?utm_source=mail&fbclid=1', '/trades'],
    ]) {
      const response = await visitor.request('GET', from);
      assert.equal(response.status, 303, from);
      assert.equal(response.header('location'), to);
    }
  });

  test('a name in any spelling leads to the list of its member', async () => {
    const visitor = newVisitor(the.server);
    const { name } = (await api(`trades?politician_slug=${the.slug}`)).data[0].politician;
    const typed = encodeURIComponent(name.toUpperCase().split(' ').reverse().join(' '));
    for (const list of ['/trades', '/trades.atom', '/trades.json', '/conflicts', '/corrections']) {
      const response = await visitor.request('GET', `${list}?politician=${typed}`);
      assert.equal(response.status, 303, list);
      assert.equal(response.header('location'), `${list}?politician_slug=${the.slug}`);
    }
    const wolf = await signInOnPage(the.server, the.wolf);
    const csv = await wolf.request('GET', `/trades.csv?side=buy&politician_slug=${typed}`);
    assert.equal(csv.header('location'), `/trades.csv?side=buy&politician_slug=${the.slug}`);
  });

  test('a name of several members offers each, and an unknown name is a fault', async () => {
    const { data } = await api('politicians?has_trades=true&limit=100');
    const words = data.flatMap((one) => one.name.split(' ').map((word) => [word, one.slug]));
    const shared = words.find(
      ([word]) => word.length > 3 && words.filter(([other]) => other === word).length > 1,
    )[0];
    const page = await open(`/trades?side=buy&politician_slug=${shared}`, { status: 400 });
    assert.equal(page.one('#f-politician_slug').attribs.value, shared);
    assert.ok(page.form('/trades').fault('politician_slug'));
    const offered = page.all('.choices[aria-label^=Members] a').map(({ attribs }) => attribs.href);
    for (const [word, slug] of words)
      if (word === shared) assert.ok(offered.includes(`/trades?side=buy&politician_slug=${slug}`));
    await open(offered[0]);
    const twice = `politician_slug=${shared}&politician_slug=${the.slug}`;
    const repeated = await open(`/trades?${twice}`, { status: 400 });
    assert.equal(repeated.all('.faults').length, 1);
    assert.equal(repeated.one('#f-politician_slug').attribs.value, shared);
    const [one] = repeated.all('.choices[aria-label^=Members] a');
    assert.match(one.attribs.href, /^\/trades\?politician_slug=[-a-z]+$/);
    const nobody = await open('/trades?politician_slug=No+Such+Person', { status: 400 });
    assert.ok(nobody.form('/trades').fault('politician_slug'));
    assert.equal(nobody.all('.choices[aria-label^=Members]').length, 0);
  });

  test('a day of disclosure is one in Washington', async () => {
    const visitor = newVisitor(the.server);
    const response = await visitor.request('GET', '/trades?since=2026-01-15&until=2026-07-15');
    const at = '/trades?since=2026-01-15T05%3A00%3A00.000Z&until=2026-07-15T04%3A00%3A00.000Z';
    assert.equal(response.header('location'), at);
    const page = await open(at);
    const field = (name) => page.one(`#f-${name}`).attribs;
    assert.deepEqual([field('since').type, field('since').value], ['date', '2026-01-15']);
    assert.equal(field('until').value, '2026-07-15');
    const exact = await open('/trades?since=2026-01-15T12:00:00Z');
    assert.equal(exact.one('#f-since').attribs.value, '2026-01-15T12:00:00Z');
    assert.equal(exact.one('#f-since').attribs.type, 'text');
    assert.equal((await the.server.get('/api/v1/trades?since=2026-01-15')).status, 400);
  });

  test('a fault is beside its field, and the form keeps its input', async () => {
    const page = await open('/trades?amount_min=lots&side=buy', { status: 400 });
    assert.equal(page.one('#f-amount_min option[selected]').attribs.value, 'lots');
    assert.ok(page.form('/trades').fault('amount_min'));
    assert.equal(page.all(TRADES).length, 0);
    const party = await open('/trades?party=Whig', { status: 400 });
    assert.match(party.text('#f-party-error'), /Parties of trades: .*Democrat/);
    assert.match(party.text('.faults li'), /^party: /);
    for (const name of ['seat', 'flag_committee']) {
      const nope = await open(`/trades?${name}=NOPE`, { status: 400 });
      assert.match(nope.text(`#f-${name}-error`), /\bHSBA, /);
      await open(`/trades.atom?${name}=NOPE`, { status: 400 });
    }
    for (const [query, reason] of [
      ['tikcer=NWTB', /There is no filter "tikcer"/],
      [`utm_source=x&ticker=${'A'.repeat(5000)}`, /The address of this page is too long/],
      ['cursor=nonsense', /The cursor in this address is invalid. Go back to the first page/],
      ['side=buy&side=sell', /The address has this more than once\. Choose one/],
    ]) {
      const faulty = await open(`/trades?${query}`, { status: 400 });
      assert.match(faulty.text('main'), reason);
    }
  });

  test('a page without filters rejects every filter', async () => {
    const [{ id }] = (await api('trades?limit=1')).data;
    for (const target of [`/trades/${id}`, '/coverage']) {
      const page = await open(`${target}?chamber=house`, { status: 400 });
      assert.match(page.text('.faults'), /There is no filter "chamber" on this page/);
      assert.equal(page.text('h1'), (await open(target)).text('h1'));
      const marked = await newVisitor(the.server).request('GET', `${target}?utm_source=x`);
      assert.deepEqual([marked.status, marked.header('location')], [303, target]);
    }
    await open('/trades/none-0001?chamber=house', { status: 404 });
  });

  for (const script of [true, false])
    test(
      `after Back the filters are those of the list, ${script ? 'with' : 'without'} script`,
      { skip: noChromium },
      async (t) => {
        const page = await browser.open(t, the.server, '/trades', { script });
        const filter = async (label, option) => {
          await page.getByLabel(label, { exact: true }).selectOption(option);
          await page.getByRole('button', { name: 'Filter' }).click();
          await page.waitForLoadState();
        };
        await filter('Chamber', 'Senate');
        const before = await stateOf(page);
        assert.deepEqual([before.chamber, before.side], ['senate', '']);
        assert.equal(before.search, '?chamber=senate');
        await filter('Side', 'Bought');
        assert.equal((await stateOf(page)).search, '?chamber=senate&side=buy');
        await page.goBack();
        assert.deepEqual(await stateOf(page), before);
        if (!script) return;
        // A browser that keeps the page as it was shows what was chosen on it last.
        await page.getByLabel('Chamber', { exact: true }).selectOption('House');
        await page.evaluate(() =>
          dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
        );
        assert.deepEqual(await stateOf(page), before);
      },
    );
});

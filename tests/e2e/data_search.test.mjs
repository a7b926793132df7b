// /search: members, companies and numbers of documents; the box in the bar and the key "/".

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const RESULTS = '.found a';
const hrefs = (page) => page.all(RESULTS).map(({ attribs }) => attribs.href);
const search = (q) => `/search?q=${encodeURIComponent(q)}`;

describe('search', () => {
  const browser = useBrowser();
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 1500, '--as-of', '2026-02-01');
    return {
      server: await site.serve(),
      key: await site.key({ plan: 'den' }),
      wolf: await makeOwner(site, { plan: 'wolf' }),
    };
  });
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });
  const find = (q, options) => newVisitor(the.server).open(search(q), options);
  const inBrowser = (t, target, options) => browser.open(t, the.server, target, options);

  /** A trade with a symbol, and what the API says of its member and its symbol. */
  async function known() {
    const { data } = await api('trades?limit=50');
    const trade = data.find(({ ticker }) => ticker);
    const member = trade.politician;
    const company = (await api(`tickers/${trade.ticker}`)).data;
    return { trade, member, company };
  }

  test('a member is first by name, by a misspelled name, and without accents', async () => {
    const { member } = await known();
    const plain = member.name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
    const [first, ...rest] = member.name.split(' ');
    const typo = [first, rest.join(' ').replace(/(.)(.)(.*)$/, '$1$2$2$3')].join(' ');
    for (const q of [member.name, plain, typo, `\u200b${member.name}\u202e`]) {
      assert.equal(hrefs(await find(q))[0], `/politicians/${member.slug}`, q);
    }
  });

  test('a symbol and a company lead to the symbol, with its counts', async () => {
    const { company } = await known();
    for (const q of [company.ticker.toLowerCase(), company.companyName]) {
      const page = await find(q);
      assert.equal(hrefs(page)[0], `/tickers/${company.ticker}`, q);
      const { trades } = company.aggregates;
      const counts = page.all('.found .what').map((node) => text(node))[0];
      assert.match(counts, new RegExp(`^${trades} trade`));
    }
  });

  test('committees and industries lead to their pages, states to their lists', async () => {
    for (const [q, href] of [
      ['senate committee on banking', '/committees/SSBK'],
      ['ssbk', '/committees/SSBK'],
      ['oil and gas', '/industries/oil_gas'],
      ['new mexico', '/politicians?state=NM'],
      ['tx', '/politicians?state=TX'],
    ]) {
      const page = await find(q);
      assert.ok(hrefs(page).includes(href), `${q}: ${hrefs(page)}`);
      await newVisitor(the.server).open(href);
    }
    const state = await newVisitor(the.server).open('/politicians?state=NM');
    assert.match(state.text('title'), /New Mexico/);
    assert.ok((await find('house committee')).all(RESULTS).length >= 8, 'at most eight are listed');
    assert.equal((await find('zzzz')).all(RESULTS).length, 0);
  });

  test('one result is still a page, and all that match are a link away', async () => {
    const { member } = await known();
    const one = await find(member.name);
    assert.equal(one.all('h1').map((node) => text(node))[0], 'Search');
    const many = await find('a');
    const more = many.all('main .actions a').map(({ attribs }) => attribs.href);
    assert.deepEqual(more, ['/politicians?q=a', '/tickers?q=a']);
    for (const target of more) await newVisitor(the.server).open(target);
  });

  test('of equally good results, those with more trades come first', async () => {
    const page = await find('inc');
    const words = page.all('.found .what').map((node) => text(node));
    const counts = words.map((said) => Number.parseInt(said, 10));
    assert.ok(counts.length > 2 && counts[0] > counts.at(-1), words.join(', '));
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
  });

  test('the number of a document leads straight to it', async () => {
    const { trade } = await known();
    const filing = trade.id.replace(/-\d+$/, '');
    const visitor = newVisitor(the.server);
    for (const [q, target] of [
      [trade.id, `/trades/${trade.id}`],
      [filing.toUpperCase(), `/filings/${filing}`],
      [filing.replace(/^\D+/, ''), `/filings/${filing}`],
      [trade.filingUrl, `/filings/${filing}`],
    ]) {
      const response = await visitor.request('GET', search(q));
      assert.equal(response.status, 303, q);
      assert.equal(response.header('location'), target);
    }
    const none = await find('20999999');
    assert.ok(none.text('main .note').includes('20999999'));
    assert.deepEqual(hrefs(none), []);
  });

  test('hostile text finds nothing and does nothing', async () => {
    for (const q of ['%%%', '_', "' OR 1=1 --", '<b>x</b>', '\u202e\u2066', '\0', '((((', '*']) {
      const response = await newVisitor(the.server).request('GET', search(q));
      assert.ok([200, 303, 400].includes(response.status), `${q}: ${response.status}`);
      assert.ok(!response.body.includes('<b>'), q);
    }
    const long = await find('x'.repeat(3000), { status: 400 });
    assert.ok(long.form('/search').fault('q'));
    const words = await find('%', { status: 400 });
    assert.ok(words.form('/search').fault('q'));
    assert.equal(hrefs(await find("%' OR 1=1")).length, 0);
  });

  test('counts omit delayed trades', async () => {
    await the.site.stockact('demo', '--publish', 1, '--rows', 30);
    const fresh = async () =>
      (await api('trades?limit=100')).data.filter(({ disclosedAt }) => disclosedAt > '2026-03');
    await until('the trades are served', async () => (await fresh()).length > 0);
    const [{ politician }] = await fresh();
    const wolf = await signInOnPage(the.server, the.wolf);
    const count = (page) =>
      Number(
        page
          .all('.found .what')
          .map((node) => text(node))[0]
          .split(' ')[0],
      );
    const now = count(await wolf.open(search(politician.name)));
    const then = count(await find(politician.name));
    const own = (await fresh()).filter((trade) => trade.politician.slug === politician.slug);
    assert.equal(now - then, own.length);
  });

  test(
    'without script, the box in the bar of every page is a form',
    { skip: noChromium },
    async (t) => {
      const { member } = await known();
      for (const target of ['/trades', '/docs', '/sign-in']) {
        const page = await inBrowser(t, target, { script: false });
        await page.locator('.top input[name=q]').fill(member.name);
        await page.locator('.top input[name=q]').press('Enter');
        assert.equal(await page.locator(RESULTS).first().textContent(), member.name);
      }
      const front = await inBrowser(t, '/', { script: false });
      assert.equal(await front.getByRole('searchbox').count(), 1);
      await front.getByRole('searchbox').fill(member.name);
      await front.getByRole('searchbox').press('Enter');
      assert.equal(await front.locator(RESULTS).first().textContent(), member.name);
    },
  );

  test('"/" goes to the search, except while the reader types', { skip: noChromium }, async (t) => {
    const place = (page) => page.evaluate(() => document.activeElement.closest('form')?.className);
    for (const [target, form] of [
      ['/tickers', 'search'],
      ['/', 'search'],
      ['/search', 'search'],
      ['/docs', 'find'],
    ]) {
      const page = await inBrowser(t, target);
      await page.keyboard.press('/');
      assert.equal(await place(page), form, target);
      await page.keyboard.type('a/b');
      assert.equal(await page.locator(`.${form} input`).inputValue(), 'a/b', target);
    }
    const page = await inBrowser(t, '/tickers');
    await page.locator('.filters input').focus();
    await page.keyboard.type('/');
    assert.equal(await page.locator('.filters input').inputValue(), '/');
  });
});

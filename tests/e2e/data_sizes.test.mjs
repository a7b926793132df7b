// The first load of every kind of page of data: at most 20 KB, with a member whose trades and seats
// are many, and with the picture of a trade's row. How high it is on a desk and on a phone: no page
// is endless, a trade on a phone has three lines, and the first row of a list needs no scrolling.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { noChromium, recordOf, useBrowser } from './lib/browser.mjs';
import { FIRST_LOAD_MAX, checkPage } from './lib/browser_checks.mjs';
import { HEAVY_SLUG, furnishHeavyMember } from './lib/heavy_member.mjs';
import { checkMarkup } from './lib/html_checker.mjs';
import { NEWSROOM_CLOCK, RENAMED, furnishNewsroom } from './lib/newsroom.mjs';
import { newVisitor } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';

const FLAGGED = 'house-20990001-0002'; // of the small site, with a document
const FILING = 'house-20990001';
const MEMBER = `/politicians/${HEAVY_SLUG}`;

const TARGETS = [
  ...['/', '/trades', '/trades?chamber=senate&amount_min=50001&conflict=true&late=true'],
  ...[`/trades/${FLAGGED}`, '/politicians', MEMBER, `${MEMBER}?conflict=true`],
  ...[`${MEMBER}?traded_from=2015-01-01&traded_to=2015-12-31`, `${MEMBER}/filings`],
  ...['/tickers', '/tickers/QQAA', `/tickers/${RENAMED.symbol}`],
  ...['/conflicts', '/conflicts?flag_industry=banks', '/filings', `/filings/${FILING}`],
  ...[
    '/late',
    '/explore',
    '/explore?group_by=politician,month',
    '/corrections',
    '/coverage',
    '/search',
    '/search?q=a',
  ],
];

const SCREENS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const PAGE_MAX = 12_000;
const TRADE_MAX = 88;
const BAR_MAX = 60; // one row of the navigation
const LISTS =
  /^\/(trades|explore|late|politicians([/][\w-]+)?|tickers|filings|conflicts|corrections)([?]|$)/;

/** The heights that readers scroll through, in CSS pixels. */
const measure = () => {
  const height = (node) => Math.round(node.getBoundingClientRect().height);
  const rows = [...document.querySelectorAll('main tbody tr, .judged > li')];
  const trades = [...document.querySelectorAll('.dealt tbody tr, .judged > li')];
  const narrow = globalThis.innerWidth < 640;
  const first = rows.find((row) => !narrow || !row.closest('.matrix'));
  return {
    page: document.documentElement.scrollHeight,
    bar: height(document.querySelector('.top')),
    trade: Math.max(0, ...trades.map(height)),
    first: first ? Math.round(first.getBoundingClientRect().bottom + globalThis.scrollY) : 0,
  };
};

/** Pages that invented data of `demo` does not have, each with its status. */
const LOOKED_AT = [
  [`/trades/${FLAGGED}`, 200],
  [`/filings/${FILING}`, 200],
  [MEMBER, 200],
  [`/tickers/${RENAMED.symbol}?traded_from=${RENAMED.day}`, 200],
  [`/corrections?ticker=${RENAMED.symbol}`, 200],
  ['/trades?side=x&amount_min=20000&since=2026-03-01T00:00:00Z', 400],
];

describe('the first load of pages of data', { skip: noChromium }, () => {
  const the = useSite({ clock: NEWSROOM_CLOCK }, async (site) => {
    await furnishHeavyMember(site);
    await furnishNewsroom(site);
    await site.clock.advance(72 * 3_600_000);
    const server = await site.serve();
    const filing = (await server.json('/api/v1/trades?politician=ada-brightwater&limit=1')).data[0];
    return { server, large: `/filings/${filing.id.replace(/-\d+$/, '')}` };
  });
  const browser = useBrowser();

  /** Opens the page; without pictures of a document's pages, which are none of its bytes. */
  async function load(t, target, options) {
    const page = await browser.page(t, the.server, options);
    await page.route('**/pages/*.png', (route) => route.fulfill({ status: 200, body: '' }));
    await page.goto(target);
    return page;
  }

  test('each page loads at most 20 KB', async (t) => {
    for (const target of [...TARGETS, the.large]) {
      await t.test(target, async (t) => {
        const page = await load(t, target);
        const bytes = await recordOf(page).firstLoad();
        t.diagnostic(`${bytes} bytes`);
        assert.ok(bytes <= FIRST_LOAD_MAX, `${target} loads ${bytes} bytes`);
      });
    }
  });

  test('no page is endless, and the first row of a list is on the first screen', async (t) => {
    for (const screen of SCREENS) {
      for (const target of [...TARGETS, the.large]) {
        await t.test(`${target} at ${screen.width}`, async (t) => {
          const page = await browser.page(t, the.server);
          await page.setViewportSize(screen);
          await page.route('**/*.png', (route) => route.fulfill({ status: 200, body: '' }));
          await page.goto(target);
          const found = await page.evaluate(measure);
          t.diagnostic(JSON.stringify(found));
          assert.ok(found.page <= PAGE_MAX, `${target} is ${found.page} high`);
          assert.ok(found.bar <= BAR_MAX, `the navigation is ${found.bar} high`);
          if (screen.width === 390)
            assert.ok(found.trade <= TRADE_MAX, `a trade is ${found.trade} high`);
          if (LISTS.test(target))
            assert.ok(found.first <= screen.height, `the first row ends at ${found.first}`);
        });
      }
    }
  });

  test('pages with documents, corrections, a period or a fault are accessible and valid', async (t) => {
    const visitor = newVisitor(the.server);
    const files = [];
    for (const [target, status] of LOOKED_AT) {
      await t.test(target, async (t) => {
        await checkPage(await load(t, target));
        files.push({ name: target, html: (await visitor.open(target, { status })).html });
      });
    }
    assert.equal(files.length, LOOKED_AT.length);
    await checkMarkup(files);
  });

  test('the first load that was measured has the picture of the row', async (t) => {
    const page = await load(t, `/trades/${FLAGGED}`);
    const image = page.locator('.paper img');
    await image.scrollIntoViewIfNeeded();
    const width = await image.evaluate(async (node) => {
      await node.decode();
      return node.naturalWidth;
    });
    assert.ok(width > 1000);
    const bytes = await recordOf(page).firstLoad();
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= FIRST_LOAD_MAX, `${bytes} bytes`);
  });

  test('the member has many trades and seats', async () => {
    const page = await newVisitor(the.server).open(MEMBER);
    assert.match(page.text('.stats dd'), /^2,600/);
    assert.ok(page.all('.seats tbody tr').length >= 32);
    assert.ok(page.all('.timeline a').length > 20);
  });
});

// /politicians and /politicians/{slug}: "did X sit on Y when buying Z, and was it late", answered by
// links alone.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { noChromium, recordOf, useBrowser } from './lib/browser.mjs';
import { checkPage } from './lib/browser_checks.mjs';
import { attribute, one, text } from './lib/html.mjs';
import { checkMarkup } from './lib/html_checker.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { makeSite, useSite } from './lib/site.mjs';

const CLOCK = '2026-03-10T12:00:00Z';
const UNTIL = '2026-03-08T12:00:00.001Z';
const TABLE = '[aria-label="Table of trades"] tbody tr';

/** Of the ranges of the form, in order. */
const LOWER_BOUNDS = [
  ...[1_001, 15_001, 50_001, 100_001, 250_001, 500_001],
  ...[1_000_001, 5_000_001, 25_000_001, 50_000_001],
];

const hrefs = (nodes) => nodes.map((node) => attribute(node, 'href'));

describe('pages of members', () => {
  const the = useSite({ clock: CLOCK }, async (site) => {
    await site.stockact('demo', '--trades', 6000, '--as-of', '2026-03-10');
    const server = await site.serve();
    await site.stockact('demo', '--publish', 1, '--rows', 1);
    const key = await site.key({ plan: 'den' });
    const [busiest] = await site.database.query(
      `SELECT m.slug, m.id, m.name FROM member m JOIN filing f ON f.member_no = m.no
       JOIN trade t ON t.filing_no = f.no JOIN trade_finding s ON s.trade_no = t.no
       GROUP BY m.slug, m.id, m.name ORDER BY count(*) DESC, m.slug LIMIT 1`,
    );
    return { server, key, busiest, owner: await makeOwner(site, { plan: 'den' }) };
  });
  const browser = useBrowser();
  const open = (target, options) => newVisitor(the.server).open(target, options);
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });
  const tradesOf = async (query) => {
    const all = [];
    for (let next = ''; next !== null;) {
      const page = await api(`trades?limit=100&${query}${next && `&cursor=${next}`}`);
      all.push(...page.data);
      next = page.nextCursor;
    }
    return all;
  };
  const path = () => `/politicians/${the.busiest.slug}`;

  test('figures, marks and tables count the trades that the visitor may see', async () => {
    const page = await open(path());
    const query = `politician_slug=${the.busiest.slug}&until=${UNTIL}`;
    const trades = await tradesOf(query);
    const flagged = trades.filter(({ conflictSignal }) => conflictSignal).length;
    const later = (await tradesOf(`${query}&basis=later_list`)).length;
    const late = (await tradesOf(`${query}&late=true`)).length;
    assert.ok(later > 0 && flagged > later && late > 1 && trades.length > 20);
    assert.deepEqual(figures(page).slice(0, 3), [trades.length, flagged - later, late]);
    assert.ok(page.text('.stats').includes(`and ${later} by a later list`));
    const years = page.all('.years tbody tr td:nth-child(2)').map((cell) => text(cell));
    assert.equal(
      years.reduce((sum, text) => sum + Number(text), 0),
      trades.length,
    );
    const plausible = trades.filter(({ tradeDate }) => tradeDate !== null).length;
    const hidden = Number(page.text('main').match(/without a plausible date \((\d+)\)/)?.[1] ?? 0);
    assert.ok(plausible >= trades.length - hidden);
    assert.equal(marks(page), trades.length - hidden);
  });

  test('each mark shows side, range, flag and lateness of its trade', async () => {
    const query = `politician_slug=${the.busiest.slug}&until=${UNTIL}`;
    const late = new Set((await tradesOf(`${query}&late=true`)).map(({ id }) => id));
    const kinds = new Map();
    for (const { id, side, amountRange, conflictSignal } of await tradesOf(query)) {
      const lane = { buy: 0, exchange: 2 }[side] ?? 1;
      const size = 'bcdefghijk'[LOWER_BOUNDS.indexOf(amountRange.min)];
      kinds.set(id, `#s-${lane}${size}${conflictSignal ? 's' : ''}${late.has(id) ? 'u' : ''}`);
    }
    const years = hrefs((await open(path())).all('.years tbody a'));
    const seen = [];
    for (const year of years.slice(0, 4)) {
      const page = await open(path() + year.replace(/#.*/, ''));
      for (const mark of page.all('.drawing a[href^="/trades/"]')) {
        const kind = attribute(one('use', mark), 'href');
        assert.equal(kind, kinds.get(attribute(mark, 'href').replace('/trades/', '')));
        seen.push(kind);
      }
    }
    for (const kind of [/-0/, /-1/, /b/, /[cd]/, /s/, /u$/])
      assert.ok(
        seen.some((one) => kind.test(one)),
        `${kind} ${seen}`,
      );
  });

  /** The numbers above the drawing: trades, flagged, late. */
  function figures(page) {
    return page.all('.stats dd').map((node) => Number(node.children[0].data));
  }

  /** Trades in the drawing: marks, and the numbers of bars. */
  function marks(page) {
    const bars = page.all('.timeline .n').map((node) => Number(text(node)));
    const single = page.all('.drawing a[href^="/trades/"]').length;
    return single + bars.reduce((sum, count) => sum + count, 0);
  }

  test('a flagged trade leads to the seats that it rests on', async () => {
    const page = await open(`${path()}?conflict=true`);
    const { data } = await api(
      `trades?limit=1&conflict=true&politician_slug=${the.busiest.slug}&until=${UNTIL}`,
    );
    const { conflict } = (await api(`trades/${data[0].id}`)).data;
    const row = page.all(TABLE).find((node) => text(node).includes('flagged'));
    const links = page.all(`${TABLE} a.key`).map((node) => attribute(node, 'href'));
    assert.ok(row && links.length > 0);
    const titles = links.map((link) => page.text(`[id="${link.slice(1)}"] th`));
    for (const { name } of conflict.committees)
      assert.ok(
        titles.some((title) => name.startsWith(title.replace(/^\S+ /, ''))),
        name,
      );
    assert.ok(page.all('.timeline rect.k').length > 0, 'ticks on the seats');
  });

  test('each drawn seat can be seen, and none is drawn in the future', async () => {
    const { data } = await api('politicians?limit=100&has_trades=true');
    let drawn = 0;
    for (const { slug } of data.slice(0, 40)) {
      const page = await open(`/politicians/${slug}`);
      const rows = new Map(); // the percent of the axis that the bars of a row take
      for (const bar of page.all('.timeline rect.b')) {
        const width = parseFloat(attribute(bar, 'width'));
        const y = attribute(bar, 'y');
        rows.set(y, (rows.get(y) ?? 0) + width);
      }
      const ticks = new Set(
        // they stand out of their bar by two pixels
        page.all('.timeline rect.k').map((tick) => String(Number(attribute(tick, 'y')) + 2)),
      );
      for (const [y, percent] of rows)
        assert.ok(percent >= 0.9 || ticks.has(y), `${slug}: ${percent} %`);
      drawn += rows.size;
    }
    assert.ok(drawn > 40);
    const later = await open(`${path()}?traded_from=2030-01-01`);
    assert.equal(later.all('.timeline rect.b').length, 0);
    const untilLater = await open(`${path()}?traded_from=2025-01-01&traded_to=2030-12-31`);
    assert.match(untilLater.text('.timeline desc'), /^From 2025-01-01 to 2026-03-31\./);
  });

  test('the other forms of the list of trades have its filters', async () => {
    const filters = 'conflict=true&traded_from=2020-01-01';
    const page = await open(`${path()}?${filters}`);
    const shown = page.all(`${TABLE} th a`).map((node) => attribute(node, 'href'));
    const asked = new URLSearchParams(`politician_slug=${the.busiest.slug}&${filters}`);
    asked.sort();
    for (const name of ['JSON', 'Atom feed', 'JSON Feed']) {
      const link = page.all('p.small a').find((node) => text(node) === name);
      const { pathname, searchParams } = new URL(attribute(link, 'href'), 'http://x');
      searchParams.sort();
      assert.equal(String(searchParams), String(asked), name);
      if (name === 'JSON Feed') {
        const { items } = JSON.parse(
          (await newVisitor(the.server).request('GET', `${pathname}?${searchParams}`)).text,
        );
        const ids = items.map(({ url }) => new URL(url).pathname);
        assert.deepEqual(ids.slice(0, shown.length), shown);
      }
    }
  });

  test('a year of the axis, and a choice, lead to the same trades as the API', async () => {
    let page = await open(path());
    const year = page.all('.years tbody a')[0];
    const {
      pathname,
      search,
      searchParams: from,
    } = new URL(attribute(year, 'href'), `http://x${path()}`);
    page = await open(`${pathname}${search}`);
    const period = `traded_from=${from.get('traded_from')}&traded_to=${from.get('traded_to')}`;
    const choice = page.all('.choices a').find((node) => text(node) === 'Bought');
    page = await open(attribute(choice, 'href').replace(/#.*/, ''));
    const query = `politician_slug=${the.busiest.slug}&${period}&side=buy&until=${UNTIL}`;
    const { data } = await api(`trades?limit=8&${query}`);
    assert.deepEqual(
      hrefs(page.all(`${TABLE} th a`)),
      data.map(({ id }) => `/trades/${id}`),
    );
    assert.equal(page.text('.choices [aria-current]'), 'Bought');
    assert.match(page.text('.period'), /Show all years/);
  });

  test('a period of a member is named by its first and last day', async () => {
    const periods = {
      'traded_from=2025-01-17': 'since 2025-01-17',
      'traded_to=2025-02-03': 'until 2025-02-03',
      'traded_from=2025-01-17&traded_to=2025-02-03': 'from 2025-01-17 to 2025-02-03',
    };
    for (const [query, name] of Object.entries(periods)) {
      const page = await open(`${path()}?${query}`);
      assert.equal(page.text('.period'), `Trades made ${name} Show all years`);
    }
  });

  test('an account that sees everything at once has the newest trades too', async () => {
    const [{ politician, disclosedAt }] = (await api('trades?limit=1')).data;
    assert.ok(disclosedAt >= UNTIL);
    const target = `/politicians/${politician.slug}`;
    const all = (await tradesOf(`politician_slug=${politician.slug}`)).length;
    const visitor = await signInOnPage(the.server, the.owner);
    assert.equal(figures(await visitor.open(target))[0], all);
    assert.ok((figures(await open(target))[0] ?? 0) < all);
  });

  test('an id, and a slug in capitals, lead to the slug; an unknown one is not found', async () => {
    const visitor = newVisitor(the.server);
    for (const name of [the.busiest.id, the.busiest.slug.toUpperCase()]) {
      const response = await visitor.request('GET', `/politicians/${name}`);
      assert.equal(response.status, 303, name);
      assert.equal(response.header('location'), path());
    }
    await open('/politicians/nobody-at-all', { status: 404 });
    await open('/politicians/%3Cscript%3E', { status: 404 });
  });

  test('a faulty filter is named, and the page is still there', async () => {
    const page = await open(`${path()}?traded_from=tomorrow&side=x`, { status: 400 });
    assert.match(page.text('.faults'), /This must be/);
    const backward = await open(`${path()}?traded_from=2026-02-02&traded_to=2026-02-01`, {
      status: 400,
    });
    assert.match(backward.text('.faults'), /must not be before the start/);
    assert.ok(page.all('.drawing svg').length > 0);
  });

  test('the list has those in office first, and finds a member by any spelling', async () => {
    const page = await open('/politicians');
    assert.equal(page.text('h2'), 'In office');
    const [first] = the.busiest.name.split(' ');
    const last = the.busiest.name.split(' ').at(-1);
    const found = await open(
      `/politicians?q=${encodeURIComponent(`${last} ${first}`.toUpperCase())}`,
    );
    assert.ok(hrefs(found.all('tbody th a')).includes(path()));
    const all = (await api('politicians?limit=100&chamber=senate')).data;
    const data = all.filter(({ inOffice }) => inOffice);
    const senate = await open('/politicians?chamber=senate&in_office=true');
    const shown = hrefs(senate.all('tbody th a'));
    assert.ok(shown.length > 5);
    assert.deepEqual(
      shown.slice(0, data.length),
      data.slice(0, shown.length).map(({ slug }) => `/politicians/${slug}`),
    );
    const told = senate.all('section p.tally').map((p) => Number(/^\d+/.exec(text(p))[0]));
    assert.deepEqual(told, [data.length]);
    const ranked = await open('/politicians?chamber=senate&in_office=true&sort=trades');
    const [most] = (await api('politicians?chamber=senate&in_office=true&sort=trades')).data;
    assert.equal(hrefs(ranked.all('tbody th a'))[0], `/politicians/${most.slug}`);
    const next = senate.all('a[rel=next]')[0];
    if (next) assert.match(attribute(next, 'href'), /chamber=senate&in_office=true&cursor=/);
    const none = await open('/politicians?q=zzzzqqqq');
    assert.match(none.text('.empty'), /No member matches/);
    const nobody = await open('/politicians?party=Whig', { status: 400 });
    assert.ok(nobody.form('/politicians').fault('party'));
    const faulty = await open('/politicians?state=ZZ', { status: 400 });
    assert.ok(faulty.form('/politicians').fault('state'));
  });

  test('links show all members or only those with trades, and keep the other filters', async () => {
    const chosen = (page) => hrefs(page.all('.choices[aria-label^=Which] [aria-current]'));
    const counts = (page) => page.all('td[data-label=Trades]').map((cell) => text(cell));
    const all = await open('/politicians?chamber=house');
    const links = hrefs(all.all('.choices[aria-label^=Which] a'));
    assert.deepEqual(links, [
      '/politicians?chamber=house',
      '/politicians?chamber=house&has_trades=true',
    ]);
    assert.deepEqual(chosen(all), [links[0]]);
    assert.ok(counts(all).includes(''), 'a member without trades');
    const traded = await open(links[1]);
    assert.deepEqual(hrefs(traded.all('.choices[aria-label^=Which] a')), links);
    assert.deepEqual(chosen(traded), [links[1]]);
    assert.equal(attribute(traded.one('#f-has_trades [selected]'), 'value'), 'true');
    assert.ok(counts(traded).length > 5 && !counts(traded).includes(''));
    assert.deepEqual(chosen(await open('/politicians?has_trades=false')), []);
  });

  test('the sum of the ranges is inside its box on a phone', { skip: noChromium }, async (t) => {
    const page = await browser.open(t, the.server, path(), { narrow: true });
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await page
        .locator('.stats dd')
        .evaluateAll((nodes) =>
          nodes.filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.innerText),
        );
      assert.deepEqual(cut, [], `${width} pixels`);
    }
  });

  for (const narrow of [false, true]) {
    const name = `a fault below a filter does not move the others, ${narrow ? 'narrow' : 'wide'}`;
    test(name, { skip: noChromium }, async (t) => {
      for (const target of ['/politicians?party=Whig&in_office=x', '/trades?party=Whig&side=x']) {
        const page = await browser.open(t, the.server, target, { status: 400, narrow });
        const boxes = (what) =>
          page.locator(`.filters ${what}`).evaluateAll((nodes) =>
            nodes.map((node) => {
              const { left, right, top, bottom } = node.getBoundingClientRect();
              return { name: node.name, left, right, top, bottom, middle: (top + bottom) / 2 };
            }),
          );
        assert.equal((await boxes('.error')).length, 2);
        const fields = await boxes(':is(input, select)');
        let compared = 0;
        for (const [i, { name, left, middle }] of fields.entries()) {
          const before = fields[i - 1];
          if (!before || left <= before.left) continue; // the first of its line
          assert.ok(Math.abs(middle - before.middle) < 1, `${name}: ${middle - before.middle}`);
          compared++;
        }
        assert.ok(compared >= (narrow ? 3 : 5));
        for (const label of await boxes('label'))
          for (const { name, left, right, top, bottom } of fields)
            assert.ok(
              label.right <= left ||
                label.left >= right ||
                label.bottom <= top ||
                label.top >= bottom,
              `a label covers ${name}`,
            );
      }
    });
  }

  test('all filings of a member are listed once, with the due days of the API', async () => {
    const trades = await tradesOf(`politician_slug=${the.busiest.slug}&until=${UNTIL}`);
    const filings = new Set(trades.map(({ id }) => id.replace(/-\d+$/, '')));
    const seen = [];
    const rows = [];
    for (let target = `${path()}/filings`; target;) {
      const page = await open(target);
      seen.push(...page.all('tbody td:nth-child(2)').map((cell) => text(cell)));
      rows.push(...page.all('tbody tr'));
      target = hrefs(page.all('a[rel=next]'))[0];
      if (target) assert.match(target, /\/filings\?after=/);
    }
    assert.deepEqual([...seen].sort(), [...filings].sort());
    const late = rows.find((row) => /days late/.test(text(row)));
    const filing = text(one('a', late));
    const dates = [];
    for (const { id } of trades.filter((trade) => trade.id.startsWith(`${filing}-`)))
      dates.push((await api(`trades/${id}`)).data.source);
    const worst = dates.sort((a, b) => b.daysLate - a.daysLate)[0];
    assert.ok(text(late).includes(`${worst.dueDate}${worst.daysLate} days late`), text(late));
    for (const after of ['nonsense', 'house-1', '%3Cscript%3E']) {
      const faulty = await open(`${path()}/filings?after=${after}`, { status: 400 });
      assert.match(faulty.text('.faults'), /The cursor in this address is invalid/);
      assert.equal(text(faulty.all('tbody td:nth-child(2)')[0]), seen[0]);
    }
    const first = await open(path());
    assert.equal(hrefs(first.all('[aria-label="Table of filings"] a'))[0], `/filings/${seen[0]}`);
  });

  test('the stylesheet of data pages is valid', async () => {
    const visitor = newVisitor(the.server);
    const page = await visitor.open(path());
    const styles = hrefs(page.all('link[rel=stylesheet]'));
    const files = [];
    for (const name of styles) files.push({ name, css: (await visitor.request('GET', name)).text });
    await checkMarkup(files);
  });

  test(
    'the page of the busiest member is accessible and small',
    { skip: noChromium },
    async (t) => {
      const page = await browser.open(t, the.server, path());
      assert.ok((await page.locator('.timeline .ts').count()) > 0, 'bars with flagged trades');
      t.diagnostic(`${await checkPage(page)} bytes`);
    },
  );

  test(
    'in print, the page has the drawing and the tables, in dark ink',
    { skip: noChromium },
    async (t) => {
      const page = await browser.open(t, the.server, path());
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const shown = (selector) => page.locator(selector).first().isVisible();
      for (const selector of ['.top', '.foot', '.choices', '.banner'])
        assert.equal(await shown(selector), false, selector);
      for (const selector of ['h1', '.timeline', TABLE, '.seats', '.years'])
        assert.equal(await shown(selector), true, selector);
      const style = (selector, name) =>
        page.locator(selector).evaluate((node, name) => getComputedStyle(node)[name], name);
      const sum = (colour) => colour.match(/\d+/g).reduce((total, one) => total + Number(one), 0);
      assert.ok(sum(await style('h1', 'color')) < 200, await style('h1', 'color'));
      assert.equal(await style('.drawing', 'breakInside'), 'avoid');
    },
  );

  test(
    'marks are reached and followed by keyboard; the drawing can be skipped',
    { skip: noChromium },
    async (t) => {
      const page = await browser.open(t, the.server, path(), { script: false });
      const skip = page.locator('section a.skip');
      await skip.focus();
      assert.ok((await skip.boundingBox()).x >= 0);
      await skip.press('Enter');
      assert.match(page.url(), /#trades$/);
      const mark = page.locator('.drawing a[href^="/trades/"]').first();
      const target = await mark.getAttribute('href');
      assert.match(await mark.locator('title').textContent(), /^\d{4}-\d\d-\d\d (bought|sold)/);
      await mark.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${target}`);
      assert.deepEqual(recordOf(page).faults, []);
    },
  );
});

test('hostile names are text on both pages', async (t) => {
  const name = `<img src=x onerror="alert(1)">'&amp;{{name}} \u202eabc`;
  const site = await makeSite(t, { clock: CLOCK });
  await site.stockact('demo', '--trades', 50, '--as-of', '2026-01-10');
  const [{ slug }] = await site.database.query(
    'SELECT m.slug FROM member m JOIN filing f ON f.member_no = m.no ORDER BY f.no LIMIT 1',
  );
  await site.database.execute(`UPDATE member SET name = '${name.replaceAll("'", "''")}'
    WHERE slug = '${slug}'`);
  await site.database.execute(`INSERT INTO member_name (member_no, position, first_name, last_name)
    SELECT no, 99, 'Ada', '<i>"O</i>' FROM member WHERE slug = '${slug}'`);
  const visitor = newVisitor(await site.serve());
  const page = await visitor.open(`/politicians/${slug}`);
  assert.equal(page.text('h1'), name.replace('\u202e', '\\u{202E}'));
  assert.match(page.text('head title'), /^<img src=x/);
  assert.ok(page.text('.member').includes('<i>"O</i>'));
  assert.equal(page.all('img, i').length, 0);
  const list = await visitor.open('/politicians?has_trades=true');
  assert.ok(list.text('tbody').includes('<img src=x'));
  assert.equal(list.all('img').length, 0);
  await checkMarkup([{ name: 'politician', html: page.html }]);
});

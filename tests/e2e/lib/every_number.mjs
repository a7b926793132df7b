// Reads every number on every page of data that a reader reaches, and compares each with a count over
// the store. A number that no row of the table explains is a fault.

import { strict as assert } from 'node:assert';
import { all, attribute, one, parseHtml } from './html.mjs';

const DATA =
  /^\/($|[?]|(trades|filings|corrections|politicians|tickers|conflicts|search|coverage)\b)/;

/** What names something and counts nothing: days, times, documents, amounts, districts, addresses. */
const NAMES = [
  /\b[0-9a-f]{64}\b/g,
  /https?:\S+/g,
  /\b(senate-)?[0-9a-f]{8}-[0-9a-f-]{27}(-\d{4})?/g,
  /\bhouse-\d+(-\d{4})?/g,
  /\b\d{8}\b/g,
  /\d{4}-\d\d-\d\d( \d\d:\d\d E[DS]T)?/g,
  /\$[\d,]+[KMB]?/g,
  /\b[A-Z]{2}-\d+\b/g,
];

/** The text of a node, with a space between its parts. */
const text = (node) =>
  (node.type === 'text' ? node.data : (node.children ?? []).map(text).join(' '))
    .replace(/\s+/g, ' ')
    .trim();

const numbersIn = (words) => {
  const rest = NAMES.reduce((left, name) => left.replace(name, ' '), words);
  return (rest.match(/\d[\d,]*(\.\d+)?/g) ?? []).map((one) => Number(one.replaceAll(',', '')));
};

const up = (node, name) => {
  while (node && node.name !== name) node = node.parent;
  return node;
};
const positive = (...numbers) => numbers.filter((n) => n > 0);
/** The list of members leaves zeros out. */
const column = ({ target }, n) => (target.startsWith('/politicians') ? positive(n) : [n]);
const hrefs = (node) => all('a[href]', node).map((link) => attribute(link, 'href'));
const linked = (node, kind) =>
  hrefs(node)
    .map((href) => new RegExp(`^/${kind}/([^/?#]+)`).exec(href)?.[1])
    .find(Boolean);

/** The trade of a row of a table, or of the page. */
function tradeOf(node, { target }) {
  const row = up(node, 'tr');
  return (row && linked(row, 'trades')) ?? /^\/trades\/([^/?]+)/.exec(target)?.[1];
}

/** The trades that a page is about: all, or those of a member, symbol or filing. */
function tradesOf({ target, store }) {
  const [, kind, key] = /^\/(politicians|tickers|filings)\/([^/?]+)/.exec(target) ?? [];
  if (kind === 'politicians') return store.trades.filter(({ slug }) => slug === key);
  if (kind === 'tickers') return store.trades.filter(({ ticker }) => ticker === key);
  if (kind === 'filings') return store.trades.filter(({ filing }) => filing === key);
  return store.trades;
}

export function sums(trades) {
  const of = (status) => trades.filter((one) => one.status === status).length;
  const bought = trades.filter(({ side }) => side === 'buy').length;
  const sold = trades.filter(({ side }) => side.startsWith('sell')).length;
  const [late, unknown] = [of('late'), of('unknown')];
  return { trades: trades.length, bought, sold, late, unknown, known: trades.length - unknown };
}

const byYear = (trades) => Map.groupBy(trades, ({ traded }) => traded?.slice(0, 4));

/** Counts of what a row of a table, or an item of a list, links to. */
function linkedSums(node, page) {
  const item = up(node, 'tr') ?? up(node, 'li');
  const of = { slug: linked(item, 'politicians'), filing: linked(item, 'filings') };
  const ticker = linked(item, 'tickers');
  const own = page.target.startsWith('/tickers/') ? tradesOf(page) : page.store.trades;
  const key = of.filing ? 'filing' : of.slug ? 'slug' : 'ticker';
  const wanted = of[key] ?? ticker;
  return { ...sums(own.filter((trade) => trade[key] === wanted)), slug: of.slug, ticker };
}

/** The label of a fact: the <dt> before it. */
const labelOf = (node) => text(one('dt', node.parent));

const FACTS = {
  Trades: (n) => [n.trades, ...(n.sides ? [n.bought, n.sold] : [])],
  'Trades added': (n) => [n.trades],
  Bought: (n) => [n.bought],
  Sold: (n) => [n.sold],
  Exchanged: () => [0],
  Flagged: () => [0],
  'Reported late': (n) =>
    n.known || !n.unknown ? [n.late, n.known, ...positive(n.unknown)] : [n.unknown],
};

function statistic(node, page) {
  const n = { ...sums(tradesOf(page)), sides: page.target.startsWith('/politicians') };
  const label = labelOf(node);
  if (label === 'Members') return [new Set(tradesOf(page).map(({ slug }) => slug)).size];
  if (label === 'Last report') {
    const [, slug] = /^\/politicians\/([^/?]+)/.exec(page.target);
    const { published, indexed } = page.store.reports(slug);
    return [published, ...(indexed === null ? [] : [indexed])];
  }
  return FACTS[label]?.(n);
}

/** Years in which a member traded; the last column before brackets is that of the year. */
function yearCell(node, page) {
  const row = up(node, 'tr');
  const head = all('thead th', up(node, 'table')).map(text);
  const column = head[all('th, td', row).indexOf(node)];
  const year = text(all('th', row)[0]);
  const plausible = page.store.plausible(tradesOf(page));
  const of = /plausible/.test(year)
    ? tradesOf(page).filter((one) => !plausible.includes(one))
    : (byYear(plausible).get(year) ?? []);
  const n = sums(of);
  if (column === 'Trades') return [n.trades];
  if (column === 'Bought') return [n.bought];
  if (column === 'Sold') return positive(n.sold);
  if (column === 'Late') return positive(n.late, n.unknown);
  if (!/^\$/.test(column) || /Total/.test(column)) return [];
  const from = Number(/^\$(\d+)K/.exec(column)?.[1]);
  return positive(of.filter(({ low }) => Math.floor(low / 1000) === from).length);
}

/** "2 bars from 2024 to 2025. The highest is 2024 (bought: 5)." and the bars. */
function chart(node, page) {
  const bars = [...byYear(page.store.plausible(tradesOf(page)))].filter(([year]) => year);
  const most = bars.reduce((a, b) => (b[1].length > a[1].length ? b : a));
  const years = bars.map(([year]) => Number(year));
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return [last - first + 1, first, last, Number(most[0]), most[1].length];
}

const lateDays = (node, page) => [page.store.dates.get(tradeOf(node, page)).daysLate];

/** [which pages, selector of an element, the numbers in it]. null: they count nothing, or another test
 *  counts them. The first row of an element that has an answer is taken. */
const ROWS = [
  [/./, 'time, code, pre, option, h1 code, .crumbs code, .printed, .legend', null],
  [/./, 'nav.choices, p.delay, p.lead, .paper figcaption, .bars ~ p, .timeline', null],
  [/^\/trades$/, '.count', null], // data_trades counts them
  [/^\/(politicians|tickers)$/, 'p.tally', null], // data_politician and data_tickers count them
  [/^\/$/, 'p.actions, .chart', null], // data_filings counts the chart
  [/^\/$/, 'p.total', (_, { n }) => [n.trades, 0, n.late, n.known]],
  [
    /^\/($|search)/,
    'li .what',
    (node, page) => {
      const n = linkedSums(node, page);
      const waiting = n.slug && page.target !== '/' ? page.store.reports(n.slug).waiting : 0;
      return positive(n.trades, n.late, n.unknown, waiting);
    },
  ],
  [/./, '.dealt td .late', lateDays],
  [
    /./,
    'td[data-label=Reported] a',
    (node, page) => [page.store.dates.get(tradeOf(node, page)).daysToReport],
  ],
  [
    /./,
    'td[data-label="In the document"]',
    (node, page) => {
      const trade = page.store.byId.get(tradeOf(node, page));
      const { daysLate } = page.store.dates.get(trade.id);
      return [...positive(trade.page), trade.row, ...positive(daysLate ?? 0)];
    },
  ],
  [/^\/trades\/[^/]+$/, '.crumbs', (_, page) => [page.store.byId.get(tradeOf(_, page)).row]],
  [
    /^\/trades\/[^/]+$/,
    'dl.stats dd',
    (node, page) => {
      const dates = page.store.dates.get(tradeOf(node, page));
      if (labelOf(node) === 'On time')
        return [...positive(dates.daysLate), ...(/45 days/.test(text(node)) ? [30, 45] : [])];
      return labelOf(node) === 'Reported' ? positive(dates.daysToReport) : undefined;
    },
  ],
  [/^\/trades\/[^/]+$/, 'dl.facts dt', (node) => (/SHA/.test(text(node)) ? [256] : [])],
  [
    /^\/trades\/[^/]+$/,
    'dl.facts dd',
    (node, page) => {
      if (labelOf(node) === 'Cite this') return null;
      const { row, page: number } = page.store.byId.get(tradeOf(node, page));
      if (/reviewer/.test(text(node))) return [...(/seconds/.test(text(node)) ? [0] : []), 1];
      return /\brow \d/.test(text(node)) ? [...positive(number), row] : [];
    },
  ],
  [
    /^\/filings\/[^/]+$/,
    'h1',
    (node, page) => (/trade/.test(text(node)) ? [sums(tradesOf(page)).trades] : []),
  ],
  [/^\/(politicians|filings|tickers)\/[^/]+$/, 'dl.stats dd', statistic],
  [
    /^\/filings$/,
    'td[data-label="Of these"]',
    (node, page) => {
      const n = linkedSums(node, page);
      return positive(n.late, n.unknown);
    },
  ],
  [
    /^\/politicians$/,
    'td[data-label=Late]',
    (node, page) => {
      const n = linkedSums(node, page);
      return n.late || n.known ? [n.late, ...positive(n.unknown)] : positive(n.unknown);
    },
  ],
  [
    /^\/politicians$/,
    'td[data-label=Waiting]',
    (node, page) => positive(page.store.reports(linkedSums(node, page).slug).waiting),
  ],
  [
    /^\/(?!coverage)/,
    'section > .table:not(.years) td[data-label=Trades], main > .table td[data-label=Trades]',
    (node, page) => [linkedSums(node, page).trades],
  ],
  [/./, 'td[data-label=Bought]', (node, page) => column(page, linkedSums(node, page).bought)],
  [/./, 'td[data-label=Sold]', (node, page) => column(page, linkedSums(node, page).sold)],
  [/./, 'td[data-label=Flagged]', (_, page) => column(page, 0)],
  [
    /^\/tickers$/,
    'td[data-label=Members]',
    (node, page) => {
      const { ticker } = linkedSums(node, page);
      return [
        new Set(page.store.trades.filter((one) => one.ticker === ticker).map(({ slug }) => slug))
          .size,
      ];
    },
  ],
  [/^\/conflicts$/, '.overview > p', () => [0, 0]],
  [/^\/conflicts$/, '.count', () => [0]],
  [/^\/politicians\/[^/]+$/, '.years tbody th', null],
  [/^\/politicians\/[^/]+$/, '.years td', yearCell],
  [
    /^\/politicians\/[^/]+(\/filings)?$/,
    'td[data-label="Days to report"]',
    (node, page) => {
      const days = filed(node, page).map(({ id }) => page.store.dates.get(id).daysToReport);
      const known = days.filter((one) => one !== null);
      const [low, high] = [Math.min(...known), Math.max(...known)];
      return !known.length ? [] : low === high ? [low] : [low, high];
    },
  ],
  [
    /^\/politicians\/[^/]+(\/filings)?$/,
    'td[data-label="On time"]',
    (node, page) => {
      const trades = filed(node, page);
      const days = trades.map(({ id }) => page.store.dates.get(id).daysLate ?? 0);
      return positive(Math.max(...days), sums(trades).unknown);
    },
  ],
  [
    /^\/politicians\//,
    'p',
    (node, page) => {
      const [, slug] = /^\/politicians\/([^/?]+)/.exec(page.target);
      return /known report/.test(text(node)) ? [page.store.reports(slug).missing] : undefined;
    },
  ],
  [
    /^\/(tickers|politicians)\//,
    'p.small',
    (node, page) =>
      /plausible/.test(text(node))
        ? [tradesOf(page).length - page.store.plausible(tradesOf(page)).length]
        : numbersIn(text(node)).filter((n) => n === 30 || n === 45),
  ],
  [/^\/tickers\//, 'svg desc', chart],
  [
    /^\/tickers\//,
    'svg a title',
    (node, page) => {
      const [, year, side] = /^(\d+) \((\w+):/.exec(text(node));
      return [Number(year), sums(byYear(page.store.plausible(tradesOf(page))).get(year))[side]];
    },
  ],
  [/^\/tickers\//, '.scale, .days, figure tbody th', null],
  [
    /^\/tickers\//,
    'figure td',
    (node, page) => {
      const year = text(one('th', up(node, 'tr')));
      const trades = byYear(page.store.plausible(tradesOf(page))).get(year) ?? [];
      const column = all('td', up(node, 'tr')).indexOf(node);
      return [sums(trades)[['bought', 'sold'][column]] ?? 0];
    },
  ],
  [/^\/corrections/, 'tr small', (_, { store }) => [store.history]],
  [/^\/coverage$/, '.scale, .days, figure tbody th, .bars desc', null],
  [
    /^\/coverage$/,
    'figure .bars g title, figure td',
    (node, page) => {
      const figure = up(node, 'figure');
      const chamber = /house/i.test(attribute(one('svg desc', figure), 'id')) ? 'house' : 'senate';
      const row = up(node, 'tr');
      const year = row ? text(one('th', row)) : /^\d+/.exec(text(node))[0];
      const { public: n } = page.store.coverage(chamber, year);
      const known = page.store.indexYears.includes(`${chamber} ${year}`);
      if (!row) return [Number(year), n];
      const column = text(all('thead th', up(node, 'table'))[all('th, td', row).indexOf(node)]);
      return [
        (/^published$/i.test(column) && known) || (/known here/i.test(column) && !known) ? n : 0,
      ];
    },
  ],
  [
    /^\/coverage$/,
    'dl.stats dd',
    (node, { store }) => {
      const label = labelOf(node);
      if (label === 'Published') return [store.filings.length];
      if (label === 'Waiting') return [0];
      if (label === 'Not published') return [0, 0];
      return label === 'Newest publication' ? numbersIn(text(node)) : undefined;
    },
  ],
  [
    /^\/coverage$/,
    'td[data-label=House], td[data-label=Senate]',
    (node, { store }) => {
      const chamber = attribute(node, 'data-label').toLowerCase();
      const state = /amended/.test(text(one('th', up(node, 'tr')))) ? 'amended' : 'published';
      const of = (one) => one.chamber === chamber && one.state === state;
      return [store.filings.filter(of).length];
    },
  ],
  [
    /^\/coverage$/,
    'td[data-label=Reports]',
    (node, { store }) => {
      const name = text(one('th', up(node, 'tr')));
      const review = { Unseen: 'unseen', 'In bulk': 'bulk' }[name];
      return [
        store.filings.filter((one) => (one.acceptance_no === null ? 'bulk' : 'unseen') === review)
          .length,
      ];
    },
  ],
  [/^\/coverage$/, 'td[data-label="Seconds a row"]', (node) => (text(node) === '–' ? [] : [0])],
  [/^\/coverage$/, '[aria-labelledby=right]', null], // desk_sample.test.mjs counts these
  [/^\/coverage$/, '[aria-labelledby=bulk] td.number', (_, { store }) => [store.history]],
];

/** The trades of the report that a row of a member's filings is about. */
function filed(node, page) {
  const filing = linked(up(node, 'tr'), 'filings');
  return tradesOf({ ...page, target: `/filings/${filing}` });
}

/** Everything that the database has, as a reader sees it. */
export async function storeOf({ site, json, statuses, line }) {
  const { database } = site;
  const rows = await database.query(
    'SELECT t.id, t.disclosed_at, t.ticker, t.side, t.amount_bucket, t.trade_day, t.position, t.page,' +
      ' f.id AS filing, m.slug FROM trade t JOIN filing f ON f.no = t.filing_no' +
      ' JOIN member m ON m.no = f.member_no WHERE t.withdrawn_at IS NULL ORDER BY t.id',
  );
  const day = (days) =>
    days === null ? null : new Date(Number(days) * 864e5).toISOString().slice(0, 10);
  const trades = rows
    .filter(({ disclosed_at: at }) => Number(at) <= line)
    .map((one) => ({
      ...one,
      traded: day(one.trade_day),
      row: Number(one.position),
      page: Number(one.page ?? 0),
      low: Number(/^(\d+)k/.exec(one.amount_bucket)[1]) * 1000,
      status: statuses[one.id][0],
    }));
  const filings = await database.query(
    'SELECT f.id, f.chamber, f.state, f.review, f.filed_at, f.published_at, f.acceptance_no, m.slug FROM filing f' +
      " JOIN member m ON m.no = f.member_no WHERE f.state IN ('published', 'amended')",
  );
  const indexes = await database
    .query("SELECT source_id FROM document WHERE kind = 'house_index'")
    .catch(() => []);
  const { data } = await json('/api/v1/trades?limit=100&fields=dates');
  const late = ([status, reason, days]) => ({
    lateStatus: status,
    lateReason: reason,
    daysLate: days,
  });
  const year = (ms) => new Date(Number(ms)).toISOString().slice(0, 4);
  return {
    trades,
    filings,
    history: rows.filter(({ filing }) => filing.endsWith('9')).length,
    byId: new Map(trades.map((one) => [one.id, one])),
    dates: new Map(
      data.map(({ id, dates }) => [
        id,
        {
          ...dates,
          ...late(statuses[id]),
          daysToReport:
            statuses[id][0] === 'unknown' && statuses[id][1] !== 'by'
              ? statuses[id][1] === 'original_missing'
                ? null
                : dates.daysToReport
              : dates.daysToReport,
        },
      ]),
    ),
    plausible: (some) => some.filter(({ traded }) => traded && traded < '2100'),
    indexYears: ['house 2025'],
    coverage: (chamber, of) => ({
      public: filings.filter((one) => one.chamber === chamber && year(one.filed_at) === of).length,
    }),
    reports(slug) {
      const own = filings.filter((one) => one.slug === slug);
      const seen = own.filter((one) => Number(one.published_at) <= line);
      const house = own.filter((one) => one.chamber === 'house').length;
      return {
        published: seen.length,
        missing: own.length - seen.length,
        waiting: 0,
        indexed: house || null,
      };
    },
  };
}

/** Walks all pages that the reader reaches; returns how many numbers it compared. */
export async function walkNumbers(visitor, store, who) {
  const queue = ['/', '/coverage', '/search?q=vale', '/search?q=hollis', '/search?q=harbor'];
  const done = new Set();
  const faults = [];
  let compared = 0;
  for (let target = queue.shift(); target; target = queue.shift()) {
    if (done.has(target)) continue;
    done.add(target);
    const response = await visitor.request('GET', target, { unchecked: true });
    if (response.status !== 200 || !/html/.test(response.header('content-type'))) continue;
    const dom = parseHtml(response.text);
    for (const href of hrefs(dom)) {
      const { host, pathname, search, searchParams } = new URL(href, `http://site${target}`);
      const isPage = !/\.(png|csv|json|atom)$/.test(pathname) && searchParams.size < 2;
      if (host === 'site' && isPage && DATA.test(pathname)) queue.push(pathname + search);
    }
    const page = { target, store, n: sums(store.trades) };
    const path = target.split('?')[0];
    const rows = ROWS.filter(([pages]) => pages.test(path));
    const found = rows.map(([, selector]) => new Set(all(selector, dom)));
    const compare = (node) => {
      if (node.type === 'text') {
        if (numbersIn(node.data).length)
          faults.push(`${who} ${target}: no row for "${text(node.parent)}"`);
        return;
      }
      const wanted = rows
        .filter((_, i) => found[i].has(node))
        .map(([, , wants]) => (wants ? wants(node, page) : null))
        .find((one) => one !== undefined);
      if (wanted === null) return;
      if (wanted === undefined) {
        for (const child of node.children ?? []) compare(child);
        return;
      }
      const are = numbersIn(text(node));
      compared += are.length;
      if (String(are) !== String(wanted))
        faults.push(`${who} ${target}: "${text(node)}", and the store has ${wanted}`);
    };
    for (const main of all('main', dom)) compare(main);
  }
  assert.deepEqual(faults, []);
  return compared;
}

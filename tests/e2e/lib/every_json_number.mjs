// Reads every number of the answers of the API and of the CSV of pages, and compares each with a count
// over the store (every_number.mjs). A number that no row of the tables explains is a fault.

import { strict as assert } from 'node:assert';
import { parseCsv } from './csv.mjs';
import { sums } from './every_number.mjs';

const days = (from, to) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Counts of a member or of a symbol. */
function counted(store, own, slug) {
  const n = sums(own);
  return {
    ...{ trades: n.trades, buys: n.bought, sells: n.sold, exchanges: 0 },
    ...{ conflicts: 0, conflictsLater: 0, conflictsA: 0, conflictsB: 0, conflictsC: 0 },
    ...{ late: n.late, lateUnknown: n.unknown },
    politicians: new Set(own.map((one) => one.slug)).size,
    filings: slug && store.reports(slug).published,
    waiting: slug && store.reports(slug).waiting,
    indexed: slug && store.reports(slug).indexed,
  };
}

const ofSlug = (store, slug) =>
  counted(
    store,
    store.trades.filter((one) => one.slug === slug),
    slug,
  );
const ofTicker = (store, ticker) =>
  counted(
    store,
    store.trades.filter((one) => one.ticker === ticker),
  );

/** [path of the number, its value: by the objects around it, the innermost last]. null: it counts
 *  nothing, or another test counts it. */
const JSON_ROWS = [
  [/amountRange\.(min|max)$/, null],
  [/\.(district|seq|lastSeq)$/, null],
  [/\.(dates|source)\.daysLate$/, ({ store, path }) => store.dates.get(tradeIn(path).id).daysLate],
  [
    /\.(dates|source)\.daysToReport$/,
    ({ path }) => days(tradeIn(path).tradeDate, path.at(-1).firstReportedOn),
  ],
  [/\.source\.page$/, ({ store, path }) => store.byId.get(tradeIn(path).id).page],
  [/\.source\.row$/, ({ store, path }) => store.byId.get(tradeIn(path).id).row],
  [/\.source\.(corrections|reviewSeconds)$/, () => 0],
  [
    /^\.data(\[\])?\.counts\.(\w+)$/,
    ({ store, path, key }) =>
      ofSlug(
        store,
        path.findLast((one) => one.slug || one.profile?.slug).slug ?? path.at(-2).profile.slug,
      )[key],
  ],
  [
    /^\.data(\[\])?\.aggregates\.(\w+)$/,
    ({ store, path, key }) => ofTicker(store, path.at(-2).ticker ?? path.at(-2).symbol)[key],
  ],
  [/^\.data\.(counts|indexes)\[\]\.year$/, null],
  [
    /^\.data\.counts\[\]\.count$/,
    ({ store, path }) => {
      const { chamber, year, state } = path.at(-1);
      const filed = (one) => new Date(Number(one.filed_at)).getUTCFullYear();
      return store.filings.filter(
        (one) => one.chamber === chamber && filed(one) === year && one.state === state,
      ).length;
    },
  ],
  [/^\.data\.total$/, ({ store }) => store.filings.length],
  [/^\.data\.review\.\w+Seconds$/, () => 0],
  [
    /^\.data\.review\.(\w+)$/,
    ({ store, key }) =>
      store.filings.filter((one) => (one.acceptance_no === null ? 'bulk' : 'unseen') === key)
        .length,
  ],
  [/^\.data(\.backfills\[\]|\[\]\.backfill)\.trades$/, ({ store }) => store.history],
  [/^\.data\.sample\./, null], // desk_sample.test.mjs counts these
];

/** The trade that an object is of. */
function tradeIn(path) {
  return path.map((one) => one.trade ?? one).findLast((one) => one.amountRange);
}

function visit(value, at, path, found) {
  if (typeof value === 'number') found.push({ at, path, value, key: at.split('.').at(-1) });
  else if (value && typeof value === 'object')
    for (const [key, inner] of Object.entries(value))
      visit(inner, Array.isArray(value) ? `${at}[]` : `${at}.${key}`, [...path, value], found);
}

export async function walkJson(json, store) {
  const lists = ['trades?limit=100&fields=dates', 'politicians', 'tickers', 'filings', 'coverage'];
  const each = [
    ...store.trades.map(({ id }) => `trades/${id}`),
    ...store.filings.map(({ id }) => `filings/${id}`),
    ...new Set(store.trades.map(({ slug }) => `politicians/${slug}`)),
    ...new Set(store.trades.map(({ ticker }) => `tickers/${ticker}`)),
  ];
  let compared = 0;
  for (const target of [...lists, ...each, 'corrections', 'changes']) {
    const found = [];
    visit(await json(`/api/v1/${target}`), '', [], found);
    for (const number of found) {
      const row = JSON_ROWS.find(([pattern]) => pattern.test(number.at));
      assert.ok(row, `${target}: no row for ${number.at} = ${number.value}`);
      if (!row[1]) continue;
      assert.equal(number.value, row[1]({ ...number, store }), `${target} ${number.at}`);
      compared++;
    }
  }
  return compared;
}

/** Columns of numbers in the CSV of pages. */
const CSV_COLUMNS = {
  trades: (line, n) => n.trades,
  bought: (line, n) => n.buys,
  sold: (line, n) => n.sells,
  exchanged: () => 0,
  flagged: () => 0,
  flagged_later: () => 0,
  flagged_a: () => 0,
  flagged_b: () => 0,
  flagged_c: () => 0,
  late: (line, n) => n.late,
  late_unknown: (line, n) => n.lateUnknown,
  filings: (line, n) => n.filings,
  waiting: (line, n) => n.waiting,
  indexed: (line, n) => n.indexed ?? '',
  politicians: (line, n) => n.politicians,
  row: ({ id }, _, { byId }) => byId.get(id).row,
  page: ({ id }, _, { byId }) => byId.get(id).page || '',
  days_late: ({ id }, _, { dates }) => dates.get(id).daysLate ?? '',
  days_to_report: ({ id }, _, { dates }) => dates.get(id).daysToReport ?? '',
};
const NO_COUNT = /^(amount_\w+|district|source_doc_id)$/;

export async function walkCsv(reader, store) {
  let compared = 0;
  for (const list of ['trades', 'politicians', 'tickers', 'filings']) {
    const [names, ...lines] = parseCsv((await reader.request('GET', `/${list}.csv`)).text);
    for (const cells of lines) {
      const line = Object.fromEntries(names.map((name, i) => [name, cells[i]]));
      const own = (one) =>
        list === 'tickers'
          ? one.ticker === line.ticker
          : list === 'filings'
            ? one.filing === line.id
            : one.slug === line.slug;
      const n = counted(store, store.trades.filter(own), list === 'politicians' ? line.slug : null);
      for (const [name, cell] of Object.entries(line)) {
        if (!/^\d+$/.test(cell) || NO_COUNT.test(name)) continue;
        assert.ok(CSV_COLUMNS[name], `/${list}.csv: no row for ${name} = ${cell}`);
        assert.equal(
          cell,
          String(CSV_COLUMNS[name](line, n, store)),
          `/${list}.csv ${name} of ${cells}`,
        );
        compared++;
      }
    }
  }
  return compared;
}

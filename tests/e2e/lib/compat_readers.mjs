// Programs that read the files of Senate Stock Watcher, House Stock Watcher and their successor,
// each as a reader that touches what the program touches: [program, chamber, address below /compat,
// read]. `read` gives one value for each transaction, and throws where the program would stop.

import { strict as assert } from 'node:assert';
import { parseCsv } from './csv.mjs';
import { until } from './until.mjs';

/** A file below /compat. On a busy machine the first one who asks may get 503 while it is made. */
export async function compatFile(server, path, options) {
  let response;
  await until(`there is /compat/${path}`, async () => {
    response = await server.get(`/compat/${path}`, options);
    return response.status !== 503;
  });
  return response;
}

const HOUSE = 'house-stock-watcher/data/all_transactions.json';
const HOUSE_CSV = 'house-stock-watcher/data/all_transactions.csv';
const SENATE = 'senate-stock-watcher/aggregate/all_transactions.json';
const RAW = 'senate-stock-watcher/timothycarambat/senate-stock-watcher-data';

const AMOUNTS = [
  ...['$1,001 -', '$1,001 - $15,000', '$15,001 - $50,000', '$50,001 - $100,000'],
  ...['$100,001 - $250,000', '$250,001 - $500,000', '$500,001 - $1,000,000'],
  ...['$1,000,001 - $5,000,000', '$5,000,001 - $25,000,000', '$25,000,001 - $50,000,000'],
  ...['$50,000,000 +', '$1,000,000 +', 'Over $50,000,000'],
];

// A report may state no date of a trade.
const iso = (text) => {
  if (text === null || text === '') return NaN;
  assert.match(text, /^\d{4}-\d\d-\d\d$/);
  return Date.parse(text);
};
const us = (text) => {
  if (text === null || text === '') return NaN;
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text);
  return Date.UTC(year, month - 1, day);
};
const need = (row, names) => {
  for (const name of names) assert.ok(name in row, `${name} is missing`);
  return row;
};
const json = (read) => (text) => JSON.parse(text).map(read);
const csv = (read) => (text) => {
  const [head, ...rows] = parseCsv(text);
  return rows.map((row) => read(Object.fromEntries(head.map((name, i) => [name, row[i]]))));
};
const oneOf = (value, words) => {
  assert.ok(words.includes(value), value);
  return value;
};

const ELEVEN = [
  ...['transaction_date', 'owner', 'ticker', 'asset_description', 'asset_type', 'type', 'amount'],
  ...['comment', 'senator', 'ptr_link', 'disclosure_date'],
];

function housePosition(row) {
  const values = Object.values(row);
  assert.equal(values.length, 16);
  const [year, disclosed, traded, owner, ticker, asset, type, amount] = values;
  const [representative, district, link, gains, party, state, industry, sector] = values.slice(8);
  assert.equal(new Date(us(disclosed)).getUTCFullYear(), year);
  assert.match(representative, /^Hon\. /);
  assert.match(district, /^[A-Z]{2}\d*$/);
  assert.equal(typeof gains, 'boolean');
  return [iso(traded), owner, ticker, asset, type, amount, link, party, state, industry, sector];
}

function goDisclosure(row) {
  oneOf(row.owner, ['self', 'spouse', 'joint', 'dependent', '--', 'N/A', null]);
  oneOf(row.type, ['purchase', 'sale_full', 'sale_partial', 'exchange']);
  return [oneOf(row.amount, AMOUNTS), iso(row.transaction_date), us(row.disclosure_date)];
}

const ENTRIES = (text) =>
  JSON.parse(text).flatMap((report) =>
    report.transactions.map((row) => {
      const [office, link, received, rows] = Object.values(report).slice(2, 6); // 3 to 6 in R
      assert.equal(rows, report.transactions);
      const symbols = row.ticker.match(/q\?s=([^"]+)/);
      return [office, link, us(received), symbols ? symbols[1] : row.ticker, row.amount];
    }),
  );

const house = json((row) => [iso(row.transaction_date), row.ticker, row.representative, row.type]);
const senate = json((row) => {
  oneOf(row.type, ['Purchase', 'Sale (Full)', 'Sale (Partial)', 'Exchange']);
  return [us(row.transaction_date), row.ticker, row.senator, row.amount, row.ptr_link];
});
const raw = json((row) => {
  assert.ok(!('disclosure_date' in row));
  return [row.ticker, row.asset_description, row.owner, row.comment, us(row.transaction_date)];
});

/** Those that read one file with everything. */
export const READERS = [
  ['guanquann/Stocksera get_house_trading.py', 'house', HOUSE, json(housePosition)],
  [
    'guanquann/Stocksera get_senate_trading.py',
    'senate',
    SENATE,
    json((row) => Object.values(need(row, ELEVEN)).length === 11 && row),
  ],
  ['penguinpowernz/stonkcritter disclosure.go', 'house', HOUSE, json(goDisclosure)],
  ['hbrady7/capitol-gains sources.ts', 'house', HOUSE, house],
  [
    'bcschaefer/CongressionalTrading import-senate-stock-watcher.js',
    'senate',
    `${RAW}/master/aggregate/all_transactions.csv`,
    csv((row) => [us(row.transaction_date), row.ticker, row.senator, row.amount]),
  ],
  [
    'sagivO2150/me-stocks fetch_political_trades.py',
    'senate',
    'senate-stock-watcher/api/all_transactions',
    senate,
  ],
  [
    'sagivO2150/me-stocks fetch_political_trades_github.py',
    'senate',
    `${RAW}/master/aggregate/all_transactions.json`,
    raw,
  ],
  [
    'sagivO2150/me-stocks fetch_political_trades_enriched.py',
    'senate',
    `${RAW}/main/aggregate/all_transactions.json`,
    raw,
  ],
  [
    'jgQuantScripts senateTrades.R',
    'senate',
    'senate-stock-watcher/aggregate/all_daily_summaries.json',
    ENTRIES,
  ],
  [
    'pastrosd/Congress-Trades source.R',
    'house',
    HOUSE,
    json((row) => [iso(row.transaction_date), us(row.disclosure_date)]),
  ],
  [
    'pastrosd/Congress-Trades tools.R',
    'senate',
    SENATE,
    json((row) => [us(row.transaction_date), us(row.disclosure_date)]),
  ],
  [
    'stonesalltheway1/capitol-pipeline config.py',
    'senate',
    `${RAW}/master/aggregate/all_transactions_for_senators.json`,
    ENTRIES,
  ],
  ['zmar0519/capitol-gains houseApiService.js', 'house', HOUSE, house],
  ['zmar0519/capitol-gains senateApiService.js', 'senate', SENATE, senate],
  ['allegra9188/capstone4 senateApi.js', 'senate', 'senate-stock-watcher/api', senate],
  [
    'PdxCodeGuild MiniCAPSTN.py',
    'house',
    'house-stock-watcher/api/all_transactions',
    json((row) => {
      assert.ok(Number.isInteger(row.disclosure_year));
      return [row.disclosure_year, row.district];
    }),
  ],
  [
    'willis66/python_playground python_stockthing.py',
    'senate',
    'senate-stock-watcher/aggregate/all_transactions.csv',
    csv((row) => [us(row.transaction_date), us(need(row, ELEVEN).disclosure_date)]),
  ],
  [
    'connoryen/stonks Ethan.R',
    'house',
    HOUSE_CSV,
    csv((row) => [iso(row.transaction_date), row.ticker, oneOf(row.amount, AMOUNTS)]),
  ],
];

const keysOf = (xml) => [...xml.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key);

/** Those that find the files of days in a list: [program, chamber, list, bucket, read]. */
export const DAILY_READERS = [
  [
    'hammonjj/congressional-stock-watcher HeaderBar.jsx, TransactionReport.jsx',
    'house',
    'house-stock-watcher/data/filemap.xml',
    'house-stock-watcher/',
    (text) => JSON.parse(text).flatMap((one) => one.transactions.map((row) => [one.name, row])),
  ],
  [
    'jgQuantScripts HouseTrades.R',
    'house',
    'house-stock-watcher/',
    'house-stock-watcher/',
    (text) =>
      JSON.parse(text).flatMap((one) => {
        us(one.filing_date);
        need(one, ['source_ptr_link', 'document_id', 'prefix', 'suffix', 'district']);
        assert.equal(Object.keys(one).at(-1), 'transcribed_by');
        return one.transactions.map((row) => {
          assert.equal(typeof row.cap_gains_over_200, 'boolean');
          return [row.description, row.transaction_type, row.owner, row.ticker, row.amount];
        });
      }),
  ],
  [
    'hammonjj/congressional-stock-watcher, the Senate',
    'senate',
    'senate-stock-watcher/aggregate/filemap.xml',
    'senate-stock-watcher/',
    ENTRIES,
  ],
  [
    'mrsyedhasan/Senate-Congress-Trading data_collector.py',
    'senate',
    'senate-stock-watcher/repos/timothycarambat/senate-stock-watcher-data/contents/data',
    null, // the list names whole addresses
    ENTRIES,
  ],
].map(([name, chamber, list, bucket, read]) => [
  name,
  chamber,
  list,
  (list) => {
    if (bucket === null)
      return JSON.parse(list)
        .filter(({ name, type }) => type === 'file' && name.endsWith('.json'))
        .map((file) => new URL(file.download_url).pathname.replace('/compat/', ''));
    const keys = keysOf(list).filter((key) => key.includes('transaction_report_for_'));
    return keys.map((key) => `${bucket}${key}`);
  },
  read,
]);

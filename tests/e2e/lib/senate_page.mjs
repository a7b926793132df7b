// Pages of the Senate's eFD site with invented filers, in the site's markup (sources.md 2): reports
// with all forms of cells, the viewer of a paper report, and other reports.

const escaped = (text) =>
  String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const indent = (text) => `\n${' '.repeat(40)}\n${' '.repeat(44)}${text}\n${' '.repeat(40)}\n`;

const link = (symbol) =>
  `<a href="https://finance.yahoo.com/quote/${escaped(symbol)}"\n   target="_blank">${escaped(symbol)}</a>`;

/** A symbol is a link, null is "--"; an exchange of assets has two of them. */
function tickerCell(ticker) {
  const symbols = Array.isArray(ticker) ? ticker : [ticker ?? null];
  return symbols.map((symbol) => indent(symbol === null ? '--' : link(symbol))).join('<br/>');
}

/** The blocks of muted text below an asset's name. */
const DETAILS = {
  option: ({ kind, strike, expires }) =>
    `<div class="text-muted">Option Type: ${kind} <br/><em>Strike price:</em> ${strike}\n` +
    `<br>\n<em>Expires:</em> ${expires}\n</div>`,
  bond: ({ rate, matures }) =>
    `<div class="text-muted"><em>Rate/Coupon:</em> ${rate}<br> <em>Matures:</em> ${matures}</div>`,
  company: ({ name, place }) =>
    `<div class="text-muted">\n<em>Company:</em> ${escaped(name)}\n` +
    `${place ? `\n&nbsp;(${escaped(place)})\n` : ''}\n</div>`,
  description: (text) =>
    `<div class="text-muted"><em>Description:</em>&nbsp;${escaped(text)}</div>`,
};

function assetCell(row) {
  const name = row.received
    ? `${escaped(row.asset)} (Exchanged)\n<br/>\n${escaped(row.received)} (Received)`
    : escaped(row.asset);
  const details = Object.entries(DETAILS)
    .filter(([detail]) => row[detail] !== undefined)
    .map(([detail, write]) => indent(write(row[detail])));
  return indent(name) + details.join('');
}

const HEADERS = [
  '#',
  'Transaction Date',
  'Owner',
  'Ticker',
  'Asset Name',
  'Asset Type',
  'Type',
  'Amount',
  'Comment',
];

function tableRow(row) {
  const cells = [
    row.number,
    `\n${row.date}\n`,
    row.owner ?? 'Self',
    tickerCell(row.ticker),
    assetCell(row),
    escaped(row.assetType ?? 'Stock'),
    row.type ?? 'Purchase',
    row.amount ?? '$1,001 - $15,000',
    escaped(row.comment ?? '--'),
  ];
  return `<tr>\n${cells.map((cell) => `<td>${cell}</td>\n`).join('')}</tr>\n`;
}

function table(rows) {
  const heads = HEADERS.map((title) => `<th scope="col">${title}</th>\n`).join('');
  return (
    '<table class="table table-striped">\n' +
    '<caption class="sr-only">List of transactions added to this report</caption>\n' +
    `<thead>\n<tr class="header">\n${heads}</tr>\n</thead>\n` +
    `<tbody>\n${rows.map(tableRow).join('\n')}</tbody>\n</table>\n`
  );
}

const page = (title, body) =>
  `<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>eFD: ${escaped(title)}</title>\n` +
  '<meta charset="utf-8">\n<style>.txtLogo {display: none;}</style>\n</head>\n' +
  `<body>\n<div class="container">\n${body}</div>\n</body>\n</html>\n`;

function filedReport({ filer, bracket, former }) {
  const lines = [filer, bracket && `(${bracket})`, former && '(Former Senator)'];
  const text = lines.filter(Boolean).map(escaped).join('\n                \n                ');
  return `<h2 class="filedReport">\n                ${text}\n            </h2>\n`;
}

/** The id of an invented report. */
export const senateId = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/**
 * A report as HTML.
 *   reportDate, amendment   of the heading; amendment 0: none
 *   filer, bracket          "The Honorable Dana Hollis", "Hollis, Dana"; an empty bracket: not printed
 *   former                  whether it says "(Former Senator)"
 *   filed                   "01/29/2014 @ 6:23 PM", or "01/10/2018 @ 1 PM", as on some pages
 *   rows                    from number 1 on; printed from the highest down. {date, owner, ticker
 *                           (symbol, null, or two of them), asset, received, option: {kind, strike,
 *                           expires}, bond: {rate, matures}, company: {name, place}, description,
 *                           assetType, type, amount, comment, number}
 *   total                   the printed number of rows, if another one
 */
export function senatePage({
  reportDate = '01/29/2024',
  amendment = 0,
  filer = 'The Honorable Dana Hollis',
  bracket = 'Hollis, Dana',
  former = false,
  filed = '01/29/2024 @ 6:23 PM',
  rows = [],
  total = rows.length,
} = {}) {
  const numbered = rows.map((row, index) => ({ number: index + 1, ...row })).reverse();
  const when = `for ${reportDate}${amendment ? ` (Amendment ${amendment})` : ''}`;
  return page(
    'Print Periodic Transaction Report',
    `<h1 class="mb-2">\nPeriodic Transaction Report\n\n    ${when}\n</h1>\n` +
      filedReport({ filer, bracket, former }) +
      '<p class="muted">\n<strong class="noWrap"><i class="fa fa-folder" aria-hidden="true"></i> ' +
      `Filed  ${filed}</strong>\n</p>\n<hr>\n` +
      '<section class="card">\n<h3 class="d-inline-block">Transactions</h3>\n' +
      '<ul class="unstyled list-inline">\n' +
      `<li class="list-inline-item">(${total} transaction${total === 1 ? '' : 's'} total)</li>\n` +
      `<li class="list-inline-item">${total} Self</li>\n</ul>\n` +
      `<div class="table-responsive">\n${table(numbered)}</div>\n</section>\n`,
  );
}

/** The viewer of a report on paper: scans of its pages. */
export const senatePaperPage = ({ pages = 2 } = {}) =>
  page(
    'Print Filing Document',
    '<h1 class="sr-only d-print-none">Filing Document - Print View</h1>\n' +
      Array.from(
        { length: pages },
        (_, i) => `<img class="filingImage" src="/media/${i + 1}.gif" alt="filing document" />\n`,
      ).join(''),
  );

/** Another report of the same site. */
export const senateOtherPage = ({ title = 'Annual Report for Calendar 2023' } = {}) =>
  page('Print Annual Report', `<h1 class="mb-2">\n${escaped(title)}\n</h1>\n${table([])}`);

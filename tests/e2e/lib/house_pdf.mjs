// House periodic transaction reports with invented filers, as PDFs in the two generations of the
// Clerk's layout (sources.md 1). What is special to each:
//   old  (to spring 2022)  small capitals are words of their own, and the font's map gives small
//                          letters for some capitals; check boxes are letters of a symbol font
//   new                    small capitals say nothing (U+0000); check boxes are drawn
// The table is drawn cell by cell. Every page begins with its header; a row continues after it
// wherever a page ends.

import { georgiaMapped } from './georgia_font.mjs';
import { PAGE, lost, pdfOfPages, textWidth } from './pdf_file.mjs';

// If ids are printed, the first column is wider.
const LAYOUTS = {
  old: {
    margin: 22.5,
    columns: [25.5, 62, 101, 246, 311, 365, 430, 510],
    columnsWithIds: [25.5, 77, 116, 250, 315, 369, 433, 513],
  },
  new: {
    margin: 21.75,
    columns: [25.3, 65, 104, 262, 327, 382, 446, 525],
    columnsWithIds: [25.3, 80, 119, 265, 330, 384.6, 449, 528],
  },
};
const [ID, OWNER, ASSET, TYPE, DATE, NOTIFIED, AMOUNT, GAINS, DETAIL] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const CELLS = ['id', 'owner', 'asset', 'type', 'date', 'notified', 'amount'];
const HEADERS = [
  ['ID'],
  ['Owner'],
  ['Asset'],
  ['Transaction', 'Type'],
  ['Date'],
  ['Notification', 'Date'],
  ['Amount'],
  ['Cap.', 'Gains >', '$200?'],
];
const DETAILS = {
  status: 'Filing Status',
  subholding_of: 'Subholding Of',
  location: 'Location',
  description: 'Description',
  comment: 'Comments',
};

const SIZE = { cell: 9, detail: 8.25, header: 9.75, heading: 12, title: 21 };
const SMALL = { 8.25: 6, 12: 8.25, 21: 15 }; // small capitals beside their capital
const CELL_LINE = 10.5;
const DETAIL_LINE = 12.75;
const CELL_PADDING = 8;
const BOX_DROP = 3.75; // check boxes stand lower than their row
const TOP = 82;

/** Wraps the text to lines of at most `width`; a longer word gets its own line. */
function wrap(text, size, width) {
  const lines = [];
  for (const word of text.split(' ')) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && textWidth(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A square with round corners, or a tick in one that is filled, around a place. */
function boxPath(x, y, checked) {
  const [left, low, right, high] = [x - 4.5, y - 4.5, x + 4.5, y + 4.5];
  const curve = (toX, toY) => `${toX} ${toY} ${toX} ${toY} ${toX} ${toY} c`;
  const edge = [
    `${left + 1} ${low} m ${right - 1} ${low} l ${curve(right, low + 1)}`,
    `${right} ${high - 1} l ${curve(right - 1, high)}`,
    `${left + 1} ${high} l ${curve(left, high - 1)}`,
    `${left} ${low + 1} l ${curve(left + 1, low)} h`,
  ].join(' ');
  const tick = `${x - 3} ${y} m ${x - 1} ${y - 2} l ${x + 3} ${y + 2} l S`;
  return `q 0.4627 g 0.4627 G ${edge} ${checked ? `f 1 G ${tick}` : 'S'} Q`;
}

/** Pages, written from top to bottom. */
class Paper {
  pages = [[]];
  at = TOP;
  column = 0; // of the table, of what is written

  constructor(layout, bottom, withIds) {
    const { margin, columns, columnsWithIds } = LAYOUTS[layout];
    Object.assign(this, { layout, bottom, margin });
    this.columns = withIds ? columnsWithIds : columns;
  }

  put(x, text, { size = SIZE.cell, font = 'regular' } = {}) {
    let before = 0;
    for (const word of text.split(' ')) {
      this.word(x + textWidth(text.slice(0, before), size), word, size, font);
      before += word.length + 1;
    }
    return x + textWidth(text, size);
  }

  word(x, text, size, font, drop = 0) {
    if (!text) return;
    const { column } = this;
    this.pages.at(-1).push({ font, size, x, baseline: this.at + drop, text, column });
  }

  box(x, checked) {
    const path = boxPath(x, PAGE.height - this.at + 2, checked);
    this.pages.at(-1).push({ path, column: this.column });
  }

  /** Writes each word as a capital followed by small capitals; returns the end position. */
  putSmallCapitals(x, text, { size, font }) {
    const small = SMALL[size];
    for (const word of text.split(' ')) {
      const [first, rest] = [word.slice(0, 1), word.slice(1).toUpperCase()];
      this.word(x, first, size, font);
      x += textWidth(first, size);
      this.word(x, this.layout === 'new' ? lost(rest) : rest, small, font);
      x += textWidth(rest, small) + size / 4;
    }
    return x;
  }

  heading(text) {
    this.down(30);
    this.putSmallCapitals(this.margin, text, { size: SIZE.heading, font: 'bold' });
    this.down(24);
  }

  down(points) {
    this.at += points;
  }

  /** The words on the page now. */
  get words() {
    return this.pages.at(-1).length;
  }

  /** Draws what was written since there were `from` words cell by cell, not line by line. */
  byCells(from) {
    const page = this.pages.at(-1);
    page.push(...page.splice(from).sort((a, b) => a.column - b.column));
    this.column = 0;
  }

  /** Starts a new page if `points` do not fit on this one; true if it did. */
  turn(points) {
    if (this.at + points <= this.bottom) return false;
    this.pages.push([]);
    this.at = TOP;
    return true;
  }
}

// --- the table

function putHeader(paper, gains) {
  const columns = gains ? HEADERS : HEADERS.slice(0, GAINS);
  const from = paper.words;
  for (let line = 0; line < 3; line += 1) {
    columns.forEach((titles, column) => {
      const options = { size: SIZE.header, font: 'bold' };
      paper.column = column;
      if (titles[line]) paper.put(paper.columns[column], titles[line], options);
    });
    paper.down(11.25);
  }
  paper.byCells(from);
  paper.down(12);
}

const columnWidth = (paper, column) =>
  (column === AMOUNT ? paper.columns[GAINS] : paper.columns[column + 1]) -
  paper.columns[column] -
  CELL_PADDING;

/** The lines of a row: for each, its height and a function that writes it. */
function rowLines(paper, row, gains) {
  const cells = CELLS.map((name, column) =>
    row[name] ? wrap(row[name], SIZE.cell, columnWidth(paper, column)) : [],
  );
  cells[ID] = row.id ? [row.id] : [];
  cells[OWNER] = row.owner ? [row.owner] : [];
  const count = Math.max(...[ASSET, TYPE, DATE, NOTIFIED, AMOUNT].map((c) => cells[c].length));
  const lines = Array.from({ length: count }, (_, line) => ({
    height: CELL_LINE,
    write() {
      cells.forEach((texts, column) => {
        paper.column = column;
        if (texts[line]) paper.put(paper.columns[column], texts[line]);
      });
      paper.column = GAINS;
      if (line === 0 && gains && paper.layout === 'old')
        for (const box of row.cap_gains === 'checked' ? 'gfedcb' : 'gfedc')
          paper.word(paper.columns[GAINS] + 14, box, SIZE.header, 'boxes', BOX_DROP);
      else if (line === 0 && gains && row.cap_gains)
        paper.box(paper.columns[GAINS] + 19, row.cap_gains === 'checked');
    },
  }));
  for (const [name, label] of Object.entries(DETAILS))
    if (row[name]) lines.push(...detailLines(paper, label, row[name]));
  return lines;
}

function detailLines(paper, label, text) {
  const width = PAGE.width - paper.columns[ASSET] - 120;
  return wrap(text, SIZE.detail, width).map((part, line) => ({
    height: DETAIL_LINE,
    write() {
      const options = { size: SIZE.detail, font: 'regular' };
      paper.column = DETAIL;
      let x = paper.columns[ASSET];
      if (line === 0) {
        x = paper.putSmallCapitals(x, label, options) - SIZE.detail / 4;
        x = paper.put(x, ':', options) + SIZE.detail / 4;
      }
      paper.put(x, part, options);
    },
  }));
}

function putTable(paper, rows, gains) {
  putHeader(paper, gains);
  for (const row of rows) {
    let from = paper.words;
    for (const line of rowLines(paper, row, gains)) {
      if (paper.at + line.height > paper.bottom) paper.byCells(from);
      if (paper.turn(line.height)) {
        putHeader(paper, gains);
        from = paper.words;
      }
      line.write();
      paper.down(line.height);
    }
    paper.byCells(from);
    paper.down(8);
  }
}

// --- header and footer

function putHead(paper, { id, title, filer, status, district }) {
  paper.put(484.5, `Filing ID #${id}`);
  paper.down(26);
  paper.putSmallCapitals(117, title, { size: SIZE.title, font: 'bold' });
  paper.down(40);
  paper.put(69, 'Clerk of the House of Representatives \u2022 an invented report for tests');
  paper.heading('Filer Information');
  for (const [label, text] of [
    ['Name:', filer],
    ['Status:', status],
    ['State/District:', district],
  ]) {
    paper.put(paper.margin, label, { size: SIZE.header, font: 'bold' });
    if (text) paper.put(103, text, { size: SIZE.header });
    paper.down(15.75);
  }
}

function putEnd(paper, { filer, signed, note }) {
  paper.turn(200);
  if (note) {
    paper.put(
      25.5,
      '* For the complete list of asset type abbreviations, please visit the reference.',
      { size: SIZE.detail },
    );
    paper.down(14);
  }
  paper.heading('Initial Public Offerings');
  paper.put(39, 'Yes');
  paper.put(73, 'No');
  paper.heading('Certification and Signature');
  paper.put(39, 'I CERTIFY that the statements I have made on the attached Periodic Transaction');
  paper.down(CELL_LINE);
  paper.put(paper.margin, 'Report are true, complete, and correct to the best of my knowledge.');
  paper.down(19);
  if (signed) paper.put(paper.margin, `Digitally Signed: ${filer} , ${signed}`);
}

const ENCRYPTIONS = { 2: { revision: 2 }, 3: { revision: 3 } };

/**
 * A report as a Buffer.
 *   id, filer, status, district, signed   as they are to be printed
 *   rows        objects by the names of the reader's cells: id, owner, asset, type, date, notified,
 *               amount, cap_gains ('checked', 'not checked'; the old layout always has a box),
 *               status ('New'), subholding_of, location, description, comment; what is
 *               missing is not printed
 *   layout      'new' or 'old'
 *   encryption  revision 2 or 3 of the Standard handler with an empty user password, or 0; or an
 *               object {revision, password}
 *   bottom      where pages end, in points
 *   gains       whether the table has its last column
 *   title       another one makes another form
 *   second      the options of a second report, on further pages
 */
export function housePdf({ encryption = 3, second = null, ...report } = {}) {
  const pages = second ? [...reportPages(report), ...reportPages(second)] : reportPages(report);
  return pdfOfPages(pages, {
    georgia: report.layout === 'old',
    encryption: typeof encryption === 'object' ? encryption : ENCRYPTIONS[encryption],
  });
}

function reportPages({
  id = '20990001',
  filer = 'Hon. Robin Vale',
  status = 'Member',
  district = 'CA07',
  signed = '01/16/2025',
  rows = [],
  layout = 'new',
  bottom = 740,
  gains = true,
  title = 'Periodic Transaction Report',
} = {}) {
  const withIds = rows.some((row) => row.id);
  const paper = new Paper(layout, bottom, withIds);
  putHead(paper, { id, title, filer, status, district });
  paper.heading('Transactions');
  putTable(paper, rows, gains);
  putEnd(paper, { filer, signed, note: layout === 'new' || gains });
  return paper.pages;
}

/** The expected reading of a row; the old layout has two letter cases of an asset. */
export function printedCells({ cap_gains, ...row }, layout = 'new', gains = true) {
  const box = cap_gains ?? (layout === 'old' ? 'not checked' : null);
  if (gains && box) row.cap_gains = box;
  const stored = [...row.asset].map((c) => georgiaMapped('regular', c)).join('');
  if (layout === 'new' || stored === row.asset) return row;
  return { ...row, asset_stored: stored };
}

/** A report on paper: scans of its pages. */
export const scanPdf = ({ pages = 2 } = {}) =>
  pdfOfPages(Array.from({ length: pages }, () => [{ picture: true }]));

/** Another form of the same office, with a text layer. */
export const otherFormPdf = (options = {}) =>
  housePdf({ ...options, title: 'Financial Disclosure Report' });

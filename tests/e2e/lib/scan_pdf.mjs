// Scans: PDFs whose pages are pictures. A page of the House's paper form is drawn here as an office
// prints and fills it: ruled lines, boxes, crosses, and typed text as poppler draws it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HOLLIS, VALE, membersJson } from './invented_members.mjs';
import { PdfFile } from './pdf_file.mjs';

const DPI = 200;
const POINTS = 72;
const WHITE = 255;

/** Dots of the form with boxes: owner, asset, four types, two dates, amounts A to K. */
const WIDTHS = [61, 427, 70, 65, 65, 65, 131, 150, 79, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80];
const [LEFT, TOP, HEAD, EXAMPLE, LINE, THICK, BOX, MARK] = [120, 500, 280, 46, 76, 3, 46, 30];
const DATES = [6, 7];
const BORDERS = WIDTHS.reduce((all, width) => [...all, all.at(-1) + width], [LEFT]);

export const COLUMN = { owner: 0, asset: 1, purchase: 2, sale: 3, partial: 4, exchange: 5 };
Object.assign(COLUMN, { traded: 6, notified: 7, A: 8, B: 9, C: 10, K: 18 });

/** A gray picture. */
export class Picture {
  constructor(width, height, dots = Buffer.alloc(width * height, WHITE)) {
    Object.assign(this, { width, height, dots });
  }

  fill(left, top, width, height) {
    for (let y = Math.max(top, 0); y < Math.min(top + height, this.height); y += 1)
      this.dots.fill(0, y * this.width + left, y * this.width + Math.min(left + width, this.width));
  }

  clear(left, top, width, height) {
    for (let y = top; y < top + height; y += 1)
      this.dots.fill(WHITE, y * this.width + left, y * this.width + left + width);
  }

  cross(left, top, side) {
    for (let i = 0; i < side; i += 1) {
      this.fill(left + i, top + i, THICK, THICK);
      this.fill(left + side - i, top + i, THICK, THICK);
    }
  }

  box(left, top, side) {
    this.fill(left, top, side, THICK);
    this.fill(left, top + side - THICK, side, THICK);
    this.fill(left, top, THICK, side);
    this.fill(left + side - THICK, top, THICK, side);
  }

  /** Bars like letters, which no reader takes for words. */
  scribble(left, top, width) {
    for (let x = left; x < left + width; x += 12) {
      this.fill(x, top, 3, 18);
      this.fill(x, top + 8, 9, 3);
    }
  }

  /** Darkens by another picture of the same size. */
  over(other) {
    for (let i = 0; i < this.dots.length; i += 1)
      if (other.dots[i] < this.dots[i]) this.dots[i] = other.dots[i];
  }

  /** Turned by quarters, clockwise. */
  turned(quarters) {
    if (!quarters) return this;
    const { width, height } = this;
    const to = new Picture(height, width);
    for (let y = 0; y < width; y += 1)
      for (let x = 0; x < height; x += 1)
        to.dots[y * height + x] = this.dots[(height - 1 - x) * width + y];
    return to.turned(quarters - 1);
  }
}

/** A picture of words {left, top, text}, in dots, in Helvetica. */
function printed(words, width, height) {
  const file = new PdfFile();
  const [root, tree, page] = [file.reserve(), file.reserve(), file.reserve()];
  const points = (dots) => ((dots * POINTS) / DPI).toFixed(2);
  const draw = words.map(
    ({ left, top, text }) =>
      `BT /F 9 Tf ${points(left)} ${points(height - top)} Td (${text}) Tj ET\n`,
  );
  const contents = file.addStream('', Buffer.from(draw.join('')));
  file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`, root);
  file.add(`<< /Type /Pages /Count 1 /Kids [${page} 0 R] >>`, tree);
  file.add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${points(width)} ${points(height)}] ` +
      '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> ' +
      `/Contents ${contents} 0 R >>`,
    page,
  );
  const folder = mkdtempSync(path.join(tmpdir(), 'stockact-words-'));
  const name = path.join(folder, 'words.pdf');
  writeFileSync(name, file.bytes(root));
  const map = execFileSync('pdftoppm', ['-gray', '-r', String(DPI), name], { maxBuffer: 1 << 26 });
  rmSync(folder, { recursive: true });
  const head = /^P5\n\d+ \d+\n255\n/.exec(map.toString('latin1', 0, 40))[0];
  return new Picture(width, height, map.subarray(head.length));
}

const lineTop = (line) => TOP + HEAD + EXAMPLE + line * LINE;

/** The form with `lines` lines, lying; `rows`: {marks: [columns], texts: {column: text}} by line. */
export function formPicture(rows, { lines = 4 } = {}) {
  const p = new Picture(2200, 1700);
  const [right, bottom] = [BORDERS.at(-1), lineTop(lines)];
  for (const border of BORDERS) p.fill(border, TOP, THICK, bottom - TOP);
  for (const y of [TOP, TOP + HEAD, ...Array.from({ length: lines + 1 }, (_, i) => lineTop(i))])
    p.fill(LEFT, y, right - LEFT + THICK, THICK);
  for (let i = 1; i < 5; i += 1) p.fill(LEFT, TOP - 90 * i, right - LEFT, THICK);
  WIDTHS.forEach((width, i) => {
    for (let k = 0; k < 4; k += 1) p.scribble(BORDERS[i] + 14, TOP + 60 + 40 * k, width - 24);
  });
  p.scribble(BORDERS[1] + 20, TOP + HEAD + 14, 200);
  p.cross(BORDERS[3] + 14, TOP + HEAD + 12, 18);
  p.cross(BORDERS[9] + 14, TOP + HEAD + 12, 18);
  for (let line = 0; line < lines; line += 1)
    for (let i = 2; i < WIDTHS.length; i += 1)
      if (!DATES.includes(i)) p.box(BORDERS[i] + 12, lineTop(line) + 15, BOX);
  const words = [];
  rows.forEach(({ marks = [], texts = {} } = {}, line) => {
    for (const column of marks) {
      const middle = (BORDERS[column] + BORDERS[column + 1]) >> 1;
      p.cross(middle - MARK / 2, lineTop(line) + 15 + (BOX - MARK) / 2, MARK);
    }
    for (const [column, text] of Object.entries(texts))
      words.push({ left: BORDERS[column] + 9, top: lineTop(line) + 46, text });
  });
  if (words.length) p.over(printed(words, p.width, p.height));
  return p;
}

/** Takes out what parts this line of a form from the next one. */
export function drawTogether(form, line) {
  WIDTHS.forEach((width, i) =>
    form.clear(BORDERS[i] + THICK, lineTop(line + 1) - 1, width - THICK, THICK + 2),
  );
  return form;
}

/** A PDF with a page for each picture; `side` in points instead of the picture's own size. */
export function pdfOfPictures(pictures, { side = 0 } = {}) {
  const file = new PdfFile();
  const [root, tree] = [file.reserve(), file.reserve()];
  const stored = new Map();
  const store = (p) =>
    file.addStream(
      `/Type /XObject /Subtype /Image /Width ${p.width} /Height ${p.height} ` +
        `/ColorSpace /DeviceGray /BitsPerComponent ${p.bits ?? 8}`,
      p.dots,
    );
  const kids = pictures.map((p) => {
    if (!stored.has(p)) stored.set(p, store(p));
    const [w, h] = side ? [side, side] : [p.width, p.height].map((n) => (n * POINTS) / DPI);
    const contents = file.addStream('', Buffer.from(`q ${w} 0 0 ${h} 0 0 cm /I Do Q`));
    return file.add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${w} ${h}] ` +
        `/Resources << /XObject << /I ${stored.get(p)} 0 R >> >> /Contents ${contents} 0 R >>`,
    );
  });
  const list = kids.map((kid) => `${kid} 0 R`).join(' ');
  file.add(`<< /Type /Pages /Count ${kids.length} /Kids [${list}] >>`, tree);
  file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`, root);
  return file.bytes(root);
}

/** Writes the files into an empty folder of the site. */
export function fillInbox(site, files) {
  const folder = path.join(site.folder, 'inbox');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes);
  return folder;
}

/** A site with two members, who filed nothing. */
export async function prepareScans(site) {
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', members);
  return {};
}

/** A form with two rows: the marks of one are clear, and one has two amounts. */
export const filledForm = () =>
  formPicture([
    {
      marks: [COLUMN.purchase, COLUMN.A],
      texts: {
        [COLUMN.owner]: 'SP',
        [COLUMN.asset]: 'Garden Mills Incorporated',
        [COLUMN.traded]: '01/20/25',
      },
    },
    {},
    {
      marks: [COLUMN.partial, COLUMN.B, COLUMN.C],
      texts: { [COLUMN.asset]: 'Harbor Tools Company' },
    },
  ]);

// Pages of scans that no honest scanner makes.

import { PdfFile } from './pdf_file.mjs';
import { Picture } from './scan_pdf.mjs';

const LETTER = '0 0 792 612';
const DPI = 200;
const POINTS = 72;

/**
 * A PDF of pages: a Picture, or {box, image: {entries, bytes}, contents} with raw parts. A page that
 * is a string is the text of its object; null: there is no such object.
 */
export function pdfOfPages(pages) {
  const file = new PdfFile();
  const [root, tree] = [file.reserve(), file.reserve()];
  const add = (page) => {
    if (page === null) return 99_999;
    if (typeof page === 'string') return file.add(page);
    const { box, image, contents } = page instanceof Picture ? partsOf(page) : page;
    const drawn = file.addStream('', Buffer.from(contents ?? 'q 792 0 0 612 0 0 cm /I Do Q'));
    const picture = image && file.addStream(image.entries, image.bytes);
    return file.add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [${box ?? LETTER}] /Contents ${drawn} 0 R ` +
        `/Resources << ${picture ? `/XObject << /I ${picture} 0 R >>` : ''} >> >>`,
    );
  };
  const kids = pages.map(add);
  const list = kids.map((kid) => `${kid} 0 R`).join(' ');
  file.add(`<< /Type /Pages /Count ${kids.length} /Kids [${list}] >>`, tree);
  file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`, root);
  return file.bytes(root);
}

const imageHead = (width, height) =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray`;

function partsOf(p) {
  const [w, h] = [p.width, p.height].map((dots) => (dots * POINTS) / DPI);
  return {
    box: `0 0 ${w} ${h}`,
    image: { entries: `${imageHead(p.width, p.height)} /BitsPerComponent 8`, bytes: p.dots },
    contents: `q ${w} 0 0 ${h} 0 0 cm /I Do Q`,
  };
}

/** A picture in one of PDF's own compressions, whose bytes are not. */
export const compressed = (filter, bytes, { width = 2200, height = 1700, more = '' } = {}) => ({
  image: {
    entries: `${imageHead(width, height)} /BitsPerComponent 1 /Filter /${filter} ${more}`,
    bytes: Buffer.from(bytes),
  },
});

/** The head of a JBIG2 page of 4 billion dots a side, and nothing on it. */
export const JBIG2_PAGE = Buffer.from(
  '00000000300001000000' + '13' + 'ffffffffffffffff' + '0000000000000000' + '010000',
  'hex',
);

/** A million lines, from dot to dot. */
export function millionPaths() {
  const contents = Array.from(
    { length: 1_000_000 },
    (_, i) => `${i % 792} ${(i * 7) % 612} m ${(i * 3) % 792} ${(i * 5) % 612} l S`,
  );
  return { contents: contents.join('\n') };
}

/** A table with crosses in it: the form of some other office, in some other script. */
export function otherForm() {
  const p = new Picture(2200, 1700);
  const [left, top, wide, high, columns, lines] = [150, 300, 210, 80, 9, 14];
  for (let i = 0; i <= columns; i += 1) p.fill(left + i * wide, top, 3, lines * high);
  for (let i = 0; i <= lines; i += 1) p.fill(left, top + i * high, columns * wide, 3);
  for (let i = 0; i < lines; i += 1) {
    p.scribble(left + 20, top + i * high + 30, 170);
    p.cross(left + (2 + (i % 6)) * wide + 80, top + i * high + 25, 30);
  }
  return p;
}

/** Lines of words without a table. */
export function letter() {
  const p = new Picture(1700, 2200);
  for (let i = 0; i < 30; i += 1) p.scribble(200, 300 + 50 * i, 700 + ((i * 137) % 600));
  return p;
}

export const black = (width, height) => new Picture(width, height, Buffer.alloc(width * height));

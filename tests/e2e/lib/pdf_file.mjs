// A writer of PDF files: pages of words at given positions and of pictures, plain or encrypted like
// the Clerk's (Standard handler, RC4). All letters have the same width, so that the width of a text
// is known without a font.

import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { addGeorgia, georgiaText } from './georgia_font.mjs';
import { UNSEEN, utf16Hex } from './unseen.mjs';

export const PAGE = { width: 612, height: 792 };

/** The width of every letter, relative to the font size. */
const LETTER_WIDTH = 0.52;

export const textWidth = (text, size) => text.length * LETTER_WIDTH * size;

const md5 = (...parts) => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function rc4(key, bytes) {
  const state = Array.from({ length: 256 }, (_, i) => i);
  const swap = (i, j) => ([state[i], state[j]] = [state[j], state[i]]);
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + state[i] + key[i % key.length]) & 255;
    swap(i, j);
  }
  const out = Buffer.alloc(bytes.length);
  for (let n = 0, i = 0, j = 0; n < bytes.length; n += 1) {
    i = (i + 1) & 255;
    j = (j + state[i]) & 255;
    swap(i, j);
    out[n] = bytes[n] ^ state[(state[i] + state[j]) & 255];
  }
  return out;
}

// --- the Standard security handler (PDF 1.4, 3.5.2)

const PADDING = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);
const PERMISSIONS = -1852;

const padded = (password) =>
  Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);

/** Revision 3 does everything 20 times, with a different key each time. */
function rc4Rounds(key, bytes, revision) {
  const rounds = revision >= 3 ? 20 : 1;
  for (let i = 0; i < rounds; i += 1) bytes = rc4(Buffer.from(key.map((b) => b ^ i)), bytes);
  return bytes;
}

function shortened(digest, revision, size) {
  const rounds = revision >= 3 ? 50 : 0;
  for (let i = 0; i < rounds; i += 1) digest = md5(digest.subarray(0, size));
  return digest.subarray(0, size);
}

class Encryption {
  constructor({ revision, password = '' }, id) {
    const size = revision >= 3 ? 16 : 5;
    const permissions = Buffer.alloc(4);
    permissions.writeInt32LE(PERMISSIONS);
    const ownerKey = shortened(md5(padded('owner')), revision, size);
    const owner = rc4Rounds(ownerKey, padded(password), revision);
    this.key = shortened(md5(padded(password), owner, permissions, id), revision, size);
    const user =
      revision >= 3
        ? Buffer.concat([rc4Rounds(this.key, md5(PADDING, id), revision), Buffer.alloc(16)])
        : rc4(this.key, PADDING);
    this.dictionary =
      `<< /Filter /Standard /V ${revision - 1} /R ${revision} /Length ${size * 8} ` +
      `/P ${PERMISSIONS} /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`;
  }

  of(object, bytes) {
    const number = Buffer.from([object & 255, (object >> 8) & 255, (object >> 16) & 255, 0, 0]);
    return rc4(md5(this.key, number).subarray(0, Math.min(this.key.length + 5, 16)), bytes);
  }
}

// --- objects and the file

/** Objects in order; `encryption`: {revision: 2 or 3, password} or null. */
export class PdfFile {
  #objects = [];
  #encryption;
  #id = md5('an invented document');

  constructor({ encryption = null } = {}) {
    this.#encryption = encryption && new Encryption(encryption, this.#id);
  }

  /** Reserves a number, for objects that refer to each other. */
  reserve() {
    return this.#objects.push(null);
  }

  add(text, number = this.reserve()) {
    this.#objects[number - 1] = Buffer.from(text, 'latin1');
    return number;
  }

  /** A stream; `bytes` is deflated unless `entries` names a filter. */
  addStream(entries, bytes, number = this.reserve()) {
    const ready = entries.includes('/Filter');
    let body = ready ? bytes : deflateSync(bytes);
    if (this.#encryption) body = this.#encryption.of(number, body);
    const filter = ready ? '' : ' /Filter /FlateDecode';
    const head = `<< ${entries}${filter} /Length ${body.length} >>\nstream\n`;
    this.#objects[number - 1] = Buffer.concat([
      Buffer.from(head, 'latin1'),
      body,
      Buffer.from('\nendstream'),
    ]);
    return number;
  }

  bytes(root) {
    const encrypt = this.#encryption && this.reserve();
    if (encrypt) this.add(this.#encryption.dictionary, encrypt);
    const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    const offsets = [];
    let at = parts[0].length;
    this.#objects.forEach((body, index) => {
      offsets.push(at);
      const part = Buffer.concat([
        Buffer.from(`${index + 1} 0 obj\n`),
        body,
        Buffer.from('\nendobj\n'),
      ]);
      parts.push(part);
      at += part.length;
    });
    const id = this.#id.toString('hex');
    const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
    parts.push(
      Buffer.from(
        `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table.join('')}trailer\n` +
          `<< /Size ${offsets.length + 1} /Root ${root} 0 R /ID [<${id}> <${id}>]` +
          `${encrypt ? ` /Encrypt ${encrypt} 0 R` : ''} >>\nstartxref\n${at}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}

// --- pages

/** Codes 1 to 26 are glyphs that look like letters and map to U+0000 (`lost` below). */
const LOST_CODES = 26;

/** Codes from 128 on map to UNSEEN. */
const UNSEEN_FROM = 0x80;

const unseenCode = (character) => UNSEEN_FROM + UNSEEN.indexOf(character);

/** The letters of `text` as glyphs that lose their meaning when text is extracted from the PDF. */
export function lost(text) {
  return [...text.toLowerCase()]
    .map((c) => (/[a-z]/.test(c) ? String.fromCharCode(c.charCodeAt(0) - 96) : c))
    .join('');
}

function unicodeMap() {
  const nothing = Array.from(
    { length: LOST_CODES },
    (_, i) => `<${(i + 1).toString(16).padStart(2, '0')}> <0000>`,
  );
  const unseen = UNSEEN.map((c) => `<${unseenCode(c).toString(16)}> <${utf16Hex(c)}>`);
  return Buffer.from(
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n' +
      '/CMapName /Letters def /CMapType 2 def\n' +
      '1 begincodespacerange <00> <FF> endcodespacerange\n' +
      `${LOST_CODES} beginbfchar\n${nothing.join('\n')}\nendbfchar\n` +
      `${UNSEEN.length} beginbfchar\n${unseen.join('\n')}\nendbfchar\n` +
      '3 beginbfrange\n<20> <7E> <0020>\n<95> <95> <2022>\n<A0> <FF> <00A0>\nendbfrange\n' +
      'endcmap CMapName currentdict /CMap defineresource pop end end\n',
  );
}

function addFont(file, name, { ascent, descent }) {
  const descriptor = file.add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [0 ${descent} 1000 ${ascent}] ` +
      `/ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight 700 /StemV 80 >>`,
  );
  const widths = Array.from({ length: 256 }, () => LETTER_WIDTH * 1000).join(' ');
  const map = file.addStream('', unicodeMap());
  return file.add(
    `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /Encoding /WinAnsiEncoding ` +
      `/FirstChar 0 /LastChar 255 /Widths [${widths}] /FontDescriptor ${descriptor} 0 R ` +
      `/ToUnicode ${map} 0 R >>`,
  );
}

const FONTS = {
  regular: { ascent: 917, descent: -219 },
  bold: { ascent: 917, descent: -219 },
  boxes: { ascent: 1000, descent: -350 },
};

const escaped = (text) =>
  [...text]
    .map((c) => (UNSEEN.includes(c) ? String.fromCharCode(unseenCode(c)) : c))
    .join('')
    .replace(/[\\()]/g, (c) => `\\${c}`)
    .replace('\u2022', '\x95');

const place = ({ font, size, x, baseline }) =>
  `BT /${font} ${size} Tf ${x.toFixed(3)} ${(PAGE.height - baseline).toFixed(3)} Td`;

const drawWord = (word) => `${place(word)} (${escaped(word.text)}) Tj ET\n`;

/** In Georgia, stretched to the width that all fonts have here. */
function drawGeorgia(word) {
  const { codes, width } = georgiaText(word.font, word.text);
  const stretched = (textWidth(word.text, 1) / width) * 100_000;
  return `${place(word)} ${stretched.toFixed(2)} Tz ${codes} Tj 100 Tz ET\n`;
}

/**
 * A document of pages; each is a list of words {font, size, x, baseline, text}, in points from the
 * top left corner, of {path}, operators of PDF, or of {picture: true}, which fills the page. With `georgia`, the regular and the
 * bold font are Georgia.
 */
export function pdfOfPages(pages, { encryption = null, georgia = false } = {}) {
  const file = new PdfFile({ encryption });
  const [root, tree] = [file.reserve(), file.reserve()];
  const isGeorgia = (font) => georgia && font !== 'boxes';
  const fonts = Object.entries(FONTS).map(([name, metrics]) => {
    const font = isGeorgia(name)
      ? addGeorgia(file, name)
      : addFont(file, `Invented-${name}`, metrics);
    return `/${name} ${font} 0 R`;
  });
  const gray = Buffer.alloc(64, 0xdd);
  const picture = file.addStream(
    '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8',
    gray,
  );
  const kids = pages.map((page) => {
    const draw = page.map((item) => {
      if (item.picture) return `q ${PAGE.width} 0 0 ${PAGE.height} 0 0 cm /picture Do Q\n`;
      if (item.path) return `${item.path}\n`;
      return isGeorgia(item.font) ? drawGeorgia(item) : drawWord(item);
    });
    const content = file.addStream('', Buffer.from(draw.join(''), 'latin1'));
    return file.add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] ` +
        `/Resources << /Font << ${fonts.join(' ')} >> /XObject << /picture ${picture} 0 R >> >> ` +
        `/Contents ${content} 0 R >>`,
    );
  });
  file.add(
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
    tree,
  );
  file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`, root);
  return file.bytes(root);
}

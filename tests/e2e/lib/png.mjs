// Gray pictures: the server's PNGs, and pages as poppler draws them.

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** {width, height, grays, lines} of a PNG with 4 or 16 grays; a line is a Buffer of levels, the
 *  highest is white. Of a page with a marked row also `marked`: the numbers of the lines on yellow. */
export function readPng(bytes) {
  assert.deepEqual(bytes.subarray(0, 8), SIGNATURE);
  const chunks = {};
  for (let at = 8; at < bytes.length;) {
    const n = bytes.readUInt32BE(at);
    chunks[bytes.toString('latin1', at + 4, at + 8)] = bytes.subarray(at + 8, at + 8 + n);
    at += n + 12;
  }
  const [width, height] = [chunks.IHDR.readUInt32BE(0), chunks.IHDR.readUInt32BE(4)];
  const [depth, ...methods] = chunks.IHDR.subarray(8);
  assert.ok([2, 4, 8].includes(depth), `${depth} bits a dot`);
  assert.deepEqual(methods, [depth === 8 ? 3 : 0, 0, 0, 0]);
  const perByte = 8 / depth;
  const grays = 1 << depth;
  const size = 1 + Math.ceil(width / perByte);
  const packed = inflateSync(chunks.IDAT);
  assert.equal(packed.length, size * height);
  const lines = Array.from({ length: height }, (_, y) => {
    const line = Buffer.alloc(width);
    for (let x = 0; x < width; x++) {
      const byte = packed[y * size + 1 + Math.floor(x / perByte)];
      line[x] = (byte >> (8 - depth * (1 + (x % perByte)))) & (grays - 1);
    }
    return line;
  });
  if (depth < 8) return { width, height, grays, lines };
  assert.equal(chunks.PLTE.length, 2 * 16 * 3);
  const marked = lines.flatMap((line, y) => (line.every((dot) => dot >= 16) ? [y] : []));
  return {
    width,
    height,
    grays: 16,
    lines: lines.map((line) => line.map((dot) => dot % 16)),
    marked,
  };
}

/** A page as `pdftoppm` draws it, with that many levels of gray. */
export function drawPage(file, page, dpi, grays = 16) {
  const step = 255 / (grays - 1);
  const options = ['-gray', '-r', dpi, '-f', page, '-l', page, file];
  const bytes = execFileSync('pdftoppm', options.map(String), { maxBuffer: 1 << 26 });
  const [head, width, height] = /^P5\n(\d+) (\d+)\n255\n/.exec(bytes.toString('latin1', 0, 40));
  const lines = Array.from({ length: Number(height) }, (_, y) =>
    bytes
      .subarray(head.length + y * width, head.length + (y + 1) * width)
      .map((dot) => Math.floor((dot + Math.floor(step / 2)) / step)),
  );
  return { width: Number(width), height: Number(height), lines };
}

/** Words of a PDF with their boxes in points: {page, text, top, bottom}. */
export function wordsOf(file) {
  const text = execFileSync('pdftotext', ['-bbox', file, '-'], { encoding: 'utf8' });
  const words = [];
  let page = 0;
  for (const [tag, top, bottom, word] of text.matchAll(
    /<page |<word xMin="[^"]*" yMin="([^"]*)" xMax="[^"]*" yMax="([^"]*)">([^<]*)/g,
  )) {
    if (tag === '<page ') page++;
    else words.push({ page, text: word, top: Number(top), bottom: Number(bottom) });
  }
  return words;
}

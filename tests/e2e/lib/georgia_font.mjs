// Georgia as the House reports of the old layout have it: the codes of a text are the numbers of
// glyphs, and the map from glyphs to characters gives a small letter for some capitals. The widths
// say which face it is. A PDF reader that trusts the map extracts "aMZN".

import { UNSEEN, utf16Hex } from './unseen.mjs';

const CAPITALS = 36; // number of the glyph of "A"
const SMALL = 68; // and of "a"
const OTHERS_FROM = 200;
const OTHERS = [
  ...Array.from({ length: 0x5f }, (_, i) => String.fromCharCode(0x20 + i)).filter(
    (c) => !/[A-Za-z]/.test(c),
  ),
  '\u2022',
  ...UNSEEN,
];

/** Widths in thousandths of the size, of A to Z and of a to z; 0: the reports state none. */
const FACES = {
  regular: {
    capitals: [
      671, 654, 642, 749, 653, 599, 725, 815, 390, 518, 694, 604, 927, 767, 744, 610, 744, 702, 561,
      619, 756, 667, 976, 710, 615, 602,
    ],
    small: [
      504, 560, 454, 574, 483, 325, 509, 582, 293, 292, 536, 286, 881, 591, 539, 571, 560, 410, 432,
      345, 575, 497, 737, 505, 492, 444,
    ],
    lost: /[AOG]/, // capitals that the map gives as small letters
  },
  bold: {
    capitals: [
      758, 757, 715, 834, 721, 671, 807, 0, 446, 0, 0, 686, 1023, 839, 820, 701, 0, 797, 649, 684,
      833, 762, 0, 0, 0, 0,
    ],
    small: [
      596, 0, 531, 663, 572, 393, 577, 0, 354, 0, 0, 344, 1016, 690, 636, 658, 0, 520, 513, 397,
      677, 0, 863, 0, 562, 0,
    ],
    lost: /[^\WDSP]/,
  },
};
const OTHER_WIDTH = 520;

const letters = (first) => Array.from({ length: 26 }, (_, i) => String.fromCharCode(first + i));
const hex = (number) => number.toString(16).padStart(4, '0');

function glyph(character) {
  if (/[A-Z]/.test(character)) return CAPITALS + character.charCodeAt(0) - 65;
  if (/[a-z]/.test(character)) return SMALL + character.charCodeAt(0) - 97;
  return OTHERS_FROM + OTHERS.indexOf(character);
}

function glyphWidth(face, character) {
  const { capitals, small } = FACES[face];
  const width = /[A-Z]/.test(character)
    ? capitals[glyph(character) - CAPITALS]
    : /[a-z]/.test(character)
      ? small[glyph(character) - SMALL]
      : 0;
  return width || OTHER_WIDTH;
}

/** The character that the map gives for the glyph of `character`. */
export const georgiaMapped = (face, character) =>
  FACES[face].lost.test(character) ? character.toLowerCase() : character;

/** The operand of Tj for a text, and the width of the text in thousandths of its size. */
export const georgiaText = (face, text) => ({
  codes: `<${[...text].map((c) => hex(glyph(c))).join('')}>`,
  width: [...text].reduce((sum, c) => sum + glyphWidth(face, c), 0),
});

function unicodeMap(face) {
  const characters = [...letters(65), ...letters(97), ...OTHERS];
  const lines = characters.map((c) => `<${hex(glyph(c))}> <${utf16Hex(georgiaMapped(face, c))}>`);
  const sections = [];
  for (let i = 0; i < lines.length; i += 100) {
    const some = lines.slice(i, i + 100);
    sections.push(`${some.length} beginbfchar\n${some.join('\n')}\nendbfchar\n`);
  }
  return Buffer.from(
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n' +
      '/CMapName /Letters def /CMapType 2 def\n' +
      `1 begincodespacerange <0000> <FFFF> endcodespacerange\n${sections.join('')}` +
      'endcmap CMapName currentdict /CMap defineresource pop end end\n',
  );
}

/** Adds the font of a face to a PdfFile; returns its object. */
export function addGeorgia(file, face) {
  const name = `Invented-${face}`;
  const widths = (first, list) => list.map((w, i) => (w ? `${first + i} [${w}]` : '')).join(' ');
  const { capitals, small } = FACES[face];
  const descriptor = file.add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 -219 1100 917] ` +
      '/ItalicAngle 0 /Ascent 917 /Descent -219 /CapHeight 700 /StemV 80 >>',
  );
  const descendant = file.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /DW ${OTHER_WIDTH} ` +
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ' +
      `/W [${widths(CAPITALS, capitals)} ${widths(SMALL, small)}] ` +
      `/FontDescriptor ${descriptor} 0 R >>`,
  );
  const map = file.addStream('', unicodeMap(face));
  return file.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H ` +
      `/DescendantFonts [${descendant} 0 R] /ToUnicode ${map} 0 R >>`,
  );
}

// Hidden characters (docs/decisions.md, decision 50): samples of every class, and the rule for what
// the program prints.

import { strict as assert } from 'node:assert';

/** One or more of each class. Those of ASCII cannot be in every format. */
export const HIDDEN = {
  'C0 control': '\u001b',
  delete: '\u007f',
  'C1 control': '\u009b',
  'next line': '\u0085',
  'soft hyphen': '\u00ad',
  'grapheme joiner': '\u034f',
  'Arabic letter mark': '\u061c',
  'Arabic number sign': '\u0600',
  'Hangul filler': '\u1160',
  'Khmer vowel': '\u17b4',
  'Mongolian selector': '\u180e',
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'right-to-left mark': '\u200f',
  'line separator': '\u2028',
  'paragraph separator': '\u2029',
  'right-to-left override': '\u202e',
  'word joiner': '\u2060',
  'invisible operator': '\u2063',
  isolate: '\u2066',
  'blank pattern': '\u2800',
  'second Hangul filler': '\u3164',
  'variation selector': '\ufe0f',
  'byte order mark': '\ufeff',
  'narrow Hangul filler': '\uffa0',
  'interlinear mark': '\ufff9',
  'shorthand mark': '\u{1bca0}',
  'musical mark': '\u{1d173}',
  'language tag': '\u{e0001}',
  tag: '\u{e0041}',
  'second variation selector': '\u{e0100}',
};

const HIDDEN_PATTERN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\u{16fe4}\u{1d159}]/gu;

/** "U+202E" */
export const codeOf = (character) =>
  `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** "\u{202E}", as tables, errors and CSV show it. */
export const shown = (character) => `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`;

/** The hidden characters of a text as codes, without the line ends and tabs of its own format. */
export const hiddenIn = (text) =>
  [...text.replace(/\r\n|[\n\t]/g, '').matchAll(HIDDEN_PATTERN)].map(([found]) => codeOf(found));

/** Fails if the text has a hidden character, or bytes that were not UTF-8. */
export function assertNothingHidden(text, what) {
  assert.deepEqual(hiddenIn(text), [], what);
  assert.ok(!text.includes('\ufffd'), `${what}: bytes that are not UTF-8`);
}

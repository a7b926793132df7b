/*
 * The letter case of House reports until spring 2022 (sources.md 1). Their labels are set in small
 * capitals: capital letters, drawn small, for text in small letters. The font's map from glyphs to
 * characters has one character per glyph, so wherever a label uses a capital, the map gives the
 * small letter for it everywhere: "amazon.com, Inc. (aMZN)". The page shows which one is drawn:
 * Georgia numbers its capitals from 36 and its small letters from 68, and each has its own width.
 */
#pragma once

#include "base/buf.h"

enum { LETTER_CASE_GLYPHS = 128 }; /* the letters are below */

/* The widths of a font's glyphs in thousandths of its size; 0: not stated. */
struct letter_case_font {
    int width[LETTER_CASE_GLYPHS];
};

/* The characters that stand for repaired capitals, from LETTER_CASE_FIRST for "A" on. They are
 * from the private use area, so that a reader of the words knows both letters: the one on the page
 * and the small one of the document's own text. */
enum { LETTER_CASE_FIRST = 0xE041 };

/* Writes the map with every capital that it gives as a small letter replaced; *ret_count is their
 * number. false: nothing is proved wrong, and nothing is written. It is proved for a font whose
 * letters all have their numbers and widths in one of Georgia's faces. */
bool letter_case_repair(
    struct str map, const struct letter_case_font *font, struct buf *ret, size_t *ret_count);

/* Appends the text, with each stand-in as the capital on the page. */
void letter_case_of_page(struct buf *b, struct str text);

/* The same, with each stand-in as the small letter of the document's own text. */
void letter_case_of_file(struct buf *b, struct str text);

/*
 * The words of a PDF with their boxes, out of poppler's `pdftotext -bbox`, gathered into lines.
 * Positions are hundredths of a point from the top left corner of the page.
 */
#pragma once

#include "base/mem.h"
#include "base/str.h"

struct house_word {
    int page; /* from 1 */
    int left, right, top, bottom;
    struct str text; /* entities decoded, control bytes dropped; never empty */
};

/* Words that stand on one baseline, from left to right. */
struct house_line {
    int page;
    int top, bottom;
    const struct house_word *words;
    size_t count;
};

struct house_text {
    struct house_line *lines; /* by page, then from top to bottom */
    size_t line_count;
    int pages;
};

enum { HOUSE_WORDS_MAX = 1000000 };

/* false: the text is not such output, or holds more than HOUSE_WORDS_MAX words. All of it lives in
 * the arena. */
bool house_words(struct str bbox, struct arena *arena, struct house_text *ret);

/* Words `from` to `to` with a space between those that stand apart. Small capitals are set as words
 * of their own that touch: they are joined. */
struct str house_line_text(
    const struct house_line *line, size_t from, size_t to, struct arena *arena);

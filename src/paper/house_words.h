/*
 * Parses the output of poppler's `pdftotext -bbox`: words with their boxes, gathered into lines.
 * Positions are hundredths of a point from the top left corner of the page.
 */
#pragma once

#include "base/mem.h"
#include "paper/cell/cell.h"

struct house_word {
    int page; /* from 1 */
    int left, right, top, bottom;
    struct str text;   /* entities decoded, blanks and NUL dropped; never empty */
    struct str stored; /* the same in the letter case of the file's own text (letter_case.h) */
};

/* Words on one baseline, from left to right. */
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

/* false: the text is not `pdftotext -bbox` output, or holds more than HOUSE_WORDS_MAX words. The
 * result lives in the arena. `repaired`: the document's letter case was repaired, so that its words
 * hold stand-ins. */
bool house_words(struct str bbox, bool repaired, struct arena *arena, struct house_text *ret);

/* The words in the order in which the file draws them, as text: a line for words that follow each
 * other on one baseline, an empty line where the next one stands more than a line's height below,
 * and a form feed before each further page. Otherwise like house_words. */
bool house_words_in_order(struct str bbox, bool repaired, struct arena *arena, struct str *ret);

/* The words from `from` up to `to`, joined by spaces. Touching words are joined without one,
 * because pdftotext splits small capitals into separate words. */
struct str house_line_text(
    const struct house_line *line, size_t from, size_t to, struct arena *arena);

/* The same text as it is stored in the file. */
struct str house_line_stored(
    const struct house_line *line, size_t from, size_t to, struct arena *arena);

/*
 * Labels of House reports. They are compared without letter case, because files may store it wrong
 * (letter_case.h); those set in small capitals also without spaces, which break there.
 */

/* The letters of the text in upper case. */
struct str house_label_letters(struct arena *arena, struct str text);

bool house_label_begins(struct str text, struct str label);

/* The offset of the label in the text, or -1. */
ptrdiff_t house_label_find(struct str text, struct str label);

/* The text in upper case: older forms print the district as "oH10". */
struct str house_label_upper(struct arena *arena, struct str text);

/* The cell of a row whose labelled text begins with these letters; CELL_COUNT: none. */
enum cell house_label_cell(struct str letters);

/* Whether a capital follows a small letter, as in "FIlINg STaTUS": the file's letter case is not
 * the page's (letter_case.h), and was not repaired. */
bool house_label_mixes_case(struct str text);

/* Whether these letters are the form's title. It is set in small capitals; since 2022 only its
 * initial letters are extracted. */
bool house_label_is_title(struct str letters);

/*
 * What the stream behind an output can show: colour, how many columns, characters beyond ASCII. The
 * plain text is the contract of programs; a terminal gets the same words, laid out and coloured.
 *
 *     struct terminal t;
 *     terminal_init(&t, stdout, COLOUR_AUTO);
 *     terminal_paint(&t, &line, PAINT_GOOD, str_from(terminal_glyph(&t, GLYPH_TICK)));
 */
#pragma once

#include <stdio.h>

#include "base/buf.h"

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum { TERMINAL_COLUMNS = 80, TERMINAL_COLUMNS_MIN = 20 };

struct terminal {
    bool is_tty;
    bool colour;
    bool utf8;   /* the locale's character set; glyphs are ASCII without it */
    int columns; /* TERMINAL_COLUMNS if the stream does not tell */
};

/* The value of --color: "auto", "always" or "never". */
bool colour_when_parse(struct str text, enum colour_when *ret);

/* COLOUR_AUTO: colour on a terminal, unless NO_COLOR is set and not empty, or TERM is unset or
 * "dumb". */
void terminal_init(struct terminal *t, FILE *to, enum colour_when when);

/* The stream is not a terminal but will be read on one, as with `| less`: lays out for the window
 * of standard error. */
void terminal_assume(struct terminal *t);

enum paint {
    PAINT_NONE,
    PAINT_STRONG, /* what a line is about */
    PAINT_FAINT,  /* labels, header lines, hints */
    PAINT_GOOD,
    PAINT_DOUBT,
    PAINT_BAD,
    PAINT_NAME, /* a word to type: a command, an option */
};

/* Appends the text, in colour if there is colour. It does not escape: pass text that hidden_show
 * has written, or constants. */
void terminal_paint(const struct terminal *t, struct buf *to, enum paint paint, struct str text);

enum glyph { GLYPH_TICK, GLYPH_CROSS, GLYPH_DOUBT, GLYPH_DOT, GLYPH_ARROW, GLYPH_WAIT };

/* "✓", or "ok" without UTF-8; one or two columns wide. */
const char *terminal_glyph(const struct terminal *t, enum glyph glyph);

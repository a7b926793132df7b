/*
 * Prints records on standard output. With --json a record is one JSON object on one line. Without
 * it, a single record is a block of "name  value" lines, and a list is a table of tab-separated
 * columns under one header line. Hidden characters are escaped, visibly without --json
 * (base/hidden.h).
 *
 *     out_begin(out, OUT_TABLE);  out_str(out, "id", id);  out_end(out);
 *
 * On a terminal the same words are laid out in its columns (cmd/term/grid.h). Rows wait there until
 * the table is whole, so out_flush before a long pause. Programs read the pipe, where every row is
 * printed at once and no byte depends on a terminal: only --color always adds colour.
 */
#pragma once

#include <stdio.h>

#include "base/instant.h"
#include "base/json_out.h"
#include "cmd/term/grid.h"

enum out_style { OUT_BLOCK, OUT_TABLE };
enum out_mood { OUT_PLAIN, OUT_GOOD, OUT_WAITING, OUT_DOUBTFUL, OUT_BAD };
enum { OUT_LOST_SIZE = 320 };

/* Something on the terminal that output must not be printed into: a progress bar. NULL: none. */
struct out_over {
    void (*hide)(void *ctx);
    void (*show)(void *ctx);
    void *ctx;
};

struct out {
    FILE *to; /* borrowed */
    bool json;
    enum colour_when colour; /* as the option --color says */
    enum out_style style;
    struct buf header; /* column names, collected with the first row of a table */
    struct buf line;
    struct json_out writer;
    bool header_done;
    struct terminal terminal;
    struct grid grid; /* on a terminal: rows that are not printed yet */
    struct buf laid_out;
    enum out_mood next_mood; /* of the next value */
    struct out_over over;
    bool printed;             /* on a terminal: something stands above */
    char lost[OUT_LOST_SIZE]; /* what to do if a secret that is shown once is lost; empty: none */
};

void out_init(struct out *o, FILE *to, bool json, enum colour_when colour);
/* Flushes. If a write failed, says so on standard error, together with what was lost, and returns
 * false. */
bool out_finish(struct out *o);

/* Lays out as on a terminal, whatever `to` is. Call it before anything is printed. */
void out_lay_out(struct out *o);

/* Prints what waits, for a reader who should see it now. */
void out_flush(struct out *o);

void out_begin(struct out *o, enum out_style style);
void out_str(struct out *o, const char *name, struct str value); /* null: JSON null, "-" */
void out_i64(struct out *o, const char *name, int64_t value);
/* A count, on a terminal with separators: 1,234. */
void out_count(struct out *o, const char *name, int64_t value);
/* `none`: JSON null, "-". */
void out_i64_unless(struct out *o, const char *name, int64_t value, int64_t none);
/* A size, on a terminal in words: 1.2 MB. `none` as above. */
void out_bytes_unless(struct out *o, const char *name, int64_t bytes, int64_t none);
void out_bool(struct out *o, const char *name, bool value);
void out_instant(struct out *o, const char *name, int64_t ms);  /* INSTANT_NONE: null */
void out_raw(struct out *o, const char *name, struct str json); /* a JSON value, copied unchanged */
void out_end(struct out *o);

/* How good a state is. On a terminal it has a colour and a sign: ✓ delivered, ✗ failed. */
void out_state(struct out *o, const char *name, struct str value, enum out_mood mood);
/* The same for the next value, of whatever type. */
void out_mood(struct out *o, enum out_mood mood);

/* A member that is shown once and stored nowhere. If standard output does not take it (a closed
 * pipe, a full disk), out_finish prints the text `lost`: what exists now, by its id, and what to do
 * about it. */
void out_secret(struct out *o, const char *name, struct str value, const char *lost, ...)
    __attribute__((format(printf, 4, 5)));

/* On a terminal and without --json, where a command may print a page of its own. */
bool out_is_page(const struct out *o);

/* Prints a part of such a page as it is: escaped, wrapped and coloured by the caller. */
void out_page(struct out *o, const struct buf *text);

/* On a terminal, prints the line if nothing was printed. */
void out_if_empty(struct out *o, const char *line);

/* Prints a line of text; with --json it prints nothing. */
void out_line(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

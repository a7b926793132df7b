/*
 * What `ingest` and `sync` print: a line for each file, one for each index, a tally and the
 * commands to run next. A terminal gets words and marks; a pipe gets tab-separated columns, and
 * --json one object a line. Reports that an index names and that are not imported yet have a line
 * with --json only; otherwise the index counts them.
 */
#pragma once

#include "cmd/term/out.h"
#include "ingest/ingest_line.h"

struct ingest_page {
    struct out *out;
    bool lists_unchanged; /* on a terminal: else they are only counted */
    size_t first_columns; /* of the names so far */
    int64_t lines;        /* of every kind */
    int64_t of_status[INGEST_STATUS_COUNT];
    int64_t awaiting_of_index;  /* since the last index */
    struct str base_url;        /* of the server; null: not known */
    char draft[64], manual[64]; /* the first filing of each kind */
};

enum { INGEST_PAGE_UNCHANGED_MAX = 20 }; /* files, for which unchanged ones have lines */

/* With `base_url` (null: not known) the next steps name the desk. */
void ingest_page_init(
    struct ingest_page *page, struct out *out, int64_t files, struct str base_url);

/* An ingest_line_fn; ctx is the page. */
void ingest_page_line(void *ctx, const struct ingest_line *line);

/* The tally, and the next commands. `awaiting`: House reports in the ledger that are not imported
 * yet. With --json nothing. */
void ingest_page_end(struct ingest_page *page, int64_t awaiting);

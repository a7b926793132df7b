/*
 * What tesseract believes to read on the pages of a scan: a help for people who enter it by hand.
 * It is told, never written: no draft has anything from here but what a person enters.
 */
#pragma once

#include "core/model.h"
#include "paper/extract.h"
#include "store/db/db.h"

enum { SUGGEST_PAGES_MAX = 20 };

/* One line of text. Where it looks like a row, what the printed tables (core/printed.h) know of its
 * words; otherwise DAY_NONE, SIDE_NONE, BRACKET_NONE. */
struct suggest_line {
    int page;
    struct str text; /* of printable characters */
    int32_t trade_date;
    enum side side;
    enum bracket bracket;
};

typedef void suggest_visit(void *ctx, const struct suggest_line *line);

/* A line that was read, taken apart. */
struct suggest_line suggest_line_read(int page, struct str text);

/* Every line of the filing's document, page by page, SUGGEST_PAGES_MAX at most; *ret_pages: how
 * many were read. Fails as picture_render and extract_lines do; lines told before stand. */
enum err suggest(
    struct db *db, struct extractor *x, struct str filing_id, suggest_visit *visit, void *ctx,
    int *ret_pages, struct fail *fail) MUST_CHECK;

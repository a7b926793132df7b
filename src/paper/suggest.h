/*
 * The text that tesseract reads on the pages of a scan, as help for reviewers who enter it by hand.
 * It is shown, never stored: a draft holds only what a reviewer enters.
 */
#pragma once

#include "core/model.h"
#include "paper/extract.h"
#include "store/db/db.h"

enum { SUGGEST_PAGES_MAX = 20 };

/* One line of text. If it looks like a row, the fields hold the matches in the printed tables
 * (core/printed.h); otherwise DAY_NONE, SIDE_NONE, BRACKET_NONE. */
struct suggest_line {
    int page;
    struct str text; /* printable characters only */
    int32_t trade_date;
    enum side side;
    enum bracket bracket;
};

typedef void suggest_visit(void *ctx, const struct suggest_line *line);

/* Parses one line of text. */
struct suggest_line suggest_line_read(int page, struct str text);

/* Visits every line of a page's text. Skips lines with hidden characters: the text comes from
 * tesseract, which is not trusted. */
void suggest_lines_read(int page, struct str text, suggest_visit *visit, void *ctx);

/* Visits every line of the filing's document, page by page, up to SUGGEST_PAGES_MAX pages;
 * *ret_pages is the number of pages read. Same errors as picture_render and extract_lines; lines
 * visited before an error remain valid. */
enum err suggest(
    struct db *db, struct extractor *x, struct str filing_id, suggest_visit *visit, void *ctx,
    int *ret_pages, struct fail *fail) MUST_CHECK;

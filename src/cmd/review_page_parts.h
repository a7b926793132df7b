/*
 * What the parts of the page of a draft share: the page while it is built, and its lines. Private
 * to src/cmd.
 */
#pragma once

#include "base/mem.h"
#include "cmd/terminal.h"
#include "review/desk.h"

enum {
    PAGE_MAX = 256 << 20,
    MARGIN = 2,
    LABEL = 15, /* "filed (public)" and a blank */
    GAP = 2,
    DOUBTS_MAX = 32,
    COLUMNS_MAX = 140, /* of a line that is read */
    HALF_MAX = 48,
    NO_ROW = -1,
};

struct review_page {
    const struct desk_view *view;
    const struct terminal *terminal;
    struct buf to;
    struct arena arena;
    size_t columns;
};

/* The text with hidden characters escaped, in the arena. */
struct str review_page_text(struct review_page *p, struct str text);

void review_page_paint(struct review_page *p, enum paint paint, struct str text);
void review_page_heading(struct review_page *p, const char *text);

/* Pads a text of `printed` columns that was just printed. */
void review_page_pad(struct review_page *p, size_t printed, size_t columns);

/* Wraps behind what stands on the line already, each line in the paint. */
void review_page_wrap(struct review_page *p, enum paint how, struct str text, size_t indent);

/* "  label         value", wrapped; nothing for a null value. */
void review_page_fact(struct review_page *p, const char *label, struct str value, enum paint how);

void review_page_mark(struct review_page *p, enum glyph glyph, enum paint how, size_t margin);
size_t review_page_mark_columns(const struct review_page *p); /* with the blank behind it */

/* --- review_rows.c */

void review_page_effect(struct review_page *p); /* of publishing, as facts of the head */
void review_page_rows(struct review_page *p);

/* --- review_next.c */

void review_page_commands(struct review_page *p);

/*
 * The place of a page in its report. The Clerk's system lays a report out as one tall sheet and
 * draws a part of it on each page, moved up so that the part comes to lie on the page. The content
 * of a page therefore states how far it was moved, and successive pages are moved by less than the
 * height of a page. A greater step is a lost page; a step back is another report, or a page out of
 * order (sources.md 1).
 */
#pragma once

#include "base/str.h"

/* A check box that a newer report draws: an empty square with round corners, or a tick. */
struct pdf_box {
    uint16_t page;      /* from 1 */
    uint16_t left, top; /* its middle, in tenths of a point */
    uint16_t checked;
};

enum { PDF_BOXES_MAX = 3000 };

struct pdf_boxes {
    int count;
    int page, height; /* of the content that is read next; hundredths of a point */
    struct pdf_box box[PDF_BOXES_MAX];
};

/* Adds a box on the current page, if it lies on it and there is room. Points from the left and the
 * top. */
void pdf_boxes_add(struct pdf_boxes *boxes, double left, double top, bool checked);

/* One page: hundredths of a point. */
struct pdf_flow_page {
    bool known; /* the page draws such a sheet */
    int top;    /* the top edge of the sheet above the bottom edge of the page */
    int height; /* of the page */
};

/* Reads the content of a page: *ret_top is the top of the highest sheet that it draws downwards.
 * false: it draws none. Adds its check boxes; `boxes` may be NULL. Bounded for any bytes. */
bool pdf_flow_top(struct str content, struct pdf_boxes *boxes, int *ret_top);

struct pdf_flow {
    int gap;     /* number of the first page that does not follow the one before; 0: none */
    int restart; /* number of the first page that begins another sheet, or goes back; 0: none */
};

/* Pages without a known place are skipped: nothing is said about them. */
struct pdf_flow pdf_flow_check(const struct pdf_flow_page *pages, size_t count);

/*
 * How each cell of a row on a scanned page was read, and where that row stands. The rows of
 * electronic reports have neither: everything in them is read from text.
 */
#pragma once

#include "base/json_in.h"
#include "base/json_out.h"
#include "paper/cell/cell.h"

enum cell_how {
    CELL_NOT_READ,
    CELL_FROM_BOX,
    CELL_FROM_TEXT,
    CELL_ENTERED, /* a person has set it since */
    CELL_HOW_COUNT
};

struct cell_source {
    enum cell_how how;
    struct str reason; /* why it was not read, or why it is doubted; null: none */
};

enum { CELL_REASON_MAX = 500 };

/* Read from text with a reason to doubt it: of ten names of assets, one has a wrong letter. */
bool cell_source_is_unsure(const struct cell_source *source);

/* "not_read", "box", "text", "unsure" (text with a doubt), "entered". */
struct str cell_source_name(const struct cell_source *source);

/* JSON: an object by cell name, without the cells that were not read for no stated reason. Text
 * with a doubt is "text" here, with its reason. */
void cell_sources_put(struct json_out *j, const struct cell_source sources[static CELL_COUNT]);

/* Reads such an object; the reasons live in the arena. Complains about anything else. */
void cell_sources_get(
    struct json_in *j, const json_t *object, struct arena *arena,
    struct cell_source ret[static CELL_COUNT]);

/* The same from text. false: null, or not such an object; then no cell was read. */
bool cell_sources_read(
    struct str text, struct arena *arena, struct cell_source ret[static CELL_COUNT]);

/* The stored text of a row in which a person has set that cell, in the arena; null stays null. */
struct str cell_sources_enter(struct str text, enum cell cell, struct arena *arena);

/* A rectangle of a page that stands upright and straight, in ten-thousandths of its width and
 * height. */
struct page_place {
    int left, top, width, height;
};

enum { PAGE_PLACE_WHOLE = 10000 };

/* Not empty, and on the page. All zero is no place. */
bool page_place_is_valid(const struct page_place *place);

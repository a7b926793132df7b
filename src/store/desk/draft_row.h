/* Rows of a draft: the printed cells, which never change, and their interpretation. */
#pragma once

#include "db/db.h"
#include "paper/cell/cell_source.h"
#include "rule/model.h"

enum draft_row_status {
    DRAFT_ROW_NEW,
    DRAFT_ROW_AMENDED,
    DRAFT_ROW_DELETED,
    DRAFT_ROW_STATUS_COUNT
};

struct str draft_row_status_name(enum draft_row_status status);

struct draft_row_stored {
    int row;
    int page; /* 0: none */
    enum draft_row_status status;
    struct row_values values;
    int32_t notified_date;
    enum cap_gains cap_gains;
    struct str company;  /* a reviewer's: the symbol that is not printed; null: none */
    struct str printed;  /* JSON object; null: entered by hand */
    struct str doubts;   /* JSON array of texts, "[]" */
    struct str held;     /* why it cannot be published; null: it can */
    struct str trade_id; /* the public trade that it repeats or changes; null: none */
    bool removed;        /* a person removed it */
    /* Of a row on a scanned page. */
    struct page_place place; /* zero: none */
    struct str sources;      /* how each cell was read (paper/cell/cell_source.h); null */
};

struct draft_row_list {
    struct draft_row_stored *items; /* by row, including removed ones */
    size_t count;
};

/* The row of that number; NULL: there is none. */
const struct draft_row_stored *draft_row_at(const struct draft_row_list *rows, int64_t number);

/* ERR_EXISTS: the draft already has that row. */
enum err draft_row_insert(
    struct db *db, int64_t draft_no, const struct draft_row_stored *row, struct fail *fail);
/* Updates all but row, page, printed and place. ERR_NOT_FOUND: no such row. */
enum err draft_row_update(
    struct db *db, int64_t draft_no, const struct draft_row_stored *row, int64_t now_ms,
    struct fail *fail);

/* Deletes the rows that were read from a scan. Only for a draft that no person has touched. */
enum err draft_row_forget_scanned(struct db *db, int64_t draft_no, struct fail *fail);

/* The rows stay, without their places: those are of pages that are not the draft's any more. */
enum err draft_row_forget_places(struct db *db, int64_t draft_no, struct fail *fail);

enum err draft_row_load(
    struct db *db, int64_t draft_no, struct arena *arena, struct draft_row_list *ret,
    struct fail *fail);

/* Loads rows of published House drafts of the member, filed at `filed_at` or later, that are marked
 * as amended or deleted while the trade they refer to was not public (trade_id "new"). Leaves out
 * those of `filing_id`. */
enum err draft_row_load_unattached(
    struct db *db, struct str politician_id, struct str filing_id, int64_t filed_at,
    struct arena *arena, struct draft_row_list *ret, struct fail *fail);

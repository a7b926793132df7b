/*
 * Draws the sample of a day (docs/adr/0036-sample.md): chooses trades on a read connection, then
 * stores them in one transaction. All public trades of a stratum with a stored document are equally
 * likely, whatever their filing; and so are all public documents, with trades or without.
 */
#pragma once

#include "store/desk/sample_draw.h"

enum { SAMPLE_ROWS_MAX = 100, DOCUMENT_ROWS = 5 }; /* of a day; the maximum of the setting */

struct sample_pick {
    struct str trade_id;
    int stratum;
};

/* A document to count: one for every DOCUMENT_ROWS rows of a day, or a part of them. */
struct sample_plan_document {
    int64_t filing_no;
    int stratum;
};

struct sample_plan {
    struct sample_draw draw;
    struct sample_pick *picks;
    size_t count;
    struct sample_plan_document *documents;
    size_t document_count;
};

/* Chooses up to `rows` trades, at most SAMPLE_ROWS_MAX, with this seed. Returns fewer if not enough
 * trades are left that do not wait already. In the arena. Holds a snapshot. */
enum err sample_plan_make(
    struct db *db, int64_t rows, const uint8_t seed[static SHA256_SIZE], int64_t now_ms,
    struct arena *arena, struct sample_plan *ret, struct fail *fail);

struct sample_plan_result {
    int64_t drawn, documents, expired;
};

/* Inside a write transaction: stores the draw with the trades as they are public now, and expires
 * rows that nobody typed. ERR_EXISTS: the sample of this day was drawn already; nothing is
 * stored. */
enum err sample_plan_store(
    struct db *db, const struct sample_plan *plan, int64_t now_ms, struct sample_plan_result *ret,
    struct fail *fail);

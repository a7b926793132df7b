/*
 * Draws the sample of a day (docs/adr/0036-sample.md): chooses trades on a read connection, then
 * stores them in one transaction. All public trades of a stratum with a stored document are equally
 * likely, whatever their filing.
 */
#pragma once

#include "store/sample_draw.h"

enum { SAMPLE_ROWS_MAX = 100 }; /* of a day; the maximum of the setting */

struct sample_pick {
    struct str trade_id;
    int stratum;
};

struct sample_plan {
    struct sample_draw draw;
    struct sample_pick *picks;
    size_t count;
};

/* Chooses up to `rows` trades, at most SAMPLE_ROWS_MAX, with this seed. Returns fewer if not enough
 * trades are left that do not wait already. In the arena. Holds a snapshot. */
enum err sample_plan_make(
    struct db *db, int64_t rows, const uint8_t seed[static SHA256_SIZE], int64_t now_ms,
    struct arena *arena, struct sample_plan *ret, struct fail *fail) MUST_CHECK;

struct sample_plan_result {
    int64_t drawn, expired;
};

/* Inside a write transaction: stores the draw with the trades as they are public now, and expires
 * rows that nobody typed. ERR_EXISTS: the sample of this day was drawn already; nothing is
 * stored. */
enum err sample_plan_store(
    struct db *db, const struct sample_plan *plan, int64_t now_ms, struct sample_plan_result *ret,
    struct fail *fail) MUST_CHECK;

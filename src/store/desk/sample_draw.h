/*
 * Daily draws of public trades, and what they are drawn from (docs/adr/0036-sample.md). The rows
 * that were drawn are in store/desk/sample.h.
 */
#pragma once

#include "base/crypto.h"
#include "db/db.h"
#include "rule/sample.h"

/* A public filing. */
struct sample_filing {
    int64_t filing_no;
    int stratum;    /* of rule/sample.h */
    bool stored;    /* the bytes of its document are: its newest version's, for all its trades */
    int64_t trades; /* public ones */
};

/* Visits all public filings, by number. One pass over an index of the trades. */
typedef void sample_filing_visit(void *ctx, const struct sample_filing *filing);
enum err sample_each_filing(
    struct db *db, sample_filing_visit *visit, void *ctx, struct fail *fail);

/* The id of a public trade of the filing, counted from 0 in the order of their numbers, in the
 * arena. ERR_NOT_FOUND: it has fewer. */
enum err sample_trade_at(
    struct db *db, int64_t filing_no, int64_t at, struct arena *arena, struct str *ret,
    struct fail *fail);

struct sample_stratum_count {
    int64_t trades;   /* that could be drawn */
    int64_t unstored; /* that could not: their document is not stored */
    int64_t drawn;
    int64_t documents; /* that could be drawn */
};

struct sample_draw {
    int32_t day; /* UTC */
    int64_t drawn_at;
    uint8_t seed[SHA256_SIZE];
    struct sample_stratum_count strata[SAMPLE_STRATA];
};

/* ERR_EXISTS: there is a draw of that day. */
enum err sample_draw_add(
    struct db *db, const struct sample_draw *draw, int64_t *ret_no, struct fail *fail);

/* *ret: there is a draw of that day. */
enum err sample_is_drawn(struct db *db, int32_t day, bool *ret, struct fail *fail);

/* The newest draw. ERR_NOT_FOUND: none. */
enum err sample_draw_newest(struct db *db, struct sample_draw *ret, struct fail *fail);

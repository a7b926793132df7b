/*
 * The log of changes after publication (decision 29). It is append-only: both databases reject
 * UPDATE and DELETE on it.
 */
#pragma once

#include "db/db.h"
#include "rule/model.h"

struct correction {
    int64_t no; /* set when read */
    enum correction_kind kind;
    struct str trade_id; /* null: not about a single trade */
    /* The filing of the trade, or the filing that the entry is about as a whole; null: backfill.
     * correction_add fills it in from trade_id. */
    struct str filing_id;
    int64_t at;
    struct str field; /* null: this kind has no field */
    struct str old;
    struct str new;
    struct str reason; /* null: none */
    struct str by;     /* e-mail address */
    /* backfill only */
    int64_t range_start;
    int64_t range_end;
    int64_t count;
    /* Set when read: its columns do not give the digest that the chain over publications has of it.
     * Do not serve it. */
    bool damaged;
};

/* Adds the entry, one to the sequence of changes (change_log.h), and one to the chain over
 * publications. Call it after the change
 * itself, inside a review_transaction (event/transaction.h), which holds publication_lock. The
 * stored instant is the later of `at` and the newest entry's, so that it never steps back.
 * ERR_NOT_FOUND: no such trade. */
enum err correction_add(struct db *db, const struct correction *correction, struct fail *fail);

/* Reports whether the log has an entry for this field of the trade with another reason than one
 * that begins with `reason`. */
enum err correction_of_field(
    struct db *db, struct str trade_id, struct str field, struct str reason, bool *ret,
    struct fail *fail);

/* The number of entries about the trade; without one, about the filing and its trades. */
enum err correction_count(
    struct db *db, struct str filing_id, struct str trade_id, int64_t *ret, struct fail *fail);

/* Selects entries made at since_ms or later, after (before_at, before_no) in list order. */
struct correction_range {
    int64_t since_ms;  /* INSTANT_NONE: from the oldest */
    int64_t until_ms;  /* exclusive; INSTANT_NONE: to the newest */
    int64_t before_at; /* INT64_MAX, as for before_no: from the newest */
    int64_t before_no;
    enum correction_kind kind; /* CORRECTION_NONE: all */
    struct str trade_id;       /* null: all */
    struct str filing_id;      /* of the filing and of its trades; null: all */
    /* A symbol in its normal form; null: all. Selects entries about trades that have it, or that
     * had it until a correction. Former symbols are not looked up. */
    struct str ticker;
    /* A member's slug or id; null: all. Selects entries about the filings that the member has, and
     * about filings that were the member's until a correction. */
    struct str politician;
    /* Leaves out entries made at this instant or later about a trade or filing that was published
     * at this instant or later; INT64_MAX: none. */
    int64_t seen_before_ms;
};

/* The fields of the entries that give a filing, and each of its trades, to another member. */
#define CORRECTION_POLITICIAN_ID STR("politicianId")
#define CORRECTION_POLITICIAN_SLUG STR("politician.slug")

#define CORRECTION_RANGE_ALL                                                                       \
    ((struct correction_range){                                                                    \
        .since_ms = INSTANT_NONE,                                                                  \
        .until_ms = INSTANT_NONE,                                                                  \
        .before_at = INT64_MAX,                                                                    \
        .before_no = INT64_MAX,                                                                    \
        .seen_before_ms = INT64_MAX})

/* As GET /api/v1/corrections has it. */
void correction_json(struct buf *b, const struct correction *c);

/* Visits by (at, no), newest first, at most `limit`. Strings are valid during the call. */
typedef void correction_visit(void *ctx, const struct correction *correction);
enum err correction_each(
    struct db *db, const struct correction_range *range, int64_t limit, correction_visit *visit,
    void *ctx, struct fail *fail);

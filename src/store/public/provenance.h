/*
 * The review of a trade's filing: who reviewed it and when, and its relation to other filings. With
 * the source in store/public/trade.h this is everything that GET /trades/{id} shows (decision 40).
 */
#pragma once

#include "db/db.h"
#include "store/public/filing.h"

enum { PROVENANCE_REVIEWERS_MAX = 2 };

struct provenance {
    enum filing_review review;
    int64_t looked_ms;       /* between the answers of the server to the reviewer; -1: not known */
    enum filing_entry entry; /* before the last publication */
    int64_t filed_at;
    uint8_t document_sha256[32]; /* of the filing's document; zeros: none */
    int reviewer_count;
    int64_t reviewed_at[PROVENANCE_REVIEWERS_MAX]; /* in order of acceptance */
    struct str amends;     /* id of the filing that this one amends; null: none */
    struct str amended_by; /* id of the newest public filing that amends this one; null: none */
};

/* Of other filings only those published before before_ms (INT64_MAX: all) are named. Strings live
 * in the arena. ERR_NOT_FOUND: no such filing. */
enum err provenance_find(
    struct db *db, struct str filing_id, int64_t before_ms, struct arena *arena,
    struct provenance *ret, struct fail *fail);

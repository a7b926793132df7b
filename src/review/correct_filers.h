/*
 * Corrects the party and the state of filers in public trades (decision 7), where today's terms of
 * the member differ for the filing date. `members import` may add terms after the publication. The
 * log has an entry for each field of each trade.
 *
 * The name stays as of the publication, unless the caller asks for names. A filing without a term
 * on its date does not change.
 */
#pragma once

#include "store/public/filing.h"

/* One value that differs. */
struct filer_difference {
    struct str filing_id;
    struct str politician_id;
    struct str field; /* politician.party, politician.state, politician.name: a path in a Trade */
    struct str old, new; /* null: no value */
    int64_t published_at;
    int64_t trades; /* number of trades with it; 0 without a transaction of correct_filers */
};

/* Strings are valid during the call. */
typedef void filer_difference_fn(void *ctx, const struct filer_difference *difference);

struct correct_filers_result {
    size_t filings; /* with a difference */
    size_t trades;  /* of these filings */
    size_t fields;  /* entries in the log */
    int64_t change_seq;
};

struct correct_filers {
    bool names; /* also the name */
    bool dry_run;
    struct str by;
    struct str reason;
    int64_t now_ms;
    filer_difference_fn *found; /* or NULL */
    void *ctx;
};

/* Corrects all public filings in one transaction; `dry_run` only reports. ERR_INVALID: no reason.
 */
enum err correct_filers(
    struct db *db, const struct correct_filers *how, struct correct_filers_result *ret,
    struct fail *fail);

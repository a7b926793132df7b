/*
 * Publication: the one way a filing and its trades become public (docs/architecture.md, "Data
 * flow"). One transaction writes document, filing, trades with their provenance, history, the event
 * with its deliveries, and last the change notice. Either all of it is there or nothing is.
 *
 * Live publications get a disclosedAt that grows strictly from one to the next; a backfill takes
 * the filing instants of what was filed before the first live publication (decision 1).
 */
#pragma once

#include "core/draft.h"

struct db;

struct publish_result {
    int64_t publication;  /* number of the publication; 0: nothing was new */
    int64_t disclosed_at; /* live only */
    int64_t change_seq;   /* of the notice: what running servers must have taken in */
    size_t filings, trades, deliveries;
    size_t unchanged; /* filings that were there already, with nothing new in them */
};

/* Publishes the rows of one filing that are not public yet; rows that are stay as they are. A
 * filing that is there takes further rows as a publication of its own (decision 14). ERR_NOT_FOUND:
 * no such member. ERR_EXISTS: nothing new in it. `by` is the e-mail address of who did it. */
enum err publish_live(
    struct db *db, const struct draft_filing *filing, struct str by, int64_t now_ms,
    struct publish_result *ret, struct fail *fail) MUST_CHECK;

/* The same inside a transaction of the caller's, who commits or rolls back. */
enum err publish_within(
    struct db *db, const struct draft_filing *filing, struct str by, int64_t now_ms,
    struct publish_result *ret, struct fail *fail) MUST_CHECK;

/* Called for each filing that a backfill does not take, with the reason. */
typedef void publish_refused_fn(void *ctx, const struct draft_filing *filing, const char *reason);

/* Takes many filings in as bulk history in one transaction: no event, one entry in the corrections
 * log. Filings that are there already are left alone; those filed at or after the first live
 * publication are refused one by one. Writes nothing, not even the entry, when none is new.
 * ERR_REFUSED: the database holds invented data. */
enum err publish_backfill(
    struct db *db, const struct draft_filing *filings, size_t count, struct str by, int64_t now_ms,
    publish_refused_fn *refused, void *ctx, struct publish_result *ret,
    struct fail *fail) MUST_CHECK;

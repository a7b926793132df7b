/*
 * Publication, the only way for a filing and its trades to become public (docs/architecture.md,
 * "Data flow"). One transaction writes document, filing, trades with their provenance, history, the
 * event with its deliveries, and last the change notice.
 *
 * The disclosedAt of live publications is strictly increasing. A backfill uses the filing instants
 * of filings from before the first live publication (decision 1).
 */
#pragma once

#include "rule/draft.h"

struct db;
struct progress_hook;

struct publish_result {
    int64_t publication;  /* number of the publication; 0: nothing new */
    int64_t disclosed_at; /* live only */
    int64_t change_seq;   /* of the change notice that running servers must apply */
    size_t filings, trades, deliveries;
    size_t unchanged; /* filings already public, without new rows */
};

/* Publishes the unpublished rows of one filing; public rows stay unchanged. More rows of a public
 * filing are a separate publication (decision 14). ERR_NOT_FOUND: no such member. ERR_EXISTS:
 * nothing new. `by` is the e-mail address of the person who publishes. */
enum err publish_live(
    struct db *db, const struct draft_filing *filing, struct str by, int64_t now_ms,
    struct publish_result *ret, struct fail *fail);

/* The same inside the caller's transaction; the caller commits or rolls back. */
enum err publish_within(
    struct db *db, const struct draft_filing *filing, struct str by, int64_t now_ms,
    struct publish_result *ret, struct fail *fail);

/* Called for each filing that a backfill refuses, with the reason. */
typedef void publish_refused_fn(void *ctx, const struct draft_filing *filing, const char *reason);

/* Publishes many filings as bulk history in one transaction: no event, one entry in the corrections
 * log. Skips filings that are already public; refuses each filing filed at or after the first live
 * publication, and each whose amendment is public without it. If none is new, writes nothing, not
 * even the log entry. `progress` (may be NULL) is told the filings. ERR_REFUSED: the database holds
 * invented data. */
enum err publish_backfill(
    struct db *db, const struct draft_filing *filings, size_t count, struct str by, int64_t now_ms,
    publish_refused_fn *refused, void *ctx, const struct progress_hook *progress,
    struct publish_result *ret, struct fail *fail);

/*
 * The public dump of Senate periodic transaction reports up to early 2021, read into drafts
 * (decision 1: bulk history that one person vouches for).
 *
 * Cleaned, never guessed: what a row does not say is null, and what cannot be read is refused with
 * its reason. A refused row leaves its filing's other rows alone and their numbers unchanged. The
 * dump's own Bioguide ids are not used; people are matched by name and date (sources.md 4).
 */
#pragma once

#include "core/draft.h"
#include "store/member.h"

/* One thing that did not become a draft. Valid during the call only. */
struct stock_watcher_refusal {
    size_t record;        /* 1 for the first object of the file */
    struct str filing_id; /* null where the link could not be read */
    int row;              /* number on the page; 0: the whole filing */
    struct str reason;
};

typedef void stock_watcher_refused_fn(void *ctx, const struct stock_watcher_refusal *refusal);

struct stock_watcher {
    struct arena arena; /* owns everything below */
    struct draft_document document;
    struct draft_filing *filings; /* in the file's order */
    size_t *records;              /* of each filing: its number in the file, from 1 */
    size_t filing_count;
    size_t filings_read, filings_refused;
    size_t filings_without_rows; /* of those kept: on paper */
    size_t rows_read, rows_refused;
    size_t people; /* distinct members with at least one trade */
    size_t filers; /* distinct members matched, those without trades too */
};

/* `text` is the whole file; `name` is named in errors; `members` must outlive the result.
 * ERR_INVALID: it is not that file (the line or record is named). `refused` (may be NULL) is called
 * for each row or filing that stayed out, in the file's order. */
enum err stock_watcher_read(
    struct str name, struct str text, const struct member_list *members,
    stock_watcher_refused_fn *refused, void *ctx, struct stock_watcher **ret,
    struct fail *fail) MUST_CHECK;
void stock_watcher_destroy(struct stock_watcher *sw);

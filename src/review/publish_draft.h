/*
 * An accepted draft goes public, in one transaction: the filing and its new trades with provenance,
 * event and deliveries; corrections of trades that changed; withdrawals of those that are gone; the
 * link to the filing that it amends. What it does is exactly what the reviewer accepted: if what is
 * public has changed since, nothing is done and somebody must look again.
 */
#pragma once

#include "review/publish.h"

struct publish_draft_result {
    size_t added, corrected, withdrawn, linked, held, overtaken;
    size_t deliveries;
    int64_t publication;  /* 0: nothing new was published */
    int64_t disclosed_at; /* of the new trades; INSTANT_NONE: none */
    int64_t change_seq;
};

/* ERR_NOT_FOUND: no such draft. ERR_REFUSED: not accepted, or no longer what was accepted. */
enum err publish_draft(
    struct db *db, struct str filing_id, struct str by, int64_t now_ms,
    struct publish_draft_result *ret, struct fail *fail) MUST_CHECK;

/* Accepted drafts as bulk history instead (`publish --backfill`): one publication of filings that
 * were filed before the first live one, without events, disclosedAt is the filing instant. Only
 * drafts of filings that are not public yet. */
enum err publish_drafts_bulk(
    struct db *db, const struct str *filing_ids, size_t count, struct str by, int64_t now_ms,
    struct publish_draft_result *ret, struct fail *fail) MUST_CHECK;

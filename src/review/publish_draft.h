/*
 * Publishes an accepted draft in one transaction: the filing and its new trades with provenance,
 * event and deliveries; corrections of changed trades; withdrawals of missing trades; the link to
 * the amended filing. The result is exactly what the reviewer accepted. If the public data has
 * changed since, nothing is published and the draft must be reviewed again.
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

/* ERR_NOT_FOUND: no such draft. ERR_REFUSED: not accepted, changed since, or an accepted draft that
 * it builds on is not public yet. */
enum err publish_draft(
    struct db *db, struct str filing_id, struct str by, int64_t now_ms,
    struct publish_draft_result *ret, struct fail *fail);

/* The error is about the draft; otherwise nothing more can be published now. */
bool publish_draft_refused(enum err err);

/* Publishes accepted drafts as bulk history (`publish --backfill`): one publication of filings from
 * before the first live one, without events; disclosedAt is the filing instant. Only for drafts of
 * filings that are not public yet. */
enum err publish_drafts_bulk(
    struct db *db, const struct str *filing_ids, size_t count, struct str by, int64_t now_ms,
    struct publish_draft_result *ret, struct fail *fail);

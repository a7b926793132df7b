/*
 * Unread paper filings: those of a list that has no trades for them. Each gets an entry of the
 * ledger in state needs_manual, and a draft without rows that has the member and the filing date. A
 * scan or a viewer page that arrives later is attached to that draft. The filing is published when
 * a reviewer has entered its rows.
 */
#pragma once

#include "rule/draft.h"

struct db;

struct unread_paper {
    struct draft_filing filing; /* without rows */
    struct str filer;           /* "Last, First", as the list has it */
};

/* Adds what is missing: the entry, its filing date and filer, the draft, its member and filing
 * date. Leaves a draft that a person has taken as it is. Call it inside a write transaction.
 * *ret_added: the draft is new. */
enum err unread_paper_record(
    struct db *db, const struct unread_paper *paper, struct str by, int64_t now_ms, bool *ret_added,
    struct fail *fail);

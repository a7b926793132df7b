/* A report on its way into the ledger; only ledger*.c include this. */
#pragma once

#include "ingest/ledger.h"
#include "store/draft.h"

/* One report on its way. */
struct ledger_report {
    const struct ledger *ledger;
    struct arena *arena;
    struct reading *reading;
    struct str file_name;
    struct document_entry entry;
    struct draft_new draft;
    int64_t now_ms;
    struct str json; /* the reading, before the ledger's own checks */
};

/* What the document and its index say of the filing, with all checks: the draft, and the state of
 * the entry. */
enum err ledger_make_draft(struct ledger_report *report, struct fail *fail) MUST_CHECK;

/* The draft with its rows in the place of the one before (ledger_draft.c says when it stays). */
enum err ledger_write_draft(struct ledger_report *report, int64_t version, struct fail *fail)
    MUST_CHECK;

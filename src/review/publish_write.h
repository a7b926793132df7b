/* The steps that live and bulk publication share; only they call these, inside their transaction.
 */
#pragma once

#include "base/mem.h"
#include "core/draft.h"
#include "store/publication.h"

struct finding;
struct judge;

/* What one transaction carries from filing to filing. */
struct publish_write {
    struct db *db;
    struct publication publication;
    struct str by;
    int64_t now_ms;
    /* The document that was recorded last: filings of one document come together. */
    const struct draft_document *document;
    int64_t document_version;
    struct judge *judge;
    /* Of the filing that was judged last, one per row; NULL: no signal. */
    struct finding **findings;
    size_t finding_room;
};

/* Frees what it holds; the transaction may be open still. */
void publish_write_finish(struct publish_write *w);

/* Takes the lock on publications; the transaction is open. */
enum err publish_write_begin(struct publish_write *w, enum publication_kind kind, struct fail *fail)
    MUST_CHECK;

/* The document, and a filing that is not there yet. */
enum err publish_write_document(
    struct publish_write *w, const struct draft_filing *filing, struct fail *fail) MUST_CHECK;
enum err publish_write_filing(
    struct publish_write *w, const struct draft_filing *filing, int64_t *ret_no,
    struct fail *fail) MUST_CHECK;

/* What the conflict rule finds of each row: w->findings, until the next filing. */
enum err publish_write_judge(
    struct publish_write *w, const struct draft_filing *filing, struct fail *fail) MUST_CHECK;

/* Rows as trades with what was judged of them, but those whose number is marked in `skip` (NULL:
 * none). */
enum err publish_write_trades(
    struct publish_write *w, const struct draft_filing *filing, int64_t filing_no, const bool *skip,
    int64_t disclosed_at, struct fail *fail) MUST_CHECK;

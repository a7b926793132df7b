/*
 * The sequence of everything that changed for readers (decision 47): trades published, corrected,
 * withdrawn and reinstated, and changed signals. It is append-only, and its numbers have no gaps
 * and are in the order of commits. It serves callers that keep a copy, and events.
 *
 * Callers do not add entries. The functions that change public data do:
 *
 *     publication_finish   one `published` for each new trade, and for a new filing without trades
 *     correction_add       one `corrected`, `withdrawn` or `reinstated` for each entry of that log
 *     finding_set          one `signal` for each changed signal of a public trade
 *
 * The transaction must hold publication_lock. Without it, two transactions would take the same
 * number, and the primary key rejects the second. Do not confuse it with change.h, whose notices
 * tell servers what to read again.
 */
#pragma once

#include "db/db.h"
#include "paper/cell/change.h"

/* For the functions above. */

/* The instant for entries of this transaction: the later of now and the newest entry's, so that
 * `at` never steps back. ERR_REFUSED: the clock is ahead (credible.h). */
enum err change_log_instant(struct db *db, int64_t now_ms, int64_t *ret, struct fail *fail);

enum err change_log_published(
    struct db *db, int64_t publication_no, int64_t now_ms, struct fail *fail);
/* `filing_id` counts only if trade_id is null. ERR_NOT_FOUND: no such trade or filing. */
enum err change_log_corrected(
    struct db *db, enum change_kind kind, struct str trade_id, struct str filing_id,
    int64_t correction_no, int64_t at, struct fail *fail);
/* The lines of finding_history from first to last. */
enum err change_log_signals(
    struct db *db, int64_t first, int64_t last, int64_t now_ms, struct fail *fail);

/* Reading */

/* An entry's number and instant. Together they tell it from the entry of the same number in another
 * history of the database: one that a restored backup took is made later. */
struct change_place {
    int64_t seq; /* 0: before the first entry; `at` is 0 as well */
    int64_t at;
};

/* The newest entry. */
enum err change_log_last(struct db *db, struct change_place *ret, struct fail *fail);

/* Tells whether the sequence has that entry. */
enum err change_log_has(
    struct db *db, const struct change_place *place, bool *ret, struct fail *fail);

/* A result other than OK ends the walk. Strings are valid during the call; run no query on this
 * connection inside it. */
typedef enum err change_log_visit(void *ctx, const struct change_entry *entry);

/* Visits the entries with after < seq <= after + limit, in order. */
enum err change_log_each(
    struct db *db, int64_t after, int64_t limit, change_log_visit *visit, void *ctx,
    struct fail *fail);

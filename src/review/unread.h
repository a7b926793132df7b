/*
 * Unread paper filings: bulk history without a single trade, because the trades of the paper have
 * not been entered. Earlier versions published such filings of Senate Stock Watcher. They are
 * withdrawn, and published again when a reviewer has entered their trades. Call these between
 * review_begin and review_end.
 */
#pragma once

#include "store/public/filing.h"

/* Reports whether the filing is bulk history that never had a trade. */
enum err unread_is(struct db *db, const struct filing_row *filing, bool *ret, struct fail *fail);

/* Withdraws a public unread filing: log entry and notice. */
enum err unread_withdraw(
    struct db *db, const struct filing_row *filing, struct str by, int64_t now_ms,
    int64_t *ret_change_seq, struct fail *fail);

/* Reinstates a withdrawn filing before its first trades are published: log entry. The caller adds a
 * notice of the filing after that of its trades. ERR_REFUSED: it is withdrawn, but not unread. */
enum err unread_reinstate(
    struct db *db, const struct filing_row *filing, struct str by, int64_t now_ms,
    struct fail *fail);

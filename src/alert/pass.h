/*
 * One pass of alerts over the sequence of changes (store/account/alert_match.h). An entry concerns
 * an alert in two ways:
 *
 *   - its trade, as it is now, matches the rule: published, corrected, reinstated, or newly
 * flagged;
 *   - an e-mail of the alert had the trade, and it was corrected, withdrawn or reinstated.
 *
 * Bulk history matches no alert. A changed signal counts for alerts about flagged trades only, and
 * only PASS_SIGNAL_DAYS after the disclosure: an import of seats can flag years of trades at once.
 */
#pragma once

#include "alert/work.h"

enum {
    PASS_SIGNAL_DAYS = 30,
    PASS_ROWS = 1024, /* written in one transaction */
};

struct pass_result {
    int64_t entries, matches;
    bool more; /* there are entries after these */
};

/* On success the position is behind the entries. ERR_BUSY: another server was faster, or the run
 * was stopped. */
enum err pass_run(const struct alert_work *work, struct pass_result *ret, struct fail *fail);

/* Corrections, withdrawals and reinstatements of trades that were sent: they go into the next
 * e-mail of the alerts that sent them, whatever the rules of these alerts say now. */
#pragma once

#include "alert/work.h"
#include "base/intmap.h"
#include "store/account/alert_match.h"

/* Fills *ret, by alert: struct alert_bits of the pass, in the arena. ERR_BUSY: the run was stopped.
 */
enum err follow_ups_find(
    const struct alert_work *work, const struct alert_pass *pass, struct arena *arena,
    struct intmap *ret, struct fail *fail) MUST_CHECK;

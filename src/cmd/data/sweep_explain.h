/* Prints how the conflict rule decides a trade, and the history of the trade's signal. */
#pragma once

#include "cmd/term/out.h"
#include "db/db.h"

/* ERR_NOT_FOUND: no public trade has that id. */
enum err sweep_explain(struct out *out, struct db *db, struct str trade_id, struct fail *fail)
    MUST_CHECK;

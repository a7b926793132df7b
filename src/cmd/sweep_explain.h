/* How an answer of the conflict rule is printed, with the history of the trade's signal. */
#pragma once

#include "cmd/out.h"
#include "store/db/db.h"

/* ERR_NOT_FOUND: no public trade of that id. */
enum err sweep_explain(struct out *out, struct db *db, struct str trade_id, struct fail *fail)
    MUST_CHECK;

/*
 * Checks whether withdrawn trades are already public in another filing: reinstating them would show
 * each trade twice. While a Senate report is withdrawn, its amendment counts as a new report, and
 * so does a report whose amendment is withdrawn. House amendments name no report, so this finds
 * nothing for the House.
 */
#pragma once

#include "store/public/filing.h"

struct repeated_query {
    const struct filing_row *filing;
    const struct str *trades; /* ids of withdrawn trades of this filing */
    size_t count;
    bool whole; /* the whole filing is reinstated, not a single trade */
};

/* ERR_REFUSED: since the withdrawal, another filing of the same report has published one of the
 * trades; the message names both. For a whole filing a similar trade is enough, because an
 * amendment may state a trade differently. */
enum err repeated_check(
    struct db *db, const struct repeated_query *query, struct arena *arena, struct fail *fail);

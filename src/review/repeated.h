/*
 * Whether withdrawn trades are public in another filing already, so that reinstating them would
 * show each of them twice. While a Senate report is withdrawn, an amendment of it counts as a new
 * report, and so does a report whose amendment is withdrawn. The House's amendments name no report,
 * so nothing is found for the House.
 */
#pragma once

#include "store/filing.h"

struct repeated_query {
    const struct filing_row *filing;
    const struct str *trades; /* ids of withdrawn trades of this filing */
    size_t count;
    bool whole; /* the filing comes back, not only a trade of it */
};

/* ERR_REFUSED: a filing of the same report has one of the trades, and has had it in public only
 * since the withdrawal; the message names both. For a whole filing a similar trade is enough,
 * because the amendment may state a trade otherwise. */
enum err repeated_check(
    struct db *db, const struct repeated_query *query, struct arena *arena,
    struct fail *fail) MUST_CHECK;

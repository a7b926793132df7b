/* The tables of a member's page: the data of the chart, and data that it cannot show. Private to
 * src/site/data. */
#pragma once

#include "site/data/member_trades.h"

/* `seats`: key, title, panel, periods, flagged (number of trades). `seatsMore`: their number, if
 * others are left out. */
void member_seats_put(
    struct page_call *call, const struct member_seats *seats, const struct member_trades *trades);

/* `filings`, newest first: id, href, filed, trades, flagged, days ("12 to 51"), due, daysLate, used
 * and allowed (days of the trade that was latest, for a bar), late; at most `limit`, those after
 * the filing `after` (null: from the newest). `hasFilings`, and
 * `filingCount`: all. Returns how many follow; *ret_last is the last one shown, if there is one. */
size_t member_filings_put(
    struct page_call *call, const struct member_trades *trades, struct str after, size_t limit,
    struct str *ret_last);

/* `years`, newest first, by the year of the trade: year, href, trades, bought, sold, exchanged,
 * late, flagged, band, cells (count, heat 0 to 4); and `brackets`:
 * label and short of each cell. */
void member_years_put(struct page_call *call, const struct member_trades *trades);

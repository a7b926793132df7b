/* The log of actions as CSV for spreadsheets (RFC 4180, CRLF, a header line). A value that a
 * spreadsheet could take for a formula begins with an apostrophe, and hidden characters are shown
 * (decision 50). */
#pragma once

#include "base/buf.h"
#include "store/account/action_log.h"

void log_csv_header(struct buf *b);
void log_csv_row(struct buf *b, const struct action_entry *entry);

/* One value, quoted if necessary. Null is empty. */
void log_csv_value(struct buf *b, struct str value);

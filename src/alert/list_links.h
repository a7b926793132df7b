/* Links of e-mails to the pages that list what an e-mail leaves out. Private to src/alert. */
#pragma once

#include "alert/letter_parts.h"
#include "base/mem.h"

/* The published trades that can match the alert, of the days on which the e-mail's new trades were
 * published. Lists have no filter for the seats of a member, and one for the industry of flagged
 * trades only: then the list has other trades too, but all that match. */
struct str list_links_trades(
    const struct letter_parts *parts, const struct alert *alert, struct arena *arena);

/* The corrections: of the alert's member and symbol if it is the only one of the e-mail. */
struct str list_links_corrections(const struct letter_parts *parts, struct arena *arena);

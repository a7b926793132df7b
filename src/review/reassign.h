/*
 * Gives a public filing to another member, because it was published under the wrong one (decision
 * 29, docs/adr/0019-reassigning-a-filing.md). The filing and its trades keep ids, disclosedAt and
 * places in the lists. Party and state are those of the right member at the filing date, and the
 * conflict signals are judged again. No event fires.
 */
#pragma once

#include "store/filing.h"
#include "store/member.h"

struct reassign_result {
    size_t trades;      /* public trades that changed hands */
    int64_t change_seq; /* of the change notice that running servers must apply */
};

/* Call it inside a write transaction that holds the publication lock. `printed_state` is the state
 * on the document, null: none. ERR_EXISTS: it is a filing of that member. ERR_REFUSED: it is not
 * public. */
enum err reassign(
    struct db *db, const struct filing_row *filing, const struct member *to,
    struct str printed_state, struct str by, struct str reason, int64_t now_ms,
    struct reassign_result *ret, struct fail *fail) MUST_CHECK;

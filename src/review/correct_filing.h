/*
 * Corrects a public filing (decision 29): its filer, because it was published under the wrong
 * member (docs/adr/0020-reassigning-a-filing.md), or its filing date. The filing and its trades
 * keep ids, disclosedAt and places in the lists. Party and state follow the filer and the day, and
 * the conflict signals are judged again.
 */
#pragma once

#include "store/public/filing.h"
#include "store/public/member.h"

/* The correct values, and the person who states them. */
struct filing_correction {
    const struct member *member; /* NULL: the filer stays */
    int64_t filed_at;            /* INSTANT_NONE: the filing date stays */
    struct str printed_state;    /* the filer's state on the document; null: none */
    struct str by, reason;
    int64_t now_ms;
};

struct filing_corrected {
    size_t trades;      /* public trades of the filing */
    int64_t change_seq; /* of the change notice that running servers must apply */
};

/* Call it between review_begin and review_end. The log has an entry for each field of the filing,
 * and of each trade, that differs. ERR_EXISTS: nothing differs. ERR_REFUSED: it is not public. */
enum err correct_filing(
    struct db *db, const struct filing_row *filing, const struct filing_correction *correction,
    struct filing_corrected *ret, struct fail *fail);

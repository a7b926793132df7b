/* What an e-mail of alerts says, before it is written. Private to src/alert. */
#pragma once

#include "paper/cell/change.h"
#include "rule/lateness.h"
#include "store/account/alert.h"

enum {
    LETTER_TRADES_MAX = 100, /* listed; the others are counted */
    LETTER_NOTES_MAX = 2000, /* examined for one e-mail */
};

/* A change of a trade that an earlier e-mail had. */
struct note_change {
    enum change_kind kind;
    struct str field, old, new, reason; /* as in struct change_entry */
    struct note_change *next;
};

/* One trade. */
struct note {
    int64_t trade_no;
    const struct change_entry *entry; /* with the trade as it is now */
    struct trade_report report;
    bool is_new;                 /* no earlier e-mail to this person had it */
    struct note_change *changes; /* if it is not new; oldest first */
};

struct letter_parts {
    struct str base_url; /* without a final slash */
    struct str account_id;
    enum alert_pace pace;
    const uint8_t *end_key; /* of the person */
    struct note *notes;
    size_t count;
    size_t listed_max;           /* new trades, and as many changed ones; set by write_mail */
    bool cut;                    /* there was more than LETTER_NOTES_MAX */
    const struct alert **alerts; /* why the person gets it */
    size_t alert_count;
};

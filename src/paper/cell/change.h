/* An entry of the sequence of changes (decision 47): what changed for readers. */
#pragma once

#include "rule/model.h"

/* An entry, with its trade and filing as they are when it is read. */
struct change_entry {
    int64_t seq;
    int64_t at;
    enum change_kind kind;
    struct str trade_id; /* null: about the filing alone */
    struct str filing_id;
    int64_t filing_no;
    /* corrected: the entry of the corrections log. signal: field is conflictReason. */
    struct str field;
    struct str old;
    struct str new;
    struct str reason;
    bool trade_is_public, filing_is_public;
    bool damaged; /* a stored row that it shows does not match its digest: that part is left out */
    struct trade trade; /* set if it is public */
    struct filing filing;
    struct politician_ref politician; /* of the filing */
};

/* Copies the entry with its strings into the arena. */
void change_entry_copy(
    const struct change_entry *entry, struct arena *arena, struct change_entry *ret);

/* Corrections in words for people, on pages, in feeds and in e-mails. The API has the names and
 * values of its own fields. */

/* "amountBucket" as "amount", "politician.party" as "party of the member"; other names as they
 * are. */
struct str correction_words_field(struct str field);

/* The value of a field: "50k_100k" as "$50,001 – $100,000", "sell_full" as "sold"; others, and
 * null, as they are. Lives as long as the value and the arena. */
struct str correction_words_value(struct str field, struct str value, struct arena *arena);

/* "amount was $1,001 – $15,000, is $15,001 – $50,000", with texts of at most `shown` bytes. */
void correction_words_put(
    struct buf *b, struct str field, struct str old, struct str new, size_t shown);

/* Corrections in words for people, on pages, in feeds and in e-mails. The API has the names and
 * values of its own fields. */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

/* "amountBucket" as "amount", "politician.party" as "party of the member"; other names as they
 * are. */
struct str correction_words_field(struct str field);

/* The value of a field: "50k_100k" as "$50,001 – $100,000", "sell_full" as "sold"; others, and
 * null, as they are. Lives as long as the value and the arena. */
struct str correction_words_value(struct str field, struct str value, struct arena *arena);

/* "amount was $1,001 – $15,000, is $15,001 – $50,000", with texts of at most `shown` bytes. */
void correction_words_put(
    struct buf *b, struct str field, struct str old, struct str new, size_t shown);

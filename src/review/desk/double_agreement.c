/* Agreement of two entries; see double_agreement.h. */
#include "review/desk/double_agreement.h"

/* In the order in which the table lists them; "row" and "rows" follow. */
static const enum blind_field order[BLIND_FIELD_COUNT] = {
    BLIND_OWNER,      BLIND_ASSET,    BLIND_TICKER, BLIND_SIDE,
    BLIND_TRADE_DATE, BLIND_NOTIFIED, BLIND_AMOUNT,
};

static const struct {
    struct str name;
    struct str words;
} others[DOUBLE_FIELD_COUNT - BLIND_FIELD_COUNT] = {
    {STR_INIT("row"), STR_INIT("Row is on the page")},
    {STR_INIT("rows"), STR_INIT("Number of rows")},
};

struct str double_entry_field_name(size_t field)
{
    return field < BLIND_FIELD_COUNT ? blind_field_name(order[field])
                                     : others[field - BLIND_FIELD_COUNT].name;
}

static size_t index_of(struct str name)
{
    size_t i = 0;
    while (i < DOUBLE_FIELD_COUNT && !str_eq(double_entry_field_name(i), name))
        i++;
    return i;
}

struct str double_entry_field_words(struct str field)
{
    size_t i = index_of(field);
    return i < BLIND_FIELD_COUNT    ? blind_field_words(order[i])
           : i < DOUBLE_FIELD_COUNT ? others[i - BLIND_FIELD_COUNT].words
                                    : field;
}

int64_t double_entry_differed(const int64_t of[static ENTRY_OUTCOME_COUNT])
{
    return of[ENTRY_DIFFERS] + of[ENTRY_FIRST] + of[ENTRY_SECOND] + of[ENTRY_NEITHER];
}

static void note(void *ctx, struct str field, enum entry_outcome outcome, int64_t count)
{
    struct double_agreement *agreement = ctx;
    size_t i = index_of(field);
    if (i < DOUBLE_FIELD_COUNT)
        agreement->of[i][outcome] += count;
}

enum err double_entry_agreement(struct db *db, struct double_agreement *ret, struct fail *fail)
{
    *ret = (struct double_agreement){0};
    return second_entry_count(db, note, ret, fail);
}

/* Copies entries; see change.h. */
#include "paper/cell/change.h"

#include "base/utf8.h"
#include "market/trade_words.h"
#include "paper/cell/row_field.h"

static void keep_politician(struct politician_ref *p, struct arena *arena)
{
    p->slug = arena_str(arena, p->slug);
    p->name = arena_str(arena, p->name);
    p->party = arena_str(arena, p->party);
    p->state = arena_str(arena, p->state);
}

void change_entry_copy(
    const struct change_entry *entry, struct arena *arena, struct change_entry *ret)
{
    *ret = *entry;
    struct str *const strings[] = {
        &ret->trade_id,
        &ret->filing_id,
        &ret->field,
        &ret->old,
        &ret->new,
        &ret->reason,
        &ret->trade.id,
        &ret->trade.filing_url,
        &ret->trade.conflict_reason,
        &ret->filing.id,
        &ret->filing.source_doc_id,
        &ret->filing.url,
        &ret->filing.politician_id,
    };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        *strings[i] = arena_str(arena, *strings[i]);
    ret->trade.values = row_values_copy(&entry->trade.values, arena);
    keep_politician(&ret->trade.politician, arena);
    keep_politician(&ret->politician, arena);
}

/* --- corrections in words */

static struct str side_words(struct str value, struct arena *arena)
{
    return words_side(side_from_name(value));
}

static struct str owner_words(struct str value, struct arena *arena)
{
    return words_owner(owner_from_name(value));
}

static struct str amount_words(struct str value, struct arena *arena)
{
    enum bracket bracket = bracket_from_key(value);
    return bracket ? bracket_info(bracket)->label : STR_NULL;
}

/* An instant as the date, or the date and time, in Washington. */
static struct str instant_words(struct str value, struct arena *arena)
{
    int64_t at;
    BUF_SCOPED(b, SIZE_MAX);
    if (!instant_parse(value, &at))
        return STR_NULL;
    instant_put_new_york_date(&b, at);
    return arena_str(arena, buf_view(&b));
}

static const struct {
    struct str field, words;
    struct str (*value)(struct str value, struct arena *arena); /* NULL: as it is */
} fields[] = {
    {STR_INIT("ticker"), STR_INIT("symbol"), NULL},
    {STR_INIT("assetName"), STR_INIT("asset"), NULL},
    {STR_INIT("assetType"), STR_INIT("kind of asset"), words_of_code},
    {STR_INIT("side"), STR_INIT("side"), side_words},
    {STR_INIT("amountBucket"), STR_INIT("amount"), amount_words},
    {STR_INIT("tradeDate"), STR_INIT("date of the trade"), NULL},
    {STR_INIT("ownerType"), STR_INIT("owner"), owner_words},
    {STR_INIT("details"), STR_INIT("details"), NULL},
    {STR_INIT("filedAt"), STR_INIT("filing date"), instant_words},
    {STR_INIT("politicianId"), STR_INIT("member"), NULL},
    {STR_INIT("politician.slug"), STR_INIT("member"), NULL},
    {STR_INIT("politician.name"), STR_INIT("name of the member"), NULL},
    {STR_INIT("politician.party"), STR_INIT("party of the member"), NULL},
    {STR_INIT("politician.state"), STR_INIT("state of the member"), NULL},
};

enum { FIELDS = sizeof fields / sizeof *fields };

struct str correction_words_field(struct str field)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (str_eq(fields[i].field, field))
            return fields[i].words;
    return field;
}

struct str correction_words_value(struct str field, struct str value, struct arena *arena)
{
    struct str words = STR_NULL;
    for (size_t i = 0; i < FIELDS && !str_is_null(value); i++)
        if (fields[i].value && str_eq(fields[i].field, field))
            words = fields[i].value(value, arena);
    return str_is_null(words) ? value : words;
}

static void put_value(
    struct buf *b, struct str field, struct str value, size_t shown, struct arena *arena)
{
    if (str_is_null(value))
        buf_text(b, "not stated");
    else
        buf_str(b, utf8_cut(correction_words_value(field, value, arena), shown));
}

void correction_words_put(
    struct buf *b, struct str field, struct str old, struct str new, size_t shown)
{
    ARENA_SCOPED(arena);
    buf_str(b, utf8_cut(correction_words_field(field), shown));
    buf_text(b, " was ");
    put_value(b, field, old, shown, &arena);
    buf_text(b, ", is ");
    put_value(b, field, new, shown, &arena);
}

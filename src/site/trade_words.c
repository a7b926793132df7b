/* Closed lists in words; see trade_words.h. */
#include "site/trade_words.h"

#include <string.h>

#include "shape/lists.h"

struct str words_side(enum side side)
{
    static const struct str words[SIDE_COUNT] = {
        [SIDE_BUY] = STR_INIT("bought"),
        [SIDE_SELL_FULL] = STR_INIT("sold"),
        [SIDE_SELL_PARTIAL] = STR_INIT("sold in part"),
        [SIDE_EXCHANGE] = STR_INIT("exchanged"),
    };
    return words[side];
}

struct str words_owner(enum owner owner)
{
    return owner == OWNER_SELF ? STR("filer") : owner_name(owner);
}

struct str words_chamber(enum chamber chamber)
{
    static const struct str words[CHAMBER_COUNT] = {
        [CHAMBER_HOUSE] = STR_INIT("House"), [CHAMBER_SENATE] = STR_INIT("Senate")};
    return words[chamber];
}

/* "municipal_bond" as "municipal bond" */
static struct str spaced(struct str name, struct arena *arena)
{
    if (str_is_null(name))
        return name;
    char *text = arena_alloc(arena, name.n);
    for (size_t i = 0; i < name.n; i++)
        text[i] = name.p[i] == '_' ? ' ' : name.p[i];
    return str_of(text, name.n);
}

struct str words_asset_type(enum asset_type type, struct arena *arena)
{
    return spaced(asset_type_name(type), arena);
}

static struct str choice(const struct shape_list *list, int value, struct arena *arena)
{
    if (list == &shape_side_filters)
        return value == SHAPE_SIDE_SELL ? STR("sold, in full or in part")
                                        : words_side((enum side)value);
    if (list == &shape_owners)
        return words_owner((enum owner)value);
    if (list == &shape_truths)
        return value == SHAPE_TRUE ? STR("yes") : STR("no");
    if (list == &shape_brackets)
        return bracket_info((enum bracket)value)->label;
    return spaced(list->name_of(value), arena);
}

struct str words_choice(const struct shape_list *list, int value, struct arena *arena)
{
    struct str words = choice(list, value, arena);
    char *text = arena_alloc(arena, words.n);
    memcpy(text, words.p, words.n);
    text[0] = ascii_upper(text[0]);
    return str_of(text, words.n);
}

/* Closed lists in words; see trade_words.h. */
#include "market/trade_words.h"

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

struct str words_of_code(struct str name, struct arena *arena)
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
    return words_of_code(asset_type_name(type), arena);
}

/* Closed lists as choices of forms; see trade_words.h. */
#include "site/frame/trade_words.h"

#include <string.h>

#include "market/conflict.h"
#include "market/industry.h"
#include "noun/lists.h"

static struct str choice(const struct shape_list *list, int value, struct arena *arena)
{
    if (list == &shape_side_filters && value == SHAPE_SIDE_SELL)
        return STR("sold, in full or in part");
    if (list == &shape_side_filters || list == &shape_sides)
        return words_side((enum side)value);
    if (list == &shape_industries)
        return industry_get(value)->name;
    if (list == &shape_owners)
        return words_owner((enum owner)value);
    if (list == &shape_truths)
        return value == SHAPE_TRUE ? STR("yes") : STR("no");
    if (list == &shape_late_filters)
        return value == LATE_UNKNOWN ? STR("not known")
               : value == LATE_LATE  ? STR("yes")
                                     : STR("no");
    if (list == &shape_bases)
        return value == CONFLICT_LATER_LIST ? STR("a later list") : STR("a list in force");
    if (list == &shape_grades)
        return list->name_of(value);
    if (list == &shape_brackets)
        return bracket_info((enum bracket)value)->label;
    return words_of_code(list->name_of(value), arena);
}

struct str words_choice(const struct shape_list *list, int value, struct arena *arena)
{
    struct str words = choice(list, value, arena);
    char *text = arena_alloc(arena, words.n);
    memcpy(text, words.p, words.n);
    text[0] = ascii_upper(text[0]);
    return str_of(text, words.n);
}

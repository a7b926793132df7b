/* Closed lists as choices of forms; see trade_words.h. */
#include "site/frame/trade_words.h"

#include "market/conflict.h"
#include "market/industry.h"
#include "noun/lists.h"

/* "CA California;" */
static const char state_names[] =
    "AL Alabama;AK Alaska;AS American Samoa;AZ Arizona;AR Arkansas;CA California;"
    "CO Colorado;CT Connecticut;DE Delaware;DC District of Columbia;FL Florida;"
    "GA Georgia;GU Guam;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;"
    "KY Kentucky;LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;MI Michigan;"
    "MN Minnesota;MS Mississippi;MO Missouri;MT Montana;NE Nebraska;NV Nevada;"
    "NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;"
    "ND North Dakota;MP Northern Mariana Islands;OH Ohio;OK Oklahoma;OR Oregon;"
    "PA Pennsylvania;PR Puerto Rico;RI Rhode Island;SC South Carolina;"
    "SD South Dakota;TN Tennessee;TX Texas;UT Utah;VT Vermont;VA Virginia;"
    "VI Virgin Islands;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;";

/* "California"; the code itself if it has no name. */
static struct str state_name(struct str code)
{
    struct str rest = str_from(state_names), entry;
    while (str_split(&rest, ';', &entry))
        if (str_starts(entry, code) && entry.n > code.n + 1)
            return str_slice(entry, code.n + 1, entry.n);
    return code;
}

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
    if (list == &shape_ranks && value == SHAPE_RANK_CONFLICTS)
        return STR("flagged");
    if (list == &shape_states)
        return state_name(list->name_of(value));
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

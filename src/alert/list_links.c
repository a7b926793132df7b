/* Links to lists; see list_links.h. */
#include "alert/list_links.h"

#include "base/instant.h"
#include "html/link.h"
#include "market/industry.h"

/* Midnight in Washington at the start of the day. */
static struct str midnight(int32_t day, struct arena *arena)
{
    char text[INSTANT_TEXT_SIZE];
    instant_print(instant_from_new_york(day, 0), text);
    return arena_str(arena, str_of(text, sizeof text));
}

/* The days of the new trades; false: there are none. */
static bool days_of(const struct letter_parts *parts, int32_t *ret_first, int32_t *ret_last)
{
    bool any = false;
    for (size_t i = 0; i < parts->count; i++) {
        int32_t day = instant_day_new_york(parts->notes[i].entry->trade.disclosed_at);
        if (!parts->notes[i].is_new)
            continue;
        *ret_first = !any || day < *ret_first ? day : *ret_first;
        *ret_last = !any || day > *ret_last ? day : *ret_last;
        any = true;
    }
    return any;
}

struct str list_links_trades(
    const struct letter_parts *parts, const struct alert *alert, struct arena *arena)
{
    const struct alert_rule *rule = &alert->rule;
    bool of_chamber = rule->chamber != CHAMBER_NONE, by_industry = rule->flagged && rule->industry;
    int32_t first, last;
    bool any = days_of(parts, &first, &last);
    const struct link_param params[] = {
        {STR("politician_slug"), alert->member_slug},
        {STR("ticker"), rule->ticker},
        {STR("chamber"), of_chamber ? chamber_name(rule->chamber) : STR_NULL},
        {STR("industry"), by_industry ? industry_get(rule->industry)->code : STR_NULL},
        {STR("conflict"), rule->flagged ? STR("true") : STR_NULL},
        {STR("amount_min"),
         rule->minimum != BRACKET_NONE
             ? arena_fmt(arena, "%lld", (long long)bracket_info(rule->minimum)->min)
             : STR_NULL},
        {STR("since"), any ? midnight(first, arena) : STR_NULL},
        {STR("until"), any ? midnight(last + 1, arena) : STR_NULL},
    };
    struct str path = arena_fmt(arena, "%.*s/trades", STR_ARG(parts->base_url));
    return link_make(arena, path, params, sizeof params / sizeof *params);
}

struct str list_links_corrections(const struct letter_parts *parts, struct arena *arena)
{
    const struct alert *only = parts->alert_count == 1 ? parts->alerts[0] : NULL;
    const struct link_param params[] = {
        {STR("politician_slug"), only ? only->member_slug : STR_NULL},
        {STR("ticker"), only ? only->rule.ticker : STR_NULL},
    };
    struct str path = arena_fmt(arena, "%.*s/corrections", STR_ARG(parts->base_url));
    return link_make(arena, path, params, sizeof params / sizeof *params);
}

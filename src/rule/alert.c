/* Rules, names and times of alerts; see alert.h. */
#include "rule/alert.h"

#include "base/closed_list.h"

static const struct str states[ALERT_STATE_COUNT] = {
    [ALERT_ENABLED] = STR_INIT("enabled"), [ALERT_PAUSED] = STR_INIT("paused"),
    [ALERT_CAPPED] = STR_INIT("capped"),   [ALERT_REFUSED] = STR_INIT("refused"),
    [ALERT_ENDED] = STR_INIT("ended"),
};

static const struct str paces[ALERT_PACE_COUNT] = {
    [ALERT_NOW] = STR_INIT("now"),
    [ALERT_DAILY] = STR_INIT("daily"),
    [ALERT_WEEKLY] = STR_INIT("weekly"),
};

ENUM_NAME(alert_state_name, alert_state, states[value], ALERT_STATE_COUNT)
ENUM_FROM(
    alert_state_from_name, alert_state, states[value], ALERT_NONE + 1, ALERT_STATE_COUNT,
    ALERT_NONE)
ENUM_NAME(alert_pace_name, alert_pace, paces[value], ALERT_PACE_COUNT)
ENUM_FROM(
    alert_pace_from_name, alert_pace, paces[value], ALERT_PACE_NONE + 1, ALERT_PACE_COUNT,
    ALERT_PACE_NONE)

/* --- rules */

bool alert_rule_has_criterion(const struct alert_rule *rule)
{
    return rule->member_no || !str_is_null(rule->ticker) || rule->chamber != CHAMBER_NONE ||
           !str_is_null(rule->committee) || rule->industry || rule->flagged || rule->grade ||
           rule->minimum != BRACKET_NONE;
}

bool alert_rule_equals(const struct alert_rule *a, const struct alert_rule *b)
{
    return a->member_no == b->member_no && str_eq(a->ticker, b->ticker) &&
           a->chamber == b->chamber && str_eq(a->committee, b->committee) &&
           a->industry == b->industry && a->flagged == b->flagged && a->grade == b->grade &&
           a->minimum == b->minimum;
}

static bool has_symbol(const struct alert_trade *trade, struct str symbol)
{
    for (size_t i = 0; i < trade->symbol_count; i++)
        if (str_eq(trade->symbols[i], symbol))
            return true;
    return false;
}

/* The id of a subcommittee begins with that of its committee. */
static bool has_seat(const struct alert_trade *trade, struct str committee)
{
    for (size_t i = 0; i < trade->committee_count; i++)
        if (str_starts(trade->committees[i], committee))
            return true;
    return false;
}

/* The cheapest first: one publication can meet 100,000 rules. */
bool alert_rule_matches(const struct alert_rule *rule, const struct alert_trade *trade)
{
    if (rule->member_no && rule->member_no != trade->member_no)
        return false;
    if (rule->chamber != CHAMBER_NONE && rule->chamber != trade->chamber)
        return false;
    if (rule->flagged && !trade->flagged)
        return false;
    if (rule->grade && (!trade->grade || trade->grade > rule->grade))
        return false;
    if (rule->industry && rule->industry != trade->industry)
        return false;
    if (rule->minimum != BRACKET_NONE &&
        (trade->bracket == BRACKET_NONE ||
         bracket_info(trade->bracket)->min < bracket_info(rule->minimum)->min))
        return false;
    if (!str_is_null(rule->ticker) && !has_symbol(trade, rule->ticker))
        return false;
    return str_is_null(rule->committee) || has_seat(trade, rule->committee);
}

/* --- times */

enum { WEEK_DAYS = 7, MONDAY = 4 }; /* 1970-01-05 was a Monday */

/* The day itself, or the Monday of its week. */
static int32_t first_day(enum alert_pace pace, int32_t day)
{
    if (pace != ALERT_WEEKLY)
        return day;
    int32_t since = (day - MONDAY) % WEEK_DAYS;
    return day - (since < 0 ? since + WEEK_DAYS : since);
}

int32_t alert_period_day(enum alert_pace pace, int64_t now_ms)
{
    int32_t day = instant_day_new_york(now_ms);
    int32_t first = first_day(pace, day);
    if (instant_from_new_york(first, ALERT_MINUTE) <= now_ms)
        return first;
    return first_day(pace, first - 1);
}

int64_t alert_next_due(enum alert_pace pace, int64_t now_ms)
{
    int32_t day = alert_period_day(pace, now_ms);
    return instant_from_new_york(day + (pace == ALERT_WEEKLY ? WEEK_DAYS : 1), ALERT_MINUTE);
}

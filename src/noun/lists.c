/* The closed lists; see lists.h. */
#include "noun/lists.h"

#include "market/conflict.h"

#include "market/industry.h"
#include "paper/cell/details.h"
#include "rule/date_doubt.h"
#include "rule/event_type.h"
#include "rule/invented.h"
#include "rule/report_state.h"
#include "rule/sample.h"

enum { STATE_COUNT = 57 }; /* with 0, which is none */

static struct str sample_kind_of(int value)
{
    return sample_kind_name((enum sample_kind)(value - 1));
}

static struct str chamber_of(int value)
{
    return chamber_name((enum chamber)value);
}

static struct str side_of(int value)
{
    return side_name((enum side)value);
}

static struct str side_filter_of(int value)
{
    return value == SHAPE_SIDE_SELL ? STR("sell") : side_name((enum side)value);
}

/* The 50 states, the District of Columbia and the territories with a delegate. */
static struct str state_of(int value)
{
    static const char names[][3] = {
        "AL", "AK", "AS", "AZ", "AR", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "GU", "HI",
        "ID", "IL", "IN", "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO",
        "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "MP", "OH", "OK", "OR", "PA",
        "PR", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VI", "VA", "WA", "WV", "WI", "WY"};
    _Static_assert(sizeof names / sizeof *names == STATE_COUNT - 1, "each state has a number");
    return str_of(names[value - 1], 2);
}

static struct str industry_of(int value)
{
    return industry_get(value)->code;
}

static struct str owner_of(int value)
{
    return owner_name((enum owner)value);
}

static struct str asset_type_of(int value)
{
    return asset_type_name((enum asset_type)value);
}

static struct str bracket_of(int value)
{
    return bracket_key((enum bracket)value);
}

static struct str option_type_of(int value)
{
    return option_type_name((enum option_type)value);
}

static struct str coupon_type_of(int value)
{
    return coupon_type_name((enum coupon_type)value);
}

/* spec 3: the only public state */
static struct str filing_state_of(int value)
{
    return value == 1 ? STR("published") : STR_NULL;
}

static struct str entry_of(int value)
{
    return filing_entry_name((enum filing_entry)value);
}

static struct str review_of(int value)
{
    return filing_review_name((enum filing_review)value);
}

static struct str date_doubt_of(int value)
{
    return date_doubt_name((enum date_doubt)value);
}

static struct str correction_kind_of(int value)
{
    return correction_kind_name((enum correction_kind)value);
}

static struct str event_type_of(int value)
{
    return event_type_name((enum event_type)value);
}

static struct str change_kind_of(int value)
{
    return change_kind_name((enum change_kind)value);
}

static struct str data_kind_of(int value)
{
    static const struct str names[] = {{NULL, 0}, STR_INIT("real"), STR_INIT(INVENTED_VALUE)};
    return names[value];
}

static struct str report_state_of(int value)
{
    return report_state_name((enum report_state)value);
}

static struct str basis_of(int value)
{
    return conflict_basis_name((enum conflict_basis)value);
}

static struct str grade_of(int value)
{
    return conflict_grade_name((enum conflict_grade)value);
}

static struct str late_status_of(int value)
{
    return late_status_name((enum late_status)value);
}

static struct str late_reason_of(int value)
{
    return late_reason_name((enum late_reason)value);
}

static struct str ticker_basis_of(int value)
{
    return ticker_basis_name((enum ticker_basis)value);
}

static struct str late_filter_of(int value)
{
    static const struct str names[LATE_STATUS_COUNT] = {
        [LATE_LATE] = STR_INIT("true"),
        [LATE_ON_TIME] = STR_INIT("false"),
        [LATE_UNKNOWN] = STR_INIT("unknown")};
    return names[value];
}

static struct str fields_of(int value)
{
    static const struct str names[SHAPE_FIELDS_COUNT] = {
        [SHAPE_FIELDS_DETAILS] = STR_INIT("details"), [SHAPE_FIELDS_DATES] = STR_INIT("dates")};
    return names[value];
}

static struct str truth_of(int value)
{
    static const struct str names[] = {{NULL, 0}, STR_INIT("true"), STR_INIT("false")};
    return names[value];
}

const struct shape_list shape_chambers = {CHAMBER_COUNT, chamber_of};
const struct shape_list shape_sides = {SIDE_COUNT, side_of};
const struct shape_list shape_side_filters = {SHAPE_SIDE_SELL + 1, side_filter_of};
const struct shape_list shape_states = {STATE_COUNT, state_of};
const struct shape_list shape_industries = {INDUSTRY_COUNT + 1, industry_of};
const struct shape_list shape_owners = {OWNER_COUNT, owner_of};
const struct shape_list shape_asset_types = {ASSET_COUNT, asset_type_of};
const struct shape_list shape_brackets = {BRACKET_COUNT, bracket_of};
const struct shape_list shape_option_types = {OPTION_TYPE_COUNT, option_type_of};
const struct shape_list shape_coupon_types = {COUPON_TYPE_COUNT, coupon_type_of};
const struct shape_list shape_filing_states = {2, filing_state_of};
const struct shape_list shape_date_doubts = {DATE_DOUBT_PUBLIC_COUNT, date_doubt_of};
const struct shape_list shape_reviews = {FILING_REVIEW_COUNT, review_of};
const struct shape_list shape_ticker_bases = {TICKER_BASIS_COUNT, ticker_basis_of};
const struct shape_list shape_entries = {FILING_ENTRY_COUNT, entry_of};
const struct shape_list shape_correction_kinds = {CORRECTION_KIND_COUNT, correction_kind_of};
const struct shape_list shape_change_kinds = {CHANGE_KIND_COUNT, change_kind_of};
const struct shape_list shape_event_types = {EVENT_TYPE_COUNT, event_type_of};
const struct shape_list shape_data_kinds = {3, data_kind_of};
const struct shape_list shape_sample_kinds = {SAMPLE_KIND_COUNT + 1, sample_kind_of};
const struct shape_list shape_report_states = {REPORT_SUPERSEDED, report_state_of};
static struct str trade_sort_of(int value)
{
    return value == SHAPE_SORT_TRADED ? STR("traded") : STR("disclosed");
}

static struct str rank_of(int value)
{
    static const struct str names[] = {
        {NULL, 0}, STR_INIT("name"), STR_INIT("trades"), STR_INIT("conflicts"), STR_INIT("late")};
    return names[value];
}

const struct shape_list shape_ranks = {SHAPE_RANK_LATE + 1, rank_of};
const struct shape_list shape_trade_sorts = {SHAPE_SORT_TRADED + 1, trade_sort_of};
const struct shape_list shape_bases = {CONFLICT_BASIS_COUNT, basis_of};
const struct shape_list shape_grades = {CONFLICT_GRADE_COUNT, grade_of};
const struct shape_list shape_late_statuses = {LATE_STATUS_COUNT, late_status_of};
const struct shape_list shape_late_reasons = {LATE_REASON_COUNT, late_reason_of};
const struct shape_list shape_late_filters = {LATE_STATUS_COUNT, late_filter_of};
const struct shape_list shape_fields = {SHAPE_FIELDS_COUNT, fields_of};
const struct shape_list shape_truths = {SHAPE_TRUTH_COUNT, truth_of};

int shape_list_find(const struct shape_list *list, struct str name)
{
    for (int value = 1; value < list->count; value++)
        if (str_eq_nocase(list->name_of(value), name))
            return value;
    return 0;
}

bool shape_set_parse(const struct shape_list *list, struct str text, int64_t *ret)
{
    struct str name;
    *ret = 0;
    while (str_split(&text, ',', &name)) {
        int value = shape_list_find(list, name);
        if (!value || *ret >> value & 1)
            return false;
        *ret |= (int64_t)1 << value;
    }
    return *ret != 0;
}

static void put_names(struct buf *b, const struct shape_list *list)
{
    for (int value = 1; value < list->count; value++) {
        struct str rest = list->name_of(value), part;
        buf_char(b, value > 1 ? '|' : '(');
        for (const char *dot = ""; str_split(&rest, '.', &part); dot = "\\.")
            buf_fmt(b, "%s%.*s", dot, STR_ARG(part));
    }
    buf_char(b, ')');
}

void shape_set_pattern(struct buf *b, const struct shape_list *list)
{
    buf_char(b, '^');
    put_names(b, list);
    buf_text(b, "(,");
    put_names(b, list);
    buf_text(b, ")*$");
}

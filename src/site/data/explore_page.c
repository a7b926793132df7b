/* /explore: trades grouped and summed as by GET /api/v1/stats, with the filters of /trades. The
 * tables of dimensions and columns are those of noun/group.h. */
#include <string.h>

#include "api/params.h"
#include "feed/groups.h"
#include "feed/trade_filter.h"
#include "html/table.h"
#include "noun/csv.h"
#include "noun/lists.h"
#include "site/data/list_committee.h"
#include "site/data/list_csv.h"
#include "site/data/list_feed.h"
#include "site/data/list_forms.h"
#include "site/data/trade_query.h"
#include "site/frame/day_view.h"
#include "site/frame/handlers.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"

enum { ROWS = 25, CSV_ROWS_MAX = 1000, BAR_WIDTH = 400 };

static const struct str PATH = STR_INIT("/explore"), GROUP_BY = STR_INIT("group_by"),
                        THEN = STR_INIT("then"), SORT = STR_INIT("sort"), ORDER = STR_INIT("order");

/* How the page names a dimension, and what leads from a group to its trades. */
static const struct explore_dimension {
    const char *words;
    const char *none;              /* the trades without a value */
    struct str filter;             /* null: no filter chooses a group */
    struct str filter_none;        /* the filter `conflict` that chooses the trades without one */
    const struct shape_list *list; /* of the values; NULL: texts */
    const char *folder;            /* of the pages about values; NULL: there are none */
} dimensions[GROUP_DIMENSION_COUNT] = {
    [GROUP_POLITICIAN] = {"member", "", STR_INIT("politician_slug"), .folder = "/politicians/"},
    [GROUP_TICKER] = {"symbol", "No symbol", STR_INIT("ticker"), .folder = "/tickers/"},
    [GROUP_PARTY] = {"party", "Not known", STR_INIT("party")},
    [GROUP_CHAMBER] = {"chamber", "Not known", STR_INIT("chamber"), .list = &shape_chambers},
    [GROUP_STATE] = {"state", "Not known", STR_INIT("state"), .list = &shape_states},
    [GROUP_SECTOR] = {"industry", "Not known", STR_INIT("sector"), .list = &shape_industries},
    [GROUP_SEAT] = {"seat", "No list says", STR_INIT("seat")},
    [GROUP_SIDE] = {"side", "Not stated", STR_INIT("side"), .list = &shape_sides},
    [GROUP_OWNER] = {"owner", "Not stated", STR_INIT("owner"), .list = &shape_owners},
    [GROUP_BRACKET] = {"amount", "Not stated", .list = &shape_brackets},
    [GROUP_ASSET_TYPE] =
        {"kind of asset", "Not stated", STR_INIT("asset_type"), .list = &shape_asset_types},
    [GROUP_LATE_STATUS] = {"lateness", "Not known", STR_INIT("late"), .list = &shape_late_statuses},
    [GROUP_MONTH] = {"month", "No date"},
    [GROUP_YEAR] = {"year", "No date"},
    [GROUP_FLAG_INDUSTRY] =
        {"flagged industry", "Not flagged", STR_INIT("flag_industry"), STR_INIT("false"),
         &shape_industries},
    [GROUP_FLAG_COMMITTEE] =
        {"flagged committee", "Not flagged", STR_INIT("flag_committee"), STR_INIT("false")},
};

/* The columns that groups are sorted by, in the order of shape_group_sorts. */
static const struct explore_column {
    const char *words;
    bool shown; /* in the table; all are in the list of choices */
} columns[] = {
    {"Trades", true},
    {"Bought", true},
    {"Sold", true},
    {"Exchanged", false},
    {"Flagged", true},
    {"Flagged by a later list", false},
    {"Grade A", false},
    {"Grade B", false},
    {"Grade C", false},
    {"Late", true},
    {"Late not known", false},
    {"At least, $", true},
    {"At most, $", true},
    {"Without upper bound", false},
    {"First trade", false},
    {"Last trade", true},
};

struct explore {
    struct list_query list;
    struct trade_query trades;
    struct link_param filters[PARAM_TABLE_MAX];
    size_t filter_count;
    struct feed_group_by by;
    struct str sentence; /* about the filters */
};

/* --- the query */

/* The parameters of /trades, and those that say how trades are grouped. */
static const struct param_table *params_of(struct arena *arena)
{
    static const enum page_param shows[] = {PAGE_PARAM_GROUP_BY, PAGE_PARAM_SORT, PAGE_PARAM_ORDER};
    struct param *rows = ARENA_ARRAY(arena, struct param, PARAM_TABLE_MAX);
    struct param_table *table = ARENA_NEW(arena, struct param_table);
    size_t count = trade_filter_params.count;
    for (size_t i = 0; i < count; i++)
        rows[i] = *param_table_at(&trade_filter_params, i);
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++)
        rows[count++] = *page_param_info(shows[i]);
    *table = (struct param_table){rows, count, sizeof *rows};
    return table;
}

/* The second choice of the form is part of group_by in the one address. */
static bool join_choices(struct page_call *call)
{
    struct link_param params[QUERY_PAIRS_MAX];
    struct str then = page_query(call, THEN), by = page_query(call, GROUP_BY);
    if (str_is_null(then))
        return false;
    size_t count = 0;
    for (size_t i = 0; i < call->query.count; i++) {
        const struct query_pair *pair = &call->query.pairs[i];
        if (!str_eq(pair->name, THEN) && !str_eq(pair->name, GROUP_BY) && pair->value.n)
            params[count++] = (struct link_param){pair->name, pair->value};
    }
    if (then.n && by.n && !str_eq(then, by))
        by = arena_fmt(call->arena, "%.*s,%.*s", STR_ARG(by), STR_ARG(then));
    params[count++] = (struct link_param){GROUP_BY, by};
    struct str link = link_make(call->arena, PATH, params, count);
    if (str_is_null(page_local(link)))
        return false;
    page_redirect(call, link, FLASH_NONE);
    return true;
}

/* False: the query is faulty, or the reply is a redirect. */
static bool read_query(struct page_call *call, struct str path, struct explore *ret)
{
    const struct param_table *params = params_of(call->arena);
    *ret = (struct explore){.filter_count = 0};
    bool valid = list_query_read(call, path, params, CURSOR_STATS, &ret->list);
    if (!call->query_form)
        return false;
    const struct param_value *shows = &ret->list.values[trade_filter_params.count];
    const bool *given = &ret->list.is_given[trade_filter_params.count];
    bool is_asked = !str_is_null(form_value(call->query_form, GROUP_BY.p));
    int64_t set = given[0] ? shows[0].number : is_asked ? 0 : INT64_C(1) << GROUP_POLITICIAN;
    size_t n = 0;
    for (int dimension = 1; dimension < GROUP_DIMENSION_COUNT; dimension++)
        if (set >> dimension & 1 && n++ < GROUP_BY_MAX)
            ret->by.by[n - 1] = (enum group_dimension)dimension;
    if (n > GROUP_BY_MAX) {
        form_fault_text(call->query_form, GROUP_BY.p, "Choose one or two of these.");
        ret->by.by[0] = GROUP_NONE;
        valid = false;
    }
    ret->by.sort = given[1] ? (int)shows[1].number : 1;
    ret->by.ascending = given[2] && shows[2].number == GROUP_ASCENDING;
    ret->by.offset = feed_groups_offset(list_query_after(&ret->list));
    ret->by.limit = ROWS;
    ret->filter_count = list_query_filters(params, &ret->list, ret->filters);
    trade_query_of(call, &ret->list, &ret->trades);
    if (valid)
        ret->sentence = list_query_sentence(call, params, &ret->list);
    return valid;
}

/* --- the form */

static struct str name_of(enum group_dimension dimension)
{
    return dimension ? shape_group_dimensions.name_of((int)dimension) : STR("");
}

/* `form`: NULL, or with a fault of the field. */
static void put_choice(
    struct page_call *call, const struct form *form, const char *name, enum group_dimension chosen)
{
    struct form_option options[GROUP_DIMENSION_COUNT];
    bool is_second = str_eq(str_from(name), THEN);
    size_t count = 0;
    if (is_second)
        options[count++] = (struct form_option){STR(""), STR("nothing else")};
    for (int i = 1; i < GROUP_DIMENSION_COUNT; i++)
        options[count++] =
            (struct form_option){name_of((enum group_dimension)i), str_from(dimensions[i].words)};
    form_show_choice(call->view, form, name, name_of(chosen), options, count);
}

/* "member and month of the trade" */
static struct str words_by(struct page_call *call, const struct explore *e)
{
    const char *first = dimensions[e->by.by[0]].words, *second = dimensions[e->by.by[1]].words;
    return arena_fmt(call->arena, "%s%s%s", first, second ? " and " : "", second ? second : "");
}

static void put_form(struct page_call *call, const struct explore *e)
{
    struct form_option sorts[GROUP_SORTS];
    struct form_option orders[] = {
        {STR("desc"), STR("Largest first")}, {STR("asc"), STR("Smallest first")}};
    _Static_assert(sizeof columns / sizeof *columns == GROUP_SORTS, "words for each");
    view_str(call->view, "byText", words_by(call, e));
    put_choice(call, e->by.by[0] ? NULL : call->query_form, GROUP_BY.p, e->by.by[0]);
    put_choice(call, NULL, THEN.p, e->by.by[1]);
    for (size_t i = 0; i < GROUP_SORTS; i++)
        sorts[i] =
            (struct form_option){shape_group_sorts.name_of((int)i + 1), str_from(columns[i].words)};
    form_show_choice(call->view, call->query_form, SORT.p, STR(""), sorts, GROUP_SORTS);
    form_show_choice(call->view, call->query_form, ORDER.p, STR(""), orders, 2);
}

/* --- a group */

static void set_param(
    struct link_param params[static PARAM_TABLE_MAX + 4], size_t *count, const char *name,
    struct str value)
{
    size_t i = 0;
    while (i < *count && !str_eq(params[i].name, str_from(name)))
        i++;
    *count += i == *count;
    params[i] = (struct link_param){str_from(name), value};
}

/* The part of a month, "2024-03", or a year that the filters leave. */
static bool choose_days(
    struct page_call *call, struct str value, struct link_param params[static PARAM_TABLE_MAX + 4],
    size_t *count)
{
    bool whole_year = value.n == STR("2024").n;
    int32_t first, end;
    struct str begin =
        arena_fmt(call->arena, "%.*s%s", STR_ARG(value), whole_year ? "-01-01" : "-01");
    if (!day_parse(begin, &first))
        return false;
    int year, month, of_month;
    day_to_civil(first, &year, &month, &of_month);
    month = whole_year ? 12 : month;
    if (!day_from_civil(year + month / 12, month % 12 + 1, 1, &end))
        return false;
    struct str last = day_str(call->arena, end - 1);
    for (size_t i = 0; i < *count; i++) { /* days in this form are in the order of their texts */
        if (str_eq(params[i].name, STR("traded_from")) && str_cmp(params[i].value, begin) > 0)
            begin = params[i].value;
        if (str_eq(params[i].name, STR("traded_to")) && str_cmp(params[i].value, last) < 0)
            last = params[i].value;
    }
    set_param(params, count, "traded_from", begin);
    set_param(params, count, "traded_to", last);
    return true;
}

/* Adds the filter that chooses the value. False: there is none. */
static bool choose(
    struct page_call *call, enum group_dimension by, const struct group_value *value,
    struct link_param params[static PARAM_TABLE_MAX + 4], size_t *count)
{
    const struct explore_dimension *d = &dimensions[by];
    if (str_is_null(value->text)) {
        if (str_is_null(d->filter_none))
            return false;
        set_param(params, count, "conflict", d->filter_none);
        return true;
    }
    if (by == GROUP_MONTH || by == GROUP_YEAR)
        return choose_days(call, value->text, params, count);
    if (str_is_null(d->filter))
        return false;
    struct str text = value->text;
    if (by == GROUP_LATE_STATUS)
        text = shape_late_filters.name_of(shape_list_find(d->list, text));
    set_param(params, count, d->filter.p, text);
    return true;
}

static struct str link_of(
    struct page_call *call, const struct explore *e, const struct trade_group *group)
{
    struct link_param params[PARAM_TABLE_MAX + 4];
    size_t count = e->filter_count;
    memcpy(params, e->filters, count * sizeof *params);
    for (int i = 0; i < GROUP_BY_MAX && e->by.by[i]; i++)
        if (!choose(call, e->by.by[i], &group->values[i], params, &count))
            return STR_NULL;
    return link_make(call->arena, STR("/trades"), params, count);
}

static struct str words_value(
    struct page_call *call, enum group_dimension by, const struct group_value *value)
{
    const struct explore_dimension *d = &dimensions[by];
    int listed = d->list && !str_is_null(value->text) ? shape_list_find(d->list, value->text) : 0;
    if (str_is_null(value->text))
        return str_from(d->none);
    if (by == GROUP_POLITICIAN)
        return value->politician.name;
    if (by == GROUP_FLAG_COMMITTEE || by == GROUP_SEAT)
        return list_committee_title(call->arena, value->text);
    return listed ? words_choice(d->list, listed, call->arena) : value->text;
}

static void put_columns(struct view *row, const struct group_columns *c)
{
    view_count(row, "trades", c->trades);
    view_bool(row, "one", c->trades == 1);
    view_count(row, "buys", c->buys);
    view_count(row, "sells", c->sells);
    view_count(row, "flagged", c->conflicts);
    view_count(row, "late", c->late);
    view_count(row, "lateKnown", c->trades - c->late_unknown);
    view_bool(row, "anyLateUnknown", c->late_unknown > 0);
    view_count(row, "least", c->amount_min);
    view_count(row, "most", c->amount_max);
    view_bool(row, "open", c->amount_open > 0);
    view_count(row, "people", c->people);
    view_bool(row, "hasDays", c->median_days >= 0);
    view_count(row, "days", c->median_days);
    view_count(row, "slow", c->p90_days);
    day_view_put(row, "last", c->last);
}

/* Ends of the parts of the bar; that of the largest group of the page is BAR_WIDTH. */
static void put_bar(struct view *row, const struct group_columns *c, int64_t most)
{
    view_int(row, "boughtWidth", c->buys * BAR_WIDTH / most);
    view_int(row, "soldWidth", (c->buys + c->sells) * BAR_WIDTH / most);
    view_int(row, "allWidth", c->trades * BAR_WIDTH / most);
}

static void put_group(
    struct page_call *call, const struct explore *e, struct view *row,
    const struct trade_group *group)
{
    BUF_SCOPED(spoken, SIZE_MAX);
    struct view *names = view_list(row, "names");
    for (int i = 0; i < GROUP_BY_MAX && e->by.by[i]; i++) {
        const struct group_value *value = &group->values[i];
        const char *folder = dimensions[e->by.by[i]].folder;
        struct view *name = view_item(names);
        struct str words = words_value(call, e->by.by[i], value);
        view_null(name, "label");
        view_null(name, "href");
        if (e->by.by[i] == GROUP_POLITICIAN) {
            trade_politician_put(name, &value->politician);
            page_surrogate(call, "p", value->politician.slug);
        } else if (folder) {
            trade_path_put(name, "href", folder, value->text);
        }
        view_str(name, "words", words);
        buf_fmt(&spoken, "%s%.*s", i ? ", " : "", STR_ARG(words));
    }
    view_str(row, "spoken", buf_view(&spoken));
    view_str(row, "href", link_of(call, e, group));
    put_columns(row, &group->columns);
}

/* --- the page */

/* The heads of columns: links that sort by them, and turn the order of the one sorted by. */
static void put_heads(struct page_call *call, const struct explore *e, struct view *table)
{
    struct view *heads = view_list(table, "heads");
    for (size_t i = 0; i < GROUP_SORTS; i++) {
        bool current = e->by.sort == (int)i + 1, ascends = current && !e->by.ascending;
        struct link_param params[PARAM_TABLE_MAX + 4];
        size_t count = e->list.given_count;
        if (!columns[i].shown)
            continue;
        memcpy(params, e->list.given, count * sizeof *params);
        set_param(params, &count, SORT.p, shape_group_sorts.name_of((int)i + 1));
        set_param(params, &count, ORDER.p, ascends ? STR("asc") : STR_NULL);
        struct view *head = view_item(heads);
        view_bool(head, "first", i == 0);
        view_text(head, "label", columns[i].words);
        view_str(head, "href", link_make(call->arena, PATH, params, count));
        view_text(head, "sorted", !current ? NULL : e->by.ascending ? "ascending" : "descending");
    }
}

static void put_title(
    struct page_call *call, const struct explore *e, const struct group_columns *totals)
{
    BUF_SCOPED(b, SIZE_MAX);
    buf_fmt(&b, "%.*s, by %.*s: ", STR_ARG(e->sentence), STR_ARG(words_by(call, e)));
    view_count_put(&b, totals->trades);
    buf_text(&b, totals->trades == 1 ? " trade" : " trades");
    if (totals->people) {
        buf_text(&b, " of ");
        view_count_put(&b, totals->people);
        buf_text(&b, totals->people == 1 ? " member" : " members");
    }
    page_title(call, arena_str(call->arena, buf_view(&b)));
}

/* False, with a fault: too many groups. Inside a read of the feed. */
static bool read_groups(struct page_call *call, const struct explore *e, struct feed_groups *ret)
{
    bool fits = feed_group(call->config->feed, &e->trades.filter, &e->by, call->arena, ret);
    if (!fits)
        form_fault_text(
            call->query_form, GROUP_BY.p,
            "This makes more than 100,000 groups: add a filter, or group by one thing.");
    return fits;
}

static void put_table(
    struct page_call *call, const struct explore *e, const struct feed_groups *groups)
{
    struct cursor next = feed_groups_cursor(e->by.offset + groups->count);
    struct view *table = table_begin(
        call->view, "groups", NULL,
        reader_empty(call, &e->trades.filter, "No trade matches these filters."));
    int64_t most = 1;
    for (size_t i = 0; i < groups->count; i++)
        most = groups->groups[i].columns.trades > most ? groups->groups[i].columns.trades : most;
    put_heads(call, e, table);
    view_bool(
        table, "hasPeople", e->by.by[0] != GROUP_POLITICIAN && e->by.by[1] != GROUP_POLITICIAN);
    for (size_t i = 0; i < groups->count; i++) {
        struct view *row = table_row(table);
        put_group(call, e, row, &groups->groups[i]);
        put_bar(row, &groups->groups[i].columns, most);
    }
    put_columns(view_object(table, "totals"), &groups->totals);
    view_bool(table, "overlaps", group_overlaps(e->by.by[0]) || group_overlaps(e->by.by[1]));
    page_cursor_links(
        call, table, PATH, e->list.given, e->list.given_count, groups->more ? &next : NULL);
}

/* The same as CSV and JSON, and the trades as a list and as feeds. */
static void put_forms(struct page_call *call, const struct explore *e)
{
    struct link_param params[PARAM_TABLE_MAX + 4];
    size_t count = e->list.given_count;
    memcpy(params, e->list.given, count * sizeof *params);
    set_param(params, &count, GROUP_BY.p, name_of(e->by.by[0]));
    if (e->by.by[1])
        set_param(
            params, &count, GROUP_BY.p,
            arena_fmt(
                call->arena, "%.*s,%.*s", STR_ARG(name_of(e->by.by[0])),
                STR_ARG(name_of(e->by.by[1]))));
    struct str json = link_make(call->arena, STR("/api/v1/stats"), params, count);
    list_forms_json(call, PATH, json, e->list.given, e->list.given_count);
    list_feed_alternates(call, STR("/trades"), e->filters, e->filter_count);
    view_str(
        call->view, "list", link_make(call->arena, STR("/trades"), e->filters, e->filter_count));
}

enum err explore_page_load(struct page_call *call, struct fail *fail)
{
    struct explore *e = ARENA_NEW(call->arena, struct explore);
    MEM_UNFILLED struct feed_groups groups;
    if (join_choices(call))
        return OK;
    bool valid = read_query(call, PATH, e);
    if (!call->query_form)
        return OK; /* sent to another address */
    put_form(call, e);
    view_null(call->view, "heading");
    if (!valid)
        return OK;
    reader_delay_put(call, &e->trades.filter);
    rcu_read_begin();
    if (read_groups(call, e, &groups)) {
        put_table(call, e, &groups);
        put_title(call, e, &groups.totals);
        put_forms(call, e);
    }
    rcu_read_end();
    page_surrogate(call, "list", STR("trades"));
    return OK;
}

/* A line of CSV; NULL: the header. */
static void put_line(
    struct buf *b, const struct trade_group *group, const enum group_dimension by[GROUP_BY_MAX])
{
    struct list_csv_line line = {.to = b};
    for (int i = 0; i < GROUP_BY_MAX && by[i]; i++)
        list_csv_text(&line, group ? group->values[i].text : name_of(by[i]));
    buf_char(b, ',');
    shape_object_csv(b, &shape_group_columns, group ? &group->columns : NULL);
    shape_csv_end(b);
}

/* The first groups, in the order of the page. */
enum err explore_csv_load(struct page_call *call, struct fail *fail)
{
    struct explore *e = ARENA_NEW(call->arena, struct explore);
    MEM_UNFILLED struct feed_groups groups;
    struct buf *body = http_body(call->x);
    if (!list_csv_may(call, fail))
        return OK;
    bool valid = read_query(call, str_from(call->page->path), e);
    e->by.limit = FEED_PAGE_MAX;
    e->by.offset = 0;
    for (bool more = valid; more && e->by.offset < CSV_ROWS_MAX; e->by.offset += groups.count) {
        rcu_read_begin();
        valid = read_groups(call, e, &groups);
        if (valid && !e->by.offset)
            put_line(body, NULL, e->by.by);
        for (size_t i = 0; valid && i < groups.count; i++)
            put_line(body, &groups.groups[i], e->by.by);
        more = valid && groups.more;
        rcu_read_end();
    }
    if (!valid)
        return list_forms_fault(call, PATH, fail);
    page_surrogate(call, "list", STR("trades"));
    list_csv_put(call, "explore");
    return OK;
}

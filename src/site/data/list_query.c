/* Reads the query of a page with a list; see list_query.h. */
#include "site/data/list_query.h"

#include "noun/lists.h"
#include "site/data/list_committee.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_words.h"

/* False, with a fault beside the field: a party or a committee that there is not. */
static bool list_value_check(
    struct page_call *call, const struct param *param, const struct param_value *value)
{
    BUF_SCOPED(fits, SIZE_MAX);
    rcu_read_begin();
    bool known = feed_value_exists(call->config->feed, param, value, true, &fits);
    rcu_read_end();
    if (!known)
        form_fault_text(
            call->query_form, param->name.p, "There is no such %s. %.*s.",
            param->type == PARAM_TYPE_PARTY ? "party" : "committee", STR_ARG(buf_view(&fits)));
    return known;
}

/* The filter of a list by member. */

enum { OFFERED_MAX = 12 };

/* The names of these slugs or ids, with commas between them; null: one is not known. */
static struct str names_of(const struct page_call *call, struct str text)
{
    struct feed_politician found;
    struct str slug, one;
    BUF_SCOPED(names, SIZE_MAX);
    bool known = text.n > 0;
    rcu_read_begin();
    while (known && str_split(&text, ',', &one)) {
        known = param_politician(str_trim(one), call->arena, &slug) &&
                feed_politician(
                    call->config->feed, slug, instant_day_utc(call->now_ms), INSTANT_NONE, &found);
        if (known)
            buf_fmt(&names, "%s%.*s", names.n ? ", " : "", STR_ARG(found.name));
    }
    rcu_read_end();
    return known ? arena_str(call->arena, buf_view(&names)) : STR_NULL;
}

static bool is_known(const struct page_call *call, struct str text)
{
    return !str_is_null(names_of(call, text));
}

/* Inside a read of the feed. */
static void search(struct page_call *call, struct str text, struct feed_people_page *ret)
{
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    *ret = (struct feed_people_page){.count = 0};
    filter.until_ms = reader_until(call);
    if (param_fold(text, call->arena, &filter.q))
        feed_people(
            call->config->feed, &filter, NULL, FEED_PAGE_MAX, instant_day_utc(call->now_ms), ret);
}

/* The slug of the only member that matches the text. Returns the text itself if it is a slug or id,
 * or if no or several members match. */
static struct str list_member_settle(struct page_call *call, struct str text)
{
    if (is_known(call, text))
        return text;
    struct feed_people_page *page = ARENA_NEW(call->arena, struct feed_people_page);
    RCU_READ();
    search(call, text, page);
    return page->count == 1 ? arena_str(call->arena, page->rows[0].slug) : text;
}

/* Whether the text is a slug or an id. If not, the field has a fault: no member or several
 * members match it. */
static bool list_member_check(struct page_call *call, const char *field, struct str text)
{
    if (is_known(call, text))
        return true;
    struct feed_people_page *page = ARENA_NEW(call->arena, struct feed_people_page);
    rcu_read_begin();
    search(call, text, page);
    rcu_read_end();
    form_fault_text(
        call->query_form, field,
        page->count ? "Several members have a name like this. Choose one."
                    : "No member of Congress matches this name.");
    return false;
}

/* --- several */

/* The address with this member only, from the first page. */
static struct str link_to(
    const struct page_call *call, struct str path, struct str field, struct str slug)
{
    const struct form *form = call->query_form;
    struct link_param params[FORM_FIELDS_MAX];
    size_t count = 0;
    bool has_member = false;
    for (size_t i = 0; i < form->count; i++) {
        const struct form_pair *pair = &form->pairs[i];
        bool is_member = str_eq(pair->name, field);
        if (!str_eq(pair->name, STR("cursor")) && !(is_member && has_member))
            params[count++] = (struct link_param){pair->name, is_member ? slug : pair->value};
        has_member |= is_member;
    }
    return link_make(call->arena, path, params, count);
}

static void put_member(
    struct page_call *call, struct view *row, struct str href, const struct feed_politician *p)
{
    view_str(row, "href", href);
    view_str(row, "name", p->name);
    view_fmt(
        row, "label", "%.*s%s%.*s", STR_ARG(words_chamber(p->chamber)), p->state.n ? ", " : "",
        STR_ARG(p->state));
}

/* Those with trades first, then others in office. */
static void list_member_offer(struct page_call *call, struct str path, const char *field)
{
    struct view *shown = view_member(view_member(call->view, "fields"), field);
    struct view *list = view_list(shown, "members");
    struct str text = form_value(call->query_form, field);
    size_t offered = 0;
    view_bool(shown, "hasMembers", false);
    view_null(shown, "othersHref");
    if (str_is_null(text) || is_known(call, text))
        return;
    struct feed_people_page *page = ARENA_NEW(call->arena, struct feed_people_page);
    rcu_read_begin();
    search(call, text, page);
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < page->count && offered < OFFERED_MAX; i++) {
            const struct feed_politician *p = &page->rows[i];
            if (pass == (p->counts.trades ? 0 : p->in_office ? 1 : 2)) {
                put_member(call, view_item(list), link_to(call, path, str_from(field), p->slug), p);
                offered++;
            }
        }
    rcu_read_end();
    if (offered < page->count) {
        const struct link_param q = {STR("q"), text};
        view_str(shown, "othersHref", link_make(call->arena, STR("/politicians"), &q, 1));
    }
    view_bool(shown, "hasMembers", offered > 0);
}

static const char CURSOR[] = "cursor";

/* --- values */

static void fault_value(struct form *form, const struct param *param, const char *name)
{
    BUF_SCOPED(b, 1024);
    buf_text(&b, "This must be ");
    param_accepts(&b, param);
    buf_char(&b, '.');
    form_fault_text(form, name, "%.*s", STR_ARG(buf_view(&b)));
}

static void read_filter(
    struct page_call *call, const struct param *param, size_t index, struct list_query *query)
{
    const char *name = param->name.p;
    struct form *form = call->query_form;
    struct str text = form_value(form, name);
    if (str_is_null(text))
        return;
    query->given[query->given_count++] = (struct link_param){param->name, text};
    if (param->type == PARAM_TYPE_SLUG && !list_member_check(call, name, text))
        return;
    if (!param_parse(param, text, call->arena, &query->values[index]))
        fault_value(form, param, name);
    else
        query->is_given[index] = list_value_check(call, param, &query->values[index]);
}

/* An invalid value of either end has its own fault. */
static void check_ranges(
    struct form *form, const struct param_table *params, const struct list_query *query)
{
    struct param_value given[PARAM_TABLE_MAX];
    for (size_t i = 0; i < params->count; i++)
        given[i] = query->is_given[i] ? query->values[i] : (struct param_value){STR_NULL, 0};
    const struct param *end = param_backward(params, given);
    if (end)
        form_fault_text(form, end->name.p, "This must not be before the start of the range.");
}

void list_query_damaged(struct form *form)
{
    form_fault_text(
        form, NULL,
        "The cursor in this address is invalid. Go back to the first page of the list.");
}

static void read_cursor(struct form *form, enum cursor_resource resource, struct list_query *query)
{
    struct str text = form_value(form, CURSOR);
    query->has_cursor = !str_is_null(text);
    if (query->has_cursor && !cursor_decode(text, resource, &query->cursor))
        list_query_damaged(form);
}

/* --- the form */

static void show_choice(struct page_call *call, const struct param *param)
{
    struct form_option *options =
        ARENA_ARRAY(call->arena, struct form_option, (size_t)param->list->count);
    size_t count = 0;
    options[count++] = (struct form_option){STR(""), STR("Any")};
    for (int value = 1; value < param->list->count; value++)
        options[count++] = (struct form_option){
            param->list->name_of(value), words_choice(param->list, value, call->arena)};
    form_show_choice(call->view, call->query_form, param->name.p, STR(""), options, count);
}

/* A midnight in Washington as its day, which the field takes too. */
static void show_instant(struct page_call *call, const struct param *param)
{
    char day[DAY_TEXT_SIZE];
    int64_t at;
    struct str given = form_value(call->query_form, param->name.p);
    struct view *field = view_member(view_member(call->view, "fields"), param->name.p);
    bool midnight =
        instant_parse(given, &at) && at == instant_from_new_york(instant_day_new_york(at), 0);
    if (midnight) {
        day_print(instant_day_new_york(at), day);
        view_str(field, "value", str_of(day, sizeof day));
    }
    view_bool(field, "isDay", midnight || str_is_null(given));
}

static void show(struct page_call *call, struct str path, const struct param_table *params)
{
    for (size_t i = 0; i < params->count; i++) {
        const struct param *param = param_table_at(params, i);
        if (param->type == PARAM_TYPE_LISTED && !param->shows)
            show_choice(call, param);
        else if (param->type == PARAM_TYPE_COMMITTEE)
            list_committee_show(call, param->name.p);
        else
            form_show(call->view, call->query_form, param->name.p, STR(""));
        if (param->type == PARAM_TYPE_INSTANT)
            show_instant(call, param);
        if (param->type == PARAM_TYPE_SLUG)
            list_member_offer(call, path, param->name.p);
    }
}

/* --- what is chosen */

/* How a title and a chip say a filter, before its value. Others say their name. A truth: for `true`
 * and for `false`. */
static const struct phrase {
    struct str name;
    const char *yes, *no; /* no: NULL: not a truth */
} phrases[] = {
    {STR_INIT("q"), "", NULL},
    {STR_INIT("politician_slug"), "by ", NULL},
    {STR_INIT("ticker"), "in ", NULL},
    {STR_INIT("chamber"), "", NULL},
    {STR_INIT("side"), "", NULL},
    {STR_INIT("asset_type"), "", NULL},
    {STR_INIT("party"), "", NULL},
    {STR_INIT("state"), "", NULL},
    {STR_INIT("owner"), "owner: ", NULL},
    {STR_INIT("amount_min"), "from $", NULL},
    {STR_INIT("traded_from"), "traded from ", NULL},
    {STR_INIT("traded_to"), "traded to ", NULL},
    {STR_INIT("since"), "disclosed from ", NULL},
    {STR_INIT("until"), "disclosed before ", NULL},
    {STR_INIT("sector"), "in ", NULL},
    {STR_INIT("seat"), "by members of ", NULL},
    {STR_INIT("flag_industry"), "flagged for ", NULL},
    {STR_INIT("flag_committee"), "flagged for ", NULL},
    {STR_INIT("conflict"), "flagged", "not flagged"},
    {STR_INIT("late"), "reported late: ", NULL},
    {STR_INIT("has_trades"), "with trades", "without trades"},
    {STR_INIT("in_office"), "in office", "no longer in office"},
};

static const struct phrase *phrase_of(struct str name)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (str_eq(phrases[i].name, name))
            return &phrases[i];
    return NULL;
}

static struct str value_words(
    struct page_call *call, const struct param *param, const struct param_value *value,
    struct str given)
{
    char day[DAY_TEXT_SIZE];
    BUF_SCOPED(number, 64);
    struct str name;
    switch (param->type) {
    case PARAM_TYPE_LISTED:
        return words_choice(param->list, (int)value->number, call->arena);
    case PARAM_TYPE_COMMITTEE:
        return list_committee_title(call->arena, value->text);
    case PARAM_TYPE_INSTANT:
        if (value->number != instant_from_new_york(instant_day_new_york(value->number), 0))
            return given;
        day_print(instant_day_new_york(value->number), day);
        return arena_str(call->arena, str_of(day, sizeof day));
    case PARAM_TYPE_INTEGER:
        view_count_put(&number, value->number);
        return arena_str(call->arena, buf_view(&number));
    case PARAM_TYPE_SLUG:
        name = names_of(call, value->text);
        return str_is_null(name) ? given : name;
    default:
        return given;
    }
}

static struct str words_of(
    struct page_call *call, const struct param *param, const struct param_value *value,
    struct str given)
{
    const struct phrase *phrase = phrase_of(param->name);
    struct str words = value_words(call, param, value, given);
    if (!phrase)
        return arena_fmt(call->arena, "%.*s: %.*s", STR_ARG(param->name), STR_ARG(words));
    if (!phrase->no)
        return arena_fmt(call->arena, "%s%.*s", phrase->yes, STR_ARG(words));
    return str_from(value->number == SHAPE_TRUE ? phrase->yes : phrase->no);
}

/* The title of the page says the filters, and `chips` has each, with the address without it. */
static void put_chosen(
    struct page_call *call, struct str path, const struct param_table *params,
    const struct list_query *query)
{
    BUF_SCOPED(title, SIZE_MAX);
    struct view *list = view_list(call->view, "chips");
    buf_str(&title, call->page->title);
    for (size_t i = 0; i < params->count; i++) {
        const struct param *param = param_table_at(params, i);
        struct link_param rest[PARAM_TABLE_MAX];
        struct str given = STR_NULL;
        size_t count = 0;
        for (size_t k = 0; k < query->given_count; k++)
            if (str_eq(query->given[k].name, param->name))
                given = query->given[k].value;
            else
                rest[count++] = query->given[k];
        if (!query->is_given[i] || param->shows)
            continue;
        struct str words = words_of(call, param, &query->values[i], given);
        struct view *item = view_item(list);
        buf_text(&title, title.n == call->page->title.n ? ": " : ", ");
        buf_str(&title, words);
        view_str(item, "words", words);
        view_str(item, "href", link_make(call->arena, path, rest, count));
    }
    page_title(call, arena_str(call->arena, buf_view(&title)));
}

/* A day is its begin in Washington. */
static struct str settle_instant(struct page_call *call, struct str value)
{
    char text[INSTANT_TEXT_SIZE];
    int32_t day;
    if (!day_parse(value, &day))
        return value;
    instant_print(instant_from_new_york(day, 0), text);
    return arena_str(call->arena, str_of(text, sizeof text));
}

static struct str (*const settles[PARAM_TYPE_COUNT])(struct page_call *call, struct str value) = {
    [PARAM_TYPE_SLUG] = list_member_settle,
    [PARAM_TYPE_INSTANT] = settle_instant,
};

static struct form *read_form(
    struct page_call *call, struct str path, const struct param_table *params)
{
    struct page_query_name names[PARAM_TABLE_MAX + 1];
    size_t count = params->count;
    for (size_t i = 0; i < count; i++) {
        const struct param *param = param_table_at(params, i);
        names[i] = (struct page_query_name){param->name.p, param->alias.p, settles[param->type]};
    }
    names[count] = (struct page_query_name){CURSOR, NULL, NULL};
    return page_query_form(call, path, names, count + 1);
}

size_t list_query_filters(
    const struct param_table *params, const struct list_query *query,
    struct link_param ret[static PARAM_TABLE_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < query->given_count; i++) {
        bool shows = false;
        for (size_t k = 0; k < params->count; k++) {
            const struct param *param = param_table_at(params, k);
            shows |= param->shows && str_eq(param->name, query->given[i].name);
        }
        if (!shows)
            ret[count++] = query->given[i];
    }
    return count;
}

void list_query_sorts(
    struct page_call *call, struct str path, const struct param_table *params,
    const struct list_query *query)
{
    struct view *sorts = view_list(call->view, "sorts");
    struct link_param kept[PARAM_TABLE_MAX + 1];
    size_t count = list_query_filters(params, query, kept), at = 0;
    while (!str_eq(param_table_at(params, at)->name, STR("sort")))
        at++;
    const struct param *sort = param_table_at(params, at);
    int64_t now = query->is_given[at] ? query->values[at].number : 1;
    for (int value = 1; value < sort->list->count; value++) {
        struct view *item = view_item(sorts);
        kept[count] =
            (struct link_param){sort->name, value == 1 ? STR_NULL : sort->list->name_of(value)};
        view_str(item, "label", words_choice(sort->list, value, call->arena));
        view_str(item, "href", link_make(call->arena, path, kept, count + 1));
        view_bool(item, "current", value == now);
    }
}

/* --- a sentence */

struct list_sentence {
    struct page_call *call;
    const struct param_table *params;
    const struct list_query *query;
    bool said[PARAM_TABLE_MAX];
};

/* The value of a filter, which the rest of the sentence leaves out; NULL: not given. */
static const struct param_value *say(struct list_sentence *s, const char *name)
{
    for (size_t i = 0; i < s->params->count; i++) {
        if (!s->query->is_given[i] || !str_eq(param_table_at(s->params, i)->name, str_from(name)))
            continue;
        s->said[i] = true;
        return &s->query->values[i];
    }
    return NULL;
}

/* "Republican senators' sales" */
static void say_trades(struct list_sentence *s, struct buf *b)
{
    static const char *const nouns[SHAPE_SIDE_SELL + 1] = {
        "trades",
        [SIDE_BUY] = "purchases",
        [SIDE_SELL_FULL] = "full sales",
        [SIDE_SELL_PARTIAL] = "partial sales",
        [SIDE_EXCHANGE] = "exchanges",
        [SHAPE_SIDE_SELL] = "sales"};
    const struct param member = {.type = PARAM_TYPE_SLUG};
    const struct param_value *who = say(s, "politician_slug");
    const struct param_value *party = who ? NULL : say(s, "party");
    const struct param_value *chamber = who ? NULL : say(s, "chamber");
    const struct param_value *side = say(s, "side");
    if (who)
        buf_fmt(b, "%.*s's ", STR_ARG(value_words(s->call, &member, who, who->text)));
    if (party)
        buf_fmt(b, "%.*s ", STR_ARG(param_party(party)));
    if (chamber)
        buf_text(b, chamber->number == CHAMBER_SENATE ? "senators' " : "representatives' ");
    else if (party)
        buf_text(b, "members' ");
    buf_text(b, nouns[side ? side->number : 0]);
}

static void put_day(struct buf *b, int32_t day, bool with_year)
{
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int year, month, of_month;
    day_to_civil(day, &year, &month, &of_month);
    buf_fmt(b, "%d %s", of_month, months[month - 1]);
    if (with_year)
        buf_fmt(b, " %d", year);
}

/* ", 24 Jan to 20 Mar 2020" */
static void say_days(struct list_sentence *s, struct buf *b)
{
    const struct param_value *from = say(s, "traded_from"), *to = say(s, "traded_to");
    if (!from && !to)
        return;
    buf_text(b, from && to ? ", " : from ? " since " : " until ");
    if (from)
        put_day(
            b, (int32_t)from->number,
            !to || day_year((int32_t)from->number) != day_year((int32_t)to->number));
    if (to) {
        buf_text(b, from ? " to " : "");
        put_day(b, (int32_t)to->number, true);
    }
}

struct str list_query_sentence(
    struct page_call *call, const struct param_table *params, const struct list_query *query)
{
    struct list_sentence s = {.call = call, .params = params, .query = query};
    BUF_SCOPED(b, SIZE_MAX);
    say_trades(&s, &b);
    const struct param_value *ticker = say(&s, "ticker");
    if (ticker)
        buf_fmt(&b, " in %.*s", STR_ARG(ticker->text));
    say_days(&s, &b);
    for (size_t i = 0; i < params->count; i++) {
        const struct param *param = param_table_at(params, i);
        if (query->is_given[i] && !s.said[i] && !param->shows)
            buf_fmt(
                &b, ", %.*s",
                STR_ARG(words_of(call, param, &query->values[i], query->values[i].text)));
    }
    struct str words = buf_view(&b);
    char *text = arena_alloc(call->arena, words.n);
    memcpy(text, words.p, words.n);
    text[0] = ascii_upper(text[0]);
    return str_of(text, words.n);
}

bool list_query_read(
    struct page_call *call, struct str path, const struct param_table *params,
    enum cursor_resource resource, struct list_query *ret)
{
    struct link_param filters[PARAM_TABLE_MAX];
    struct form *form = read_form(call, path, params);
    *ret = (struct list_query){0};
    if (!form)
        return false;
    for (size_t i = 0; i < params->count; i++)
        read_filter(call, param_table_at(params, i), i, ret);
    check_ranges(form, params, ret);
    read_cursor(form, resource, ret);
    show(call, path, params);
    view_bool(call->view, "filtered", list_query_filters(params, ret, filters) > 0);
    if (!form_is_faulty(form))
        put_chosen(call, path, params, ret);
    return !form_is_faulty(form);
}

/* /conflicts: flagged trades with their evidence, and how many there are for each committee and
 * industry. The filters of trades count for both, those of a committee and an industry for the
 * list. */
#include "site/handlers.h"

#include <stdlib.h>

#include "conflict/topics.h"
#include "core/committee.h"
#include "core/industry.h"
#include "feed/trade_filter.h"
#include "html/table.h"
#include "shape/trade_read.h"
#include "site/conflict_counts.h"
#include "site/list_query.h"
#include "site/page_call_parts.h"
#include "site/page_query.h"
#include "site/reader.h"
#include "site/trade_source_view.h"
#include "site/trade_view.h"
#include "store/finding.h"

enum { ROWS = 15 };

static const struct str PATH = STR_INIT("/conflicts");

/* --- the query */

static struct str industry_code(int industry)
{
    return industry_get(industry)->code;
}

/* The filters of trades but `conflict`, and two more. */
struct conflicts_query {
    struct param params[PARAM_TABLE_MAX];
    const struct trade_filter *filters[PARAM_TABLE_MAX]; /* NULL: industry, committee */
    struct shape_list industries;
    size_t count, industry, committee; /* places in params */
    struct list_query list;
    struct feed_filter filter;
    struct feed_test tests[PARAM_TABLE_MAX];
    struct conflict_choice choice;
    struct feed_signal_test signal;
};

static void list_params(struct conflicts_query *q)
{
    for (size_t i = 0; i < trade_filter_params.count; i++) {
        const struct trade_filter *filter = trade_filter_at(i);
        if (str_eq(filter->param.name, STR("conflict")))
            continue;
        q->params[q->count] = filter->param;
        q->filters[q->count++] = filter;
    }
    q->industries = (struct shape_list){industry_count() + 1, industry_code};
    q->industry = q->count;
    q->params[q->count++] =
        (struct param){.name = STR("industry"), .type = PARAM_TYPE_LISTED, .list = &q->industries};
    q->committee = q->count;
    q->params[q->count++] = (struct param){.name = STR("committee"), .type = PARAM_TYPE_ID};
}

static struct str upper(struct arena *arena, struct str text)
{
    char *p = arena_alloc(arena, text.n + 1);
    for (size_t i = 0; i < text.n; i++)
        p[i] = ascii_upper(text.p[i]);
    return str_of(p, text.n);
}

/* False: the reply is a redirect, or the page with faults. */
static bool read_query(struct page_call *call, struct conflicts_query *q)
{
    list_params(q);
    const struct param_table table = {q->params, q->count, sizeof *q->params};
    bool valid = list_query_read(call, PATH, &table, CURSOR_TRADES, &q->list);
    if (!call->query_form)
        return false;
    q->filter = FEED_FILTER_NONE;
    for (size_t i = 0; i < q->count; i++)
        if (q->filters[i] && q->list.is_given[i])
            trade_filter_add(q->filters[i], &q->list.values[i], &q->filter, q->tests);
    q->filter.conflicts_only = true;
    int64_t until = reader_until(call);
    if (until != INSTANT_NONE && (q->filter.until_ms == INSTANT_NONE || q->filter.until_ms > until))
        q->filter.until_ms = until;
    if (q->list.is_given[q->committee] &&
        !committee_id_valid(upper(call->arena, q->list.values[q->committee].text))) {
        form_fault_text(
            call->query_form, "committee",
            "This must be the id of a committee such as HSBA, or of a subcommittee such as "
            "HSBA16.");
        valid = false;
    }
    return valid;
}

/* With the topics open. */
static void choose(struct page_call *call, const struct topics *topics, struct conflicts_query *q)
{
    q->choice = (struct conflict_choice){.topics = topics, .any_committee = true};
    if (q->list.is_given[q->industry])
        q->choice.industry = (int)q->list.values[q->industry].number;
    if (q->list.is_given[q->committee]) {
        struct str id = upper(call->arena, q->list.values[q->committee].text);
        const struct topic_committee *committee = topics_committee_with(topics, id);
        q->choice.any_committee = false;
        q->choice.committee =
            committee ? (uint32_t)(committee - topics_committee(topics, 0)) : UINT32_MAX;
    }
    q->signal = (struct feed_signal_test){conflict_choice_keeps, &q->choice};
    if (q->choice.industry || !q->choice.any_committee)
        q->filter.signal = &q->signal;
}

/* The address of the page with this choice and the other filters. */
static struct str link_to(
    const struct page_call *call, const struct conflicts_query *q, struct str committee,
    struct str industry)
{
    struct link_param params[PARAM_TABLE_MAX + 2];
    size_t n = 0;
    params[n++] = (struct link_param){STR("committee"), committee};
    params[n++] = (struct link_param){STR("industry"), industry};
    for (size_t i = 0; i < q->list.given_count; i++)
        if (!str_eq(q->list.given[i].name, params[0].name) &&
            !str_eq(q->list.given[i].name, params[1].name))
            params[n++] = q->list.given[i];
    return link_make(call->arena, PATH, params, n);
}

/* --- the overview */

struct conflicts_overview {
    struct page_call *call;
    const struct conflicts_query *q;
    const struct conflict_counts *counts;
};

static void put_cell(struct view *v, const struct conflict_cell *cell)
{
    view_count(v, "trades", cell->trades);
    view_count(v, "members", cell->members);
    view_bool(v, "oneTrade", cell->trades == 1);
    view_bool(v, "oneMember", cell->members == 1);
}

/* The industries of a committee, most trades first. */
static void put_industries(
    const struct conflicts_overview *o, struct view *list, int64_t number, struct str committee)
{
    bool done[256] = {false};
    for (;;) {
        int best = 0;
        for (int i = 1; i <= o->counts->industries; i++)
            if (!done[i] && conflict_counts_of(o->counts, number, i)->trades &&
                (!best || conflict_counts_of(o->counts, number, i)->trades >
                              conflict_counts_of(o->counts, number, best)->trades))
                best = i;
        if (!best)
            return;
        done[best] = true;
        struct view *item = view_item(list);
        view_str(item, "name", industry_get(best)->name);
        view_str(item, "href", link_to(o->call, o->q, committee, industry_get(best)->code));
        put_cell(item, conflict_counts_of(o->counts, number, best));
    }
}

static int title_order(const void *a, const void *b)
{
    const struct topic_committee *const *x = a, *const *y = b;
    return str_cmp((*x)->title, (*y)->title);
}

static void put_committees(const struct conflicts_overview *o)
{
    const struct topics *topics = o->q->choice.topics;
    uint32_t count = topics_committee_count(topics), n = 0;
    const struct topic_committee **sorted =
        ARENA_ARRAY(o->call->arena, const struct topic_committee *, count + 1);
    struct view *list = view_list(o->call->view, "committees");
    for (uint32_t i = 0; i < count; i++)
        if (conflict_counts_of(o->counts, i, 0)->trades)
            sorted[n++] = topics_committee(topics, i);
    qsort(sorted, n, sizeof(struct topic_committee *), title_order);
    for (uint32_t i = 0; i < n; i++) {
        struct view *item = view_item(list);
        view_str(item, "title", sorted[i]->title);
        view_str(item, "href", link_to(o->call, o->q, sorted[i]->id, STR_NULL));
        put_cell(item, conflict_counts_of(o->counts, sorted[i]->parent, 0));
        put_industries(o, view_list(item, "industries"), sorted[i]->parent, sorted[i]->id);
    }
}

static void put_overview(struct page_call *call, struct conflicts_query *q)
{
    struct conflict_counts counts;
    const struct conflicts_overview o = {call, q, &counts};
    struct conflict_choice *choice = &q->choice;
    bool committee = choice->committee != UINT32_MAX && !choice->any_committee;
    struct feed_filter all = q->filter;
    all.signal = NULL;
    conflict_counts_make(call->config->feed, &all, choice, call->arena, &counts);
    put_industries(&o, view_list(call->view, "industries"), CONFLICT_ALL, STR_NULL);
    put_committees(&o);
    put_cell(view_object(call->view, "chosen"), &counts.chosen);
    put_cell(view_object(call->view, "all"), conflict_counts_of(&counts, CONFLICT_ALL, 0));
    view_bool(call->view, "isChosen", q->filter.signal);
    view_str(
        call->view, "chosenIndustry",
        choice->industry ? industry_get(choice->industry)->name : STR_NULL);
    view_str(
        call->view, "chosenCommittee",
        committee ? topics_committee(choice->topics, choice->committee)->title : STR_NULL);
    view_str(
        call->view, "anyCommitteeHref",
        link_to(call, q, STR_NULL, choice->industry ? industry_code(choice->industry) : STR_NULL));
    view_str(
        call->view, "anyIndustryHref",
        link_to(
            call, q, committee ? topics_committee(choice->topics, choice->committee)->id : STR_NULL,
            STR_NULL));
}

/* --- the list */

struct list_row {
    struct view *view;
    struct str id;
};

static size_t put_rows(
    struct page_call *call, struct conflicts_query *q, struct list_row ret[static ROWS])
{
    MEM_UNFILLED struct feed_page page;
    struct view *table = table_begin(call->view, "list", NULL, 0, "No flagged trade matches.");
    feed_trades(
        call->config->feed, &q->filter, q->list.has_cursor ? &q->list.cursor : NULL, ROWS, &page);
    for (size_t i = 0; i < page.count; i++) {
        struct trade trade;
        shape_trade_read(page.rows[i].head, page.rows[i].tail, call->arena, &trade);
        ret[i] = (struct list_row){table_row(table), trade.id};
        trade_view_put(call, ret[i].view, &trade);
    }
    page_cursor_links(
        call, table, PATH, q->list.given, q->list.given_count, page.more ? &page.next : NULL);
    return page.count;
}

/* A signal that changed since the feed was read has no evidence on this page. */
static enum err put_evidence(struct page_call *call, const struct list_row *row, struct fail *fail)
{
    struct finding_shown finding;
    bool found = false;
    enum err err = finding_of_trade(call->db, row->id, call->arena, &found, &finding, fail);
    if (!err && found && finding.damaged)
        err = fail_set(fail, ERR_CORRUPT, "the signal of a trade does not match its digest");
    if (!err && found)
        return trade_signal_put(row->view, &finding, fail);
    view_null(row->view, "signal");
    return err;
}

/* The industries by name, as the choice of the form. */
static void show_industries(struct page_call *call)
{
    struct form_option options[128] = {{STR(""), STR("Any")}};
    size_t count = 1;
    for (int i = 1; i <= industry_count() && count < sizeof options / sizeof *options; i++)
        options[count++] = (struct form_option){industry_code(i), industry_get(i)->name};
    form_show_choice(call->view, call->query_form, "industry", STR(""), options, count);
}

static enum err put_page(struct page_call *call, struct conflicts_query *q, struct fail *fail)
{
    struct topics *topics = call->reply->site->topics;
    struct list_row rows[ROWS];
    enum err err = topics_open(topics, call->db, fail);
    if (err)
        return err;
    rcu_read_begin();
    choose(call, topics, q);
    put_overview(call, q);
    size_t count = put_rows(call, q, rows);
    rcu_read_end();
    topics_close(topics);
    for (size_t i = 0; i < count && !err; i++)
        err = put_evidence(call, &rows[i], fail);
    return err;
}

enum err conflicts_page_load(struct page_call *call, struct fail *fail)
{
    struct conflicts_query *q = ARENA_NEW(call->arena, struct conflicts_query);
    enum err err = OK;
    *q = (struct conflicts_query){.count = 0};
    bool valid = read_query(call, q);
    if (!call->query_form)
        return OK;
    show_industries(call);
    view_bool(call->view, "more", false);
    view_null(call->view, "list");
    if (valid)
        err = put_page(call, q, fail);
    page_surrogate(call, "list", STR("trades"));
    page_alternate(
        call, "application/json", STR("/api/v1/trades?conflict=true"),
        "All flagged trades as JSON");
    return err;
}

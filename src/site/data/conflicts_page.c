/* /conflicts: flagged trades with their evidence, and how many there are for each committee and
 * industry. The filters of trades count for both, those of a committee and an industry for the
 * list. */
#include "site/frame/handlers.h"

#include <stdlib.h>

#include "html/table.h"
#include "noun/trade_read.h"
#include "site/data/conflict_counts.h"
#include "site/data/list_committee.h"
#include "site/data/list_forms.h"
#include "site/data/trade_query.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_source_view.h"
#include "site/frame/trade_view.h"
#include "store/public/finding.h"

enum { ROWS = 15 };

static const struct str PATH = STR_INIT("/conflicts");

/* The address of the page with this choice and the other filters. */
static struct str link_to(
    const struct page_call *call, const struct trade_query *q, struct str committee,
    struct str industry)
{
    struct link_param params[PARAM_TABLE_MAX + 2];
    size_t n = 0;
    params[n++] = (struct link_param){STR("committee"), committee};
    params[n++] = (struct link_param){STR("industry"), industry};
    for (size_t i = 0; i < q->given_count; i++)
        if (!str_eq(q->given[i].name, params[0].name) && !str_eq(q->given[i].name, params[1].name))
            params[n++] = q->given[i];
    return link_make(call->arena, PATH, params, n);
}

/* --- the overview */

struct conflicts_overview {
    struct page_call *call;
    const struct trade_query *q;
    const struct topics *topics;
    const struct conflict_counts *counts;
};

static void put_cell(struct view *v, const struct conflict_cell *cell)
{
    view_count(v, "trades", cell->trades);
    view_count(v, "members", cell->members);
    view_count(v, "later", cell->later);
    view_bool(v, "anyLater", cell->later > 0);
    view_bool(v, "oneTrade", cell->trades == 1);
    view_bool(v, "oneMember", cell->members == 1);
}

/* The industries of a committee, most trades first. */
static void put_industries(
    const struct conflicts_overview *o, struct view *list, int64_t number, struct str committee)
{
    bool done[INDUSTRY_COUNT + 1] = {false};
    for (;;) {
        int best = 0;
        for (int i = 1; i <= INDUSTRY_COUNT; i++)
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
    uint32_t count = o->counts->committees, n = 0;
    const struct topic_committee **sorted =
        ARENA_ARRAY(o->call->arena, const struct topic_committee *, count + 1);
    struct view *list = view_list(o->call->view, "committees");
    for (uint32_t i = 0; i < count; i++)
        if (conflict_counts_of(o->counts, i, 0)->trades)
            sorted[n++] = topics_committee(o->topics, i);
    qsort(sorted, n, sizeof(struct topic_committee *), title_order);
    for (uint32_t i = 0; i < n; i++) {
        struct view *item = view_item(list);
        view_str(item, "title", sorted[i]->title);
        view_str(item, "href", link_to(o->call, o->q, sorted[i]->id, STR_NULL));
        put_cell(item, conflict_counts_of(o->counts, sorted[i]->parent, 0));
        put_industries(o, view_list(item, "industries"), sorted[i]->parent, sorted[i]->id);
    }
}

static void put_choice(struct page_call *call, const struct trade_query *q)
{
    int industry = q->filter.industry;
    struct str committee = q->filter.committee, code = STR_NULL;
    bool of_committee = !str_is_null(committee);
    if (industry)
        code = industry_get(industry)->code;
    view_bool(call->view, "isChosen", industry || of_committee);
    view_str(call->view, "chosenIndustry", industry ? industry_get(industry)->name : STR_NULL);
    view_str(
        call->view, "chosenCommittee",
        of_committee ? list_committee_title(call->arena, committee) : STR_NULL);
    view_str(call->view, "anyCommitteeHref", link_to(call, q, STR_NULL, code));
    view_str(call->view, "anyIndustryHref", link_to(call, q, committee, STR_NULL));
}

static void put_overview(struct page_call *call, const struct trade_query *q)
{
    struct conflict_counts counts;
    const struct feed *feed = call->config->feed;
    const struct conflicts_overview o = {call, q, feed_topics(feed), &counts};
    struct topic_choice choice = {
        .industry = q->filter.industry, .of_committee = !str_is_null(q->filter.committee)};
    if (choice.of_committee)
        choice.committee = topics_committee_with(o.topics, q->filter.committee);
    conflict_counts_make(feed, &q->filter, &choice, call->arena, &counts);
    put_industries(&o, view_list(call->view, "industries"), CONFLICT_ALL, STR_NULL);
    put_committees(&o);
    put_cell(view_object(call->view, "chosen"), &counts.chosen);
    put_cell(view_object(call->view, "all"), conflict_counts_of(&counts, CONFLICT_ALL, 0));
    put_choice(call, q);
}

/* --- the list */

struct list_row {
    struct view *view;
    struct str id;
};

static size_t put_rows(
    struct page_call *call, struct trade_query *q, struct list_row ret[static ROWS])
{
    MEM_UNFILLED struct feed_page page;
    struct view *table = table_begin(
        call->view, "list", NULL, 0, reader_empty(call, &q->filter, "No flagged trade matches."));
    feed_trades(call->config->feed, &q->filter, trade_query_after(q), ROWS, &page);
    for (size_t i = 0; i < page.count; i++) {
        struct trade trade;
        shape_trade_read(page.rows[i].head, page.rows[i].tail, call->arena, &trade);
        ret[i] = (struct list_row){table_row(table), trade.id};
        trade_view_put(call, ret[i].view, &trade);
        const struct lateness lateness = feed_row_lateness(&page.rows[i]);
        trade_late_put(ret[i].view, &lateness);
    }
    page_cursor_links(call, table, PATH, q->given, q->given_count, page.more ? &page.next : NULL);
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
    return page_part(call, err);
}

/* The same list in other forms; the API and /trades have it as trades with a flag. */
static void put_forms(struct page_call *call, const struct trade_query *q)
{
    const struct str conflict = STR("conflict");
    struct link_param params[PARAM_TABLE_MAX + 1] = {{conflict, STR("true")}};
    size_t n = 1;
    for (size_t i = 0; i < q->given_count; i++)
        if (!str_eq(q->given[i].name, conflict))
            params[n++] = q->given[i];
    list_forms_json(
        call, PATH, link_make(call->arena, STR("/api/v1/trades"), params, n), params + 1, n - 1);
    view_str(call->view, "table", link_make(call->arena, STR("/trades"), params, n));
}

static enum err put_page(struct page_call *call, struct trade_query *q, struct fail *fail)
{
    struct list_row rows[ROWS];
    enum err err = OK;
    q->filter.conflicts_only = true;
    rcu_read_begin();
    put_overview(call, q);
    size_t count = put_rows(call, q, rows);
    rcu_read_end();
    for (size_t i = 0; i < count && !err; i++)
        err = put_evidence(call, &rows[i], fail);
    put_forms(call, q);
    return err;
}

enum err conflicts_page_load(struct page_call *call, struct fail *fail)
{
    struct trade_query *q = ARENA_NEW(call->arena, struct trade_query);
    page_surrogate(call, "list", STR("trades"));
    view_null(call->view, "list");
    return trade_query_read(call, PATH, q) ? put_page(call, q, fail) : OK;
}

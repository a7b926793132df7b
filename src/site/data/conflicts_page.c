/* /conflicts: flagged trades with their evidence, and how many there are for each committee and
 * industry. The filters of trades count for both, those of a committee and an industry for the
 * list. */

#include <stdlib.h>
#include <string.h>

#include "feed/feed.h"
#include "feed/topics.h"
#include "html/table.h"
#include "market/industry.h"
#include "noun/trade_read.h"
#include "site/data/list_committee.h"
#include "site/data/list_forms.h"
#include "site/data/member_seats.h"
#include "site/data/trade_query.h"
#include "site/frame/handlers.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_source_view.h"
#include "site/frame/trade_view.h"
#include "store/public/finding.h"

struct conflict_cell {
    int64_t trades, members;
    int64_t later; /* of the trades: by a list later than the trade */
    int64_t grades[CONFLICT_GRADE_COUNT];
};

struct conflict_counts {
    uint32_t committees;         /* those with a lower number are counted */
    struct conflict_cell *cells; /* in the arena; see conflict_counts_of */
    struct conflict_cell chosen; /* of the choice */
};

enum { CONFLICT_ALL = -1 };

/* Of the committee with this number (CONFLICT_ALL: all together) and the industry (0: all
 * together). */
static inline struct conflict_cell *conflict_counts_of(
    const struct conflict_counts *counts, int64_t committee, int industry)
{
    return &counts->cells[(committee + 1) * (INDUSTRY_COUNT + 1) + industry];
}

/* Counts of flagged trades. */

/* A signal, and its trades. */
struct signal_sum {
    struct feed_signal is;
    int64_t trades;
};

/* Members as bits, by number. */
struct members {
    uint64_t *words;
};

struct conflict_tally {
    const struct topics *topics;
    struct topic_choice choice;
    struct conflict_counts *counts;
    struct arena *arena;
    struct signal_sum *sums; /* by the signal's number */
    size_t sum_room;
    uint32_t politicians;    /* above each number */
    struct members *members; /* of each cell, and of the chosen ones at the end */
};

static void add_signal(void *ctx, const struct feed_signal *signal, int64_t trades)
{
    struct conflict_tally *c = ctx;
    if (!signal->topic)
        return;
    while (signal->number >= c->sum_room)
        c->sums = arena_grow(c->arena, c->sums, c->sum_room, &c->sum_room, sizeof *c->sums);
    c->sums[signal->number].is = *signal;
    c->sums[signal->number].trades += trades;
    if (signal->politician >= c->politicians)
        c->politicians = signal->politician + 1;
}

static void add_to(
    struct conflict_tally *c, struct conflict_cell *cell, struct members *members,
    const struct signal_sum *sum)
{
    size_t words = c->politicians / 64 + 1;
    uint64_t bit = UINT64_C(1) << sum->is.politician % 64;
    cell->trades += sum->trades;
    if (sum->is.topic->basis == CONFLICT_LATER_LIST)
        cell->later += sum->trades;
    cell->grades[sum->is.topic->grade] += sum->trades;
    if (!members->words) {
        members->words = ARENA_ARRAY(c->arena, uint64_t, words);
        memset(members->words, 0, words * sizeof *members->words);
    }
    if (members->words[sum->is.politician / 64] & bit)
        return;
    members->words[sum->is.politician / 64] |= bit;
    cell->members++;
}

/* The committee that a seat counts for; CONFLICT_ALL for seat 0. */
static int64_t committee_of(
    const struct conflict_tally *c, const struct signal_topic *topic, uint32_t seat)
{
    return seat ? (int64_t)topics_committee(c->topics, topic->committees[seat - 1])->parent
                : CONFLICT_ALL;
}

static void add_sum(struct conflict_tally *c, const struct signal_sum *sum)
{
    const struct signal_topic *topic = sum->is.topic;
    struct conflict_counts *counts = c->counts;
    for (uint32_t i = 0; i <= topic->committee_count; i++) {
        int64_t committee = committee_of(c, topic, i);
        bool left_out = committee >= (int64_t)counts->committees;
        for (uint32_t k = 1; k < i; k++)
            left_out |= committee_of(c, topic, k) == committee;
        if (left_out)
            continue;
        struct conflict_cell *all = conflict_counts_of(counts, committee, 0), *own = all;
        own += topic->industry;
        add_to(c, all, &c->members[all - counts->cells], sum);
        if (own != all)
            add_to(c, own, &c->members[own - counts->cells], sum);
    }
}

/* Counts the signals of a filter. Call it inside a read of the feed. */
static void conflict_counts_make(
    const struct feed *feed, const struct feed_filter *filter, const struct topic_choice *choice,
    struct arena *arena, struct conflict_counts *ret)
{
    struct conflict_tally c = {
        .topics = feed_topics(feed), .choice = *choice, .counts = ret, .arena = arena};
    *ret = (struct conflict_counts){.committees = topics_committee_count(c.topics)};
    size_t cells = ((size_t)ret->committees + 1) * (INDUSTRY_COUNT + 1);
    ret->cells = ARENA_ARRAY(arena, struct conflict_cell, cells);
    memset(ret->cells, 0, cells * sizeof *ret->cells);
    c.members = ARENA_ARRAY(arena, struct members, cells + 1);
    memset(c.members, 0, (cells + 1) * sizeof *c.members);
    feed_each_signal(feed, filter, add_signal, &c);
    for (size_t i = 0; i < c.sum_room; i++) {
        const struct signal_sum *sum = &c.sums[i];
        if (sum->trades <= 0) /* less than none after a change between two visits */
            continue;
        add_sum(&c, sum);
        if (topics_keep(c.topics, choice, sum->is.topic))
            add_to(&c, &ret->chosen, &c.members[cells], sum);
    }
}

enum { ROWS = 12 };

static const struct str PATH = STR_INIT("/conflicts");

/* The address of the page with this choice and the other filters. */
static struct str link_to(
    const struct page_call *call, const struct trade_query *q, struct str committee,
    struct str industry)
{
    struct link_param params[PARAM_TABLE_MAX + 2];
    size_t n = 0;
    params[n++] = (struct link_param){STR("flag_committee"), committee};
    params[n++] = (struct link_param){STR("flag_industry"), industry};
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
    trade_grades_put(v, cell->grades);
    view_bool(v, "oneTrade", cell->trades == 1);
    view_bool(v, "oneMember", cell->members == 1);
}

/* A row or a column of the matrix. */
struct conflict_line {
    int64_t number; /* of the committee, or the industry */
    struct str name, key;
    const struct conflict_cell *all;
};

static int by_trades(const void *a, const void *b)
{
    const struct conflict_line *x = a, *y = b;
    if (x->all->trades != y->all->trades)
        return x->all->trades < y->all->trades ? 1 : -1;
    return str_cmp(x->name, y->name);
}

/* Adds a cell, or the head of a row or a column with its sum (the other one is NULL). */
static struct view *put_line(
    const struct conflicts_overview *o, struct view *list, const struct conflict_line *committee,
    const struct conflict_line *industry)
{
    const struct conflict_cell *cell = conflict_counts_of(
        o->counts, committee ? committee->number : CONFLICT_ALL,
        industry ? (int)industry->number : 0);
    struct str of = committee ? committee->key : STR_NULL;
    struct str in = industry ? industry->key : STR_NULL;
    struct view *item = view_item(list);
    view_bool(item, "filled", cell->trades > 0);
    if (!cell->trades)
        return item;
    view_str(item, "name", committee ? committee->name : industry->name);
    view_str(item, "href", link_to(o->call, o->q, of, in));
    put_cell(item, cell);
    return item;
}

/* Committees and industries with flagged trades, most trades first. */
static void put_matrix(const struct conflicts_overview *o)
{
    struct conflict_line columns[INDUSTRY_COUNT];
    struct conflict_line *rows =
        ARENA_ARRAY(o->call->arena, struct conflict_line, o->counts->committees + 1);
    size_t row_count = 0, column_count = 0;
    for (int i = 1; i <= INDUSTRY_COUNT; i++) {
        const struct conflict_cell *all = conflict_counts_of(o->counts, CONFLICT_ALL, i);
        const struct industry *is = industry_get(i);
        columns[column_count] = (struct conflict_line){i, is->name, is->code, all};
        column_count += all->trades > 0;
    }
    for (uint32_t i = 0; i < o->counts->committees; i++) {
        const struct conflict_cell *all = conflict_counts_of(o->counts, i, 0);
        const struct topic_committee *is = topics_committee(o->topics, i);
        const char *chamber = is->id.p[0] == 'H' ? "House " : is->id.p[0] == 'S' ? "Senate " : "";
        struct str name =
            arena_fmt(o->call->arena, "%s%.*s", chamber, STR_ARG(seat_without_chamber(is->title)));
        rows[row_count] = (struct conflict_line){is->parent, name, is->id, all};
        row_count += all->trades > 0;
    }
    qsort(columns, column_count, sizeof *columns, by_trades);
    qsort(rows, row_count, sizeof *rows, by_trades);
    struct view *list = view_list(o->call->view, "industries");
    for (size_t k = 0; k < column_count; k++)
        (void)put_line(o, list, NULL, &columns[k]);
    list = view_list(o->call->view, "committees");
    for (size_t i = 0; i < row_count; i++) {
        struct view *cells = view_list(put_line(o, list, &rows[i], NULL), "cells");
        for (size_t k = 0; k < column_count; k++)
            (void)put_line(o, cells, &rows[i], &columns[k]);
    }
    view_bool(o->call->view, "hasMatrix", row_count > 0);
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
    put_matrix(&o);
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
        call->view, "list", NULL, reader_empty(call, &q->filter, "No flagged trade matches."));
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
    view_str(call->view, "groupsHref", link_make(call->arena, STR("/explore"), params, n));
}

static enum err put_page(struct page_call *call, struct trade_query *q, struct fail *fail)
{
    struct list_row rows[ROWS];
    enum err err = OK;
    q->filter.conflicts_only = true;
    reader_delay_put(call, &q->filter);
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

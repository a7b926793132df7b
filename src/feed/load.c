/* Builds the whole feed from one snapshot of the store; see feed.h and load.h. */
#include "feed/load.h"

#include <assert.h>
#include <stdlib.h>

#include "base/search.h"
#include "feed/feed_internal.h"
#include "store/public/publication.h"
#include "store/row/change.h"

enum { LOAD_TOLD_TRADES = 1 << 14 };

void load_filings_init(struct load_filings *f)
{
    *f = (struct load_filings){.n = 0};
    arena_init(&f->arena);
}

void load_filings_finish(struct load_filings *f)
{
    arena_finish(&f->arena);
    mem_free(f->items);
}

enum err load_filings_add(void *ctx, const struct filing_row *row)
{
    struct load_filings *f = ctx;
    f->items = mem_grow(f->items, f->n, &f->capacity, sizeof *f->items);
    struct load_filing *item = &f->items[f->n++];
    *item = (struct load_filing){
        .no = row->no,
        .filing = row->filing,
        .politician = row->politician,
        .filed_day = instant_day_new_york(row->filing.filed_at),
        .publication_no = row->publication_no,
        .damaged = row->damaged,
    };
    f->damaged += row->damaged;
    struct str *const strings[] = {
        &item->filing.id,        &item->filing.source_doc_id,
        &item->filing.url,       &item->filing.politician_id,
        &item->politician.slug,  &item->politician.name,
        &item->politician.party, &item->politician.state,
    };
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        *strings[i] = arena_str(&f->arena, *strings[i]);
    return OK;
}

const struct load_filing *load_filings_find(struct load_filings *f, int64_t no)
{
    if (f->last < f->n && f->items[f->last].no == no)
        return &f->items[f->last];
    size_t from = FIRST_NOT(i, f->n, f->items[i].no < no);
    f->last = from;
    return from < f->n && f->items[from].no == no ? &f->items[from] : NULL;
}

const char *load_trade(
    const struct trade_row *row, const struct load_filing *filing, struct load_signals *signals,
    const struct trade_reports *reports, struct edition_trade *ret)
{
    const struct str *reason = load_signals_find(signals, row->no);
    if (row->damaged)
        return "the trade does not match its digest";
    if (!filing)
        return "the trade is public, but its filing is not";
    if (filing->damaged)
        return "the trade's filing does not match its digest";
    if (reason && str_is_null(*reason))
        return "the trade's conflict signal does not match its digest";
    *ret = (struct edition_trade){
        row->trade, trade_report_of(reports, row, filing->filing.filed_at, filing->filed_day)};
    ret->is.politician = filing->politician;
    ret->is.filing_url = filing->filing.url;
    ret->is.conflict_reason = reason ? *reason : STR_NULL;
    return NULL;
}

static int publication_order(const void *a, const void *b)
{
    const struct filing *x = *(const struct filing *const *)a,
                        *y = *(const struct filing *const *)b;
    if (x->published_at != y->published_at)
        return x->published_at < y->published_at ? -1 : 1;
    return str_cmp(x->id, y->id);
}

bool load_push_filings(struct edition *e, struct load_filings *f)
{
    const struct filing **sorted = mem_array(f->n, sizeof(struct filing *));
    bool in_order = true;
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (!f->items[i].damaged)
            sorted[n++] = &f->items[i].filing;
    if (n)
        qsort(sorted, n, sizeof(struct filing *), publication_order);
    for (size_t i = 0; i < n && in_order; i++)
        in_order = edition_push_filing(e, sorted[i]) != EDITION_DISORDER;
    mem_free(sorted);
    return in_order;
}

enum err load_tickers(struct edition *e, struct db *db, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct ticker_list tickers = {.count = 0};
    enum err err = ticker_load(db, &arena, &tickers, fail);
    for (size_t i = 0; i < tickers.count && !err; i++) {
        const struct ticker *t = &tickers.items[i];
        edition_put_ticker(
            e, t->symbol, (struct symbol_company){t->company, t->industry, t->source});
    }
    symbols_sort(&e->symbols);
    edition_relist(e);
    return err;
}

struct load {
    const struct feed *feed;
    struct edition *edition;
    struct load_filings filings;
    struct load_signals signals;
    struct trade_reports reports;
    int64_t trades; /* visited so far */
    struct fail *fail;
};

static void report_filings(struct load *load)
{
    for (size_t i = 0; i < load->filings.n && load->filings.damaged; i++) {
        const struct load_filing *filing = &load->filings.items[i];
        if (filing->damaged)
            feed_damaged(
                load->feed, load->edition,
                &(struct feed_damage){
                    "the filing does not match its digest", filing->filing.id,
                    filing->publication_no, 1});
    }
}

static enum err push_trade(void *ctx, const struct trade_row *row)
{
    struct load *load = ctx;
    struct edition_trade trade;
    if (++load->trades % LOAD_TOLD_TRADES == 0 && load->feed->load)
        load->feed->load(load->feed->load_ctx, load->trades);
    if (row->withdrawn_at != INSTANT_NONE && !row->damaged)
        return OK;
    const struct load_filing *filing = load_filings_find(&load->filings, row->filing_no);
    const char *damage = load_trade(row, filing, &load->signals, &load->reports, &trade);
    if (damage) {
        feed_damaged(
            load->feed, load->edition,
            &(struct feed_damage){damage, row->trade.id, row->publication_no, 1});
        return OK;
    }
    if (edition_push_trade(load->edition, &trade) != EDITION_PUSHED)
        return fail_set(
            load->fail, ERR_CORRUPT, "trade \"%.*s\" is out of order", STR_ARG(trade.is.id));
    return OK;
}

void feed_on_load(struct feed *feed, feed_load_fn *read, void *ctx)
{
    feed->load = read;
    feed->load_ctx = ctx;
}

/* Damage to an index can hide rows. */
static enum err compare_count(struct load *load, struct db *db, struct fail *fail)
{
    int64_t published = 0;
    enum err err = publication_trades(db, &published, fail);
    if (!err && published > load->trades)
        feed_damaged(
            load->feed, load->edition,
            &(struct feed_damage){
                "published trades are missing", STR_NULL, 0, published - load->trades});
    return err;
}

/* Call inside a snapshot. */
static enum err load_all(struct load *load, struct db *db, int64_t *ret_seq, struct fail *fail)
{
    TRY(change_last(db, ret_seq, fail));
    TRY(load_members(load->edition, db, fail));
    TRY(load_known(load->edition, db, fail));
    TRY(load_tickers(load->edition, db, fail));
    TRY(filing_each_published(db, load_filings_add, &load->filings, fail));
    TRY(load_signals_all(&load->signals, &load->edition->topics, db, fail));
    TRY(trade_reports_load(db, &load->reports, fail));
    bool in_order = load_push_filings(load->edition, &load->filings);
    assert(in_order); /* the rows are sorted */
    report_filings(load);
    TRY(trade_each(db, push_trade, load, fail));
    return compare_count(load, db, fail);
}

enum err feed_load(struct feed *feed, struct db *db, int64_t *ret_seq, struct fail *fail)
{
    struct load load = {.feed = feed, .edition = edition_create(), .fail = fail};
    int64_t seq;
    load_filings_init(&load.filings);
    load_signals_init(&load.signals);
    trade_reports_init(&load.reports);
    enum err err = db_begin_read(db, fail);
    if (!err) {
        err = load_all(&load, db, &seq, fail);
        db_rollback(db); /* nothing was written */
    }
    load_filings_finish(&load.filings);
    load_signals_finish(&load.signals);
    trade_reports_finish(&load.reports);
    if (err) {
        edition_destroy(load.edition);
        return err;
    }
    edition_show(load.edition);
    feed_swap(feed, load.edition);
    mem_trim(); /* of what the load needed, and of the edition before */
    atomic_fetch_add_explicit(&feed->loads, 1, memory_order_relaxed);
    *ret_seq = seq;
    return OK;
}

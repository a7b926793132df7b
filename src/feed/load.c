/* Builds the whole feed from one snapshot of the store; see feed.h and load.h. */
#include "feed/load.h"

#include <assert.h>
#include <stdlib.h>

#include "feed/feed_internal.h"
#include "store/change.h"

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
    };
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
    size_t from = 0, to = f->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (f->items[middle].no < no)
            from = middle + 1;
        else
            to = middle;
    }
    f->last = from;
    return from < f->n && f->items[from].no == no ? &f->items[from] : NULL;
}

struct trade load_trade(
    const struct trade_row *row, const struct load_filing *filing, struct load_signals *signals)
{
    struct trade trade = row->trade;
    trade.politician = filing->politician;
    trade.filing_url = filing->filing.url;
    trade.conflict_reason = load_signals_find(signals, row->no);
    return trade;
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
    for (size_t i = 0; i < f->n; i++)
        sorted[i] = &f->items[i].filing;
    if (f->n)
        qsort(sorted, f->n, sizeof(struct filing *), publication_order);
    for (size_t i = 0; i < f->n && in_order; i++)
        in_order = edition_push_filing(e, sorted[i]) != EDITION_DISORDER;
    mem_free(sorted);
    return in_order;
}

enum err load_tickers(struct edition *e, struct db *db, struct fail *fail)
{
    struct arena arena;
    struct ticker_list tickers = {.count = 0};
    arena_init(&arena);
    enum err err = ticker_load(db, &arena, &tickers, fail);
    for (size_t i = 0; i < tickers.count && !err; i++) {
        const struct ticker *t = &tickers.items[i];
        edition_put_ticker(
            e, t->symbol, (struct symbol_company){t->company, t->industry, t->source});
    }
    arena_finish(&arena);
    return err;
}

struct load {
    struct edition *edition;
    struct load_filings filings;
    struct load_signals signals;
    struct fail *fail;
};

static enum err push_trade(void *ctx, const struct trade_row *row)
{
    struct load *load = ctx;
    const struct load_filing *filing = load_filings_find(&load->filings, row->filing_no);
    if (!filing)
        return fail_set(
            load->fail, ERR_CORRUPT, "trade \"%.*s\" is public, but its filing is not",
            STR_ARG(row->trade.id));
    struct trade trade = load_trade(row, filing, &load->signals);
    if (edition_push_trade(load->edition, &trade, filing->filed_day) != EDITION_PUSHED)
        return fail_set(
            load->fail, ERR_CORRUPT, "trade \"%.*s\" is out of order", STR_ARG(trade.id));
    return OK;
}

/* Call inside a snapshot. */
static enum err load_all(struct load *load, struct db *db, int64_t *ret_seq, struct fail *fail)
{
    enum err err = change_last(db, ret_seq, fail);
    if (!err)
        err = load_members(load->edition, db, fail);
    if (!err)
        err = load_tickers(load->edition, db, fail);
    if (!err)
        err = filing_each_published(db, load_filings_add, &load->filings, fail);
    if (!err)
        err = load_signals_all(&load->signals, db, fail);
    if (err)
        return err;
    bool in_order = load_push_filings(load->edition, &load->filings);
    assert(in_order); /* the rows are sorted */
    return trade_each_public(db, push_trade, load, fail);
}

enum err feed_load(struct feed *feed, struct db *db, int64_t *ret_seq, struct fail *fail)
{
    struct load load = {.edition = edition_create(), .fail = fail};
    int64_t seq;
    load_filings_init(&load.filings);
    load_signals_init(&load.signals);
    enum err err = db_begin_read(db, fail);
    if (!err) {
        err = load_all(&load, db, &seq, fail);
        db_rollback(db); /* nothing was written */
    }
    load_filings_finish(&load.filings);
    load_signals_finish(&load.signals);
    if (err) {
        edition_destroy(load.edition);
        return err;
    }
    edition_show(load.edition);
    feed_swap(feed, load.edition);
    atomic_fetch_add_explicit(&feed->loads, 1, memory_order_relaxed);
    *ret_seq = seq;
    return OK;
}

/* Shows trades with new values, many at a time; see edition.h. */
#include <stdlib.h>

#include "feed/edition_parts.h"

/* One row, from what readers see to what they are to see. */
struct put_row {
    uint32_t ordinal;
    bool was_live;
    const struct series_record *old, *new;
    uint32_t old_tail, new_tail;
};

/* A symbol, and a person who has trades in it before or after the change. */
struct put_pair {
    struct symbol *symbol;
    const struct person *person;
    bool had_trades;
};

struct put_edits {
    struct posting_edit *items;
    size_t n, room;
};

struct put {
    struct edition *e;
    struct put_row *rows;
    size_t row_count;
    struct put_edits out, in;
    struct put_pair *pairs;
    size_t pair_count, pair_room;
};

/* The lists of a row; the whole feed has none. */
struct put_keys {
    posting_key items[2 * KEYS_MAX];
    size_t n;
};

static void list_keys(const struct edition_places *places, uint32_t tail, struct put_keys *ret)
{
    ret->n = 0;
    for (size_t i = 0; i < places->key_count; i++) {
        if (i)
            ret->items[ret->n++] = places->keys[i];
        if (tail != TAILS_NONE)
            ret->items[ret->n++] = edition_with_conflict(places->keys[i]);
    }
}

static bool has_key(const struct put_keys *keys, posting_key key)
{
    for (size_t i = 0; i < keys->n; i++)
        if (keys->items[i] == key)
            return true;
    return false;
}

static void add_edits(
    struct put_edits *edits, const struct put_keys *keys, const struct put_keys *except,
    uint32_t ordinal, bool add)
{
    for (size_t i = 0; i < keys->n; i++) {
        if (except && has_key(except, keys->items[i]))
            continue;
        edits->items = mem_grow(edits->items, edits->n, &edits->room, sizeof *edits->items);
        edits->items[edits->n++] = (struct posting_edit){keys->items[i], ordinal, add};
    }
}

static void add_pairs(struct put *put, const struct edition_places *places)
{
    for (size_t i = 0; i < places->symbol_count; i++) {
        put->pairs = mem_grow(put->pairs, put->pair_count, &put->pair_room, sizeof *put->pairs);
        put->pairs[put->pair_count++] =
            (struct put_pair){places->symbols[i], places->person, false};
    }
}

/* Lists that the row stays in are not touched. A long list may still have the ordinal of a hidden
 * row, so a hidden row leaves all its lists first. */
static void plan_row(struct put *put, const struct put_row *row)
{
    struct edition_places before, after;
    struct put_keys old, new;
    edition_places(put->e, &row->old->facts, &before);
    edition_places(put->e, &row->new->facts, &after);
    list_keys(&before, row->old_tail, &old);
    list_keys(&after, row->new_tail, &new);
    add_edits(&put->out, &old, row->was_live ? &new : NULL, row->ordinal, false);
    add_edits(&put->in, &new, row->was_live ? &old : NULL, row->ordinal, true);
    add_pairs(put, &before);
    add_pairs(put, &after);
}

static int pair_order(const void *a, const void *b)
{
    const struct put_pair *x = a, *y = b;
    uint64_t p = (uint64_t)x->symbol->index << 32 | x->person->index;
    uint64_t q = (uint64_t)y->symbol->index << 32 | y->person->index;
    return (p > q) - (p < q);
}

/* Keeps each pair once. */
static void note_pairs(struct put *put)
{
    size_t kept = 0;
    if (put->pair_count)
        qsort(put->pairs, put->pair_count, sizeof *put->pairs, pair_order);
    for (size_t i = 0; i < put->pair_count; i++) {
        if (kept && pair_order(&put->pairs[kept - 1], &put->pairs[i]) == 0)
            continue;
        put->pairs[kept] = put->pairs[i];
        put->pairs[kept].had_trades =
            edition_trades_of_pair(put->e, put->pairs[i].person, put->pairs[i].symbol) > 0;
        kept++;
    }
    put->pair_count = kept;
}

static void count_pairs(const struct put *put)
{
    for (size_t i = 0; i < put->pair_count; i++) {
        const struct put_pair *pair = &put->pairs[i];
        bool has_trades = edition_trades_of_pair(put->e, pair->person, pair->symbol) > 0;
        atomic_fetch_add_explicit(
            &pair->symbol->politicians, (uint32_t)has_trades - (uint32_t)pair->had_trades,
            memory_order_relaxed);
    }
}

static void show_row(struct put *put, const struct put_row *row)
{
    struct edition *e = put->e;
    struct edition_places places;
    if (row->was_live) {
        edition_places(e, &row->old->facts, &places);
        edition_tally(e, &places, &row->old->facts, row->old_tail, -1);
    }
    edition_places(e, &row->new->facts, &places);
    edition_tally(e, &places, &row->new->facts, row->new_tail, 1);
    if (row->new != row->old)
        series_replace(&e->trades, row->ordinal, row->new);
    if (row->new_tail != row->old_tail)
        series_set_tail(&e->trades, row->ordinal, row->new_tail);
    if (!row->was_live)
        series_reveal(&e->trades, row->ordinal);
}

/* False: there is no such row. Rows that do not change are left out. */
static bool read_row(struct put *put, const struct edition_trade *trade)
{
    struct edition *e = put->e;
    struct series_view v = series_writer_view(&e->trades);
    struct put_row row;
    if (!series_find(&v, trade->is.disclosed_at, trade->is.id, &row.ordinal))
        return false;
    row.was_live = series_is_live(&v, row.ordinal);
    row.old = series_record(&v, row.ordinal);
    row.old_tail = series_tail(&v, row.ordinal);
    row.new = edition_record(e, trade, row.old);
    row.new_tail = edition_tail(e, trade->is.conflict_reason, row.new->facts.politician);
    if (!row.was_live || row.new != row.old || row.new_tail != row.old_tail)
        put->rows[put->row_count++] = row;
    return true;
}

bool edition_put_trades(struct edition *e, const struct edition_trade *trades, size_t n)
{
    struct put put = {.e = e, .rows = mem_array(n + 1, sizeof *put.rows)};
    bool found = true;
    for (size_t i = 0; i < n && found; i++)
        found = read_row(&put, &trades[i]);
    if (found) {
        for (size_t i = 0; i < put.row_count; i++)
            plan_row(&put, &put.rows[i]);
        note_pairs(&put);
        edition_edit_trade_lists(e, put.out.items, put.out.n);
        for (size_t i = 0; i < put.row_count; i++)
            show_row(&put, &put.rows[i]);
        edition_edit_trade_lists(e, put.in.items, put.in.n);
        count_pairs(&put);
        people_sort(&e->people);
        symbols_sort(&e->symbols);
        edition_settle(e);
    }
    mem_free(put.rows);
    mem_free(put.out.items);
    mem_free(put.in.items);
    mem_free(put.pairs);
    return found;
}

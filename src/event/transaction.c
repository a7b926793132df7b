/* Transactions that change public trades; see transaction.h. */
#include "event/transaction.h"

#include <assert.h>
#include <stdlib.h>

#include "event/body.h"
#include "rule/event_type.h"
#include "store/public/change_log.h"
#include "store/public/event.h"
#include "store/public/publication.h"

/* The changes of a transaction, copied. */
struct changes {
    struct arena arena;
    struct change_entry *items;
    size_t n, room;
};

static enum err begin(struct review_transaction *t, struct fail *fail)
{
    struct change_place last;
    enum err err = publication_lock(t->db, fail);
    if (!err)
        err = change_log_last(t->db, &last, fail);
    t->before = err ? 0 : last.seq;
    return err;
}

enum err review_begin(
    struct review_transaction *ret, struct db *db, int64_t now_ms, struct fail *fail)
{
    *ret = (struct review_transaction){.db = db, .now_ms = now_ms};
    TRY(db_join(db, &ret->own, fail));
    return begin(ret, fail);
}

static enum err keep(void *ctx, const struct change_entry *entry)
{
    struct changes *c = ctx;
    if (event_type_of_change(entry->kind) == EVENT_NONE)
        return OK;
    c->items = mem_grow(c->items, c->n, &c->room, sizeof *c->items);
    change_entry_copy(entry, &c->arena, &c->items[c->n++]);
    return OK;
}

static int by_event(const void *a, const void *b)
{
    const struct change_entry *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->filing_no != y->filing_no)
        return x->filing_no < y->filing_no ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static bool any_of_a_trade(const struct change_entry *entries, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!str_is_null(entries[i].trade_id))
            return true;
    return false;
}

/* Adds one event, or several if one body would be too large. */
static enum err add_event(
    struct review_transaction *t, struct str type, const struct change_entry *entries, size_t n,
    struct fail *fail)
{
    BUF_SCOPED(body, EVENT_BODY_SIZE_MAX);
    const struct act act = {.db = t->db, .now_ms = t->now_ms, .fail = fail};
    event_body_put_changes(&body, type, entries, n);
    if (!body.overflow)
        return event_add(&act, type, entries->filing_no, 0, buf_view(&body), NULL);
    assert(n > 1); /* one entry and one trade have bounded texts */
    TRY(add_event(t, type, entries, n / 2, fail));
    return add_event(t, type, entries + n / 2, n - n / 2, fail);
}

/* The entries have one kind and one filing. Changes of the filing alone send no event. */
static enum err tell_endpoints(
    struct review_transaction *t, const struct change_entry *entries, size_t n, struct fail *fail)
{
    struct str type = event_type_name(event_type_of_change(entries->kind));
    return any_of_a_trade(entries, n) ? add_event(t, type, entries, n, fail) : OK;
}

static enum err add_events(struct review_transaction *t, struct fail *fail)
{
    struct changes c = {.n = 0};
    arena_init(&c.arena);
    enum err err = change_log_each(t->db, t->before, INT64_MAX, keep, &c, fail);
    if (!err && c.n)
        qsort(c.items, c.n, sizeof *c.items, by_event);
    for (size_t from = 0, to; from < c.n && !err; from = to) {
        for (to = from + 1; to < c.n && c.items[to].kind == c.items[from].kind &&
                            c.items[to].filing_no == c.items[from].filing_no;)
            to++;
        err = tell_endpoints(t, &c.items[from], to - from, fail);
    }
    mem_free(c.items);
    arena_finish(&c.arena);
    return err;
}

enum err review_end(struct review_transaction *t, struct fail *fail)
{
    TRY(add_events(t, fail));
    bool own = t->own;
    t->own = false;
    return db_leave(t->db, own, OK, fail);
}

void review_drop(struct review_transaction *t)
{
    if (t->own)
        db_rollback(t->db);
}

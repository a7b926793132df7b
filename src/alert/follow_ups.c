/* Finds the alerts by what they sent; see follow_ups.h. 100,000 alerts can have sent a filing of
 * 500 rows, so the rows that were sent are read once for many trades, in bounded steps. */
#include "alert/follow_ups.h"

#include <stdlib.h>

#include "alert/sent.h"

/* An earlier entry of a trade that changed now. */
struct earlier {
    int64_t seq;
    int64_t bit; /* of the new entry, in its pass */
};

struct finding_ups {
    struct arena *arena;
    struct intmap *found;
    struct earlier *earlier; /* by seq */
    size_t count, room;
    size_t from, to; /* those that the present walk looks for */
};

static bool is_follow_up(const struct alert_entry *entry)
{
    return entry->kind == CHANGE_CORRECTED || entry->kind == CHANGE_WITHDRAWN ||
           entry->kind == CHANGE_REINSTATED;
}

static enum err add_earlier(
    struct finding_ups *f, struct db *db, const struct alert_entry *entry, int64_t bit,
    struct fail *fail)
{
    const int64_t *seqs;
    size_t count;
    enum err err =
        alert_trade_seqs(db, entry->trade_no, entry->seq - 1, f->arena, &seqs, &count, fail);
    for (size_t i = 0; i < count && !err; i++) {
        f->earlier = mem_grow(f->earlier, f->count, &f->room, sizeof *f->earlier);
        f->earlier[f->count++] = (struct earlier){seqs[i], bit};
    }
    return err;
}

static int by_seq(const void *a, const void *b)
{
    const struct earlier *x = a, *y = b;
    return (x->seq > y->seq) - (x->seq < y->seq);
}

static struct alert_bits *bits_of(struct finding_ups *f, int64_t alert_no)
{
    struct alert_bits *bits = intmap_get(f->found, (uint64_t)alert_no);
    if (!bits) {
        bits = ARENA_NEW(f->arena, struct alert_bits);
        intmap_put(f->found, (uint64_t)alert_no, bits);
    }
    return bits;
}

static void look_at_row(
    void *ctx, int64_t alert_no, int64_t first_seq, const struct alert_bits *bits)
{
    struct finding_ups *f = ctx;
    struct alert_bits *found = NULL;
    for (size_t i = f->from; i < f->to; i++) {
        if (!alert_bits_has(bits, f->earlier[i].seq - first_seq))
            continue;
        if (!found)
            found = bits_of(f, alert_no);
        alert_bits_set(found, f->earlier[i].bit);
    }
}

/* Walks over the rows for entries that are near each other. */
static enum err find(struct finding_ups *f, const struct alert_work *work, struct fail *fail)
{
    enum err err = OK;
    for (f->from = 0; f->from < f->count && !err; f->from = f->to) {
        int64_t first = f->earlier[f->from].seq;
        f->to = f->from;
        while (f->to < f->count && f->earlier[f->to].seq < first + ALERT_PASS_MAX)
            f->to++;
        err = sent_each(
            work, first - ALERT_PASS_MAX + 1, f->earlier[f->to - 1].seq, look_at_row, f, fail);
    }
    return err;
}

enum err follow_ups_find(
    const struct alert_work *work, const struct alert_pass *pass, struct arena *arena,
    struct intmap *ret, struct fail *fail)
{
    struct finding_ups f = {.arena = arena, .found = ret};
    enum err err = OK;
    for (size_t i = 0; i < pass->count && !err; i++) {
        const struct alert_entry *entry = &pass->entries[i];
        if (is_follow_up(entry))
            err = add_earlier(&f, work->db, entry, entry->seq - pass->after - 1, fail);
    }
    if (f.count)
        qsort(f.earlier, f.count, sizeof *f.earlier, by_seq);
    if (!err)
        err = find(&f, work, fail);
    mem_free(f.earlier);
    return err;
}

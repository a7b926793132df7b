/* Rows that were sent, by person; see sent.h. */
#include "alert/sent.h"

#include "base/intmap.h"

enum {
    STEP = 128, /* of the sequence, in one statement */
    BLOCK = ALERT_PASS_MAX,
};

enum err sent_each(
    const struct alert_work *work, int64_t first, int64_t last, alert_sent_visit *visit, void *ctx,
    struct fail *fail)
{
    for (int64_t from = first; from <= last; from += STEP) {
        int64_t to = from + STEP - 1 < last ? from + STEP - 1 : last;
        if (work->stop(work->ctx))
            return fail_set(fail, ERR_BUSY, "the run was stopped");
        TRY(alert_each_sent(work->db, from, to, visit, ctx, fail));
    }
    return OK;
}

/* All rows of a person that began with the same entry, as one. */
struct sent_row {
    int64_t first_seq;
    struct alert_bits bits;
    struct sent_row *next;
};

struct sent_person {
    struct sent_row *rows;
};

struct sent {
    const struct alert_work *work;
    struct arena arena;   /* of the list */
    struct intmap people; /* by account: struct sent_person */
    struct intmap owners; /* by alert: struct sent_person */
    struct intmap blocks; /* that were read, by number */
};

static void init(struct sent *s)
{
    arena_init(&s->arena);
    intmap_init(&s->people);
    intmap_init(&s->owners);
    intmap_init(&s->blocks);
}

static void finish(struct sent *s)
{
    intmap_finish(&s->blocks);
    intmap_finish(&s->owners);
    intmap_finish(&s->people);
    arena_finish(&s->arena);
}

struct sent *sent_create(const struct alert_work *work)
{
    struct sent *s = MEM_NEW(struct sent);
    s->work = work;
    init(s);
    return s;
}

void sent_destroy(struct sent *s)
{
    if (!s)
        return;
    finish(s);
    mem_free(s);
}

static void keep_owner(void *ctx, int64_t alert_no, int64_t account_no)
{
    struct sent *s = ctx;
    struct sent_person *person = intmap_get(&s->people, (uint64_t)account_no);
    if (person)
        intmap_put(&s->owners, (uint64_t)alert_no, person);
}

enum err sent_begin(struct sent *s, const struct alert_waiting_list *list, struct fail *fail)
{
    finish(s);
    init(s);
    if (!list->count)
        return OK;
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->items[i].account_no != list->items[i - 1].account_no)
            intmap_put(
                &s->people, (uint64_t)list->items[i].account_no,
                ARENA_NEW(&s->arena, struct sent_person));
    return alert_each_owner(
        s->work->db, list->items[0].account_no, list->items[list->count - 1].account_no, keep_owner,
        s, fail);
}

static void keep_row(void *ctx, int64_t alert_no, int64_t first_seq, const struct alert_bits *bits)
{
    struct sent *s = ctx;
    struct sent_person *person = intmap_get(&s->owners, (uint64_t)alert_no);
    if (!person)
        return;
    struct sent_row *row = person->rows;
    while (row && row->first_seq != first_seq)
        row = row->next;
    if (!row) {
        row = ARENA_NEW(&s->arena, struct sent_row);
        row->first_seq = first_seq;
        row->next = person->rows;
        person->rows = row;
    }
    alert_bits_add(&row->bits, bits);
}

static enum err need_block(struct sent *s, int64_t block, struct fail *fail)
{
    if (intmap_get(&s->blocks, (uint64_t)block))
        return OK;
    int64_t first = block * BLOCK;
    TRY(sent_each(s->work, first, first + BLOCK - 1, keep_row, s, fail));
    intmap_put(&s->blocks, (uint64_t)block, s);
    return OK;
}

/* A row that has the entry began with it, or up to ALERT_PASS_MAX - 1 entries before. */
enum err sent_find(struct sent *s, int64_t account_no, int64_t seq, bool *ret, struct fail *fail)
{
    int64_t first = seq < ALERT_PASS_MAX ? 0 : seq - ALERT_PASS_MAX + 1;
    TRY(need_block(s, first / BLOCK, fail));
    TRY(need_block(s, seq / BLOCK, fail));
    const struct sent_person *person = intmap_get(&s->people, (uint64_t)account_no);
    *ret = false;
    for (const struct sent_row *row = person ? person->rows : NULL; row && !*ret; row = row->next)
        *ret = alert_bits_has(&row->bits, seq - row->first_seq);
    return OK;
}

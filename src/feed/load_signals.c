/* Reasons of signals for the feed; see load.h. */
#include "feed/load.h"
#include "base/search.h"
#include "store/public/finding.h"

void load_signals_init(struct load_signals *s)
{
    *s = (struct load_signals){.lost = false};
    arena_init(&s->arena);
    intmap_init(&s->reasons);
}

void load_signals_finish(struct load_signals *s)
{
    arena_finish(&s->arena);
    intmap_finish(&s->reasons);
    mem_free(s->items);
}

static void add_reason(struct load_signals *s, int64_t no, struct str reason, bool damaged)
{
    struct str *kept = ARENA_NEW(&s->arena, struct str);
    *kept = damaged ? STR_NULL : arena_str(&s->arena, reason);
    intmap_put(&s->reasons, (uint64_t)no, kept);
}

static void add_finding(void *ctx, const struct finding *finding, bool damaged)
{
    struct load_signals *s = ctx;
    add_reason(s, finding->no, finding->reason, damaged);
    if (!damaged)
        topics_add(s->topics, finding);
}

static void add_pair(void *ctx, const struct finding_pair *pair)
{
    struct load_signals *s = ctx;
    const struct str *reason = intmap_get(&s->reasons, (uint64_t)pair->finding_no);
    if (!reason) {
        s->lost = true;
        return;
    }
    s->items = mem_grow(s->items, s->n, &s->capacity, sizeof *s->items);
    s->items[s->n++] = (struct load_signal){pair->trade_no, reason};
}

/* Lower bound by trade_no. */
static size_t place_of(const struct load_signals *s, int64_t trade_no)
{
    return FIRST_NOT(i, s->n, s->items[i].trade_no < trade_no);
}

const struct str *load_signals_find(struct load_signals *s, int64_t trade_no)
{
    size_t at = s->last;
    if (at < s->n && s->items[at].trade_no < trade_no)
        at++;
    bool between = (at == 0 || s->items[at - 1].trade_no < trade_no) &&
                   (at == s->n || s->items[at].trade_no >= trade_no);
    s->last = at = between ? at : place_of(s, trade_no);
    return at < s->n && s->items[at].trade_no == trade_no ? s->items[at].reason : NULL;
}

static enum err end(const struct load_signals *s, enum err err, struct fail *fail)
{
    if (!err && s->lost)
        err = fail_set(fail, ERR_CORRUPT, "a trade refers to a missing finding");
    return err;
}

enum err load_signals_all(
    struct load_signals *s, struct topics *topics, struct db *db, struct fail *fail)
{
    s->topics = topics;
    enum err err = finding_each_after(db, 0, add_finding, s, fail);
    if (!err)
        err = finding_each_pair(db, add_pair, s, fail);
    return end(s, err, fail);
}

/* Searches pairs first: only few of all findings are needed. */
struct few {
    struct load_signals *signals;
    struct finding_pair *items;
    size_t n, room;
};

static void keep_pair(void *ctx, const struct finding_pair *pair)
{
    struct few *few = ctx;
    few->items = mem_grow(few->items, few->n, &few->room, sizeof *few->items);
    few->items[few->n++] = *pair;
}

static enum err need_reason(
    struct load_signals *s, struct db *db, int64_t finding_no, struct fail *fail)
{
    struct str reason;
    bool damaged = false;
    if (intmap_get(&s->reasons, (uint64_t)finding_no))
        return OK;
    TRY(finding_reason(db, finding_no, &s->arena, &reason, &damaged, fail));
    add_reason(s, finding_no, reason, damaged);
    return OK;
}

enum err load_signals_of(
    struct load_signals *s, struct db *db, int64_t publication_no, struct fail *fail)
{
    struct few few = {.signals = s};
    enum err err = finding_each_pair_of(db, publication_no, keep_pair, &few, fail);
    for (size_t i = 0; i < few.n && !err; i++) {
        err = need_reason(s, db, few.items[i].finding_no, fail);
        if (!err)
            add_pair(s, &few.items[i]);
    }
    mem_free(few.items);
    return end(s, err, fail);
}

/* Sweeping; see sweep.h. */
#include "conflict/sweep.h"

#include <assert.h>

#include "conflict/signal.h"
#include "store/public/publication.h"
#include "store/row/change.h"

static_assert((int)SWEEP_BATCH <= (int)FINDING_PAIRS_MAX, "a batch is written in one call");

struct item {
    struct finding_case is;
    struct finding *finding; /* the correct finding; NULL: no signal */
};

struct sweep {
    const struct sweep_config *config;
    struct sweep_result *result;
    struct judge *judge;
    int64_t known_seq; /* the change notice up to which the judge's cache is current */
    bool outdated;     /* data in the judge's cache was imported again since */

    /* The current batch, read and judged; repeated inside the transaction that writes it. */
    struct finding_place after, until;
    struct arena arena; /* symbols of the items */
    struct item items[SWEEP_BATCH];
    size_t count;
    int64_t trades_total;                      /* for the progress; 0: not counted */
    int64_t set, changed, cleared, change_seq; /* counts of the current write */
};

static void keep_case(void *ctx, const struct finding_case *is)
{
    struct sweep *s = ctx;
    struct item *item = &s->items[s->count++];
    *item = (struct item){.is = *is};
    item->is.ticker = arena_str(&s->arena, is->ticker);
}

static enum err read_batch(
    struct sweep *s, struct db *db, const struct finding_place *until, struct fail *fail)
{
    s->count = 0;
    arena_reset(&s->arena);
    TRY(finding_each_case(db, s->after, until, SWEEP_BATCH, keep_case, s, fail));
    for (size_t i = 0; i < s->count; i++)
        TRY(judge_case(s->judge, db, &s->items[i].is, &s->items[i].finding, fail));
    return OK;
}

static bool differs(const struct item *item)
{
    return item->finding ? item->finding->no == 0 || item->finding->no != item->is.finding_no
                         : item->is.finding_no != 0;
}

static bool any_differs(const struct sweep *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (differs(&s->items[i]))
            return true;
    return false;
}

/* --- the judge's cache */

static void look_at_notice(void *ctx, int64_t seq, struct str noun, struct str key)
{
    struct sweep *s = ctx;
    if (str_eq(noun, STR("member")) || str_eq(noun, STR("ticker")))
        s->outdated = true;
}

/* Sets `outdated` if members, seats or symbols were imported after the judge was created. Trades
 * published since then are correct; the judge's cache is not. */
static enum err look_for_imports(struct sweep *s, struct db *db, struct fail *fail)
{
    int64_t last = 0;
    enum err err = change_last(db, &last, fail);
    if (err || last == s->known_seq)
        return err;
    err = change_read(db, s->known_seq, look_at_notice, s, &s->known_seq, fail);
    if (err != ERR_CORRUPT)
        return err;
    s->outdated = true; /* the notices were pruned */
    s->known_seq = last;
    return OK;
}

/* Starts over with a new judge; the counts of written changes are kept. */
static enum err begin(struct sweep *s, struct fail *fail)
{
    judge_destroy(s->judge);
    s->judge = judge_create();
    s->outdated = false;
    s->after = (struct finding_place){0, 0};
    s->result->trades = s->result->signals = 0;
    return judge_know_findings(s->judge, s->config->db, fail);
}

/* --- writing */

static void count_change(struct sweep *s, const struct item *item)
{
    if (item->is.finding_no == 0)
        s->set++;
    else if (item->finding)
        s->changed++;
    else
        s->cleared++;
}

static enum err write_pairs(
    struct sweep *s, struct db *db, const struct finding_pair *pairs, size_t n, struct fail *fail)
{
    char key[FINDING_KEY_SIZE_MAX];
    struct finding_lines lines;
    enum err err = finding_set(db, pairs, n, s->config->now_ms, &lines, fail);
    if (err || lines.count == 0)
        return err;
    return change_add(db, STR("findings"), finding_key(&lines, key), &s->change_seq, fail);
}

/* Reads the batch again inside the transaction, to see publications and corrections since the first
 * read. They need the same lock, so no more can follow. */
static enum err write_batch(struct db *db, void *ctx, struct fail *fail)
{
    struct sweep *s = ctx;
    struct finding_pair pairs[SWEEP_BATCH];
    size_t n = 0;
    s->set = s->changed = s->cleared = s->change_seq = 0;
    enum err err = publication_lock(db, fail);
    if (!err)
        err = look_for_imports(s, db, fail);
    if (err || s->outdated)
        return err;
    err = read_batch(s, db, &s->until, fail);
    for (size_t i = 0; i < s->count && !err; i++) {
        const struct item *item = &s->items[i];
        err = signal_store(
            db, item->finding, s->config->now_ms, fail); /* or finds the number of an equal one */
        if (err || !differs(item))
            continue;
        pairs[n++] =
            (struct finding_pair){item->is.trade_no, item->finding ? item->finding->no : 0};
        count_change(s, item);
    }
    return err ? err : write_pairs(s, db, pairs, n, fail);
}

/* An error ends the sweep, because the judge's cache may hold numbers of findings that were rolled
 * back. */
static enum err write_changes(struct sweep *s, struct fail *fail)
{
    struct sweep_result *ret = s->result;
    TRY(s->config->write(s->config->ctx, write_batch, s, fail));
    ret->set += s->set;
    ret->changed += s->changed;
    ret->cleared += s->cleared;
    if (s->change_seq)
        ret->change_seq = s->change_seq;
    return OK;
}

/* --- walking the trades */

static void count_batch(const struct sweep *s)
{
    s->result->trades += (int64_t)s->count;
    for (size_t i = 0; i < s->count; i++)
        s->result->signals += s->items[i].finding != NULL;
}

static enum err sweep_batch(struct sweep *s, bool *ret_more, struct fail *fail)
{
    enum err err = read_batch(s, s->config->db, NULL, fail);
    *ret_more = !err && s->count == SWEEP_BATCH;
    if (err || s->count == 0)
        return err;
    const struct finding_case *last = &s->items[s->count - 1].is;
    s->until = (struct finding_place){last->filing_no, last->trade_no};
    if (any_differs(s))
        err = write_changes(s, fail);
    if (err || s->outdated)
        return err;
    count_batch(s);
    progress_tell(s->config->progress, s->result->trades, s->trades_total);
    s->after = s->until;
    return OK;
}

/* Runs to the end, or until `stop` returns true. */
static enum err sweep_all(struct sweep *s, struct fail *fail)
{
    const struct sweep_config *config = s->config;
    bool more = true;
    enum err err = OK;
    while (!err && !s->result->stopped && more) {
        err = sweep_batch(s, &more, fail);
        if (!err)
            err = look_for_imports(s, config->db, fail);
        if (!err && s->outdated) {
            err = begin(s, fail);
            more = true;
        }
        s->result->stopped = !err && more && config->stop && config->stop(config->ctx);
    }
    return err;
}

enum err sweep_run(const struct sweep_config *config, struct sweep_result *ret, struct fail *fail)
{
    MEM_FREED struct sweep *s = MEM_NEW(struct sweep);
    s->config = config;
    s->result = ret;
    arena_init(&s->arena);
    *ret = (struct sweep_result){.trades = 0};
    enum err err = change_last(config->db, &s->known_seq, fail);
    if (!err)
        err = begin(s, fail);
    if (!err && config->progress)
        err = finding_count_cases(config->db, &s->trades_total, fail);
    if (!err)
        err = sweep_all(s, fail);
    arena_finish(&s->arena);
    judge_destroy(s->judge);
    return err;
}

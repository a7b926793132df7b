/* Matches and writes; see pass.h. */
#include "alert/pass.h"

#include <assert.h>
#include <stdlib.h>

#include "alert/sent.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "conflict/judge.h"
#include "feed/renames.h"
#include "market/conflict.h"
#include "store/account/alert_match.h"
#include "store/public/change_log.h"
#include "store/public/roster.h"

/*
 * What rules see of trades: seats of the member on the day of the trade, the industry of the asset,
 * and the symbols that find it. Each is looked up once for a pass. Private to src/alert. */

struct facts;

enum err facts_of(
    struct facts *facts, struct db *db, const struct alert_entry *entry, struct alert_trade *ret,
    struct fail *fail);

_Static_assert((int)ALERT_SYMBOLS_MAX >= (int)RENAMES_CHAIN_MAX, "room for all successors");

struct facts {
    struct arena *arena;
    const struct roster *roster; /* NULL: not loaded yet */
    struct intmap seats;         /* by member: struct conflict_seats */
    struct judge *judge;
    struct renames renames;
};

/* The arena holds everything that facts_of returns. */
static struct facts *facts_create(struct arena *arena)
{
    struct facts *f = MEM_NEW(struct facts);
    struct fail fail;
    f->arena = arena;
    f->judge = judge_create();
    intmap_init(&f->seats);
    enum err err =
        renames_parse(str_of(ticker_renames_csv, ticker_renames_csv_size), &f->renames, &fail);
    assert(!err); /* the feed loads the same list at the start */
    (void)err;
    return f;
}

static void facts_destroy(struct facts *f)
{
    if (!f)
        return;
    renames_finish(&f->renames);
    intmap_finish(&f->seats);
    judge_destroy(f->judge);
    mem_free(f);
}

static enum err find_seats(
    struct facts *f, struct db *db, int64_t member_no, const struct conflict_seats **ret,
    struct fail *fail)
{
    *ret = intmap_get(&f->seats, (uint64_t)member_no);
    if (*ret)
        return OK;
    TRY(f->roster ? OK : roster_load(db, f->arena, &f->roster, fail));
    struct conflict_seats *seats = ARENA_NEW(f->arena, struct conflict_seats);
    TRY(roster_seats_of(db, f->roster, member_no, f->arena, seats, fail));
    intmap_put(&f->seats, (uint64_t)member_no, seats);
    *ret = seats;
    return OK;
}

/* By the list that the conflict rule uses for that day. */
static void put_committees(
    struct facts *f, const struct conflict_seats *seats, const struct alert_entry *entry,
    struct alert_trade *ret)
{
    struct conflict_list list = conflict_list_of(seats, entry->chamber, entry->day);
    struct str *ids = ARENA_ARRAY(f->arena, struct str, seats->count + 1);
    ret->committees = ids;
    if (list.basis == CONFLICT_NO_LIST)
        return;
    for (size_t i = 0; i < seats->count; i++)
        if (conflict_seat_counts(&seats->items[i], &list, entry->chamber))
            ids[ret->committee_count++] = seats->items[i].id;
}

static enum err judge(
    struct facts *f, struct db *db, const struct alert_entry *entry, struct alert_trade *ret,
    struct fail *fail)
{
    enum conflict_grade grade = CONFLICT_NO_GRADE;
    const struct judge_trade trade = {
        .member_no = entry->member_no,
        .chamber = entry->chamber,
        .ticker = str_is_null(entry->ticker) ? entry->company : entry->ticker,
        .confirmed = str_is_null(entry->ticker),
        .asset_type = entry->asset_type,
        .day = entry->day,
        .asset_name = entry->asset_name,
        .trade_no = entry->trade_no,
    };
    enum err err = judge_industry(f->judge, db, &trade, &ret->industry, fail);
    if (!err && entry->is_flagged)
        err = judge_grade(f->judge, db, &trade, &grade, fail);
    ret->grade = grade;
    return err;
}

enum err facts_of(
    struct facts *f, struct db *db, const struct alert_entry *entry, struct alert_trade *ret,
    struct fail *fail)
{
    const struct conflict_seats *seats = NULL;
    *ret = (struct alert_trade){
        .member_no = entry->member_no,
        .chamber = entry->chamber,
        .bracket = entry->bracket,
        .flagged = entry->is_flagged,
    };
    if (!str_is_null(entry->ticker))
        ret->symbol_count =
            renames_successors(&f->renames, entry->ticker, entry->day, ret->symbols);
    TRY(judge(f, db, entry, ret, fail));
    if (entry->member_no)
        TRY(find_seats(f, db, entry->member_no, &seats, fail));
    if (seats)
        put_committees(f, seats, entry, ret);
    return OK;
}

/* Finds the alerts by what they sent. 100,000 alerts can have sent a filing of
 * 500 rows, so the rows that were sent are read once for many trades, in bounded steps. */

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
    int64_t *seqs;
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
    for (f->from = 0; f->from < f->count; f->from = f->to) {
        int64_t first = f->earlier[f->from].seq;
        f->to = f->from;
        while (f->to < f->count && f->earlier[f->to].seq < first + ALERT_PASS_MAX)
            f->to++;
        TRY(sent_each(
            work, first - ALERT_PASS_MAX + 1, f->earlier[f->to - 1].seq, look_at_row, f, fail));
    }
    return OK;
}

/* Fills *ret, by alert: struct alert_bits of the pass, in the arena. ERR_BUSY: the run was stopped.
 */
static enum err follow_ups_find(
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

/* What a rule matches. Many people have the same rule, which is judged once. */
struct judged {
    struct judged *next; /* of other rules with the same hash */
    struct alert_rule rule;
    struct alert_bits bits;
};

struct pass {
    const struct alert_work *work;
    struct arena arena;
    struct alert_pass range;
    struct alert_trade *trades; /* of the entries, in their order */
    bool *by_rule;              /* the rules see the entry */
    struct intmap judged;       /* by hash of the rule: struct judged */
    struct intmap follow_ups;   /* by alert: struct alert_bits of entries whose trade it sent */

    struct alert_match *matches;
    size_t count, room;

    /* of the transaction that is being written */
    size_t from, to;
    bool done;
};

/* --- what the entries are */

static bool is_seen_by_rules(const struct alert_entry *entry)
{
    if (!entry->is_public || entry->is_backfill || entry->kind == CHANGE_WITHDRAWN)
        return false;
    if (entry->kind == CHANGE_PUBLISHED)
        return true;
    /* A change of an old trade is no news of the trade. */
    bool recent = entry->at - entry->disclosed_at <= (int64_t)PASS_SIGNAL_DAYS * DAY_MS;
    return recent && (entry->kind != CHANGE_SIGNAL || entry->is_flagged);
}

static enum err look_up(struct pass *p, struct fail *fail)
{
    struct db *db = p->work->db;
    struct facts *facts = facts_create(&p->arena);
    enum err err = OK;
    p->trades = ARENA_ARRAY(&p->arena, struct alert_trade, p->range.count + 1);
    p->by_rule = ARENA_ARRAY(&p->arena, bool, p->range.count + 1);
    for (size_t i = 0; i < p->range.count && !err; i++) {
        const struct alert_entry *entry = &p->range.entries[i];
        p->by_rule[i] = is_seen_by_rules(entry);
        if (p->by_rule[i])
            err = facts_of(facts, db, entry, &p->trades[i], fail);
    }
    facts_destroy(facts);
    return err ? err : follow_ups_find(p->work, &p->range, &p->arena, &p->follow_ups, fail);
}

/* --- rules */

static void keep(struct pass *p, int64_t alert_no, const struct alert_bits *bits)
{
    p->matches = mem_grow(p->matches, p->count, &p->room, sizeof *p->matches);
    p->matches[p->count++] = (struct alert_match){alert_no, *bits};
}

static void judge_rule(
    const struct pass *p, const struct alert_rule *rule, int64_t after_seq, struct alert_bits *ret)
{
    for (size_t i = 0; i < p->range.count; i++) {
        const struct alert_entry *entry = &p->range.entries[i];
        bool counts = p->by_rule[i] && entry->seq > after_seq &&
                      (entry->kind != CHANGE_SIGNAL || rule->flagged || rule->grade);
        if (counts && alert_rule_matches(rule, &p->trades[i]))
            alert_bits_set(ret, entry->seq - p->range.after - 1);
    }
}

static uint64_t hash_rule(const struct alert_rule *rule)
{
    const uint64_t parts[] = {
        (uint64_t)rule->member_no,
        str_is_null(rule->ticker) ? 0 : hash_str(rule->ticker),
        str_is_null(rule->committee) ? 0 : hash_str(rule->committee),
        (uint64_t)rule->industry << 32 | (uint64_t)rule->chamber << 16 |
            (uint64_t)rule->grade << 8 | (uint64_t)rule->minimum << 1 | rule->flagged,
    };
    return hash_str(str_of((const char *)parts, sizeof parts));
}

static const struct alert_bits *judge_once(struct pass *p, const struct alert_rule *rule)
{
    uint64_t key = hash_rule(rule);
    struct judged *first = intmap_get(&p->judged, key), *judged = first;
    while (judged && !alert_rule_equals(&judged->rule, rule))
        judged = judged->next;
    if (judged)
        return &judged->bits;
    judged = ARENA_NEW(&p->arena, struct judged);
    judged->next = first;
    judged->rule = *rule;
    judged->rule.ticker = arena_str(&p->arena, rule->ticker);
    judged->rule.committee = arena_str(&p->arena, rule->committee);
    judge_rule(p, rule, 0, &judged->bits);
    intmap_put(&p->judged, key, judged);
    return &judged->bits;
}

static void match(void *ctx, int64_t alert_no, int64_t after_seq, const struct alert_rule *rule)
{
    struct pass *p = ctx;
    struct alert_bits bits = {{0}};
    const struct alert_bits *follow_ups = intmap_get(&p->follow_ups, (uint64_t)alert_no);
    if (after_seq <= p->range.after)
        bits = *judge_once(p, rule);
    else
        judge_rule(p, rule, after_seq, &bits);
    if (follow_ups)
        alert_bits_add(&bits, follow_ups);
    if (alert_bits_any(&bits))
        keep(p, alert_no, &bits);
}

/* --- writing */

static enum err write_rows(struct db *db, void *ctx, struct fail *fail)
{
    struct pass *p = ctx;
    return alert_match_put(db, p->range.after, p->matches + p->from, p->to - p->from, fail);
}

static enum err write_end(struct db *db, void *ctx, struct fail *fail)
{
    struct pass *p = ctx;
    return alert_pass_end(db, &p->range, &p->done, fail);
}

static enum err write_all(struct pass *p, struct fail *fail)
{
    const struct alert_work *work = p->work;
    enum err err = OK;
    for (p->from = 0; p->from < p->count && !err; p->from = p->to) {
        p->to = p->from + PASS_ROWS < p->count ? p->from + PASS_ROWS : p->count;
        if (work->stop(work->ctx))
            return fail_set(fail, ERR_BUSY, "the pass was stopped");
        err = work->write(work->ctx, write_rows, p, fail);
    }
    if (!err)
        err = work->write(work->ctx, write_end, p, fail);
    return err || p->done ? err : fail_set(fail, ERR_BUSY, "another server made this pass");
}

/* Whether a rule or an earlier e-mail has to do with any entry: bulk history has neither. */
static bool concerns_alerts(const struct pass *p)
{
    bool any = p->follow_ups.used > 0;
    for (size_t i = 0; i < p->range.count && !any; i++)
        any = p->by_rule[i];
    return any;
}

static enum err run(struct pass *p, struct pass_result *ret, struct fail *fail)
{
    struct change_place newest = {0, 0};
    enum err err = alert_pass_read(p->work->db, &p->arena, &p->range, fail);
    if (err || p->range.after == p->range.last)
        return err;
    if (!p->range.is_idle)
        err = look_up(p, fail);
    if (!err && !p->range.is_idle && concerns_alerts(p))
        err = alert_each_rule(p->work->db, match, p, fail);
    if (!err)
        err = write_all(p, fail);
    if (!err)
        err = change_log_last(p->work->db, &newest, fail);
    *ret = (struct pass_result){
        p->range.last - p->range.after, (int64_t)p->count, newest.seq > p->range.last};
    return err;
}

enum err pass_run(const struct alert_work *work, struct pass_result *ret, struct fail *fail)
{
    struct pass p = {.work = work};
    *ret = (struct pass_result){0};
    arena_init(&p.arena);
    intmap_init(&p.follow_ups);
    intmap_init(&p.judged);
    enum err err = run(&p, ret, fail);
    mem_free(p.matches);
    intmap_finish(&p.judged);
    intmap_finish(&p.follow_ups);
    arena_finish(&p.arena);
    return err;
}

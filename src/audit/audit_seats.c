/*
 * Stored conflict signals against a fresh judgement, as a sweep makes it: a difference means that
 * no sweep ran since members, seats, symbols or the rule changed. And members with trades in a
 * Congress of which no list has them, so that none of these trades can have a signal.
 */
#include "audit/audit_parts.h"
#include "conflict/judge.h"
#include "market/congress.h"

/* A member whom no list of a Congress has. */
struct audit_unlisted {
    int64_t member_no;
    enum chamber chamber;
    int congress;
    int64_t first_trade_no, trades;
};

struct audit_seats_run {
    struct audit *audit;
    struct judge *judge;
    struct arena arena; /* of one batch */
    struct finding_case cases[AUDIT_BATCH];
    size_t count;
    struct audit_unlisted *unlisted;
    size_t unlisted_count, unlisted_room;
};

static void keep(void *ctx, const struct finding_case *is)
{
    struct audit_seats_run *run = ctx;
    struct finding_case *kept = &run->cases[run->count++];
    *kept = *is;
    kept->ticker = arena_str(&run->arena, is->ticker);
}

static enum err compare(
    struct audit_seats_run *run, const struct finding_case *is, struct fail *fail)
{
    struct finding *finding;
    struct audit_shown_trade trade;
    struct str published = STR_NULL;
    struct db *db = run->audit->config->db;
    enum err err = judge_case(run->judge, db, is, &finding, fail);
    if (err || (finding ? finding->no && finding->no == is->finding_no : !is->finding_no))
        return err;
    TRY(audit_trade_of(db, is->trade_no, &run->arena, &trade, fail));
    if (is->finding_no)
        TRY(finding_reason(db, is->finding_no, &run->arena, &published, NULL, fail));
    audit_tell(
        run->audit, AUDIT_SIGNAL, trade.id, published, finding ? finding->reason : STR_NULL,
        trade.public_at);
    return OK;
}

static void count_unlisted(struct audit_seats_run *run, const struct finding_case *is)
{
    int congress = congress_of(is->day);
    for (size_t i = 0; i < run->unlisted_count; i++) {
        struct audit_unlisted *u = &run->unlisted[i];
        if (u->member_no == is->member_no && u->chamber == is->chamber && u->congress == congress) {
            u->trades++;
            return;
        }
    }
    run->unlisted =
        mem_grow(run->unlisted, run->unlisted_count, &run->unlisted_room, sizeof *run->unlisted);
    run->unlisted[run->unlisted_count++] =
        (struct audit_unlisted){is->member_no, is->chamber, congress, is->trade_no, 1};
}

static enum err look_for_list(
    struct audit_seats_run *run, const struct finding_case *is, struct fail *fail)
{
    bool listed = false;
    TRY(judge_has_list(
        run->judge, run->audit->config->db, is->member_no, is->chamber, is->day, &listed, fail));
    if (!listed)
        count_unlisted(run, is);
    return OK;
}

static enum err tell_unlisted(
    struct audit_seats_run *run, const struct audit_unlisted *u, struct fail *fail)
{
    struct audit_shown_trade first;
    enum err err =
        audit_trade_of(run->audit->config->db, u->first_trade_no, &run->arena, &first, fail);
    if (err)
        return err;
    audit_tell(
        run->audit, AUDIT_NO_LIST, first.politician_id,
        arena_fmt(
            &run->arena, "%lld trade%s in Congress %d, first %.*s", (long long)u->trades,
            u->trades == 1 ? "" : "s", u->congress, STR_ARG(first.id)),
        arena_fmt(
            &run->arena, "no %.*s list of that Congress has the member",
            STR_ARG(chamber_name(u->chamber))),
        first.public_at);
    return OK;
}

enum err audit_seats(struct audit *audit, struct fail *fail)
{
    MEM_FREED struct audit_seats_run *run = MEM_NEW(struct audit_seats_run);
    struct db *db = audit->config->db;
    struct finding_place after = {0, 0};
    run->audit = audit;
    run->judge = judge_create();
    arena_init(&run->arena);
    enum err err = judge_know_findings(run->judge, db, fail);
    do {
        arena_reset(&run->arena);
        run->count = 0;
        if (!err)
            err = finding_each_case(db, after, NULL, AUDIT_BATCH, keep, run, fail);
        for (size_t i = 0; i < run->count && !err; i++) {
            err = compare(run, &run->cases[i], fail);
            if (!err)
                err = look_for_list(run, &run->cases[i], fail);
            audit_progress(audit);
            after = (struct finding_place){run->cases[i].filing_no, run->cases[i].trade_no};
        }
        audit->counts->compared[AUDIT_SEATS] += (int64_t)run->count;
    } while (!err && run->count == AUDIT_BATCH);
    for (size_t i = 0; i < run->unlisted_count && !err; i++)
        err = tell_unlisted(run, &run->unlisted[i], fail);
    judge_destroy(run->judge);
    arena_finish(&run->arena);
    mem_free(run->unlisted);
    return err;
}

/* Stored conflict signals against a fresh judgement, as a sweep makes it. A difference means that
 * no sweep ran since members, seats, symbols or the rule changed. */
#include "audit/audit_parts.h"
#include "conflict/judge.h"

struct audit_seats_run {
    struct audit *audit;
    struct judge *judge;
    struct arena arena; /* of one batch */
    struct finding_case cases[AUDIT_BATCH];
    size_t count;
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
    struct str id, published = STR_NULL;
    int64_t public_at;
    struct db *db = run->audit->config->db;
    enum err err = judge_case(run->judge, db, is, &finding, fail);
    if (err || (finding ? finding->no && finding->no == is->finding_no : !is->finding_no))
        return err;
    err = audit_trade_of(db, is->trade_no, &run->arena, &id, &public_at, fail);
    if (!err && is->finding_no)
        err = finding_reason(db, is->finding_no, &run->arena, &published, fail);
    if (!err)
        audit_tell(
            run->audit, AUDIT_SIGNAL, id, published, finding ? finding->reason : STR_NULL,
            public_at);
    return err;
}

enum err audit_seats(struct audit *audit, struct fail *fail)
{
    struct audit_seats_run *run = MEM_NEW(struct audit_seats_run);
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
            after = (struct finding_place){run->cases[i].filing_no, run->cases[i].trade_no};
        }
        audit->counts->compared[AUDIT_SEATS] += (int64_t)run->count;
    } while (!err && run->count == AUDIT_BATCH);
    judge_destroy(run->judge);
    arena_finish(&run->arena);
    mem_free(run);
    return err;
}

/* Hidden characters (base/hidden.h) in what is public. An earlier version published them as the
 * document had them; every output escapes them. */
#include "audit/audit_parts.h"
#include "base/hidden.h"
#include "paper/cell/row_field.h"

struct audit_text_run {
    struct audit *audit;
    struct arena arena; /* of one line */
    struct audit_place trade;
    int64_t filing;
    size_t count;
};

/* `what`: the field, with a NUL behind it. */
static void compare(
    struct audit_text_run *run, struct str subject, const char *what, struct str text,
    int64_t public_at)
{
    const char *found = hidden_reason(&run->arena, what, text);
    if (found)
        audit_tell(run->audit, AUDIT_HIDDEN, subject, text, str_from(found), public_at);
    arena_reset(&run->arena);
}

static void compare_trade(void *ctx, const struct audit_trade *trade)
{
    struct audit_text_run *run = ctx;
    run->trade = trade->place;
    run->count++;
    audit_progress(run->audit);
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        char space[ROW_FIELD_TEXT_MAX];
        enum row_field field = (enum row_field)f;
        compare(
            run, trade->id, row_field_name(field).p, row_field_text(&trade->values, field, space),
            trade->public_at);
    }
}

static void compare_filing(void *ctx, const struct audit_filing *filing)
{
    struct audit_text_run *run = ctx;
    run->filing = filing->no;
    run->count++;
    compare(run, filing->id, "the filer's name", filing->name, filing->public_at);
    compare(run, filing->id, "the filer's party", filing->party, filing->public_at);
}

enum err audit_text(struct audit *audit, struct fail *fail)
{
    struct audit_text_run run = {.audit = audit};
    struct db *db = audit->config->db;
    enum err err = OK;
    arena_init(&run.arena);
    do {
        run.count = 0;
        err = audit_each_trade(db, run.trade, AUDIT_BATCH, compare_trade, &run, fail);
        audit->counts->compared[AUDIT_TEXT] += (int64_t)run.count;
    } while (!err && run.count == AUDIT_BATCH);
    do {
        run.count = 0;
        if (!err)
            err = audit_each_filing(db, run.filing, AUDIT_BATCH, compare_filing, &run, fail);
    } while (!err && run.count == AUDIT_BATCH);
    arena_finish(&run.arena);
    return err;
}

/* `stockact redate`: moves stored instants of the future before now (store/public/redate.h). */
#include "store/public/redate.h"

#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "store/account/action_log.h"

struct redate_work {
    struct str reason;
    int64_t now_ms, first_ms;
    struct redate_found found;
};

static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct redate_work *w = ctx;
    char text[80], from[INSTANT_TEXT_SIZE], to[INSTANT_TEXT_SIZE];
    TRY(redate(db, w->reason, w->now_ms, &w->found, &w->first_ms, fail));
    struct buf detail = buf_over(text, sizeof text);
    buf_i64(&detail, w->found.count);
    if (w->found.count) {
        instant_print(w->found.first, from);
        instant_print(w->found.last, to);
        buf_text(&detail, ": ");
        buf_str(&detail, str_of(from, sizeof from));
        buf_text(&detail, " to ");
        buf_str(&detail, str_of(to, sizeof to));
    }
    return action_log_add(
        &(struct act){.db = db, .actor = &ACTOR_OPERATOR, .now_ms = w->now_ms, .fail = fail},
        ACTION_REDATE, STR_NULL, STR("instants"), buf_view(&detail), w->reason);
}

enum err cmd_redate(struct cmd *cmd, struct fail *fail)
{
    struct redate_work w = {.reason = options_value(cmd->options, "reason")};
    DB_SCOPED(db);
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_overrule_clock(cmd, db, fail);
    w.now_ms = clock_wall_ms();
    if (!err)
        err = store_access_write(db, run, &w, fail);
    if (!err) {
        store_access_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, "instants", w.found.count);
        out_instant(cmd->out, "from", w.found.first);
        out_instant(cmd->out, "to", w.first_ms);
        out_end(cmd->out);
    }
    return err;
}

/* `stockact members correct`: corrects the filers of published trades after an import. */
#include "review/correct_filers.h"

#include "base/clock.h"
#include "cmd/operate/store_access.h"

static void show_difference(void *ctx, const struct filer_difference *difference)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_str(out, "filing", difference->filing_id);
    out_str(out, "politician", difference->politician_id);
    out_str(out, "field", difference->field);
    out_str(out, "old", difference->old);
    out_str(out, "new", difference->new);
    out_i64(out, "trades", difference->trades);
    out_end(out);
}

enum err cmd_members_correct(struct cmd *cmd, struct fail *fail)
{
    struct correct_filers_result result;
    DB_SCOPED(db);
    struct correct_filers how = {
        .names = options_given(cmd->options, "names"),
        .dry_run = options_given(cmd->options, "dry-run"),
        .by = options_value(cmd->options, "by"),
        .reason = options_value(cmd->options, "reason"),
        .found = show_difference,
        .ctx = cmd->out,
    };
    TRY(store_access_open(cmd, STORE_WRITE, &db, fail));
    if (!how.dry_run)
        TRY(store_access_overrule_clock(cmd, db, fail));
    how.now_ms = clock_wall_ms();
    TRY(correct_filers(db, &how, &result, fail));
    if (!how.dry_run)
        store_access_done(cmd, db, UPGRADE_CORRECT);
    store_access_wait_servers(db);
    out_begin(cmd->out, OUT_BLOCK);
    out_i64(cmd->out, "filings", (int64_t)result.filings);
    out_i64(cmd->out, "trades", (int64_t)result.trades);
    out_i64(cmd->out, "entries", how.dry_run ? 0 : (int64_t)result.fields);
    out_end(cmd->out);
    return OK;
}

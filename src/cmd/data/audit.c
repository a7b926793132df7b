/* `stockact audit`: compares what is published with second sources (docs/audit.md). */
#include "audit/audit.h"

#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"

static void show_disagreement(void *ctx, const struct audit_disagreement *d)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_str(out, "kind", audit_kind_name(audit_what_kind(d->what)));
    out_str(out, "what", audit_what_name(d->what));
    out_str(out, "subject", d->subject);
    out_str(out, "published", d->published);
    out_str(out, "other", d->other);
    out_i64(out, "days", d->days);
    out_end(out);
}

/* The kinds of "symbols,members"; all of them if the option is missing. */
static enum err read_kinds(const struct cmd *cmd, struct audit_config *ret, struct fail *fail)
{
    bool all = !options_given(cmd->options, "kind");
    struct str name, list = all ? STR_NULL : options_value(cmd->options, "kind");
    for (int k = 0; k < AUDIT_KIND_COUNT; k++)
        ret->kinds[k] = all;
    while (str_split(&list, ',', &name)) {
        enum audit_kind kind;
        if (!audit_kind_from_name(name, &kind))
            return fail_set(
                fail, ERR_INVALID,
                "invalid --kind \"%.*s\": expected symbols, seats, members, reading, log or text, "
                "or several of them with commas between them",
                STR_ARG(name));
        ret->kinds[kind] = true;
    }
    return OK;
}

static void show_counts(
    struct out *out, const struct audit_config *config, const struct audit_counts *counts)
{
    out_begin(out, OUT_BLOCK);
    for (int k = 0; k < AUDIT_KIND_COUNT; k++)
        if (config->kinds[k]) {
            enum audit_kind kind = (enum audit_kind)k;
            char name[64];
            struct buf b = buf_over(name, sizeof name);
            buf_fmt(&b, "%.*sCompared", STR_ARG(audit_kind_name(kind)));
            buf_char(&b, '\0');
            out_i64(out, name, counts->compared[k]);
        }
    for (int w = 0; w < AUDIT_WHAT_COUNT; w++)
        if (config->kinds[audit_what_kind((enum audit_what)w)])
            out_i64(out, audit_what_name((enum audit_what)w).p, counts->found[w]);
    out_end(out);
}

static const struct progress_label auditing[AUDIT_KIND_COUNT] = {
    [AUDIT_SYMBOLS] = {"Comparing symbols", "trade", "trades"},
    [AUDIT_SEATS] = {"Comparing signals", "trade", "trades"},
    [AUDIT_MEMBERS] = {"Comparing filers", "filing", "filings"},
    [AUDIT_READING] = {"Reading again", "filing", "filings"},
    [AUDIT_LOG] = {"Comparing the log", "entry", "entries"},
    [AUDIT_TEXT] = {"Comparing texts", "trade", "trades"},
};

enum err cmd_audit(struct cmd *cmd, struct fail *fail)
{
    struct audit_counts counts;
    DB_SCOPED(db);
    struct audit_config config = {
        .self = "/proc/self/exe",
        .now_ms = clock_wall_ms(),
        .found = show_disagreement,
        .ctx = cmd->out,
    };
    enum err err = read_kinds(cmd, &config, fail);
    if (!err)
        err = store_access_open(cmd, STORE_READ, &db, fail);
    config.db = db;
    if (!err) {
        struct progress *progress = progress_start(cmd->out, auditing);
        const struct progress_hook hook = progress_hook_of(progress);
        config.progress = &hook;
        err = audit_run(&config, &counts, fail);
        progress_stop(progress);
    }
    if (!err) {
        show_counts(cmd->out, &config, &counts);
        if (!options_given(cmd->options, "kind"))
            store_access_done(cmd, db, UPGRADE_AUDIT);
        if (counts.total) {
            cmd->error_code = "disagreements";
            err = fail_set(
                fail, ERR_REFUSED, "%lld disagreements, listed above", (long long)counts.total);
        }
    }
    return err;
}

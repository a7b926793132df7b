/* `stockact alerts list|add|change|pause|resume|end|confirm`: manages alerts (docs/alerts.md). */
#include "account/alert_input.h"
#include "account/alerts.h"
#include "cmd/account/accounts_work.h"
#include "cmd/term/mood.h"
#include "edge/errors.h"
#include "market/alert_words.h"
#include "market/industry.h"

/* The state of a command. */
struct alerts_work {
    struct account_work base; /* first member: accounts_write passes a pointer to it */
    struct str id;
    struct alert alert; /* after the action */
};

static struct alerts_work *work_of(void *ctx)
{
    return ctx;
}

static void put_alert(struct out *out, enum out_style style, const struct alert *alert)
{
    struct buf words;
    buf_init(&words, ALERT_WORDS_MAX);
    alert_put_rule(&words, &alert->rule, alert->member_name);
    out_begin(out, style);
    out_str(out, "id", alert->id);
    out_str(out, "email", alert->account_email);
    out_str(out, "about", buf_view(&words));
    out_str(out, "pace", alert_pace_name(alert->pace));
    struct str state = alert_state_name(alert->state);
    out_state(out, "state", state, mood_of(state));
    out_str(out, "politician", alert->member_slug);
    out_str(out, "ticker", alert->rule.ticker);
    out_str(out, "chamber", chamber_name(alert->rule.chamber));
    out_str(out, "committee", alert->rule.committee);
    out_str(
        out, "industry",
        alert->rule.industry ? industry_get(alert->rule.industry)->code : STR_NULL);
    out_bool(out, "flagged", alert->rule.flagged);
    out_str(out, "minimum", bracket_key(alert->rule.minimum));
    out_instant(out, "createdAt", alert->created_at);
    out_instant(out, "lastEmailAt", alert->sent_at);
    out_i64(out, "emails", alert->emails);
    out_end(out);
    buf_finish(&words);
}

/* --- list */

static enum err list(struct store_read *read, struct fail *fail)
{
    struct account account = {.no = 0};
    struct alert_list alerts;
    struct str email = options_value(read->cmd->options, "email");
    enum err err = OK;
    if (!str_is_null(email))
        err = account_find(read->db, email, &read->arena, &account, fail);
    if (!err)
        err = alert_list(read->db, account.no, &read->arena, &alerts, fail);
    for (size_t i = 0; !err && i < alerts.count; i++)
        put_alert(read->out, OUT_TABLE, &alerts.items[i]);
    return err;
}

enum err cmd_alerts_list(struct cmd *cmd, struct fail *fail)
{
    return store_access_read(cmd, list, fail);
}

/* --- add and change */

static struct str option_text(const void *options, const char *field)
{
    return options_value(options, field);
}

static enum err read_options(
    struct account_work *base, struct db *db, struct alert_rule *rule, enum alert_pace *pace,
    struct fail *fail)
{
    const struct options *options = base->cmd->options;
    const char *field;
    if (options_given(options, "flagged"))
        rule->flagged = true;
    return alert_input_read(db, option_text, options, &base->arena, rule, pace, &field, fail);
}

static enum err add(struct db *db, void *ctx, struct fail *fail)
{
    struct alerts_work *work = work_of(ctx);
    struct account_work *base = &work->base;
    struct alerts_new new = {.pace = ALERT_DAILY};
    enum err err = account_find(db, base->email, &base->arena, &base->account, fail);
    if (!err)
        err = read_options(base, db, &new.rule, &new.pace, fail);
    if (err)
        return err;
    new.account_no = base->account.no;
    return alerts_add(
        db, &base->config, &base->actor, &new, base->now_ms, &base->arena, &work->alert, fail);
}

/* What is not given stays as it is. */
static enum err change(struct db *db, void *ctx, struct fail *fail)
{
    struct alerts_work *work = work_of(ctx);
    struct account_work *base = &work->base;
    struct alert *alert = &work->alert;
    enum err err = alerts_find(db, &base->actor, work->id, &base->arena, alert, fail);
    if (!err && options_given(base->cmd->options, "unflagged"))
        alert->rule.flagged = false;
    if (!err)
        err = read_options(base, db, &alert->rule, &alert->pace, fail);
    if (!err)
        err = alerts_change(
            db, &base->actor, work->id, alert->pace, &alert->rule, base->now_ms, fail);
    return err ? err : alert_find(db, work->id, &base->arena, &work->alert, fail);
}

/* --- pause, resume, end, confirm */

static enum err pause_alert(struct db *db, void *ctx, struct fail *fail)
{
    struct alerts_work *work = work_of(ctx);
    struct account_work *base = &work->base;
    enum err err = alerts_pause(db, &base->actor, work->id, base->now_ms, fail);
    return err ? err : alert_find(db, work->id, &base->arena, &work->alert, fail);
}

static enum err resume_alert(struct db *db, void *ctx, struct fail *fail)
{
    struct alerts_work *work = work_of(ctx);
    struct account_work *base = &work->base;
    enum err err = alerts_find(db, &base->actor, work->id, &base->arena, &work->alert, fail);
    if (!err) { /* an exceeded cap is reported with its owner's plan */
        base->email = work->alert.account_email;
        err = alerts_resume(db, &base->config, &base->actor, work->id, base->now_ms, fail);
    }
    return err ? err : alert_find(db, work->id, &base->arena, &work->alert, fail);
}

static enum err end_alert(struct db *db, void *ctx, struct fail *fail)
{
    struct alerts_work *work = work_of(ctx);
    struct account_work *base = &work->base;
    enum err err = alerts_end(db, &base->actor, work->id, base->now_ms, fail);
    return err ? err : alert_find(db, work->id, &base->arena, &work->alert, fail);
}

/* Completes the error object for an exceeded cap. */
static void report_limit(struct alerts_work *work)
{
    struct account_work *base = &work->base;
    struct db *db = NULL;
    struct fail fail;
    if (store_access_open(base->cmd, STORE_READ, &db, &fail) == OK &&
        account_find(db, base->email, &base->arena, &base->account, &fail) == OK) {
        base->cmd->error_code = error_info(ERROR_ALERT_LIMIT_REACHED)->code.p;
        base->cmd->error_limit = plan_info(base->account.plan)->alerts;
    }
    db_close(db);
}

static enum err write_alert(
    struct cmd *cmd, store_access_write_fn *write, bool links, struct fail *fail)
{
    struct alerts_work work = {.base = {.cmd = cmd}};
    enum err err = accounts_begin(&work.base, cmd, links, fail);
    if (options_knows(cmd->options, "id"))
        work.id = options_value(cmd->options, "id");
    if (!err)
        err = accounts_write(&work.base, STORE_WRITE, write, fail);
    if (!err)
        put_alert(cmd->out, OUT_BLOCK, &work.alert);
    else if (err == ERR_LIMIT)
        report_limit(&work);
    accounts_end(&work.base);
    return err;
}

enum err cmd_alerts_add(struct cmd *cmd, struct fail *fail)
{
    return write_alert(cmd, add, true, fail);
}

enum err cmd_alerts_change(struct cmd *cmd, struct fail *fail)
{
    return write_alert(cmd, change, false, fail);
}

enum err cmd_alerts_pause(struct cmd *cmd, struct fail *fail)
{
    return write_alert(cmd, pause_alert, false, fail);
}

enum err cmd_alerts_resume(struct cmd *cmd, struct fail *fail)
{
    return write_alert(cmd, resume_alert, true, fail);
}

enum err cmd_alerts_end(struct cmd *cmd, struct fail *fail)
{
    return write_alert(cmd, end_alert, false, fail);
}

static enum err confirm(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *base = ctx;
    enum err err = account_find(db, base->email, &base->arena, &base->account, fail);
    return err ? err
               : alerts_confirm_ask(
                     db, &base->config, &base->actor, base->account.no, base->now_ms, fail);
}

enum err cmd_alerts_confirm(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, true, fail);
    if (!err && !work.config.mail)
        err = fail_set(fail, ERR_REFUSED, "STOCKACT_SMTP_URL is not set: no e-mail is sent");
    if (!err)
        err = accounts_write(&work, STORE_WRITE, confirm, fail);
    if (!err)
        accounts_show(cmd->out, OUT_BLOCK, &work.account);
    accounts_end(&work);
    return err;
}

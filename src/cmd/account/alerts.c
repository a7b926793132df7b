/* `stockact alerts list|add|change|pause|resume|end|confirm`: manages alerts (docs/alerts.md). */
#include "account/alert_input.h"
#include "account/alerts.h"
#include "cmd/account/accounts_work.h"
#include "cmd/term/mood.h"
#include "edge/errors.h"
#include "market/alert_words.h"
#include "market/conflict.h"
#include "market/industry.h"

static void put_alert(struct out *out, enum out_style style, const struct alert *alert)
{
    BUF_SCOPED(words, ALERT_WORDS_MAX);
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
    out_str(out, "seat", alert->rule.committee);
    out_str(
        out, "sector", alert->rule.industry ? industry_get(alert->rule.industry)->code : STR_NULL);
    out_bool(out, "flagged", alert->rule.flagged);
    out_str(out, "grade", conflict_grade_name((enum conflict_grade)alert->rule.grade));
    out_str(out, "minimum", bracket_key(alert->rule.minimum));
    out_instant(out, "createdAt", alert->created_at);
    out_instant(out, "lastEmailAt", alert->sent_at);
    out_i64(out, "emails", alert->emails);
    out_end(out);
}

/* --- list */

enum err cmd_alerts_list(struct store_read *read, struct fail *fail)
{
    struct account account = {.no = 0};
    struct alert_list alerts;
    struct str email = options_value(read->cmd->options, "email");
    if (!str_is_null(email))
        TRY(account_find(store_reads(read, fail), email, &account));
    TRY(alert_list(store_reads(read, fail), account.no, &alerts));
    for (size_t i = 0; i < alerts.count; i++)
        put_alert(read->out, OUT_TABLE, &alerts.items[i]);
    return OK;
}

/* --- add and change */

static struct str option_text(const void *options, const char *field)
{
    return options_value(options, field);
}

/* What the action is about, from the options: what is not given stays as it is. Politicians are
 * looked up in the database. */
static enum err read_options(
    const struct act *act, const struct options *options, struct owner_alert *is)
{
    const char *field;
    if (options_given(options, "flagged"))
        is->rule.flagged = true;
    return alert_input_read(act, option_text, options, &is->rule, &is->pace, &field);
}

struct alerts_work {
    struct account_work base;
    struct owner_alert is;
};

static enum err add(const struct act *act, void *ctx)
{
    struct alerts_work *work = ctx;
    work->is.pace = ALERT_DAILY;
    TRY(subject_find(act, &work->base.is));
    TRY(read_options(act, work->base.cmd->options, &work->is));
    work->is.account_no = work->base.is.account.no;
    return alerts_add(act, &work->is);
}

static enum err change(const struct act *act, void *ctx)
{
    struct alerts_work *work = ctx;
    const struct options *options = work->base.cmd->options;
    struct alert *alert = &work->is.alert;
    TRY(alerts_find(act, work->is.id, alert));
    work->is.rule = alert->rule;
    work->is.pace = alert->pace;
    if (options_given(options, "unflagged"))
        work->is.rule.flagged = false;
    TRY(read_options(act, options, &work->is));
    return alerts_change(act, &work->is);
}

/* Completes the error object for an exceeded cap. */
static void report_limit(struct alerts_work *work)
{
    struct cmd *cmd = work->base.cmd;
    struct account account;
    struct str email = work->is.id.n ? work->is.alert.account_email : work->base.is.email;
    if (account_find(&work->base.act, email, &account))
        return;
    cmd->error_code = error_info(ERROR_ALERT_LIMIT_REACHED)->code.p;
    cmd->error_limit = plan_info(account.plan)->alerts;
}

/* `prepares`: reads the options in the transaction, over a struct alerts_work. */
static enum err write_alert(struct cmd *cmd, act_run *prepares, bool links, struct fail *fail)
{
    struct alerts_work work = {.is = {.id = options_find(cmd->options, "id")}};
    enum err err = accounts_begin(&work.base, cmd, links, fail);
    if (!err)
        err = prepares ? accounts_run(&work.base, prepares, &work)
                       : accounts_run(&work.base, cmd->act, &work.is);
    if (!err)
        put_alert(cmd->out, OUT_BLOCK, &work.is.alert);
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

/* Pause, resume and end: resuming may send the letter that asks for a confirmation. */
enum err cmd_alerts_act(struct cmd *cmd, struct fail *fail)
{
    return write_alert(cmd, NULL, cmd->act == alerts_resume, fail);
}

enum err cmd_alerts_confirm(struct cmd *cmd, struct fail *fail)
{
    SCOPED(accounts_end) struct account_work work;
    TRY(accounts_begin(&work, cmd, true, fail));
    if (!work.config.mail)
        return fail_set(fail, ERR_REFUSED, "STOCKACT_SMTP_URL is not set: no e-mail is sent");
    TRY(accounts_write(&work));
    accounts_show(cmd->out, OUT_BLOCK, &work.is.account);
    return OK;
}

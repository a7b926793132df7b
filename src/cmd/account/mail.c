/* `stockact mail list|retry|drop`: e-mails that wait or were given up (store/account/mail_queue.h).
 */
#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/mood.h"
#include "status/mail_actions.h"

enum { LIMIT_DEFAULT = 100 };

/* --- list */

static void show_mail(void *ctx, const struct mail_row *row)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_i64(out, "id", row->no);
    struct str state = mail_state_name(row->state);
    out_state(out, "state", state, mood_of(state));
    out_str(out, "to", row->to);
    out_str(out, "subject", row->subject);
    out_instant(out, "createdAt", row->created_at);
    out_instant(out, "dueAt", row->due_at);
    out_instant(out, "endedAt", row->ended_at);
    out_i64(out, "tries", row->tries);
    out_str(out, "error", row->error);
    out_end(out);
}

static enum err show_mails(struct store_read *read, struct fail *fail)
{
    const struct options *options = read->cmd->options;
    enum mail_state state = MAIL_WAITING;
    struct str name = options_value(options, "state");
    bool one_state = !str_is_null(name);
    if (one_state && !mail_state_from_name(name, &state))
        return fail_set(
            fail, ERR_INVALID,
            "invalid value \"%.*s\" for --state: expected waiting, retrying, given_up or sent",
            STR_ARG(name));
    return mail_queue_each(
        read->db, one_state ? &state : NULL, options_i64(options, "before", INT64_MAX),
        options_i64(options, "limit", LIMIT_DEFAULT), show_mail, read->out, fail);
}

enum err cmd_mail_list(struct cmd *cmd, struct fail *fail)
{
    return store_access_read(cmd, show_mails, fail);
}

/* --- retry and drop */

struct mail_work {
    struct str operand;
    int64_t no;
    bool given_up; /* all that were given up */
    int64_t now_ms;
    int64_t count; /* e-mails changed */
};

static enum err read_number(struct mail_work *work, struct fail *fail)
{
    if (str_to_i64(work->operand, &work->no) && work->no > 0)
        return OK;
    return fail_set(
        fail, ERR_INVALID, "\"%.*s\" is not the number of an e-mail: see `stockact mail list`",
        STR_ARG(work->operand));
}

static enum err retry(struct db *db, void *ctx, struct fail *fail)
{
    struct mail_work *work = ctx;
    if (work->given_up)
        return mail_action_retry_given_up(db, &ACTOR_OPERATOR, work->now_ms, &work->count, fail);
    work->count = 1;
    return mail_action_retry(db, &ACTOR_OPERATOR, work->no, work->now_ms, fail);
}

static enum err drop(struct db *db, void *ctx, struct fail *fail)
{
    struct mail_work *work = ctx;
    work->count = 1;
    return mail_action_drop(db, &ACTOR_OPERATOR, work->no, work->now_ms, fail);
}

static enum err write_mail(
    struct cmd *cmd, struct mail_work *work, store_access_write_fn *fn, const char *done,
    struct fail *fail)
{
    struct db *db = NULL;
    enum err err = work->given_up ? OK : read_number(work, fail);
    if (!err)
        err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_write(db, fn, work, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, done, work->count);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}

enum err cmd_mail_retry(struct cmd *cmd, struct fail *fail)
{
    const struct options *options = cmd->options;
    struct mail_work work = {
        .given_up = options_given(options, "given-up"), .now_ms = clock_wall_ms()};
    if ((options->operand_count == 1) == work.given_up || options->operand_count > 1)
        return fail_set(
            fail, ERR_INVALID, "name one e-mail by its number, or all of them with --given-up");
    if (!work.given_up)
        work.operand = options->operands[0];
    return write_mail(cmd, &work, retry, "retried", fail);
}

enum err cmd_mail_drop(struct cmd *cmd, struct fail *fail)
{
    struct mail_work work = {.operand = cmd->options->operands[0], .now_ms = clock_wall_ms()};
    return write_mail(cmd, &work, drop, "dropped", fail);
}

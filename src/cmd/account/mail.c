/* `stockact mail list|retry|drop`: e-mails that wait or were given up (store/account/mail_queue.h).
 */
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

enum err cmd_mail_list(struct store_read *read, struct fail *fail)
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

/* --- retry and drop */

/* `done`: the member that says how many. */
static enum err write_mail(
    struct cmd *cmd, act_run *run, struct str number, const char *done, struct fail *fail)
{
    struct act act = store_access_operator(NULL, fail);
    int64_t no = 0;
    if (!str_is_null(number) && !(str_to_i64(number, &no) && no > 0))
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not the number of an e-mail: see `stockact mail list`",
            STR_ARG(number));
    enum err err = store_access_act(cmd, &act, run, &no);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, done, str_is_null(number) ? no : 1);
        out_end(cmd->out);
    }
    db_close(act.db);
    return err;
}

enum err cmd_mail_retry(struct cmd *cmd, struct fail *fail)
{
    const struct options *options = cmd->options;
    bool given_up = options_given(options, "given-up");
    if ((options->operand_count == 1) == given_up || options->operand_count > 1)
        return fail_set(
            fail, ERR_INVALID, "name one e-mail by its number, or all of them with --given-up");
    return given_up ? write_mail(cmd, mail_action_retry_given_up, STR_NULL, "retried", fail)
                    : write_mail(cmd, mail_action_retry, options->operands[0], "retried", fail);
}

enum err cmd_mail_drop(struct cmd *cmd, struct fail *fail)
{
    return write_mail(cmd, mail_action_drop, cmd->options->operands[0], "dropped", fail);
}

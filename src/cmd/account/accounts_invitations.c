/* `stockact accounts invitations|withdraw-invitation`: invitations that were not accepted yet. */
#include "cmd/operate/store_access.h"
#include "store/account/invitation.h"

enum { LIST_MAX = 100000 };

enum err cmd_accounts_invitations(struct store_read *read, struct fail *fail)
{
    struct invitation_list list = {.count = 0};
    enum err err = invitation_list(store_reads(read, fail), LIST_MAX, &list);
    for (size_t i = 0; i < list.count && !err; i++) {
        const struct invitation *invitation = &list.items[i];
        out_begin(read->out, OUT_TABLE);
        out_i64(read->out, "id", invitation->no);
        out_str(read->out, "email", invitation->email);
        out_str(read->out, "plan", plan_info(invitation->plan)->key);
        out_str(read->out, "role", role_name(invitation->role));
        out_str(read->out, "by", invitation->by_id);
        out_bool(read->out, "works", invitation->works);
        out_instant(read->out, "createdAt", invitation->created_at);
        out_instant(read->out, "expiresAt", invitation->expires_at);
        out_end(read->out);
    }
    return err;
}

enum err cmd_accounts_withdraw_invitation(struct cmd *cmd, struct fail *fail)
{
    struct str operand = cmd->options->operands[0];
    struct act act = store_access_operator(NULL, fail);
    int64_t no;
    if (!str_to_i64(operand, &no))
        return fail_set(
            fail, ERR_INVALID,
            "\"%.*s\" is not the number of an invitation: see `stockact accounts invitations`",
            STR_ARG(operand));
    enum err err = store_access_act(cmd, &act, cmd->act, &no);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, "withdrawn", no);
        out_end(cmd->out);
    }
    db_close(act.db);
    return err;
}

/* `stockact accounts create|set-plan|set-role|disable|enable|password|list` (spec 5, decision 39).
 */
#include "cmd/account/accounts_work.h"
#include "store/account/key.h"

static void print_endpoints(struct out *out, const char *what, const struct endpoint_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        out_line(
            out, "Webhook endpoint %.*s (%.*s) is %s.", STR_ARG(list->items[i].id),
            STR_ARG(list->items[i].url), what);
}

/* A plan with fewer keys revokes none: it ends minting. */
static void print_keys_above(struct out *out, const struct plan_info *plan, int64_t count)
{
    if (count > plan->active_keys)
        out_line(
            out,
            "The account has %lld active key%s, and its plan allows %lld. Keys stay active, and "
            "none can be minted until enough are revoked (`stockact keys revoke`).",
            (long long)count, count == 1 ? "" : "s", (long long)plan->active_keys);
}

/* The action of the command on one account, which is printed. */
enum err cmd_accounts_act(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    struct subject *is = &work.is;
    struct key_list keys = {0};
    enum err err = accounts_begin(&work, cmd, false, fail);
    is->to = options_find(cmd->options, "to");
    if (!err)
        err = accounts_write(&work);
    if (!err && cmd->act == manage_set_plan)
        err = key_list_active(&work.act, is->account.no, &keys);
    if (!err) {
        accounts_show(cmd->out, OUT_BLOCK, &is->account);
        print_endpoints(cmd->out, "paused", &is->effect.paused);
        print_endpoints(cmd->out, "resumed", &is->effect.resumed);
        print_keys_above(cmd->out, plan_info(is->account.plan), (int64_t)keys.count);
    }
    accounts_end(&work);
    return err;
}

enum err cmd_accounts_list(struct store_read *read, struct fail *fail)
{
    struct account_list list;
    TRY(account_list(store_reads(read, fail), &list));
    for (size_t i = 0; i < list.count; i++)
        accounts_show(read->out, OUT_TABLE, &list.items[i]);
    return OK;
}

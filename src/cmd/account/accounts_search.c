/* `stockact accounts search` (store/account/account_search.h). */
#include "store/account/account_search.h"

#include "cmd/operate/store_access.h"

enum { LIMIT_DEFAULT = 100 };

static void show_account(struct out *out, const struct account_found *found)
{
    out_begin(out, OUT_TABLE);
    out_str(out, "id", found->id);
    out_str(out, "email", found->email.n ? found->email : STR_NULL);
    out_str(out, "plan", plan_info(found->plan)->key);
    out_str(out, "role", role_name(found->role));
    out_i64(out, "keys", found->keys);
    out_i64(out, "endpoints", found->endpoints);
    out_instant(out, "signedInAt", found->signed_in_at);
    out_bool(out, "hasPassword", found->has_password);
    out_bool(out, "hasSecondFactor", found->has_second_factor);
    out_instant(out, "createdAt", found->created_at);
    out_instant(out, "disabledAt", found->disabled_at);
    out_instant(out, "deletedAt", found->deleted_at);
    out_i64(out, "no", found->no);
    out_end(out);
}

enum err cmd_accounts_search(struct store_read *read, struct fail *fail)
{
    const struct options *options = read->cmd->options;
    struct account_found_list list;
    struct account_search search = {
        .text = options->operand_count ? options->operands[0] : STR_NULL,
        .plan = options_value(options, "plan"),
        .role = options_value(options, "role"),
        .before = options_i64(options, "before", 0),
    };
    struct str state = options_value(options, "state");
    if (!str_is_null(state) && !account_search_state_from_name(state, &search.state))
        return fail_set(
            fail, ERR_INVALID,
            "invalid value \"%.*s\" for --state: expected any, enabled, disabled or deleted",
            STR_ARG(state));
    if (options->operand_count > 1)
        return fail_set(fail, ERR_INVALID, "name one text: a part of the address or of the id");
    TRY(account_search(
        store_reads(read, fail), &search, (size_t)options_i64(options, "limit", LIMIT_DEFAULT),
        &list));
    for (size_t i = 0; i < list.count; i++)
        show_account(read->out, &list.items[i]);
    return OK;
}

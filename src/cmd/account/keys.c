/* `stockact keys ...`: mints, lists, renames and revokes API keys (spec 5, decision 22). The
 * plaintext is printed once and then wiped from memory. */
#include "account/owner_key.h"
#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "edge/errors.h"
#include "store/account/account.h"
#include "store/account/key.h"

/* Completes the error object for an exceeded cap (spec 7). */
static void report_limit(struct cmd *cmd, const struct act *act, struct str email)
{
    struct account account;
    if (account_find(act, email, &account))
        return;
    cmd->error_code = error_info(ERROR_API_KEY_LIMIT_REACHED)->code.p;
    cmd->error_limit = plan_info(account.plan)->active_keys;
}

static void show_minted(struct out *out, const struct owner_key *minted)
{
    out_begin(out, OUT_BLOCK);
    out_str(out, "id", minted->key.id);
    out_str(out, "name", minted->key.name);
    out_str(out, "prefix", minted->key.prefix);
    out_secret(
        out, "key", str_of(minted->plaintext, API_KEY_SIZE),
        "the key %.*s was created but could not be printed: run `stockact keys revoke --id "
        "%.*s`, and mint another",
        STR_ARG(minted->key.id), STR_ARG(minted->key.id));
    out_end(out);
    out_line(out, "Keep the key now: it is not stored and cannot be shown again.");
}

static void show(struct out *out, enum out_style style, const struct key *key, int64_t now_ms)
{
    out_begin(out, style);
    out_str(out, "id", key->id);
    out_str(out, "name", key->name);
    out_str(out, "prefix", key->prefix);
    out_instant(out, "createdAt", key->created_at);
    out_instant(out, "lastUsedAt", key->last_used_at);
    out_str(out, "lastUsedFor", key->last_used_for);
    out_bool(out, "idle", key_is_idle(key, now_ms));
    out_instant(out, "revokedAt", key->revoked_at);
    out_end(out);
}

static enum err show_listed(void *ctx, const struct key *key, struct fail *fail)
{
    struct cmd *cmd = ctx;
    show(cmd->out, OUT_TABLE, key, clock_wall_ms());
    return OK;
}

enum err cmd_keys_list(struct store_read *read, struct fail *fail)
{
    struct account account;
    struct str email = options_value(read->cmd->options, "email");
    TRY(account_find(store_reads(read, fail), email, &account));
    return key_each_of_account(store_reads(read, fail), account.no, show_listed, read->cmd);
}

/* One action on the key, or the account, that the options name. */
enum err cmd_keys_act(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct owner_key is = {
        .email = options_find(cmd->options, "email"),
        .id = options_find(cmd->options, "id"),
        .name = options_find(cmd->options, "name")};
    struct act act = store_access_operator(&arena, fail);
    enum err err = store_access_act(cmd, &act, cmd->act, &is);
    if (!err && cmd->act == owner_key_mint)
        show_minted(cmd->out, &is);
    else if (!err)
        show(cmd->out, OUT_BLOCK, &is.key, act.now_ms);
    else if (err == ERR_LIMIT)
        report_limit(cmd, &act, is.email);
    mem_wipe(is.plaintext, sizeof is.plaintext);
    db_close(act.db);
    return err;
}

/* `stockact keys ...`: mints, lists and revokes API keys (spec 5, decision 22). The plaintext is
 * printed once and then wiped from memory. */
#include "api/errors.h"
#include "base/clock.h"
#include "cmd/session.h"
#include "store/account.h"
#include "store/key.h"

struct mint_work {
    struct str email;
    struct str name;
    int64_t now_ms;
    char plaintext[API_KEY_SIZE];
    struct arena arena;
    struct key key;
};

static enum err mint(struct db *db, void *ctx, struct fail *fail)
{
    struct mint_work *work = ctx;
    return key_mint(
        db, work->email, work->name, work->now_ms, &work->arena, work->plaintext, &work->key, fail);
}

/* Completes the error object for an exceeded cap (spec 7). */
static void report_limit(struct cmd *cmd, struct db *db, struct mint_work *work)
{
    struct account account;
    if (account_find(db, work->email, &work->arena, &account, NULL))
        return;
    cmd->error_code = error_info(ERROR_API_KEY_LIMIT_REACHED)->code.p;
    cmd->error_limit = plan_info(account.plan)->active_keys;
}

enum err cmd_keys_mint(struct cmd *cmd, struct fail *fail)
{
    struct mint_work work = {
        .email = options_value(cmd->options, "email"),
        .name = options_value(cmd->options, "name"),
        .now_ms = clock_wall_ms(),
    };
    struct db *db = NULL;
    arena_init(&work.arena);
    enum err err = session_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = session_write(db, mint, &work, fail);
    if (!err) {
        session_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", work.key.id);
        out_str(cmd->out, "name", work.key.name);
        out_str(cmd->out, "prefix", work.key.prefix);
        out_secret(
            cmd->out, "key", str_of(work.plaintext, API_KEY_SIZE),
            "the key %.*s was created but could not be printed: run `stockact keys revoke --id "
            "%.*s`, and mint another",
            STR_ARG(work.key.id), STR_ARG(work.key.id));
        out_end(cmd->out);
        out_line(cmd->out, "Keep the key now: it is not stored and cannot be shown again.");
    } else if (err == ERR_LIMIT) {
        report_limit(cmd, db, &work);
    }
    mem_wipe(work.plaintext, sizeof work.plaintext);
    db_close(db);
    arena_finish(&work.arena);
    return err;
}

static void show(struct out *out, enum out_style style, const struct key *key)
{
    out_begin(out, style);
    out_str(out, "id", key->id);
    out_str(out, "name", key->name);
    out_str(out, "prefix", key->prefix);
    out_instant(out, "createdAt", key->created_at);
    out_instant(out, "lastUsedAt", key->last_used_at);
    out_instant(out, "revokedAt", key->revoked_at);
    out_end(out);
}

enum err cmd_keys_list(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct arena arena;
    struct account account;
    struct key_list list;
    arena_init(&arena);
    enum err err = session_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = account_find(db, options_value(cmd->options, "email"), &arena, &account, fail);
    if (!err)
        err = key_list(db, account.no, &arena, &list, fail);
    for (size_t i = 0; !err && i < list.count; i++)
        show(cmd->out, OUT_TABLE, &list.items[i]);
    db_close(db);
    arena_finish(&arena);
    return err;
}

struct revoke_work {
    struct str id;
    int64_t now_ms;
    struct arena arena;
    struct key key;
};

static enum err revoke(struct db *db, void *ctx, struct fail *fail)
{
    struct revoke_work *work = ctx;
    enum err err = key_revoke(db, work->id, work->now_ms, fail);
    return err ? err : key_find(db, work->id, &work->arena, &work->key, fail);
}

enum err cmd_keys_revoke(struct cmd *cmd, struct fail *fail)
{
    struct revoke_work work = {.id = options_value(cmd->options, "id"), .now_ms = clock_wall_ms()};
    struct db *db = NULL;
    arena_init(&work.arena);
    enum err err = session_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = session_write(db, revoke, &work, fail);
    if (!err) {
        session_wait_servers(db);
        show(cmd->out, OUT_BLOCK, &work.key);
    }
    db_close(db);
    arena_finish(&work.arena);
    return err;
}

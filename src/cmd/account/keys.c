/* `stockact keys ...`: mints, lists, renames and revokes API keys (spec 5, decision 22). The
 * plaintext is printed once and then wiped from memory. */
#include "account/owner_key.h"
#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "edge/errors.h"
#include "store/account/account.h"
#include "store/account/key.h"

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
    struct account account;
    enum err err = account_find(db, work->email, &work->arena, &account, fail);
    return err ? err
               : owner_key_mint(
                     db, &ACTOR_OPERATOR, account.no, work->name, work->now_ms, &work->arena,
                     work->plaintext, &work->key, fail);
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
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_write(db, mint, &work, fail);
    if (!err) {
        store_access_wait_servers(db);
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

enum err cmd_keys_list(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct arena arena;
    struct account account;
    arena_init(&arena);
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = account_find(db, options_value(cmd->options, "email"), &arena, &account, fail);
    if (!err)
        err = key_each_of_account(db, account.no, show_listed, cmd, fail);
    db_close(db);
    arena_finish(&arena);
    return err;
}

struct change_work {
    struct str id;
    struct str name;
    int64_t now_ms;
    struct arena arena;
    struct key key;
};

static enum err rename_key(struct db *db, void *ctx, struct fail *fail)
{
    struct change_work *work = ctx;
    return owner_key_rename(
        db, &ACTOR_OPERATOR, work->id, work->name, work->now_ms, &work->arena, &work->key, fail);
}

static enum err revoke(struct db *db, void *ctx, struct fail *fail)
{
    struct change_work *work = ctx;
    return owner_key_revoke(
        db, &ACTOR_OPERATOR, work->id, work->now_ms, &work->arena, &work->key, fail);
}

/* Changes the key of --id and prints it. */
static enum err change(struct cmd *cmd, store_access_write_fn *write, struct fail *fail)
{
    struct change_work work = {
        .id = options_value(cmd->options, "id"),
        .name = options_knows(cmd->options, "name") ? options_value(cmd->options, "name")
                                                    : STR_NULL, /* only of rename */
        .now_ms = clock_wall_ms(),
    };
    struct db *db = NULL;
    arena_init(&work.arena);
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_write(db, write, &work, fail);
    if (!err) {
        store_access_wait_servers(db);
        show(cmd->out, OUT_BLOCK, &work.key, work.now_ms);
    }
    db_close(db);
    arena_finish(&work.arena);
    return err;
}

enum err cmd_keys_rename(struct cmd *cmd, struct fail *fail)
{
    return change(cmd, rename_key, fail);
}

enum err cmd_keys_revoke(struct cmd *cmd, struct fail *fail)
{
    return change(cmd, revoke, fail);
}

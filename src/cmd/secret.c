/*
 * `stockact secret rotate`: a new master key, and everything sealed with it. Three steps, each of
 * which survives a kill: the new key is written beside the old one; one transaction seals
 * everything again and marks the database with the new key; the new file is renamed. After a kill
 * before the transaction the old key is in force. After it, the next program that reads the key
 * renames the file (serve/master_key.h).
 */
#include <stdio.h>

#include "base/clock.h"
#include "cmd/store_access.h"
#include "serve/master_key.h"
#include "store/node.h"
#include "store/sealed.h"
#include "webhook/owner.h"

struct rotation {
    struct cmd *cmd;
    struct db *db;
    struct arena arena;
    struct str file;
    bool lost;
    uint8_t old[SECRET_KEY_SIZE], next[SECRET_KEY_SIZE];
    struct key_mark old_mark, mark;
    struct sealed_counts counts;
    int64_t disabled; /* endpoints */
};

static struct str key_of(const uint8_t key[static SECRET_KEY_SIZE])
{
    return str_of((const char *)key, SECRET_KEY_SIZE);
}

/* The servers of PostgreSQL. One that starts meanwhile waits for the mark, and then refuses. */
static enum err check_no_server(struct rotation *r, struct fail *fail)
{
    int64_t count, seq;
    struct str label;
    if (db_kind(r->db) == DB_SQLITE)
        return OK;
    enum err err = node_slowest(r->db, &r->arena, &count, &seq, &label, fail);
    if (!err && count > 0)
        err = fail_set(
            fail, ERR_BUSY,
            "%lld servers use this database (\"%.*s\"): stop them all, wait five seconds, and try "
            "again",
            (long long)count, STR_ARG(label));
    return err;
}

/* Nothing can be signed until the owner has a new secret: hold the events. */
static enum err hold_events(struct rotation *r, struct fail *fail)
{
    struct endpoint_list list;
    const int64_t now_ms = clock_wall_ms();
    const struct actor actor = ACTOR_OPERATOR;
    enum err err = endpoint_list(r->db, STR_NULL, &r->arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++) {
        if (list.items[i].is.state != ENDPOINT_ENABLED)
            continue;
        err = owner_disable(r->db, &actor, list.items[i].id, now_ms, fail);
        r->disabled++;
    }
    return err;
}

/* Inside the transaction. The mark is locked before the servers are counted. */
static enum err seal_again(struct db *db, void *ctx, struct fail *fail)
{
    struct rotation *r = ctx;
    enum err err = r->lost ? OK : key_mark_hold(db, &r->old_mark, fail);
    if (!err)
        err = key_mark_set(db, &r->mark, fail);
    if (!err)
        err = check_no_server(r, fail);
    if (!err && r->lost)
        err = hold_events(r, fail);
    if (err)
        return err;
    return r->lost ? sealed_erase(db, &r->counts, fail)
                   : sealed_renew(db, key_of(r->old), key_of(r->next), &r->counts, fail);
}

/* The key that is to be replaced. With --lost there must be none that fits. */
static enum err take_old(struct rotation *r, struct fail *fail)
{
    enum master_key_fit fit;
    struct key_mark needed;
    if (!r->lost) {
        enum err err = master_key_open(r->file, r->db, MASTER_KEY_READ, false, r->old, fail);
        r->old_mark = key_mark_of(r->old);
        return err;
    }
    enum err err = master_key_compare(r->file, r->db, &fit, &needed, fail);
    if (!err && fit == MASTER_KEY_FITS)
        err = fail_set(
            fail, ERR_REFUSED,
            "the master key is not lost: \"%.*s\" fits this database. Run `stockact secret rotate` "
            "without --lost",
            STR_ARG(r->file));
    snprintf(r->old_mark.text, sizeof r->old_mark.text, "other");
    return err;
}

static enum err rotate(struct rotation *r, struct fail *fail)
{
    enum err err = take_old(r, fail);
    if (!err)
        err = secret_key_next(r->file.p, true, r->next, fail);
    if (err)
        return err;
    r->mark = key_mark_of(r->next);
    err = store_access_write(r->db, seal_again, r, fail);
    return err ? err : secret_key_replace(r->file.p, r->old_mark.text, fail);
}

static void print(struct rotation *r)
{
    struct out *out = r->cmd->out;
    out_begin(out, OUT_BLOCK);
    out_str(out, "secretKeyFile", r->file);
    out_str(out, "secretKey", str_from(r->mark.text));
    out_str(
        out, "oldKeyFile",
        r->lost ? STR_NULL : arena_fmt(&r->arena, "%.*s.%s", STR_ARG(r->file), r->old_mark.text));
    out_i64(out, r->lost ? "lostEndpointSecrets" : "endpointSecrets", r->counts.endpoints);
    out_i64(out, r->lost ? "lostSecondFactors" : "secondFactors", r->counts.factors);
    out_i64(out, r->lost ? "lostEmails" : "emails", r->counts.mails);
    if (r->lost)
        out_i64(out, "disabledEndpoints", r->disabled);
    else
        out_i64(out, "unreadable", r->counts.unreadable);
    out_str(
        out, "next",
        r->lost ? STR("start the server. For each endpoint of `stockact webhooks list`: `stockact "
                      "webhooks rotate --id ID`, give its owner the secret, then `webhooks "
                      "enable`. Owners with a second factor sign in with a recovery code")
        : db_kind(r->db) == DB_SQLITE
            ? STR("start the server. Keep the old key as long as backups need it; if it leaked, "
                  "make a new backup and delete it")
            : STR("copy the key to every server and start them. Keep the old key as long as "
                  "backups need it"));
    out_end(out);
}

enum err cmd_secret_rotate(struct cmd *cmd, struct fail *fail)
{
    struct store_lock *lock = NULL;
    struct rotation r = {.cmd = cmd, .lost = options_given(cmd->options, "lost")};
    arena_init(&r.arena);
    r.file = settings_secret_key_file(cmd->settings, &r.arena);
    enum err err = OK;
    if (str_is_null(r.file))
        err = fail_set(
            fail, ERR_REFUSED,
            "STOCKACT_SECRET_KEY_FILE is not set: it must name the servers' master key");
    if (!err)
        err = store_access_open(cmd, STORE_WRITE, &r.db, fail);
    if (!err && store_lock_server(cmd->settings->database, &lock, fail) != OK)
        err = fail_set(
            fail, ERR_BUSY, "a server runs on this database: stop it, then rotate the key");
    if (!err)
        err = rotate(&r, fail);
    if (!err)
        print(&r);
    mem_wipe(r.old, sizeof r.old);
    mem_wipe(r.next, sizeof r.next);
    store_unlock_server(lock);
    db_close(r.db);
    arena_finish(&r.arena);
    return err;
}

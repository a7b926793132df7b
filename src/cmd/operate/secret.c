/*
 * `stockact secret rotate`: a new master key, and everything sealed with it. Three steps, each of
 * which survives a kill: the new key is written beside the old one; one transaction seals
 * everything again and marks the database with the new key; the new file is renamed. After a kill
 * before the transaction the old key is in force. After it, the next program that reads the key
 * renames the file (serve/master_key.h).
 */
#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "serve/master_key.h"
#include "status/words.h"
#include "store/public/sealed.h"
#include "store/row/node.h"
#include "webhook/owner.h"

struct rotation {
    struct cmd *cmd;
    struct db *db;
    struct arena arena;
    struct str file;
    bool lost;
    uint8_t old[SECRET_KEY_SIZE], next[SECRET_KEY_SIZE];
    struct key_mark old_mark, mark;
    struct sealed_counts counts, erased;
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
    TRY(node_slowest(r->db, &r->arena, &count, &seq, &label, fail));
    if (count > 0)
        return fail_set(
            fail, ERR_BUSY,
            "%lld servers use this database (\"%.*s\"): stop them all, wait five seconds, and try "
            "again",
            (long long)count, STR_ARG(label));
    return OK;
}

/* Nothing can be signed for an endpoint until its owner has a new secret: hold its events. */
static enum err hold_events(struct rotation *r, struct fail *fail)
{
    struct endpoint_list list;
    struct act act = store_access_operator(&r->arena, fail);
    act.db = r->db;
    TRY(endpoint_list(&act, STR_NULL, &list));
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].is.state != ENDPOINT_ENABLED || list.items[i].secret_sealed.n > 0)
            continue;
        struct owner_endpoint is = {.id = list.items[i].id};
        TRY(owner_disable(&act, &is));
        r->disabled++;
    }
    return OK;
}

static enum err rescue(struct rotation *r, struct fail *fail)
{
    struct str old = r->old_mark.text[0] ? key_of(r->old) : STR_NULL;
    TRY(sealed_rescue(r->db, old, key_of(r->next), &r->counts, &r->erased, fail));
    return hold_events(r, fail);
}

/* "2 endpoint secrets, 1 second factor and 0 e-mails" */
static struct str counts_text(struct arena *arena, const struct sealed_counts *n)
{
    return arena_fmt(
        arena, "%.*s, %.*s and %.*s",
        STR_ARG(words_count(arena, n->endpoints, "endpoint secret", "endpoint secrets")),
        STR_ARG(words_count(arena, n->factors, "second factor", "second factors")),
        STR_ARG(words_count(arena, n->mails, "e-mail", "e-mails")));
}

static enum err log_rotation(struct rotation *r, struct fail *fail)
{
    const struct actor actor = ACTOR_OPERATOR;
    struct str erased = STR("");
    if (r->lost)
        erased = arena_fmt(
            &r->arena, "the old key was lost: erased %.*s; ",
            STR_ARG(counts_text(&r->arena, &r->erased)));
    return action_log_add(
        &(struct act){.db = r->db, .actor = &actor, .now_ms = clock_wall_ms(), .fail = fail},
        ACTION_SECRET_ROTATE, STR_NULL, STR("master key"), str_from(r->mark.text),
        arena_fmt(
            &r->arena, "%.*ssealed %.*s again", STR_ARG(erased),
            STR_ARG(counts_text(&r->arena, &r->counts))));
}

/* Inside the transaction. The mark is locked before the servers are counted. */
static enum err seal_again(struct db *db, void *ctx, struct fail *fail)
{
    struct rotation *r = ctx;
    TRY(r->lost ? OK : key_mark_hold(db, &r->old_mark, fail));
    TRY(key_mark_set(db, &r->mark, fail));
    TRY(check_no_server(r, fail));
    TRY(r->lost ? rescue(r, fail)
                : sealed_renew(db, key_of(r->old), key_of(r->next), &r->counts, fail));
    return log_rotation(r, fail);
}

/* With --lost there may be a key that does not fit: it stays under its name. */
static enum err read_other(struct rotation *r, struct fail *fail)
{
    struct fail why = {0};
    enum err err = secret_key_load(r->file.p, false, r->old, &why);
    if (!err)
        r->old_mark = key_mark_of(r->old);
    if (err == ERR_CORRUPT || err == ERR_REFUSED)
        return fail_set(fail, err, "%.420s, or move it away and run this again", why.text);
    return err == ERR_NOT_FOUND || !err ? OK : fail_set(fail, err, "%s", why.text);
}

/* Neither in the file nor beside it. PATH.next fits after a rotation that was killed. */
static enum err check_lost(struct rotation *r, struct fail *fail)
{
    enum master_key_fit fit;
    struct key_mark needed;
    struct str beside;
    enum err err = master_key_compare(r->file, r->db, &fit, &needed, fail);
    if (!err)
        err = master_key_beside(r->file, r->db, &r->arena, &beside, fail);
    if (err || (fit != MASTER_KEY_FITS && str_is_null(beside)))
        return err;
    bool here = fit == MASTER_KEY_FITS &&
                (str_is_null(beside) || !needed.text[0] || key_mark_is(&r->old_mark, &needed));
    return fail_set(
        fail, ERR_REFUSED, "the master key is not lost: \"%.*s\" fits this database. %.*s",
        STR_ARG(here ? r->file : beside),
        STR_ARG(
            fit == MASTER_KEY_FITS
                ? STR("Run `stockact secret rotate` without --lost")
                : arena_fmt(
                      &r->arena, "Copy it to \"%.*s\", then start the server", STR_ARG(r->file))));
}

/* The key that is to be replaced. */
static enum err take_old(struct rotation *r, struct fail *fail)
{
    TRY(r->lost ? read_other(r, fail)
                : master_key_open(r->file, r->db, MASTER_KEY_READ, false, r->old, fail));
    if (r->lost)
        return check_lost(r, fail);
    r->old_mark = key_mark_of(r->old);
    return OK;
}

static bool has_old(const struct rotation *r)
{
    return r->old_mark.text[0] != '\0';
}

static enum err rotate(struct rotation *r, struct fail *fail)
{
    TRY(check_no_server(r, fail)); /* before anything is written */
    TRY(take_old(r, fail));
    TRY(secret_key_next(r->file.p, true, r->next, fail));
    r->mark = key_mark_of(r->next);
    TRY(store_access_write(r->db, seal_again, r, fail));
    return secret_key_replace(r->file.p, has_old(r) ? r->old_mark.text : "old", fail);
}

static void print(struct rotation *r)
{
    struct out *out = r->cmd->out;
    out_begin(out, OUT_BLOCK);
    out_str(out, "secretKeyFile", r->file);
    out_str(out, "secretKey", str_from(r->mark.text));
    out_str(
        out, "oldKeyFile",
        has_old(r) ? arena_fmt(&r->arena, "%.*s.%s", STR_ARG(r->file), r->old_mark.text)
                   : STR_NULL);
    out_i64(out, "endpointSecrets", r->counts.endpoints);
    out_i64(out, "secondFactors", r->counts.factors);
    out_i64(out, "emails", r->counts.mails);
    if (r->lost) {
        out_i64(out, "lostEndpointSecrets", r->erased.endpoints);
        out_i64(out, "lostSecondFactors", r->erased.factors);
        out_i64(out, "lostEmails", r->erased.mails);
        out_i64(out, "disabledEndpoints", r->disabled);
    } else {
        out_i64(out, "unreadable", r->counts.unreadable);
    }
    out_str(
        out, "next",
        r->lost
            ? STR("start the server. For each disabled endpoint of `stockact webhooks list`: "
                  "`stockact webhooks rotate --id ID`, give its owner the secret, then `webhooks "
                  "enable`. Owners with a lost second factor sign in with a recovery code")
        : db_kind(r->db) == DB_SQLITE
            ? STR("start the server. Keep the old key as long as backups need it; if it leaked, "
                  "make a new backup and delete it")
            : STR("copy the key to every server and start them. Keep the old key as long as "
                  "backups need it"));
    out_end(out);
}

static enum err keep_server_out(struct str url, struct store_lock **ret, struct fail *fail)
{
    enum err err = store_lock_server(url, ret, fail);
    return err == ERR_BUSY
               ? fail_set(fail, err, "a server runs on this database: stop it, then rotate the key")
               : err;
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
    if (!err)
        err = keep_server_out(cmd->settings->database, &lock, fail);
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

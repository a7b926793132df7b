/* `stockact webhooks add|list|set-events|enable|disable|remove|rotate|test`: manages endpoints
 * (spec 6, decision 36). A secret is printed once and then wiped from memory. */
#include "api/errors.h"
#include "base/clock.h"
#include "config/secret_key.h"
#include "cmd/session.h"
#include "config/values.h"
#include "cmd/webhooks_log.h"
#include "store/account.h"
#include "store/meta.h"
#include "webhook/owner.h"
#include "webhook/secret_check.h"
#include "webhook/trial.h"

typedef enum err owner_change(struct db *db, struct str id, int64_t now_ms, struct fail *fail);

/* The state of a command on one endpoint. */
struct webhook_work {
    struct cmd *cmd;
    struct str id; /* of the endpoint; null: not created yet */
    int64_t now_ms;
    struct seal_key key;
    struct arena arena;
    struct endpoint endpoint; /* after the change */
    owner_change *change;
    int64_t grace_hours;
    struct owner_added added;
    struct secret secret;
    struct guard guard;
    struct destination_rules rules; /* for URLs */
    struct str warning;             /* about the URL; null: none */
};

static struct webhook_work *work_create(struct cmd *cmd)
{
    struct webhook_work *work = MEM_NEW(struct webhook_work);
    work->cmd = cmd;
    work->now_ms = clock_wall_ms();
    if (options_knows(cmd->options, "id"))
        work->id = options_value(cmd->options, "id");
    arena_init(&work->arena);
    guard_init(
        &work->guard, &cmd->settings->webhook_allow, &cmd->settings->webhook_refused_ports,
        cmd->settings->listen);
    work->rules = (struct destination_rules){
        .guard = &work->guard, .name_servers = cmd->settings->webhook_name_servers};
    return work;
}

static void work_destroy(struct webhook_work *work)
{
    arena_finish(&work->arena);
    seal_key_finish(&work->key);
    secret_finish(&work->added.secret);
    secret_finish(&work->secret);
    mem_free(work);
}

/* Loads the key that seals secrets. Only the server creates the master key, on its first start. */
static enum err load_key(struct webhook_work *work, struct fail *fail)
{
    uint8_t master[SECRET_KEY_SIZE];
    struct str file = settings_secret_key_file(work->cmd->settings, &work->arena);
    if (str_is_null(file))
        return fail_set(
            fail, ERR_REFUSED,
            "STOCKACT_SECRET_KEY_FILE is not set: it must name the servers' master key");
    enum err err = secret_key_load(file.p, false, master, fail);
    if (err == ERR_NOT_FOUND)
        return fail_set(
            fail, ERR_REFUSED,
            "no master key at \"%.*s\": start the server once to create it, or set "
            "STOCKACT_SECRET_KEY_FILE",
            STR_ARG(file));
    if (err)
        return err;
    secret_seal_key(&work->key, str_of((const char *)master, sizeof master));
    mem_wipe(master, sizeof master);
    return OK;
}

static void put_endpoint(struct out *out, const struct endpoint *endpoint)
{
    out_str(out, "id", endpoint->id);
    out_str(out, "email", endpoint->account_email);
    out_str(out, "url", endpoint->url);
    out_str(out, "events", endpoint->events);
    out_str(out, "state", endpoint_state_name(endpoint->is.state));
    out_i64(out, "failures", endpoint->is.failures);
    out_instant(out, "createdAt", endpoint->created_at);
    out_instant(out, "oldSecretUntil", endpoint->old_secret_until);
}

/* Completes the error object for an exceeded cap (spec 7). */
static void report_limit(struct cmd *cmd, struct db *db, struct str email, struct arena *arena)
{
    struct account account;
    if (account_find(db, email, arena, &account, NULL))
        return;
    cmd->error_code = error_info(ERROR_WEBHOOK_ENDPOINT_LIMIT_REACHED)->code.p;
    cmd->error_limit = plan_info(account.plan)->webhook_endpoints;
}

/* --- add */

static enum err add(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_work *work = ctx;
    const struct cmd *cmd = work->cmd;
    enum err err = secret_check_all(db, &work->key, fail);
    if (!err)
        err = owner_add(
            db, &work->key, options_value(cmd->options, "email"),
            options_value(cmd->options, "url"), &work->rules, work->now_ms, &work->arena,
            &work->added, fail);
    if (!err && options_given(cmd->options, "events"))
        err = owner_set_events(
            db, work->added.id, options_value(cmd->options, "events"), work->now_ms, fail);
    return err;
}

/* Checks the URL before the database is opened: looking up its name takes up to 3 s. */
static enum err check_url(struct webhook_work *work, struct fail *fail)
{
    struct target target;
    struct fail why;
    struct str url = options_value(work->cmd->options, "url");
    enum err err = destination_parse(&work->rules, url, &work->arena, &target, fail);
    if (!err && destination_look(&work->rules, &target, &why))
        work->warning = arena_str(&work->arena, str_from(why.text));
    return err;
}

enum err cmd_webhooks_add(struct cmd *cmd, struct fail *fail)
{
    struct webhook_work *work = work_create(cmd);
    struct db *db = NULL;
    enum err err = check_url(work, fail);
    if (!err)
        err = load_key(work, fail);
    if (!err)
        err = session_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = session_write(db, add, work, fail);
    if (!err) {
        session_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", work->added.id);
        out_str(cmd->out, "url", work->added.url);
        out_secret(
            cmd->out, "secret", secret_text(&work->added.secret),
            "the endpoint %.*s was created, but its secret could not be printed: run `stockact "
            "webhooks rotate --id %.*s` for another",
            STR_ARG(work->added.id), STR_ARG(work->added.id));
        if (!str_is_null(work->warning))
            out_str(cmd->out, "warning", work->warning);
        out_end(cmd->out);
        out_line(cmd->out, "Keep the secret now: it cannot be shown again.");
    } else if (err == ERR_LIMIT) {
        report_limit(cmd, db, options_value(cmd->options, "email"), &work->arena);
    }
    db_close(db);
    work_destroy(work);
    return err;
}

/* --- list */

enum err cmd_webhooks_list(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct arena arena;
    struct endpoint_list list;
    arena_init(&arena);
    enum err err = session_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = endpoint_list(db, options_value(cmd->options, "email"), &arena, &list, fail);
    for (size_t i = 0; !err && i < list.count; i++) {
        out_begin(cmd->out, OUT_TABLE);
        put_endpoint(cmd->out, &list.items[i]);
        out_end(cmd->out);
    }
    db_close(db);
    arena_finish(&arena);
    return err;
}

/* --- enable, disable, remove, set-events */

/* Reads the endpoint again after the change, unless it was removed. */
static enum err change(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_work *work = ctx;
    enum err err = endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
    if (!err)
        err = work->change(db, work->id, work->now_ms, fail);
    if (!err && work->change == owner_remove)
        endpoint_step(&work->endpoint.is, ENDPOINT_DELETE);
    else if (!err)
        err = endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
    return err;
}

/* Runs `write` on the endpoint, which `how` is for, and prints the endpoint. */
static enum err write_endpoint(
    struct cmd *cmd, session_write_fn *write, owner_change *how, struct fail *fail)
{
    struct webhook_work *work = work_create(cmd);
    struct db *db = NULL;
    work->change = how;
    enum err err = session_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = session_write(db, write, work, fail);
    if (!err) {
        session_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        put_endpoint(cmd->out, &work->endpoint);
        out_end(cmd->out);
    } else if (err == ERR_LIMIT) {
        report_limit(cmd, db, work->endpoint.account_email, &work->arena);
    }
    db_close(db);
    work_destroy(work);
    return err;
}

static enum err change_endpoint(struct cmd *cmd, owner_change *how, struct fail *fail)
{
    return write_endpoint(cmd, change, how, fail);
}

enum err cmd_webhooks_enable(struct cmd *cmd, struct fail *fail)
{
    return change_endpoint(cmd, owner_enable, fail);
}

enum err cmd_webhooks_disable(struct cmd *cmd, struct fail *fail)
{
    return change_endpoint(cmd, owner_disable, fail);
}

enum err cmd_webhooks_remove(struct cmd *cmd, struct fail *fail)
{
    return change_endpoint(cmd, owner_remove, fail);
}

static enum err set_events(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_work *work = ctx;
    enum err err = owner_set_events(
        db, work->id, options_value(work->cmd->options, "events"), work->now_ms, fail);
    return err ? err : endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
}

enum err cmd_webhooks_set_events(struct cmd *cmd, struct fail *fail)
{
    return write_endpoint(cmd, set_events, NULL, fail);
}

/* --- rotate */

static enum err rotate(struct db *db, void *ctx, struct fail *fail)
{
    struct webhook_work *work = ctx;
    enum err err = owner_rotate(
        db, &work->key, work->id, work->grace_hours, work->now_ms, &work->secret, fail);
    return err ? err : endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
}

enum err cmd_webhooks_rotate(struct cmd *cmd, struct fail *fail)
{
    struct webhook_work *work = work_create(cmd);
    struct db *db = NULL;
    work->grace_hours = OWNER_GRACE_HOURS;
    if (options_given(cmd->options, "grace"))
        value_grace(options_value(cmd->options, "grace"), &work->grace_hours);
    enum err err = load_key(work, fail);
    if (!err)
        err = session_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = session_write(db, rotate, work, fail);
    if (!err) {
        session_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", work->id);
        out_str(cmd->out, "url", work->endpoint.url);
        out_secret(
            cmd->out, "secret", secret_text(&work->secret),
            "the endpoint %.*s has a new secret, but it could not be printed: run `stockact "
            "webhooks rotate --id %.*s` again; the old secret then ends at once",
            STR_ARG(work->id), STR_ARG(work->id));
        out_instant(cmd->out, "oldSecretUntil", work->endpoint.old_secret_until);
        out_end(cmd->out);
        out_line(cmd->out, "Keep the secret now: it cannot be shown again.");
    }
    db_close(db);
    work_destroy(work);
    return err;
}

/* --- test */

static void put_trial(struct out *out, const struct trial *trial)
{
    const struct delivery_outcome *o = &trial->outcome;
    out_begin(out, OUT_BLOCK);
    out_str(out, "delivery", trial->id);
    out_str(out, "class", trial->class);
    webhooks_put_outcome(out, o);
    out_end(out);
}

static enum err judge(struct cmd *cmd, const struct trial *trial, struct fail *fail)
{
    const struct delivery_outcome *o = &trial->outcome;
    if (o->accepted)
        return OK;
    cmd->error_code = "webhook_test_failed";
    if (o->status)
        return fail_set(fail, ERR_REFUSED, "the receiver returned status %d", o->status);
    return fail_set(
        fail, ERR_REFUSED, "no response (%.*s): %.*s", STR_ARG(trial->class), STR_ARG(o->detail));
}

enum err cmd_webhooks_test(struct cmd *cmd, struct fail *fail)
{
    struct webhook_work *work = work_create(cmd);
    struct db *db = NULL;
    struct trial trial;
    enum meta_data data = META_DATA_NONE;
    struct trial_config config = {
        .key = &work->key,
        .allow = &cmd->settings->webhook_allow,
        .refused_ports = &cmd->settings->webhook_refused_ports,
        .listening = cmd->settings->listen,
        .user_agent = STR("stockact/" STOCKACT_VERSION),
        .ca_file = cmd->settings->webhook_ca_file,
        .name_servers = cmd->settings->webhook_name_servers,
    };
    enum err err = load_key(work, fail);
    if (!err)
        err = session_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
    if (!err)
        err = meta_data_get(db, &data, fail);
    config.invented = data == META_DATA_DEMO;
    db_close(db); /* do not keep the database open during the request */
    if (!err)
        err = trial_send(&config, &work->endpoint, &work->arena, &trial, fail);
    if (!err) {
        put_trial(cmd->out, &trial);
        err = judge(cmd, &trial, fail);
    }
    work_destroy(work);
    return err;
}

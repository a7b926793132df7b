/* `stockact webhooks add|list|show|change|set-events|enable|disable|remove`: manages endpoints
 * (spec 6, decision 36). */
#include "base/clock.h"
#include "cmd/account/webhooks_work.h"
#include "store/account/account.h"
#include "store/account/endpoint_health.h"

/* --- add */

struct adding {
    struct webhooks_work *work;
    struct owner_added added;
};

static enum err add(struct db *db, void *ctx, struct fail *fail)
{
    struct adding *adding = ctx;
    struct webhooks_work *work = adding->work;
    const struct options *options = work->cmd->options;
    struct account account;
    enum err err = key_mark_hold(db, &work->mark, fail);
    if (!err)
        err = account_find(db, options_value(options, "email"), &work->arena, &account, fail);
    if (err)
        return err;
    const struct owner_new new = {
        .account_no = account.no,
        .url = options_value(options, "url"),
        .events = options_value(options, "events"),
        .description = options_value(options, "description"),
    };
    return owner_add(
        db, &work->key, &work->actor, &new, &work->rules, work->now_ms, &work->arena,
        &adding->added, fail);
}

static void print_added(const struct adding *adding)
{
    const struct webhooks_work *work = adding->work;
    const struct owner_added *added = &adding->added;
    struct out *out = work->cmd->out;
    out_begin(out, OUT_BLOCK);
    out_str(out, "id", added->id);
    out_str(out, "url", added->url);
    out_secret(
        out, "secret", secret_text(&added->secret),
        "the endpoint %.*s was created, but its secret could not be printed: run `stockact "
        "webhooks reveal --id %.*s`",
        STR_ARG(added->id), STR_ARG(added->id));
    if (!str_is_null(work->warning))
        out_str(out, "warning", work->warning);
    out_end(out);
}

enum err cmd_webhooks_add(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    struct adding adding = {.work = work};
    struct db *db = NULL;
    enum err err = webhooks_check_url(work, options_value(cmd->options, "url"), fail);
    if (!err)
        err = webhooks_load_key(work, fail);
    if (!err)
        err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_write(db, add, &adding, fail);
    if (!err) {
        store_access_wait_servers(db);
        print_added(&adding);
    } else if (err == ERR_LIMIT) {
        webhooks_report_limit(cmd, db, options_value(cmd->options, "email"), &work->arena);
    }
    db_close(db);
    secret_finish(&adding.added.secret);
    webhooks_work_destroy(work);
    return err;
}

/* --- list */

enum err cmd_webhooks_list(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct arena arena;
    struct endpoint_list list;
    arena_init(&arena);
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = endpoint_list(db, options_value(cmd->options, "email"), &arena, &list, fail);
    for (size_t i = 0; !err && i < list.count; i++) {
        out_begin(cmd->out, OUT_TABLE);
        webhooks_put_endpoint(cmd->out, &list.items[i]);
        out_end(cmd->out);
    }
    db_close(db);
    arena_finish(&arena);
    return err;
}

/* --- show */

static void put_hours(struct out *out, const struct endpoint_health *health)
{
    struct buf b;
    struct json_out j;
    if (!out->json)
        return;
    buf_init(&b, 8 * 1024);
    json_init(&j, &b);
    json_array_begin(&j);
    for (size_t i = 0; i < ENDPOINT_HEALTH_HOURS; i++) {
        json_object_begin(&j);
        json_key(&j, STR("from"));
        json_instant(&j, health->hours[i].from_ms);
        JSON_KEY_I64(&j, "delivered", health->hours[i].delivered);
        JSON_KEY_I64(&j, "failed", health->hours[i].failed);
        json_object_end(&j);
    }
    json_array_end(&j);
    out_raw(out, "hours", buf_view(&b));
    buf_finish(&b);
}

enum err cmd_webhooks_show(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    struct endpoint_health health;
    struct db *db = NULL;
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
    if (!err)
        err = endpoint_health(db, work->endpoint.no, work->now_ms, &work->arena, &health, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        webhooks_put_endpoint(cmd->out, &work->endpoint);
        out_i64(cmd->out, "waiting", health.waiting);
        out_instant(cmd->out, "nextAttemptAt", health.next_at);
        out_instant(cmd->out, "lastAttemptAt", health.last.at);
        out_str(cmd->out, "lastError", health.last.error);
        out_str(cmd->out, "lastDetail", health.last.detail);
        out_i64(cmd->out, "deliveredInDay", health.delivered);
        out_i64(cmd->out, "failedInDay", health.failed);
        put_hours(cmd->out, &health);
        out_end(cmd->out);
    }
    db_close(db);
    webhooks_work_destroy(work);
    return err;
}

/* --- change, enable, disable, remove, set-events */

/* Each is a store_access_write_fn over a webhooks_work, and reads the endpoint again after its
 * change.
 */

static enum err read_again(struct db *db, struct webhooks_work *work, struct fail *fail)
{
    return endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
}

static enum err change(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    const struct options *options = work->cmd->options;
    enum err err = owner_change(
        db, &work->actor, work->id, options_value(options, "url"),
        options_value(options, "description"), &work->rules, work->now_ms, fail);
    return err ? err : read_again(db, work, fail);
}

static enum err set_events(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    enum err err = owner_set_events(
        db, &work->actor, work->id, options_value(work->cmd->options, "events"), work->now_ms,
        fail);
    return err ? err : read_again(db, work, fail);
}

static enum err enable(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    enum err err =
        read_again(db, work, fail); /* an exceeded cap is reported with its owner's plan */
    if (!err)
        err = owner_enable(db, &work->actor, work->id, &work->rules, work->now_ms, fail);
    return err ? err : read_again(db, work, fail);
}

static enum err disable(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    enum err err = owner_disable(db, &work->actor, work->id, work->now_ms, fail);
    return err ? err : read_again(db, work, fail);
}

/* It cannot be read afterwards. */
static enum err remove_endpoint(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    enum err err = read_again(db, work, fail);
    if (!err)
        err = owner_remove(db, &work->actor, work->id, work->now_ms, fail);
    if (!err)
        endpoint_step(&work->endpoint.is, ENDPOINT_DELETE);
    return err;
}

static enum err write_endpoint(struct cmd *cmd, store_access_write_fn *write, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    enum err err = webhooks_write(work, write, fail);
    webhooks_work_destroy(work);
    return err;
}

enum err cmd_webhooks_change(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    struct str url = options_value(cmd->options, "url");
    enum err err = OK;
    if (str_is_null(url) && !options_given(cmd->options, "description"))
        err = fail_set(fail, ERR_INVALID, "give --url, --description or both");
    if (!err && !str_is_null(url))
        err = webhooks_check_url(work, url, fail);
    if (!err)
        err = webhooks_write(work, change, fail);
    webhooks_work_destroy(work);
    return err;
}

enum err cmd_webhooks_set_events(struct cmd *cmd, struct fail *fail)
{
    return write_endpoint(cmd, set_events, fail);
}

/* Looks the name up before the transaction. */
static enum err check_stored_url(struct webhooks_work *work, struct fail *fail)
{
    struct db *db = NULL;
    enum err err = store_access_open(work->cmd, STORE_READ, &db, fail);
    if (!err)
        err = read_again(db, work, fail);
    db_close(db);
    return err ? err : webhooks_check_url(work, work->endpoint.url, fail);
}

enum err cmd_webhooks_enable(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    enum err err = check_stored_url(work, fail);
    if (!err)
        err = webhooks_write(work, enable, fail);
    webhooks_work_destroy(work);
    return err;
}

enum err cmd_webhooks_disable(struct cmd *cmd, struct fail *fail)
{
    return write_endpoint(cmd, disable, fail);
}

enum err cmd_webhooks_remove(struct cmd *cmd, struct fail *fail)
{
    return write_endpoint(cmd, remove_endpoint, fail);
}

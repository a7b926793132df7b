/* `stockact webhooks replay`: sends deliveries again, one or many (spec 6, decision 45). */
#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "config/values.h"
#include "webhook/owner_send.h"

struct replay_work {
    struct actor actor;
    struct str delivery; /* null: all deliveries of `which` */
    struct owner_replays which;
    struct str endpoint; /* null: of all endpoints */
    bool count_only;
    int64_t now_ms;
    int64_t count;
};

static enum err replay_of(
    struct db *db, struct replay_work *work, struct str endpoint_id, struct fail *fail)
{
    int64_t count = 0;
    enum err err =
        work->count_only
            ? owner_replays_count(db, &work->actor, endpoint_id, &work->which, &count, fail)
            : owner_replay_many(
                  db, &work->actor, endpoint_id, &work->which, work->now_ms, &count, fail);
    work->count += count;
    return err;
}

/* Skips endpoints to which nothing can be sent, unless one is named. */
static enum err replay_of_all(
    struct db *db, struct replay_work *work, struct arena *arena, struct fail *fail)
{
    struct endpoint_list list;
    enum err err = endpoint_list(db, STR_NULL, arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++) {
        err = replay_of(db, work, list.items[i].id, fail);
        if (err == ERR_REFUSED)
            err = OK;
    }
    return err;
}

static enum err replay(struct db *db, void *ctx, struct fail *fail)
{
    struct replay_work *work = ctx;
    struct arena arena;
    work->count = 0;
    if (!str_is_null(work->delivery)) {
        work->count = 1;
        return owner_replay(db, &work->actor, work->delivery, work->now_ms, fail);
    }
    arena_init(&arena);
    enum err err = str_is_null(work->endpoint) ? replay_of_all(db, work, &arena, fail)
                                               : replay_of(db, work, work->endpoint, fail);
    arena_finish(&arena);
    return err;
}

/* The deliveries to replay: exactly one of the three ways to name them. */
static enum err read_work(struct cmd *cmd, struct replay_work *work, struct fail *fail)
{
    const struct options *options = cmd->options;
    bool failed = options_given(options, "failed-since");
    bool expired = options_given(options, "expired-since");
    bool many = failed || expired;
    if (options->operand_count + failed + expired != 1)
        return fail_set(
            fail, ERR_INVALID, "give exactly one of DELIVERY, --failed-since and --expired-since");
    work->endpoint = options_value(options, "endpoint");
    work->count_only = options_given(options, "count");
    bool narrowed = !str_is_null(work->endpoint) || options_given(options, "until");
    if (!many && (narrowed || work->count_only))
        return fail_set(
            fail, ERR_INVALID,
            "--endpoint, --until and --count need --failed-since or --expired-since");
    work->actor = ACTOR_OPERATOR;
    work->now_ms = clock_wall_ms();
    work->which = (struct owner_replays){
        .state = failed ? DELIVERY_FAILED : DELIVERY_EXPIRED, .until = INT64_MAX};
    if (many)
        instant_parse(
            options_value(options, failed ? "failed-since" : "expired-since"), &work->which.since);
    else
        work->delivery = options->operands[0];
    if (options_given(options, "until"))
        instant_parse(options_value(options, "until"), &work->which.until);
    return OK;
}

enum err cmd_webhooks_replay(struct cmd *cmd, struct fail *fail)
{
    struct replay_work work = {.count = 0};
    struct db *db = NULL;
    enum err err = read_work(cmd, &work, fail);
    if (!err)
        err = store_access_open(cmd, work.count_only ? STORE_READ : STORE_WRITE, &db, fail);
    if (!err)
        err =
            work.count_only ? replay(db, &work, fail) : store_access_write(db, replay, &work, fail);
    if (!err) {
        if (!work.count_only)
            store_access_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, work.count_only ? "matching" : "replayed", work.count);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}

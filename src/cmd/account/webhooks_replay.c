/* `stockact webhooks replay`: sends deliveries again, one or many (spec 6, decision 45). */
#include "cmd/operate/store_access.h"
#include "webhook/owner_send.h"

struct replay_work {
    struct str delivery;        /* null: all deliveries of `which` */
    struct owner_replays which; /* a null endpoint: of all endpoints */
    bool count_only;
    int64_t count;
};

static enum err replay_of(const struct act *act, struct replay_work *work, struct str endpoint_id)
{
    struct owner_replays which = work->which;
    which.endpoint_id = endpoint_id;
    which.count = 0;
    enum err err =
        work->count_only ? owner_replays_count(act, &which) : owner_replay_many(act, &which);
    work->count += which.count;
    return err;
}

/* Skips endpoints to which nothing can be sent, unless one is named. */
static enum err replay_of_all(const struct act *act, struct replay_work *work)
{
    struct endpoint_list list;
    enum err err = endpoint_list(act, STR_NULL, &list);
    for (size_t i = 0; i < list.count && !err; i++) {
        err = replay_of(act, work, list.items[i].id);
        if (err == ERR_REFUSED)
            err = OK;
    }
    return err;
}

static enum err replay(const struct act *act, void *ctx)
{
    struct replay_work *work = ctx;
    work->count = !str_is_null(work->delivery);
    if (!str_is_null(work->delivery))
        return owner_replay(act, &work->delivery);
    return str_is_null(work->which.endpoint_id) ? replay_of_all(act, work)
                                                : replay_of(act, work, work->which.endpoint_id);
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
    struct str endpoint = options_value(options, "endpoint");
    work->count_only = options_given(options, "count");
    bool narrowed = !str_is_null(endpoint) || options_given(options, "until");
    if (!many && (narrowed || work->count_only))
        return fail_set(
            fail, ERR_INVALID,
            "--endpoint, --until and --count need --failed-since or --expired-since");
    work->which = (struct owner_replays){
        .endpoint_id = endpoint,
        .state = failed ? DELIVERY_FAILED : DELIVERY_EXPIRED,
        .until = INT64_MAX};
    if (many)
        instant_parse(
            options_value(options, failed ? "failed-since" : "expired-since"), &work->which.since);
    else
        work->delivery = options->operands[0];
    if (options_given(options, "until"))
        instant_parse(options_value(options, "until"), &work->which.until);
    return OK;
}

/* Only reads. */
static enum err count(struct cmd *cmd, struct act *act, struct replay_work *work)
{
    TRY(store_access_open(cmd, STORE_READ, &act->db, act->fail));
    return replay(act, work);
}

enum err cmd_webhooks_replay(struct cmd *cmd, struct fail *fail)
{
    struct replay_work work = {.count = 0};
    ARENA_SCOPED(arena);
    struct act act = store_access_operator(&arena, fail);
    enum err err = read_work(cmd, &work, fail);
    if (!err)
        err =
            work.count_only ? count(cmd, &act, &work) : store_access_act(cmd, &act, replay, &work);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_i64(cmd->out, work.count_only ? "matching" : "replayed", work.count);
        out_end(cmd->out);
    }
    db_close(act.db);
    return err;
}

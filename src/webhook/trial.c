/* One request with its own loop; see trial.h. */
#include "webhook/trial.h"

#include <assert.h>

#include "base/clock.h"
#include "base/codec.h"
#include "base/json_out.h"
#include "store/public/event.h"
#include "webhook/attempt.h"

enum { TRIAL_RANDOM_SIZE = 8, TRIAL_BODY_MAX = 1024 };

static struct str make_id(struct arena *arena)
{
    uint8_t bytes[TRIAL_RANDOM_SIZE];
    char digits[2 * sizeof bytes];
    random_bytes(bytes, sizeof bytes);
    hex_encode(bytes, sizeof bytes, digits);
    return arena_fmt(arena, "test_%.*s", (int)sizeof digits, digits);
}

struct str trial_body(struct str endpoint_id, int64_t now_ms, struct arena *arena)
{
    BUF_SCOPED(b, TRIAL_BODY_MAX);
    struct json_out j;
    json_init(&j, &b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "event", STR(EVENT_TEST));
    JSON_KEY_STR(&j, "endpoint", endpoint_id);
    JSON_KEY_INSTANT(&j, "sentAt", now_ms);
    json_object_end(&j);
    return arena_str(arena, buf_view(&b));
}

static void on_ended(void *ctx, struct attempt *attempt)
{
    uv_stop(ctx);
}

/* The attempt's texts end with it. */
static struct trial keep(const struct attempt *attempt, struct str id, struct arena *arena)
{
    struct trial trial = {
        .id = id, .class = attempt_class_name(attempt->class), .outcome = attempt->outcome};
    struct str *const texts[] = {&trial.outcome.detail,      &trial.outcome.remote,
                                 &trial.outcome.retry_after, &trial.outcome.answer,
                                 &trial.outcome.url,         &trial.outcome.request};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_str(arena, *texts[i]);
    return trial;
}

static struct trial send_and_wait(
    uv_loop_t *loop, const struct trial_config *config, const struct attempt_sender *sender,
    const struct endpoint *endpoint, struct arena *arena)
{
    struct str id = make_id(arena);
    struct body body = {.type = config->type, .body = config->body};
    if (str_is_null(body.body))
        body = (struct body){
            .type = STR(EVENT_TEST), .body = trial_body(endpoint->id, clock_wall_ms(), arena)};
    const struct delivery_claimed claimed = {
        .id = id,
        .attempt = 1,
        .endpoint_id = endpoint->id,
        .url = endpoint->url,
        .secret_sealed = endpoint->secret_sealed,
        .old_secret_sealed = endpoint->old_secret_sealed,
        .old_secret_until = endpoint->old_secret_until,
    };
    struct attempt *attempt = attempt_create(&claimed, &body);
    if (attempt_send(attempt, sender))
        uv_run(loop, UV_RUN_DEFAULT);
    struct trial trial = keep(attempt, id, arena);
    attempt_destroy(attempt);
    return trial;
}

static enum err run(
    uv_loop_t *loop, const struct trial_config *config, const struct endpoint *endpoint,
    struct arena *arena, struct trial *ret, struct fail *fail)
{
    const struct outgoing_config outgoing = {
        .in_flight_max = 1,
        .user_agent = config->user_agent,
        .ca_file = config->ca_file,
        .name_servers = config->name_servers,
    };
    const _Atomic bool invented = config->invented;
    struct guard guard;
    struct attempt_sender sender = {
        .guard = &guard,
        .key = config->key,
        .plain_http = config->allow->n > 0,
        .invented = &invented,
        .ended = on_ended,
        .ctx = loop,
    };
    guard_init(&guard, config->allow, config->refused_ports, config->listening);
    enum err err = outgoing_create(loop, &outgoing, &sender.outgoing, fail);
    if (!err)
        *ret = send_and_wait(loop, config, &sender, endpoint, arena);
    outgoing_destroy(sender.outgoing);
    uv_run(loop, UV_RUN_DEFAULT);
    return err;
}

enum err trial_send(
    const struct trial_config *config, const struct endpoint *endpoint, struct arena *arena,
    struct trial *ret, struct fail *fail)
{
    uv_loop_t loop;
    TRY(secret_check(config->key, endpoint, fail));
    int error = uv_loop_init(&loop);
    if (error)
        return fail_set(fail, ERR_IO, "cannot start a loop: %s", uv_strerror(error));
    enum err err = run(&loop, config, endpoint, arena, ret, fail);
    error = uv_loop_close(&loop);
    assert(error == 0);
    return err;
}

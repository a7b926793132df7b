/* `stockact trigger`: sends an invented event to an endpoint, or to a receiver that has none. */
#include <assert.h>

#include "base/build.h"
#include "base/clock.h"
#include "cmd/account/webhooks_work.h"
#include "cmd/operate/developer.h"
#include "demo/event.h"
#include "listen/forward.h"

enum { NAMES_SIZE = 256 };

/* " trade.published, trade.corrected, ..." */
static const char *names_of_types(char ret[static NAMES_SIZE])
{
    struct buf b = buf_over(ret, NAMES_SIZE - 1);
    for (int type = EVENT_NONE + 1; type < EVENT_TYPE_COUNT; type++)
        buf_fmt(
            &b, "%s %.*s", type == EVENT_NONE + 1 ? "" : ",",
            STR_ARG(event_type_name((enum event_type)type)));
    ret[b.n] = '\0';
    return ret;
}

static enum err read_type(struct str name, enum event_type *ret, struct fail *fail)
{
    char text[NAMES_SIZE];
    for (int type = EVENT_NONE + 1; type < EVENT_TYPE_COUNT; type++) {
        if (str_eq(event_type_name((enum event_type)type), name)) {
            *ret = (enum event_type)type;
            return OK;
        }
    }
    return fail_set(
        fail, ERR_INVALID, "there is no event \"%.*s\": the events are%s", STR_ARG(name),
        names_of_types(text));
}

/* --- to a URL, without a database */

static enum err wait_for(struct forward *f, const struct forward_result *result, struct fail *fail)
{
    enum err err = OK;
    while (!err && !result->ended) {
        err = client_wait(f->client, NULL, 0, INT32_MAX, NULL, fail);
        client_tell(f->client);
    }
    return err;
}

static bool is_accepted(const struct forward_result *result)
{
    return result->status >= 200 && result->status < 300;
}

static void put_result(
    struct out *out, const struct forward *f, const struct event_page_item *event,
    const struct forward_result *result, int64_t took_ms, struct str secret)
{
    char id[FORWARD_ID_SIZE];
    forward_id(f, event->id, id);
    out_begin(out, OUT_BLOCK);
    out_str(out, "delivery", str_of(id, sizeof id));
    out_str(out, "event", event->type);
    out_str(out, "url", f->url);
    out_mood(out, is_accepted(result) ? OUT_GOOD : OUT_BAD);
    out_i64_unless(out, "status", result->status, 0);
    out_i64(out, "durationMs", took_ms);
    if (!str_is_null(secret))
        out_str(out, "secret", secret);
    out_end(out);
}

static enum err judge(const struct forward_result *result, struct fail *fail)
{
    if (is_accepted(result))
        return OK;
    if (result->status)
        return fail_set(fail, ERR_REFUSED, "the receiver returned status %d", result->status);
    return fail_set(fail, ERR_REFUSED, "no response: %s", result->reason);
}

static enum err send_to_url(
    struct cmd *cmd, struct str url, struct str secret, const struct event_page_item *event,
    struct fail *fail)
{
    SCOPED(forward_finish) struct forward forward;
    struct forward_result result;
    enum err err = forward_init(&forward, url, secret, build.agent, fail);
    if (!err) {
        int64_t began_ms = clock_mono_ms();
        forward_begin(&forward, event, true, clock_wall_ms(), &result);
        err = wait_for(&forward, &result, fail);
        if (!err) {
            bool derived = !options_given(cmd->options, "secret-file");
            put_result(
                cmd->out, &forward, event, &result, clock_mono_ms() - began_ms,
                derived ? secret : STR_NULL);
            cmd->error_code = "webhook_test_failed";
            err = judge(&result, fail);
        }
    }
    return err;
}

/* --- both */

static bool is_endpoint(struct str to)
{
    return str_starts(to, STR("ep_")) && str_find(to, STR(":")) < 0 && str_find(to, STR("/")) < 0;
}

enum err cmd_trigger(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct demo_event event;
    struct secret derived = {{0}};
    struct str secret, to = options_value(cmd->options, "to");
    enum event_type type;
    enum err err = read_type(cmd->options->operands[0], &type, fail);
    if (err)
        return err;
    demo_event_make(&arena, type, clock_wall_ms(), &event);
    if (is_endpoint(to)) {
        err = webhooks_send(cmd, to, event.type, event.body, fail);
    } else {
        const struct event_page_item item = {event.id, event.type, event.body};
        err = developer_secret(
            cmd->options, developer_variable("SVC_API_KEY", STR("")), &arena, &derived, &secret,
            fail);
        if (!err)
            err = send_to_url(cmd, developer_url(to, &arena), secret, &item, fail);
    }
    secret_finish(&derived);
    return err;
}

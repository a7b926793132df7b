/* Calls in progress; see call.h. */
#include "mcp/call.h"
#include "rule/invented.h"

#include <assert.h>

#include "base/hidden.h"

void calls_init(struct calls *calls, struct client *client, struct rpc *rpc, bool anonymous)
{
    *calls = (struct calls){.client = client, .rpc = rpc, .anonymous = anonymous};
    TAILQ_INIT(&calls->list);
}

/* The caller has already ended the request. */
static void end_call(struct call *call)
{
    struct calls *calls = call->calls;
    if (call->get)
        client_cancel(call->get);
    if (call->state && call->tool->finish)
        call->tool->finish(call->state);
    TAILQ_REMOVE(&calls->list, call, link);
    calls->count--;
    buf_finish(&call->target);
    json_decref(call->arguments);
    mem_free(call);
}

static void drop_call(struct call *call)
{
    rpc_no_answer(call->calls->rpc, &call->request);
    end_call(call);
}

void calls_finish(struct calls *calls)
{
    struct call *call;
    while ((call = TAILQ_FIRST(&calls->list)))
        drop_call(call);
}

/* --- results */

/* A model reads the characters that its user cannot see, and tags can carry whole sentences: a
 * result shows them (base/hidden.h).
 *
 * Sends the result: the text, and after a success `content`, an object. */
static void answer(struct call *call, struct str text, struct str content)
{
    bool failed = str_is_null(content);
    BUF_SCOPED(b, SIZE_MAX);
    struct json_out j;
    buf_str(&b, STR("\"content\":[{\"type\":\"text\",\"text\":"));
    json_init(&j, &b);
    json_str(&j, text);
    buf_str(&b, STR("}]"));
    if (!failed) {
        buf_str(&b, STR(",\"structuredContent\":"));
        buf_str(&b, content);
    }
    buf_str(&b, failed ? STR(",\"isError\":true") : STR(",\"isError\":false"));
    rpc_result(call->calls->rpc, &call->request, buf_view(&b));
    end_call(call);
}

void call_failed(struct call *call, struct str sentence)
{
    BUF_SCOPED(b, SIZE_MAX);
    hidden_show_lines(&b, sentence);
    if (call->invented)
        buf_str(&b, STR(" " INVENTED_NOTICE));
    answer(call, buf_view(&b), STR_NULL);
}

static void put_data_notice(struct buf *b, const struct call *call)
{
    if (call->invented)
        buf_str(b, STR(",\"dataNotice\":\"" INVENTED_NOTICE "\""));
}

static void put_rate_warning(struct buf *b, const struct call *call)
{
    char space[256];
    struct json_out j;
    struct buf warning = buf_over(space, sizeof space);
    if (call->calls->anonymous)
        api_rate_warning(&warning, &call->rate);
    if (warning.n == 0)
        return;
    buf_str(b, STR(",\"rateLimitWarning\":"));
    json_init(&j, b);
    json_str(&j, buf_view(&warning));
}

void call_result(struct call *call, struct str members)
{
    BUF_SCOPED(b, SIZE_MAX);
    buf_char(&b, '{');
    hidden_json_show(&b, members);
    put_data_notice(&b, call);
    put_rate_warning(&b, call);
    buf_char(&b, '}');
    BUF_SCOPED(table, SIZE_MAX);
    if (call->tool->answers != TOOL_ANSWER_ONE) {
        json_t *result = json_loadb(b.p, b.n, 0, NULL);
        json_put_table(&table, result);
        json_decref(result);
    }
    answer(call, table.n > 0 ? buf_view(&table) : buf_view(&b), buf_view(&b));
}

void call_progress(struct call *call, int64_t done, int64_t total, const char *text)
{
    rpc_progress(call->calls->rpc, &call->request, done, total, text);
}

const struct argument_value *call_value(const struct call *call, struct str name)
{
    return argument_value_named(call->tool->arguments, call->values, name);
}

/* --- requests to the API */

static void failed(struct call *call, struct str sentence)
{
    if (call->answers > 0 && call->tool->cut_short)
        call->tool->cut_short(call, sentence);
    else
        call_failed(call, sentence);
}

static void answered(void *ctx, const struct client_answer *from)
{
    struct call *call = ctx;
    struct calls *calls = call->calls;
    SCOPED(api_answer_finish) struct api_answer api;
    BUF_SCOPED(space, SIZE_MAX);
    call->get = NULL;
    api_answer_read(from, call->tool, &space, &api);
    call->rate = api.rate;
    call->waiting = api.waiting;
    call->invented |= api.invented;
    if (!from->err)
        calls->invented = api.invented;
    int64_t retry_at_ms = calls->now_ms + CALL_RETRY_AFTER_MS;
    if (api.success) {
        call->answers++;
        call->tool->answered(call, &api);
    } else if (
        calls->client && api.worth_retrying && !call->retried && retry_at_ms < call->ends_at_ms) {
        call->retried = true;
        call->retry_at_ms = retry_at_ms;
    } else {
        failed(call, api.text);
    }
}

static void ask(struct call *call)
{
    static const struct str accept = STR_INIT("Accept: application/json");
    int64_t left_ms = call->ends_at_ms - call->calls->now_ms;
    const struct client_request request = {
        .target = buf_view(&call->target),
        .headers = &accept,
        .header_count = 1,
        .time_max_ms = left_ms > 1 ? left_ms : 1,
    };
    call->retry_at_ms = 0;
    call->asked = !call->calls->client;
    if (call->asked)
        return;
    call->get = client_begin(call->calls->client, &request, answered, call);
}

void call_get(struct call *call, struct str target)
{
    buf_reset(&call->target);
    buf_str(&call->target, target);
    call->retried = false;
    ask(call);
}

struct call *calls_next_asked(const struct calls *calls)
{
    struct call *call = TAILQ_FIRST(&calls->list);
    while (call && !call->asked)
        call = TAILQ_NEXT(call, link);
    return call;
}

void calls_answer(struct call *call, const struct client_answer *from)
{
    call->asked = false;
    answered(call, from);
}

int64_t calls_due_ms(const struct calls *calls)
{
    int64_t due = INT64_MAX;
    for (const struct call *call = TAILQ_FIRST(&calls->list); call; call = TAILQ_NEXT(call, link))
        if (call->retry_at_ms > 0 && call->retry_at_ms < due)
            due = call->retry_at_ms;
    return due;
}

void calls_run_due(struct calls *calls)
{
    for (struct call *call = TAILQ_FIRST(&calls->list); call; call = TAILQ_NEXT(call, link))
        if (call->retry_at_ms > 0 && call->retry_at_ms <= calls->now_ms)
            ask(call);
}

/* --- requests of the caller */

void calls_begin(
    struct calls *calls, const struct tool *tool, const json_t *arguments,
    struct rpc_request *request)
{
    struct call *call = MEM_NEW(struct call);
    call->calls = calls;
    call->tool = tool;
    call->request = *request;
    *request = (struct rpc_request){0};
    call->arguments = json_keep(arguments);
    call->ends_at_ms = calls->now_ms + CALL_TIME_MAX_MS;
    buf_init(&call->target, SIZE_MAX);
    TAILQ_INSERT_TAIL(&calls->list, call, link);
    calls->count++;

    BUF_SCOPED(complaint, SIZE_MAX);
    if (calls->count > CALLS_MAX)
        buf_fmt(&complaint, "%d calls are in progress: wait for their results.", CALLS_MAX);
    if (complaint.n == 0 && arguments_read(tool->arguments, arguments, call->values, &complaint))
        tool->start(call);
    else
        call_failed(call, buf_view(&complaint));
}

static struct call *find(const struct calls *calls, const json_t *id)
{
    for (struct call *call = TAILQ_FIRST(&calls->list); call; call = TAILQ_NEXT(call, link))
        if (json_equal(call->request.id, id))
            return call;
    return NULL;
}

bool calls_has(const struct calls *calls, const json_t *id)
{
    return find(calls, id) != NULL;
}

void calls_cancel(struct calls *calls, const json_t *id)
{
    struct call *call = find(calls, id);
    if (call)
        drop_call(call);
}

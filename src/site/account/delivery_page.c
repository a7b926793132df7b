/* The page of a delivery: what was sent, each attempt, the answers, and replay. */
#include "base/hidden.h"
#include "base/utf8.h"
#include "site/account/webhook_view.h"
#include "site/frame/handlers.h"
#include "webhook/owner_send.h"

enum {
    BODY_SHOWN_MAX = 12 * 1024, /* of the body, on the page; the rest is a download */
    ANSWER_SHOWN_MAX = 2048,
    SHOWN_FACTOR = 10, /* a hidden character is shown as at most that many bytes */
};

/* The delivery of the second segment, if it is of the endpoint of the first. */
static enum err find(
    struct page_call *call, struct endpoint *endpoint, struct delivery_row *row, struct str *body,
    struct fail *fail)
{
    struct str id = call->segments[1];
    TRY(webhook_find(call, endpoint, fail));
    TRY(delivery_find(call->db, id, call->arena, row, body, fail));
    if (!str_eq(row->endpoint_id, endpoint->id))
        return fail_set(fail, ERR_NOT_FOUND, "there is no delivery \"%.*s\"", STR_ARG(id));
    return OK;
}

/* Lines of text, whatever the bytes are: hidden characters and bytes that are no text become
 * visible codes. The ends of lines are LF. */
static struct str shown(struct arena *arena, struct str bytes, size_t max)
{
    struct str rest = utf8_cut(bytes, max);
    BUF_SCOPED(b, SHOWN_FACTOR * max);
    for (ptrdiff_t at; (at = str_find(rest, STR("\r\n"))) >= 0;) {
        hidden_show_lines(&b, str_slice(rest, 0, (size_t)at));
        buf_char(&b, '\n');
        rest = str_slice(rest, (size_t)at + 2, rest.n);
    }
    hidden_show_lines(&b, rest);
    return arena_str(arena, buf_view(&b));
}

static void put_phase(struct view *list, const char *label, int64_t ms)
{
    struct view *phase = view_item(list);
    view_text(phase, "label", label);
    if (ms < 0)
        view_null(phase, "ms");
    else
        view_count(phase, "ms", ms);
    view_bool(phase, "reached", ms >= 0);
}

struct attempts_view {
    struct page_call *call;
    struct view *list;
    int64_t last; /* the number of the newest */
};

static void put_attempt(void *ctx, const struct delivery_outcome *o)
{
    const struct attempts_view *attempts = ctx;
    struct arena *arena = attempts->call->arena;
    struct view *view = view_item(attempts->list);
    view_int(view, "number", o->attempt);
    view_bool(view, "newest", o->attempt == attempts->last);
    view_instant(view, "startedAt", o->started_at);
    view_count(view, "tookMs", o->ended_at - o->started_at);
    struct view *phases = view_list(view, "phases");
    put_phase(phases, "DNS look-up", o->resolve_ms);
    put_phase(phases, "Connection", o->connect_ms);
    put_phase(phases, "TLS", o->tls_ms);
    put_phase(phases, "Wait", o->wait_ms);
    if (o->status)
        view_int(view, "status", o->status);
    else
        view_null(view, "status");
    view_bool(view, "accepted", o->accepted);
    webhook_put_badge(view, o->accepted ? "good" : "bad", o->accepted ? "Accepted" : "Failed");
    view_str(view, "result", webhook_result(arena, o->status, o->error));
    view_str(view, "error", o->error);
    view_str(view, "detail", o->detail);
    view_str(view, "remote", o->remote);
    view_str(view, "url", o->url);
    view_str(view, "retryAfter", o->retry_after);
    view_str(
        view, "request",
        str_is_null(o->request) ? STR_NULL : shown(arena, o->request, o->request.n));
    view_str(view, "answer", o->answer.n ? shown(arena, o->answer, ANSWER_SHOWN_MAX) : STR_NULL);
    view_bool(view, "answerCut", o->answer.n > ANSWER_SHOWN_MAX);
}

enum err delivery_load(struct page_call *call, struct fail *fail)
{
    struct endpoint endpoint;
    struct delivery_row row;
    struct str body;
    TRY(find(call, &endpoint, &row, &body, fail));
    webhook_put_delivery(call, call->view, &endpoint, &row);
    struct view *owner = view_object(call->view, "endpoint");
    view_str(owner, "id", endpoint.id);
    view_str(owner, "url", endpoint.url);
    view_str(owner, "description", endpoint.description);
    view_str(owner, "href", webhook_path(call, endpoint.id, ""));
    view_bool(owner, "paused", endpoint.is.state == ENDPOINT_PAUSED);
    view_bool(owner, "disabled", endpoint.is.state == ENDPOINT_DISABLED);
    view_str(call->view, "body", shown(call->arena, body, BODY_SHOWN_MAX));
    view_count(call->view, "bodyBytes", (int64_t)body.n);
    view_bool(call->view, "bodyCut", body.n > BODY_SHOWN_MAX);
    view_bool(call->view, "reload", row.cause == DELIVERY_BY_TEST && row.state == DELIVERY_PENDING);
    view_bool(
        call->view, "canReplay",
        row.cause != DELIVERY_BY_TEST && !row.in_flight && endpoint.is.state != ENDPOINT_PAUSED);
    struct attempts_view attempts = {call, view_list(call->view, "tried"), row.attempts};
    TRY(delivery_each_attempt(call->db, row.id, put_attempt, &attempts, fail));
    view_bool(call->view, "anyTried", row.attempts > 0);
    return OK;
}

/* --- the exact body */

enum err delivery_body_load(struct page_call *call, struct fail *fail)
{
    struct endpoint endpoint;
    struct delivery_row row;
    struct str body;
    TRY(find(call, &endpoint, &row, &body, fail));
    buf_str(http_body(call->x), body);
    page_download(
        call, STR("application/json"), arena_fmt(call->arena, "%.*s.json", STR_ARG(row.id)));
    return OK;
}

/* --- replay */

enum err delivery_act(struct page_call *call, struct fail *fail)
{
    struct endpoint endpoint;
    struct delivery_row row;
    struct str body;
    TRY(find(call, &endpoint, &row, &body, fail));
    TRY(page_write(call, owner_replay, &call->segments[1], fail));
    page_redirect(
        call,
        arena_fmt(
            call->arena, "/account/webhooks/%.*s/deliveries/%.*s", STR_ARG(endpoint.id),
            STR_ARG(row.id)),
        FLASH_WEBHOOK_REPLAYED);
    return OK;
}

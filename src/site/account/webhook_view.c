/* Endpoints and deliveries as views; see webhook_view.h. */
#include "site/account/webhook_view.h"

#include "html/chart.h"
#include "webhook/owner.h"

enum err webhook_find(struct page_call *call, struct endpoint *ret, struct fail *fail)
{
    return owner_find(page_reads(call, fail), call->segments[0], ret);
}

struct str webhook_path(const struct page_call *call, struct str id, const char *rest)
{
    return arena_fmt(call->arena, "/account/webhooks/%.*s%s", STR_ARG(id), rest);
}

void webhook_put_badge(struct view *view, const char *kind, const char *label)
{
    struct view *badge = view_object(view, "badge");
    view_text(badge, "kind", kind);
    view_text(badge, "label", label);
}

/* --- results */

struct str webhook_result(struct arena *arena, int status, struct str error)
{
    static const struct {
        struct str error;
        struct str words;
    } words[] = {
        {STR_INIT("timeout"), STR_INIT("no response in 10 seconds")},
        {STR_INIT("connect"), STR_INIT("no connection")},
        {STR_INIT("tls"), STR_INIT("TLS failed")},
        {STR_INIT("resolve"), STR_INIT("name not found")},
        {STR_INIT("refused_address"), STR_INIT("address not allowed")},
        {STR_INIT("protocol"), STR_INIT("not an HTTP response")},
        {STR_INIT("not_sent"), STR_INIT("not sent")},
    };
    if (status)
        return arena_fmt(arena, "status %d", status);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(words[i].error, error))
            return words[i].words;
    return error;
}

/* --- an endpoint */

static void put_state(struct view *view, const struct endpoint *endpoint)
{
    static const struct {
        const char *kind, *label;
    } badges[ENDPOINT_STATE_COUNT] = {
        [ENDPOINT_ENABLED] = {"good", "Enabled"},
        [ENDPOINT_DISABLED] = {"off", "Disabled"},
        [ENDPOINT_PAUSED] = {"wait", "Paused"},
        [ENDPOINT_DELETED] = {"off", "Removed"},
    };
    enum endpoint_state state = endpoint->is.state;
    bool disabled = state == ENDPOINT_DISABLED;
    enum endpoint_reason why = disabled ? endpoint_reason(&endpoint->is) : ENDPOINT_BY_OWNER;
    view_str(view, "state", endpoint_state_name(state));
    view_bool(view, "enabled", state == ENDPOINT_ENABLED);
    view_bool(view, "disabled", disabled);
    view_bool(view, "paused", state == ENDPOINT_PAUSED);
    view_bool(view, "disabledByFailures", why == ENDPOINT_BY_FAILURES);
    view_bool(view, "gone", why == ENDPOINT_IS_GONE);
    view_bool(view, "halfOpen", state == ENDPOINT_ENABLED && endpoint->is.pauses);
    view_bool(view, "damaged", endpoint->damaged);
    if (endpoint->damaged)
        webhook_put_badge(view, "bad", "Damaged");
    else if (why != ENDPOINT_BY_OWNER)
        webhook_put_badge(view, "bad", "Disabled");
    else if (state == ENDPOINT_ENABLED && endpoint->is.failures)
        webhook_put_badge(view, "wait", "Failing");
    else
        webhook_put_badge(view, badges[state].kind, badges[state].label);
    view_int(view, "failures", endpoint->is.failures);
    view_bool(view, "failing", endpoint->is.failures > 0);
}

static void put_events(struct view *view, struct str events)
{
    struct view *list = view_list(view, "events");
    struct str name;
    while (str_split(&events, ',', &name))
        view_item_str(list, name);
}

/* "03:00", in Washington. */
static struct str hour_label(struct arena *arena, int64_t ms)
{
    enum { HOUR_AT = 11, HOUR_END = 16 };
    char space[64];
    struct buf b = buf_over(space, sizeof space);
    instant_put_new_york(&b, ms);
    return arena_str(arena, str_slice(buf_view(&b), HOUR_AT, HOUR_END));
}

static void put_chart(
    struct page_call *call, struct view *view, const struct endpoint_health *health, bool small)
{
    static const struct chart_series series[] = {{"delivered", CHART_MAIN}, {"failed", CHART_BAD}};
    struct str labels[ENDPOINT_HEALTH_HOURS];
    int64_t values[2 * ENDPOINT_HEALTH_HOURS];
    for (size_t i = 0; i < ENDPOINT_HEALTH_HOURS; i++) {
        labels[i] = hour_label(call->arena, health->hours[i].from_ms);
        values[2 * i] = health->hours[i].delivered;
        values[2 * i + 1] = health->hours[i].failed;
    }
    const struct chart chart = {
        .title = "Attempts in the last 24 hours",
        .axis = "Hour, in Washington",
        .empty = small ? "No attempts" : "No event was sent in the last 24 hours.",
        .series = series,
        .series_count = 2,
        .labels = labels,
        .values = values,
        .count = ENDPOINT_HEALTH_HOURS,
        .small = small,
    };
    chart_bars(view, "chart", &chart);
}

static void put_health(
    struct page_call *call, struct view *view, const struct endpoint *endpoint,
    const struct endpoint_health *health, bool small)
{
    bool sends = endpoint->is.state == ENDPOINT_ENABLED;
    put_chart(call, view, health, small);
    view_count(view, "delivered", health->delivered);
    view_count(view, "failed", health->failed);
    view_bool(view, "anyFailed", health->failed > 0);
    view_count(view, "waiting", health->waiting);
    view_bool(view, "anyWaiting", health->waiting > 0);
    view_bool(view, "oneWaits", health->waiting == 1);
    int64_t next_ms = endpoint->is.next_try_at; /* no earlier while it is half open */
    if (health->next_at > next_ms)
        next_ms = health->next_at;
    bool waits = sends && health->waiting;
    view_bool(view, "due", waits && next_ms <= call->now_ms);
    view_ago(
        view, "nextAt", waits && next_ms > call->now_ms ? next_ms : INSTANT_NONE, call->now_ms);
    view_ago(view, "lastAt", health->last.at, call->now_ms);
    view_str(
        view, "lastResult",
        health->last.at == INSTANT_NONE
            ? STR_NULL
            : webhook_result(call->arena, health->last.status, health->last.error));
    view_bool(view, "lastFailed", !str_is_null(health->last.error));
}

enum err webhook_put(
    struct page_call *call, struct view *view, const struct endpoint *endpoint, bool small,
    struct fail *fail)
{
    struct endpoint_health health;
    int64_t old_until = endpoint->old_secret_until;
    view_str(view, "id", endpoint->id);
    view_str(view, "url", endpoint->url);
    view_str(view, "description", endpoint->description);
    put_events(view, endpoint->events);
    put_state(view, endpoint);
    view_instant(view, "createdAt", endpoint->created_at);
    view_instant(view, "oldSecretUntil", old_until > call->now_ms ? old_until : INSTANT_NONE);
    enum err err =
        endpoint_health(call->db, endpoint->no, call->now_ms, call->arena, &health, fail);
    if (!err)
        put_health(call, view, endpoint, &health, small);
    return err;
}

/* --- a delivery */

/* Held: neither the event nor a retry is sent while the endpoint is not enabled. */
static void put_delivery_state(
    struct view *view, const struct endpoint *endpoint, const struct delivery_row *row)
{
    bool held = row->cause == DELIVERY_BY_EVENT && endpoint->is.state != ENDPOINT_ENABLED;
    if (row->state == DELIVERY_DELIVERED)
        webhook_put_badge(view, "good", "Delivered");
    else if (row->state == DELIVERY_FAILED)
        webhook_put_badge(view, "bad", "Failed");
    else if (row->state == DELIVERY_EXPIRED)
        webhook_put_badge(view, "off", "Expired");
    else if (row->in_flight)
        webhook_put_badge(view, "wait", "Being sent");
    else if (held)
        webhook_put_badge(view, "off", "Held");
    else
        webhook_put_badge(view, "wait", row->tries ? "Will be retried" : "Waiting");
    view_bool(view, "held", row->state == DELIVERY_PENDING && !row->in_flight && held);
}

void webhook_put_delivery(
    const struct page_call *call, struct view *view, const struct endpoint *endpoint,
    const struct delivery_row *row)
{
    bool pending = row->state == DELIVERY_PENDING;
    bool held = row->cause == DELIVERY_BY_EVENT && endpoint->is.state != ENDPOINT_ENABLED;
    bool waits = pending && !row->in_flight && !held;
    view_str(view, "id", row->id);
    view_str(view, "event", row->event_type);
    view_str(view, "filing", row->filing_id);
    view_str(view, "state", delivery_state_name(row->state));
    view_str(view, "cause", delivery_cause_name(row->cause));
    view_bool(view, "test", row->cause == DELIVERY_BY_TEST);
    view_bool(view, "replayed", row->cause == DELIVERY_BY_REPLAY);
    view_bool(view, "pending", pending);
    put_delivery_state(view, endpoint, row);
    view_count(view, "attempts", row->attempts);
    view_bool(view, "lastTry", row->tries >= DELIVERY_TRIES_MAX);
    view_ago(view, "createdAt", row->created_at, call->now_ms);
    view_instant(view, "endedAt", row->ended_at);
    view_instant(view, "replayedAt", row->replayed_at);
    view_ago(view, "nextAt", waits ? row->due_at : INSTANT_NONE, call->now_ms);
    view_str(view, "result", webhook_result(call->arena, row->status, row->error));
    view_str(
        view, "href",
        arena_fmt(
            call->arena, "/account/webhooks/%.*s/deliveries/%.*s", STR_ARG(endpoint->id),
            STR_ARG(row->id)));
}

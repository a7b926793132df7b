/* Notices to owners; see notice.h. */
#include "webhook/notice.h"

#include "store/mail_queue.h"

enum { NOTICE_MAX = 128 * 1024 };

static void put_endpoint(struct buf *b, const struct endpoint *endpoint)
{
    buf_fmt(b, "    %.*s  %.*s\n", STR_ARG(endpoint->id), STR_ARG(endpoint->url));
    if (!str_is_null(endpoint->description))
        buf_fmt(b, "    %.*s\n", STR_ARG(endpoint->description));
}

/* The page of an endpoint; of all, if it is NULL. */
static void put_page(struct buf *b, struct str base_url, const struct endpoint *endpoint)
{
    buf_fmt(b, "    %.*s/account/webhooks", STR_ARG(base_url));
    if (endpoint)
        buf_fmt(b, "/%.*s", STR_ARG(endpoint->id));
    buf_char(b, '\n');
}

/* --- failures */

static void put_last_error(struct buf *b, const struct delivery_outcome *outcome)
{
    buf_text(b, "The last attempt ended at ");
    instant_put(b, outcome->ended_at);
    if (outcome->status)
        buf_fmt(b, ": the receiver answered with status %d.\n\n", outcome->status);
    else
        buf_fmt(
            b, " without an answer: %.*s (%.*s).\n\n", STR_ARG(outcome->detail),
            STR_ARG(outcome->error));
}

static void put_what_goes_on(struct buf *b, int failures)
{
    buf_fmt(
        b,
        "What happens next: each of these deliveries is tried %d times within 15 hours and then"
        " parked.\n",
        DELIVERY_TRIES_MAX);
    if (failures < ENDPOINT_FAILURES_MAX)
        buf_fmt(
            b,
            "If %d different deliveries fail before the endpoint answers with a 2xx status again,"
            " it is disabled.\n\n",
            ENDPOINT_FAILURES_MAX);
    else
        buf_char(b, '\n');
}

static void put_disabled(struct buf *b)
{
    buf_fmt(
        b,
        "The endpoint is disabled: nothing more is sent to it. Events are held for it for %d "
        "days.\n"
        "Enable it when the receiver works again; held events are then sent, oldest "
        "first.\n\n",
        DELIVERY_HELD_DAYS);
}

static void put_failures(
    struct buf *b, struct str base_url, const struct endpoint *endpoint,
    const struct delivery_outcome *outcome, bool disabled)
{
    buf_fmt(b, "%d deliveries to your webhook endpoint\n\n", endpoint->is.failures);
    put_endpoint(b, endpoint);
    buf_text(b, "\nhave failed since it last answered with a 2xx status.\n");
    put_last_error(b, outcome);
    if (disabled)
        put_disabled(b);
    else
        put_what_goes_on(b, endpoint->is.failures);
    buf_fmt(
        b, "This page shows what came back, sends a test, and %s the endpoint:\n\n",
        disabled ? "enables" : "changes or disables");
    put_page(b, base_url, endpoint);
}

enum err notice_failures(
    struct db *db, void *ctx, const struct delivery_outcome *outcome,
    const struct delivery_effect *effect, struct fail *fail)
{
    struct arena arena;
    struct endpoint endpoint;
    arena_init(&arena);
    enum err err = endpoint_find_no(db, effect->endpoint_no, &arena, &endpoint, fail);
    if (!err) {
        bool disabled = effect->after.state == ENDPOINT_DISABLED;
        struct buf body;
        endpoint.is = effect->after;
        buf_init(&body, NOTICE_MAX);
        put_failures(&body, *(const struct str *)ctx, &endpoint, outcome, disabled);
        struct str subject = arena_fmt(
            &arena, "Webhook %.*s%s: %d deliveries failed", STR_ARG(endpoint.id),
            disabled ? " disabled" : "", endpoint.is.failures);
        err = mail_queue_put(
            db, endpoint.account_email, subject, buf_view(&body), outcome->ended_at, fail);
        buf_finish(&body);
    }
    arena_finish(&arena);
    return err == ERR_NOT_FOUND ? OK : err; /* the endpoint was removed: no notice */
}

/* --- plans */

static void put_list(struct buf *b, const char *heading, const struct endpoint_list *list)
{
    if (!list->count)
        return;
    buf_text(b, heading);
    for (size_t i = 0; i < list->count; i++)
        put_endpoint(b, &list->items[i]);
    buf_char(b, '\n');
}

enum err notice_plan(
    struct db *db, struct str base_url, const struct account *account,
    const struct owner_plan_effect *effect, int64_t now_ms, struct fail *fail)
{
    const struct plan_info *plan = plan_info(account->plan);
    struct buf body;
    if (!effect->paused.count && !effect->resumed.count)
        return OK;
    buf_init(&body, NOTICE_MAX);
    buf_fmt(
        &body, "Your account is on the %.*s plan now, which allows %u webhook endpoints.\n\n",
        STR_ARG(plan->name), plan->webhook_endpoints);
    put_list(&body, "Paused, because they are the newest above that number:\n\n", &effect->paused);
    if (effect->paused.count)
        buf_fmt(
            &body,
            "Nothing is sent to them. Events are held for them for %d days, and sent when a larger"
            " plan or the removal\nof an older endpoint makes room.\n\n",
            DELIVERY_HELD_DAYS);
    put_list(&body, "Resumed; what was held for them is sent now:\n\n", &effect->resumed);
    buf_text(&body, "All of your endpoints:\n\n");
    put_page(&body, base_url, NULL);
    enum err err = mail_queue_put(
        db, account->email, STR("Your webhook endpoints on the new plan"), buf_view(&body), now_ms,
        fail);
    buf_finish(&body);
    return err;
}

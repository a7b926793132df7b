/* Notices to owners; see notice.h. */
#include "webhook/notice.h"

#include "store/account/endpoint_health.h"
#include "store/account/mail_queue.h"

enum { NOTICE_MAX = 128 * 1024 };

static void put_endpoint(struct buf *b, const struct endpoint *endpoint)
{
    buf_fmt(b, "    %.*s  %.*s\n", STR_ARG(endpoint->id), STR_ARG(endpoint->url));
    if (!str_is_null(endpoint->description))
        buf_fmt(b, "    %.*s\n", STR_ARG(endpoint->description));
}

static void put_page(struct buf *b, struct str base_url)
{
    buf_fmt(b, "    %.*s/account/webhooks\n", STR_ARG(base_url));
}

/* --- failures */

static void put_last_error(struct buf *b, const struct endpoint_health *health)
{
    if (health->last.at == INSTANT_NONE)
        return;
    buf_text(b, "    last attempt ");
    instant_put(b, health->last.at);
    if (health->last.status)
        buf_fmt(b, ": the receiver answered with status %d\n", health->last.status);
    else
        buf_fmt(
            b, ": no answer: %.*s (%.*s)\n", STR_ARG(health->last.detail),
            STR_ARG(health->last.error));
}

static void put_failing(struct buf *b, const struct endpoint *endpoint)
{
    const struct endpoint_is *is = &endpoint->is;
    put_endpoint(b, endpoint);
    if (is->state == ENDPOINT_DISABLED && endpoint_reason(is) == ENDPOINT_IS_GONE)
        buf_text(b, "    disabled: the receiver answered 410, which asks for no more\n");
    else
        buf_fmt(
            b, "    %s%d deliveries failed since it last answered with a 2xx status\n",
            is->state == ENDPOINT_DISABLED ? "disabled: " : "", is->failures);
}

/* Lists the failing endpoints. *ret_disabled: how many of them are disabled. */
static enum err put_all_failing(
    const struct act *act, struct buf *b, const struct endpoint_list *list, size_t *ret_failing,
    size_t *ret_disabled)
{
    *ret_failing = *ret_disabled = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct endpoint_health health;
        const struct endpoint *endpoint = &list->items[i];
        if (!endpoint_is_failing(&endpoint->is))
            continue;
        TRY(endpoint_health(act->db, endpoint->no, act->now_ms, act->arena, &health, act->fail));
        put_failing(b, endpoint);
        put_last_error(b, &health);
        buf_char(b, '\n');
        ++*ret_failing;
        *ret_disabled += endpoint->is.state == ENDPOINT_DISABLED;
    }
    return OK;
}

static void put_what_goes_on(struct buf *b, size_t failing, size_t disabled)
{
    if (disabled < failing)
        buf_fmt(
            b,
            "A failing endpoint gets one delivery at a time, with pauses of up to a minute, until "
            "it"
            " answers with a 2xx\nstatus. After %d deliveries in a row have failed it is disabled."
            "\n\n",
            ENDPOINT_FAILURES_MAX);
    if (disabled)
        buf_fmt(
            b,
            "Nothing more is sent to a disabled endpoint. Events are held for it for %d days. "
            "Enable"
            " it when the receiver\nworks again; held events are then sent, oldest first.\n\n",
            DELIVERY_HELD_DAYS);
}

static enum err write_notice(const struct act *act, struct str base_url, struct str email)
{
    struct endpoint_list list;
    BUF_SCOPED(body, NOTICE_MAX);
    size_t failing = 0, disabled = 0;
    struct mail_letter letter = {.to = email, .kind = STR("webhooks_failing")};
    TRY(endpoint_list(act, email, &list));
    buf_text(&body, "Of your webhook endpoints, these failed as of ");
    instant_put(&body, act->now_ms);
    buf_text(&body, ":\n\n");
    TRY(put_all_failing(act, &body, &list, &failing, &disabled));
    put_what_goes_on(&body, failing, disabled);
    buf_text(&body, "This page shows what came back, sends a test, and enables an endpoint:\n\n");
    put_page(&body, base_url);
    if (failing)
        letter.body = buf_view(&body);
    letter.subject = arena_fmt(
        act->arena, "Webhooks: %zu %s, %zu of them disabled", failing,
        failing == 1 ? "endpoint fails" : "endpoints fail", disabled);
    return mail_queue_put_hourly(act->db, &letter, act->now_ms, act->fail);
}

enum err notice_failures(
    struct db *db, void *ctx, const struct delivery_outcome *outcome,
    const struct delivery_effect *effect, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct endpoint endpoint;
    enum err err = endpoint_find_no(db, effect->endpoint_no, &arena, &endpoint, fail);
    if (!err)
        err = write_notice(
            &(struct act){.db = db, .now_ms = outcome->ended_at, .arena = &arena, .fail = fail},
            *(const struct str *)ctx, endpoint.account_email);
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
    const struct act *act, struct str base_url, const struct account *account,
    const struct owner_plan_effect *effect)
{
    const struct plan_info *plan = plan_info(account->plan);
    BUF_SCOPED(body, NOTICE_MAX);
    if (!effect->paused.count && !effect->resumed.count)
        return OK;
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
    put_page(&body, base_url);
    return mail_queue_put(
        act->db, account->email, STR("Your webhook endpoints on the new plan"), buf_view(&body),
        act->now_ms, act->fail);
}

/* The page of an endpoint: its log of deliveries, and what its owner does with it. */
#include "base/hidden.h"
#include "base/utf8.h"
#include "html/table.h"
#include "site/account/webhook_form.h"
#include "site/account/webhook_view.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call.h"
#include "store/account/delivery_by_hand.h"
#include "store/account/endpoint.h"
#include "webhook/owner.h"
#include "webhook/owner_send.h"

/* The log of deliveries on the page of an endpoint: filters, pages, rows. */

enum { LOG_PAGE = 25, LOG_READ = LOG_PAGE + 1 };

/* Days in Washington, from the first's start to the second's end. Null or unreadable: no bound. */
static void webhook_log_days(struct str from, struct str to, int64_t *ret_since, int64_t *ret_until)
{
    int32_t day;
    *ret_since = day_parse(from, &day) ? instant_from_new_york(day, 0) : INSTANT_NONE;
    *ret_until = day_parse(to, &day) ? instant_from_new_york(day + 1, 0) : INSTANT_NONE;
}

/* What the query asks for. */
struct log_query {
    struct str state, from, to;
    struct str before, after;
    struct delivery_filter filter;
};

static void put_filters(struct page_call *call, const struct log_query *query)
{
    static const struct form_option states[] = {
        {STR_INIT(""), STR_INIT("all states")},
        {STR_INIT("pending"), STR_INIT("waiting or held")},
        {STR_INIT("delivered"), STR_INIT("delivered")},
        {STR_INIT("failed"), STR_INIT("failed")},
        {STR_INIT("expired"), STR_INIT("expired")},
    };
    form_show_choice(
        call->view, NULL, "state",
        query->filter.state == DELIVERY_STATE_COUNT ? STR("") : query->state, states,
        sizeof states / sizeof *states);
    form_show(
        call->view, NULL, "from", query->filter.since == INSTANT_NONE ? STR("") : query->from);
    form_show(call->view, NULL, "to", query->filter.until == INSTANT_NONE ? STR("") : query->to);
    view_bool(
        call->view, "filtered",
        query->filter.state != DELIVERY_STATE_COUNT || query->filter.since != INSTANT_NONE ||
            query->filter.until != INSTANT_NONE);
}

/* A cursor of another endpoint, or of a delivery that is gone, is the first page. */
static enum err read_edge(
    struct page_call *call, int64_t endpoint_no, struct str *id, struct delivery_place *ret,
    struct fail *fail)
{
    if (str_is_null(*id))
        return OK;
    enum err err = delivery_place(call->db, endpoint_no, *id, ret, fail);
    if (err == ERR_NOT_FOUND)
        *id = STR_NULL;
    return err == ERR_NOT_FOUND ? OK : err;
}

static enum err read_query(
    struct page_call *call, const struct endpoint *endpoint, struct log_query *ret,
    struct fail *fail)
{
    *ret = (struct log_query){
        .state = page_query(call, STR("state")),
        .from = page_query(call, STR("from")),
        .to = page_query(call, STR("to")),
        .before = page_query(call, STR("before")),
        .after = page_query(call, STR("after")),
        .filter = DELIVERY_FILTER_ALL,
    };
    struct delivery_filter *filter = &ret->filter;
    filter->endpoint_no = endpoint->no;
    filter->state = delivery_state_from_name(ret->state);
    webhook_log_days(ret->from, ret->to, &filter->since, &filter->until);
    TRY(read_edge(call, endpoint->no, &ret->after, &filter->after, fail));
    if (str_is_null(ret->after))
        TRY(read_edge(call, endpoint->no, &ret->before, &filter->before, fail));
    return OK;
}

/* The rows, in the order in which they are read. */
struct log_rows {
    struct arena *arena;
    struct delivery_row items[LOG_READ];
    size_t count;
};

static void keep(void *ctx, const struct delivery_row *row)
{
    struct log_rows *rows = ctx;
    struct delivery_row *own = &rows->items[rows->count++];
    *own = *row;
    struct str *const texts[] = {&own->id, &own->event_type, &own->filing_id, &own->error};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_str(rows->arena, *texts[i]);
}

static void put_rows(
    struct page_call *call, const struct endpoint *endpoint, const struct log_query *query,
    const struct log_rows *rows)
{
    bool rising = query->filter.after.no != 0, more = rows->count == LOG_READ;
    size_t count = more ? LOG_PAGE : rows->count;
    struct view *table = table_begin(
        call->view, "deliveries", "Event|State|When|#Attempts|Last result",
        "No delivery matches. The log keeps attempts for 30 days.");
    for (size_t i = 0; i < count; i++) {
        const struct delivery_row *row = &rows->items[rising ? count - 1 - i : i];
        webhook_put_delivery(call, table_row(table), endpoint, row);
    }
    const struct link_param filters[] = {
        {STR("state"), query->filter.state == DELIVERY_STATE_COUNT ? STR_NULL : query->state},
        {STR("from"), query->filter.since == INSTANT_NONE ? STR_NULL : query->from},
        {STR("to"), query->filter.until == INSTANT_NONE ? STR_NULL : query->to},
    };
    bool newer = rising ? more : !str_is_null(query->before);
    bool older = rising || more;
    struct link_param previous = {STR("after"), STR_NULL}, next = {STR("before"), STR_NULL};
    if (count && newer)
        previous.value = rows->items[rising ? count - 1 : 0].id;
    if (count && older)
        next.value = rows->items[rising ? 0 : count - 1].id;
    table_pages(
        table, webhook_path(call, endpoint->id, ""), filters, sizeof filters / sizeof *filters,
        previous, next);
}

/* Shows the log as the query says: state, from, to (days in Washington), before or after (the id of
 * the delivery at the edge of the other page). */
static enum err webhook_log_put(
    struct page_call *call, const struct endpoint *endpoint, struct fail *fail)
{
    struct log_query query;
    struct log_rows rows = {.arena = call->arena};
    TRY(read_query(call, endpoint, &query, fail));
    TRY(delivery_each(call->db, &query.filter, LOG_READ, keep, &rows, fail));
    put_filters(call, &query);
    put_rows(call, endpoint, &query, &rows);
    return OK;
}

/* --- the page */

static enum err put_bulk(struct page_call *call, const struct endpoint *endpoint, struct fail *fail)
{
    struct delivery_bulk bulk;
    enum err err = delivery_bulk_find(call->db, endpoint->no, &bulk, fail);
    if (err || bulk.created_at == INSTANT_NONE)
        return err;
    struct view *view = view_object(call->view, "bulk");
    view_str(view, "state", delivery_state_name(bulk.matching.state));
    view_count(view, "matched", bulk.matched);
    view_count(view, "replayed", bulk.replayed);
    view_ago(view, "createdAt", bulk.created_at, call->now_ms);
    view_instant(view, "endedAt", bulk.ended_at);
    view_bool(view, "open", bulk.ended_at == INSTANT_NONE);
    return OK;
}

static void put_grace(struct page_call *call)
{
    static const struct form_option options[] = {
        {STR_INIT("24"), STR_INIT("24 hours: both secrets sign")},
        {STR_INIT("1"), STR_INIT("1 hour: both secrets sign")},
        {STR_INIT("0"), STR_INIT("none: the old secret ends now, as after a leak")},
    };
    form_show_choice(
        call->view, NULL, "grace", STR("24"), options, sizeof options / sizeof *options);
}

enum err webhook_load(struct page_call *call, struct fail *fail)
{
    struct endpoint endpoint;
    TRY(webhook_find(call, &endpoint, fail));
    TRY(webhook_put(call, call->view, &endpoint, false, fail));
    TRY(put_bulk(call, &endpoint, fail));
    TRY(webhook_log_put(call, &endpoint, fail));
    view_str(call->view, "href", webhook_path(call, endpoint.id, ""));
    bool changes = call->page->act == webhook_change_act;
    webhook_form_show(call, changes ? call->form : NULL, &endpoint);
    put_grace(call);
    return OK;
}

/* --- actions */

static struct owner_endpoint endpoint_of(const struct page_call *call)
{
    return (struct owner_endpoint){
        .id = call->segments[0],
        .rules = call->config->webhook_rules,
        .key = call->config->seal_key};
}

/* Runs the action of the row. */
enum err webhook_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    return page_write_row(call, webhook_path(call, is.id, ""), &is, fail);
}

/* Only what differs is an action with a row in the log. */
static enum err run_change(const struct act *act, void *work)
{
    struct owner_endpoint *is = work;
    struct endpoint old;
    TRY(owner_find(act, is->id, &old));
    struct str old_text = str_is_null(old.description) ? STR("") : old.description;
    if (!str_eq(is->url, old.url) || !str_eq(str_trim(is->description), old_text))
        TRY(owner_change(act, is));
    if (!str_eq(is->events, old.events))
        TRY(owner_set_events(act, is));
    return OK;
}

enum err webhook_change_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    enum err err = webhook_find(call, &is.endpoint, fail);
    if (err || !webhook_form_check(call, fail))
        return err;
    is.url = form_value(call->form, "url");
    is.events = webhook_form_events(call);
    is.description = form_value(call->form, "description");
    TRY(page_write(call, run_change, &is, fail));
    page_redirect(call, webhook_path(call, is.id, ""), FLASH_SAVED);
    return OK;
}

/* --- a test: the dispatcher sends it, and the page of the delivery shows the answer */

enum err webhook_test_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    TRY(page_write(call, owner_test, &is, fail));
    const char *rest = arena_fmt(call->arena, "/deliveries/%s", is.delivery_id).p;
    page_redirect(call, webhook_path(call, is.id, rest), FLASH_NONE);
    return OK;
}

/* --- secrets: the response itself shows them */

static enum err show_secret(
    struct page_call *call, act_run *run, struct owner_endpoint *is, struct str title,
    struct fail *fail)
{
    enum err err = page_write(call, run, is, fail);
    if (!err) {
        int64_t old_until = is->endpoint.old_secret_until;
        view_str(call->view, "id", is->id);
        view_str(call->view, "url", is->endpoint.url);
        view_str(call->view, "secret", secret_text(&is->secret));
        view_str(call->view, "href", webhook_path(call, is->id, ""));
        view_instant(
            call->view, "oldSecretUntil", old_until > call->now_ms ? old_until : INSTANT_NONE);
        page_show(call, 200, STR("webhook_secret"), title);
    }
    secret_finish(&is->secret);
    return err;
}

enum err webhook_reveal_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    return show_secret(call, owner_reveal, &is, STR("Secret of an endpoint"), fail);
}

enum err webhook_rotate_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = endpoint_of(call);
    is.grace_hours = form_number(call->form, "grace", 0, DELIVERY_GRACE_HOURS_MAX);
    is.force = form_checked(call->form, "force");
    if (form_is_faulty(call->form))
        return OK;
    view_bool(call->view, "rotated", true);
    return show_secret(call, owner_rotate, &is, STR("New secret of an endpoint"), fail);
}

/* --- the page that replays many deliveries: first how many match, then start */

/* The deliveries that the query of the page, or its form, names: failed ones without a bound. */
struct replay_choice {
    struct str state, from, to;
    struct owner_replays which;
};

static struct str given(const struct page_call *call, const char *name)
{
    struct str value = call->form ? form_value(call->form, name) : page_query(call, str_from(name));
    return str_is_null(value) ? STR("") : value;
}

static struct replay_choice read_choice(const struct page_call *call)
{
    struct replay_choice choice = {
        .state = given(call, "state"), .from = given(call, "from"), .to = given(call, "to")};
    int64_t since, until;
    webhook_log_days(choice.from, choice.to, &since, &until);
    bool expired = str_eq(choice.state, delivery_state_name(DELIVERY_EXPIRED));
    choice.which = (struct owner_replays){
        .endpoint_id = call->segments[0],
        .state = expired ? DELIVERY_EXPIRED : DELIVERY_FAILED,
        .since = since == INSTANT_NONE ? 0 : since,
        .until = until == INSTANT_NONE ? INT64_MAX : until,
    };
    choice.state = delivery_state_name(choice.which.state);
    if (since == INSTANT_NONE)
        choice.from = STR("");
    if (until == INSTANT_NONE)
        choice.to = STR("");
    return choice;
}

enum err webhook_replay_load(struct page_call *call, struct fail *fail)
{
    static const struct form_option states[] = {
        {STR_INIT("failed"), STR_INIT("failed")}, {STR_INIT("expired"), STR_INIT("expired")}};
    struct endpoint endpoint;
    struct replay_choice choice = read_choice(call);
    TRY(webhook_find(call, &endpoint, fail));
    TRY(owner_replays_count(page_reads(call, fail), &choice.which));
    view_str(call->view, "id", endpoint.id);
    view_str(call->view, "url", endpoint.url);
    view_str(call->view, "href", webhook_path(call, endpoint.id, ""));
    view_str(call->view, "state", choice.state);
    view_str(call->view, "from", choice.from);
    view_str(call->view, "to", choice.to);
    view_count(call->view, "matching", choice.which.count);
    view_bool(call->view, "anyMatching", choice.which.count > 0);
    view_bool(call->view, "one", choice.which.count == 1);
    form_show_choice(call->view, NULL, "state", choice.state, states, 2);
    form_show(call->view, NULL, "from", choice.from);
    form_show(call->view, NULL, "to", choice.to);
    return OK;
}

enum err webhook_replay_act(struct page_call *call, struct fail *fail)
{
    struct owner_replays which = read_choice(call).which;
    TRY(page_write(call, owner_replay_many, &which, fail));
    if (which.count == 0)
        return fail_set(fail, ERR_REFUSED, "no delivery matches any more");
    page_redirect(call, webhook_path(call, call->segments[0], ""), FLASH_WEBHOOK_REPLAYS_STARTED);
    return OK;
}

/* --- the page of all endpoints, and adding one */

enum err webhooks_load(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    const struct plan_info *plan = plan_info(account->plan);
    struct endpoint_list list;
    struct view *endpoints = view_list(call->view, "endpoints");
    TRY(endpoint_list(page_reads(call, fail), account->email, &list));
    for (size_t i = 0; i < list.count; i++) {
        struct view *item = view_item(endpoints);
        view_str(item, "href", webhook_path(call, list.items[i].id, ""));
        TRY(webhook_put(call, item, &list.items[i], true, fail));
    }
    view_int(call->view, "count", (int64_t)list.count);
    view_int(call->view, "cap", plan->webhook_endpoints);
    view_bool(call->view, "any", list.count > 0);
    view_bool(call->view, "hasCap", plan->webhook_endpoints > 0);
    view_bool(call->view, "room", list.count < plan->webhook_endpoints);
    view_str(call->view, "plan", plan->name);
    view_str(call->view, "contact", call->config->contact);
    webhook_form_show(call, call->form, NULL);
    return OK;
}

enum err webhooks_act(struct page_call *call, struct fail *fail)
{
    struct owner_endpoint is = {
        .account_no = call->visitor.account.no,
        .url = form_value(call->form, "url"),
        .events = webhook_form_events(call),
        .description = form_value(call->form, "description"),
        .rules = call->config->webhook_rules,
        .key = call->config->seal_key,
    };
    if (!webhook_form_check(call, fail))
        return OK;
    enum err err = page_write(call, owner_add, &is, fail);
    if (err == ERR_LIMIT && call->json) {
        page_error(
            call, ERROR_WEBHOOK_ENDPOINT_LIMIT_REACHED, str_from(fail->text),
            plan_info(call->visitor.account.plan)->webhook_endpoints);
        return OK;
    }
    if (err) {
        secret_finish(&is.secret);
        return err;
    }
    view_str(call->view, "id", is.id);
    view_str(call->view, "url", is.endpoint.url);
    view_str(call->view, "secret", secret_text(&is.secret));
    view_str(call->view, "href", webhook_path(call, is.id, ""));
    view_bool(call->view, "added", true);
    secret_finish(&is.secret);
    page_show(call, 201, STR("webhook_secret"), STR("New endpoint"));
    return OK;
}

/* --- the page of a delivery: what was sent, each attempt, the answers, and replay */

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

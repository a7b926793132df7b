/* /admin/mail: e-mails that wait or were given up, and what admins do with them. */
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "status/mail_actions.h"
#include "store/account/delivery_stuck.h"

struct mail_rows {
    struct page_call *call;
    struct view *table;
    size_t count;
    int64_t last;
};

static void put_mail_state(struct view *v, enum mail_state state)
{
    static const struct {
        const char *kind;
        struct str label;
    } shown[MAIL_STATE_COUNT] = {
        [MAIL_WAITING] = {"wait", STR_INIT("Waiting")},
        [MAIL_RETRYING] = {"wait", STR_INIT("Retrying")},
        [MAIL_GIVEN_UP] = {"bad", STR_INIT("Given up")},
        [MAIL_SENT] = {"good", STR_INIT("Sent")},
    };
    view_str(v, "state", mail_state_name(state));
    admin_badge(v, "badge", shown[state].kind, shown[state].label);
}

static void add_mail(void *ctx, const struct mail_row *mail)
{
    struct mail_rows *rows = ctx;
    if (rows->count++ == ADMIN_ROWS)
        return;
    struct view *row = table_row(rows->table);
    view_int(row, "id", mail->no);
    view_str(row, "to", mail->to);
    view_bool(row, "mayRetry", mail->state != MAIL_SENT && mail->to.n);
    view_str(row, "subject", mail->subject);
    view_int(row, "tries", mail->tries);
    view_str(row, "error", mail->error);
    view_bool(row, "unsent", mail->state != MAIL_SENT);
    view_ago(row, "createdAt", mail->created_at, rows->call->now_ms);
    view_ago(row, "dueAt", mail->due_at, rows->call->now_ms);
    view_ago(row, "endedAt", mail->ended_at, rows->call->now_ms);
    put_mail_state(row, mail->state);
    rows->last = mail->no;
}

/* Links to the mail of one state. */
static void put_states(struct page_call *call, const enum mail_state *present)
{
    static const struct str labels[MAIL_STATE_COUNT] = {
        STR_INIT("Waiting"), STR_INIT("Retrying"), STR_INIT("Given up"), STR_INIT("Sent")};
    struct view *states = view_list(call->view, "states");
    struct view *all = view_item(states);
    view_text(all, "label", "Not sent");
    view_text(all, "href", "/admin/mail");
    view_bool(all, "current", !present);
    for (enum mail_state state = 0; state < MAIL_STATE_COUNT; state++) {
        struct view *item = view_item(states);
        const struct link_param param = {STR("state"), mail_state_name(state)};
        view_str(item, "label", labels[state]);
        view_str(item, "href", link_make(call->arena, STR("/admin/mail"), &param, 1));
        view_bool(item, "current", present && *present == state);
    }
}

enum err admin_mail_load(struct page_call *call, struct fail *fail)
{
    enum mail_state state = MAIL_WAITING;
    struct mail_counts counts;
    struct str name = admin_filter(call, "state");
    bool one_state = mail_state_from_name(name, &state);
    int64_t before = admin_before(call);
    struct mail_rows rows = {.call = call};
    TRY(mail_queue_count(call->db, call->arena, &counts, fail));
    view_bool(call->view, "mailIsSet", call->config->account->mail);
    view_count(call->view, "givenUp", counts.given_up);
    view_bool(call->view, "anyGivenUp", counts.given_up > 0);
    put_states(call, one_state ? &state : NULL);
    rows.table = table_begin(
        call->view, "mails", "E-mail|State|Queued|Last error|Actions",
        one_state ? "No e-mail is in this state." : "Every e-mail was sent.");
    TRY(mail_queue_each(
        call->db, one_state ? &state : NULL, before ? before : INT64_MAX, ADMIN_ROWS + 1, add_mail,
        &rows, fail));
    const struct link_param filter = {STR("state"), one_state ? name : STR_NULL};
    admin_pages(
        call, rows.table, "/admin/mail", &filter, 1, rows.count > ADMIN_ROWS ? rows.last : 0);
    return OK;
}

static const struct mail_do {
    struct str name; /* the field `do` */
    act_run *write;
    enum flash flash;
} dos[] = {
    {STR_INIT("retry"), mail_action_retry, FLASH_MAIL_RETRIED},
    {STR_INIT("retry_given_up"), mail_action_retry_given_up, FLASH_MAIL_RETRIED},
    {STR_INIT("drop"), mail_action_drop, FLASH_MAIL_DROPPED},
};

static const struct mail_do *find_do(struct str name)
{
    for (size_t i = 0; i < sizeof dos / sizeof *dos; i++)
        if (str_eq(dos[i].name, name))
            return &dos[i];
    return NULL;
}

enum err admin_mail_act(struct page_call *call, struct fail *fail)
{
    const struct mail_do *what = find_do(form_value(call->form, "do"));
    struct str number = form_value(call->form, "mail");
    int64_t no = 0;
    if (!str_to_i64(number, &no) && !str_is_null(number))
        return fail_set(fail, ERR_INVALID, "\"mail\" is not the number of an e-mail");
    if (!what)
        return fail_set(fail, ERR_INVALID, "\"do\" must be retry, retry_given_up or drop");
    enum err err = page_write(call, what->write, &no, fail);
    if (err == ERR_NOT_FOUND) /* sent, dropped or too old by now: say so above the list */
        return fail_set(fail, ERR_INVALID, "this e-mail does not exist any more");
    if (!err)
        page_redirect(call, STR("/admin/mail"), what->flash);
    return err;
}

/* --- /admin/deliveries: endpoints whose deliveries do not get on */

static void put_reason(struct view *v, enum stuck_reason reason)
{
    static const struct {
        const char *kind;
        struct str label;
    } shown[STUCK_REASON_COUNT] = {
        [STUCK_LATE] = {"bad", STR_INIT("Late")},
        [STUCK_DISABLED] = {"off", STR_INIT("Endpoint disabled")},
        [STUCK_PAUSED] = {"off", STR_INIT("Endpoint paused")},
        [STUCK_OWNER] = {"off", STR_INIT("Account disabled")},
    };
    view_str(v, "reason", stuck_reason_name(reason));
    admin_badge(v, "badge", shown[reason].kind, shown[reason].label);
}

static void put_stuck(struct page_call *call, struct view *row, const struct delivery_stuck *stuck)
{
    view_str(row, "endpoint", stuck->endpoint_id);
    view_str(row, "url", stuck->url);
    view_str(row, "accountId", stuck->account_id);
    view_str(row, "email", stuck->email);
    put_reason(row, stuck->reason);
    view_count(row, "queued", stuck->queued);
    view_bool(row, "more", stuck->more);
    view_ago(row, "oldestDueAt", stuck->oldest_due, call->now_ms);
    view_int(row, "failures", stuck->failures);
    view_str(row, "error", stuck->error);
}

enum err admin_deliveries_load(struct page_call *call, struct fail *fail)
{
    struct delivery_stuck_list list;
    int64_t after = 0;
    struct str text = page_query(call, STR("after"));
    if (!str_to_i64(text, &after) || after < 0)
        after = 0;
    enum err err =
        delivery_stuck_list(call->db, after, ADMIN_ROWS, call->now_ms, call->arena, &list, fail);
    if (err)
        return err;
    struct view *table = table_begin(
        call->view, "stuck", "Endpoint|Why|#Waiting|Oldest due|Last error",
        "No delivery is stuck: all endpoints with a queue are enabled, and nothing is late.");
    for (size_t i = 0; i < list.count; i++)
        put_stuck(call, table_row(table), &list.items[i]);
    struct link_param first = {STR("after"), after ? STR("0") : STR_NULL};
    struct link_param next = {STR("after"), STR_NULL};
    if (list.more)
        next.value =
            arena_fmt(call->arena, "%lld", (long long)list.items[list.count - 1].endpoint_no);
    table_pages(table, STR("/admin/deliveries"), NULL, 0, first, next);
    return OK;
}

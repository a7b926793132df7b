/* /admin/accounts/{id}: one account, and what an admin does to it. */
#include "account/manage.h"
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "site/frame/page_applied.h"
#include "store/account/endpoint.h"
#include "store/account/key.h"
#include "store/account/session.h"

enum { LOG_ROWS = 10, REVOKED_SHOWN = 25 };

static bool is_deleted(const struct account *account)
{
    return account->deleted_at != INSTANT_NONE;
}

/* --- the page */

/* A form has what was posted to it. The other forms of the page have their present values. */
static const struct form *posted(const struct page_call *call, const char *what)
{
    return call->form && str_eq(form_value(call->form, "do"), str_from(what)) ? call->form : NULL;
}

static void put_account(struct page_call *call, const struct account *account)
{
    struct view *view = call->view;
    struct form_option plans[PLAN_COUNT];
    admin_plans(plans);
    view_str(view, "id", account->id);
    view_str(view, "email", account->email.n ? account->email : STR_NULL);
    view_str(view, "name", account->email.n ? account->email : account->id);
    view_str(view, "plan", plan_info(account->plan)->key);
    view_str(view, "planName", plan_info(account->plan)->name);
    view_str(view, "role", role_name(account->role));
    view_ago(view, "createdAt", account->created_at, call->now_ms);
    view_ago(view, "disabledAt", account->disabled_at, call->now_ms);
    view_ago(view, "deletedAt", account->deleted_at, call->now_ms);
    view_bool(view, "hasPassword", !str_is_null(account->password_hash));
    view_bool(view, "hasSecondFactor", account->totp_at != INSTANT_NONE);
    view_bool(view, "deleted", is_deleted(account));
    view_bool(view, "disabled", account->disabled_at != INSTANT_NONE);
    view_bool(view, "self", account->no == call->visitor.account.no);
    admin_account_state(view, account->disabled_at, account->deleted_at);
    form_show_choice(
        view, posted(call, "plan"), "plan", plan_info(account->plan)->key, plans, PLAN_COUNT);
    form_show_choice(
        view, posted(call, "role"), "role", role_name(account->role), admin_roles, ROLE_COUNT);
    form_show_faults(view, call->form);
}

static void put_key(struct view *table, const struct key *key, int64_t now_ms)
{
    struct view *row = table_row(table);
    view_str(row, "id", key->id);
    view_str(row, "name", key->name);
    view_str(row, "prefix", key->prefix);
    view_instant(row, "createdAt", key->created_at);
    view_ago(row, "usedAt", key->last_used_at, now_ms);
    view_ago(row, "revokedAt", key->revoked_at, now_ms);
    view_bool(row, "revoked", key->revoked_at != INSTANT_NONE);
}

/* The active ones, and the newest of those that were revoked. */
static enum err put_keys(struct page_call *call, const struct account *account, struct fail *fail)
{
    const struct key_edge newest = {0, 0};
    struct key_list keys, revoked;
    struct view *table = table_begin(
        call->view, "keys", "Name|Begins with|Created|Last used", "The account has no keys.");
    TRY(key_list_active(page_reads(call, fail), account->no, KEY_KIND_COUNT, &keys));
    TRY(key_list_revoked(
        page_reads(call, fail), account->no, &newest, REVOKED_SHOWN + 1, &revoked));
    for (size_t i = 0; i < keys.count; i++)
        put_key(table, &keys.items[i], call->now_ms);
    for (size_t i = 0; i < revoked.count && i < REVOKED_SHOWN; i++)
        put_key(table, &revoked.items[i], call->now_ms);
    view_bool(call->view, "moreRevoked", revoked.count > REVOKED_SHOWN);
    return OK;
}

static void put_endpoint_state(struct view *row, enum endpoint_state state)
{
    struct str name = endpoint_state_name(state);
    view_str(row, "state", name);
    if (state == ENDPOINT_ENABLED)
        admin_badge(row, "badge", "good", STR("Enabled"));
    else
        admin_badge(
            row, "badge", "off", state == ENDPOINT_PAUSED ? STR("Paused") : STR("Disabled"));
}

static enum err put_endpoints(
    struct page_call *call, const struct account *account, struct fail *fail)
{
    struct endpoint_list list = {.count = 0};
    struct view *table = table_begin(
        call->view, "endpoints", "Address|State|#Failures in a row",
        "The account has no endpoints.");
    if (!is_deleted(account))
        TRY(endpoint_list(page_reads(call, fail), account->email, &list));
    for (size_t i = 0; i < list.count; i++) {
        struct view *row = table_row(table);
        view_str(row, "id", list.items[i].id);
        view_str(row, "url", list.items[i].url);
        view_int(row, "failures", list.items[i].is.failures);
        put_endpoint_state(row, list.items[i].is.state);
    }
    return OK;
}

static enum err put_log(struct page_call *call, const struct account *account, struct fail *fail)
{
    struct action_list list;
    const struct action_filter filter = {
        .about_id = account->id, .from_ms = INSTANT_NONE, .to_ms = INSTANT_NONE};
    TRY(action_log_list(page_reads(call, fail), &filter, LOG_ROWS, &list));
    struct view *table = table_begin(
        call->view, "entries", "When|By|Action|Detail", "The log has nothing about the account.");
    for (size_t i = 0; i < list.count; i++) {
        const struct action_entry *entry = &list.items[i];
        struct view *row = table_row(table);
        bool self = str_eq(entry->actor_id, account->id);
        view_instant(row, "at", entry->at);
        view_str(row, "actor", actor_kind_name(entry->actor));
        view_bool(row, "self", self);
        view_str(row, "actorId", entry->actor_id);
        view_str(row, "action", entry->action);
        view_str(row, "detail", entry->detail);
    }
    const struct link_param param = {STR("account"), account->id};
    view_str(call->view, "log", link_make(call->arena, STR("/admin/log"), &param, 1));
    return OK;
}

static enum err put_sessions(
    struct page_call *call, const struct account *account, struct fail *fail)
{
    struct session_list sessions;
    TRY(session_list(page_reads(call, fail), account->no, &sessions));
    view_count(call->view, "sessions", (int64_t)sessions.count);
    view_ago(
        call->view, "seenAt", sessions.count ? sessions.items[0].seen_at : INSTANT_NONE,
        call->now_ms);
    return OK;
}

enum err admin_account_load(struct page_call *call, struct fail *fail)
{
    struct account account;
    TRY(account_find_id(page_reads(call, fail), call->segments[0], &account));
    put_account(call, &account);
    TRY(put_sessions(call, &account, fail));
    TRY(put_keys(call, &account, fail));
    TRY(put_endpoints(call, &account, fail));
    return put_log(call, &account, fail);
}

/* --- actions */

static const struct account_do {
    struct str name; /* the field `do` */
    act_run *write;
    enum flash flash;
} dos[] = {
    {STR_INIT("plan"), manage_set_plan, FLASH_PLAN_CHANGED},
    {STR_INIT("role"), manage_set_role, FLASH_ROLE_CHANGED},
    {STR_INIT("disable"), manage_disable, FLASH_ACCOUNT_DISABLED},
    {STR_INIT("enable"), manage_enable, FLASH_ACCOUNT_ENABLED},
};

static const struct account_do *find_do(struct str name)
{
    for (size_t i = 0; i < sizeof dos / sizeof *dos; i++)
        if (str_eq(dos[i].name, name))
            return &dos[i];
    return NULL;
}

/* An admin who gave up the role may no longer open this page. */
static struct str place_after(const struct page_call *call, const struct account *after)
{
    bool left = after->no == call->visitor.account.no &&
                (after->role != ROLE_ADMIN || after->disabled_at != INSTANT_NONE);
    return left ? STR("/account")
                : arena_fmt(call->arena, "/admin/accounts/%.*s", STR_ARG(after->id));
}

enum err admin_account_act(struct page_call *call, struct fail *fail)
{
    struct subject is = {.plan = PLAN_SCOUT};
    const struct account_do *what = find_do(form_value(call->form, "do"));
    TRY(account_find_id(page_reads(call, fail), call->segments[0], &is.account));
    if (is_deleted(&is.account))
        return fail_set(fail, ERR_REFUSED, "this account is deleted");
    if (!what)
        return fail_set(fail, ERR_INVALID, "\"do\" must be plan, role, disable or enable");
    if (what->write == manage_set_plan &&
        !plan_from_key(form_value(call->form, "plan"), &is.plan)) {
        page_fault(call, "plan", "choose a plan");
        return OK;
    }
    if (what->write == manage_set_role &&
        !role_from_name(form_value(call->form, "role"), &is.role)) {
        page_fault(call, "role", "choose a role");
        return OK;
    }
    TRY(page_write(call, what->write, &is, fail));
    page_wait_applied(call);
    page_redirect(call, place_after(call, &is.account), what->flash);
    return OK;
}

/* /admin/accounts: search of accounts; sending, listing and withdrawing invitations. */
#include "account/sign_up.h"
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "store/account/account_search.h"
#include "store/account/invitation.h"

enum { INVITATIONS_MAX = 100 };

/* A choice that begins with "any". */
static void put_choice(
    struct page_call *call, const char *name, struct str value, const struct form_option *options,
    size_t count)
{
    struct form_option all[1 + ACCOUNT_SEARCH_STATE_COUNT + PLAN_COUNT];
    all[0] = (struct form_option){STR(""), STR("Any")};
    for (size_t i = 0; i < count; i++)
        all[i + 1] = options[i];
    form_show_choice(call->view, NULL, name, str_is_null(value) ? STR("") : value, all, count + 1);
}

static void put_filters(struct page_call *call, const struct account_search *search)
{
    static const struct form_option states[] = {
        {STR_INIT("enabled"), STR_INIT("Enabled")},
        {STR_INIT("disabled"), STR_INIT("Disabled")},
        {STR_INIT("deleted"), STR_INIT("Deleted")},
    };
    struct form_option plans[PLAN_COUNT];
    admin_plans(plans);
    form_show(call->view, NULL, "q", str_is_null(search->text) ? STR("") : search->text);
    put_choice(call, "plan", search->plan, plans, PLAN_COUNT);
    put_choice(call, "role", search->role, admin_roles, ROLE_COUNT);
    put_choice(
        call, "state",
        search->state == ACCOUNT_ANY ? STR_NULL : account_search_state_name(search->state), states,
        sizeof states / sizeof *states);
}

static void put_account(struct page_call *call, struct view *row, const struct account_found *found)
{
    view_str(row, "id", found->id);
    view_str(row, "email", found->email.n ? found->email : STR_NULL);
    view_str(row, "plan", plan_info(found->plan)->key);
    view_str(row, "planName", plan_info(found->plan)->name);
    view_str(row, "role", role_name(found->role));
    view_count(row, "keys", found->keys);
    view_count(row, "endpoints", found->endpoints);
    view_ago(row, "signedInAt", found->signed_in_at, call->now_ms);
    view_instant(row, "createdAt", found->created_at);
    view_instant(row, "disabledAt", found->disabled_at);
    view_instant(row, "deletedAt", found->deleted_at);
    view_bool(row, "off", found->disabled_at != INSTANT_NONE);
    admin_account_state(row, found->disabled_at, found->deleted_at);
}

static void put_invitation(struct page_call *call)
{
    struct form_option plans[PLAN_COUNT];
    admin_plans(plans);
    view_bool(call->view, "sendsMail", call->config->account->mail);
    view_bool(call->view, "mayInvite", call->config->account->signup != SIGNUP_OFF);
    form_show(call->view, call->form, "invite_email", STR(""));
    form_show_choice(call->view, call->form, "invite_plan", plans[0].value, plans, PLAN_COUNT);
    form_show_choice(
        call->view, call->form, "invite_role", admin_roles[0].value, admin_roles, ROLE_COUNT);
    form_show_faults(call->view, call->form);
}

static enum err put_invitations(struct page_call *call, struct fail *fail)
{
    struct invitation_list list;
    TRY(invitation_list(page_reads(call, fail), INVITATIONS_MAX, &list));
    struct view *table = table_begin(
        call->view, "invitations", "Address|Plan|Role|Sent by|Expires|Action",
        "No invitation is open.");
    for (size_t i = 0; i < list.count; i++) {
        const struct invitation *invitation = &list.items[i];
        struct view *row = table_row(table);
        view_int(row, "id", invitation->no);
        view_str(row, "email", invitation->email);
        view_str(row, "plan", plan_info(invitation->plan)->key);
        view_str(row, "planName", plan_info(invitation->plan)->name);
        view_str(row, "role", role_name(invitation->role));
        view_str(row, "byId", invitation->by_id);
        view_str(row, "byEmail", invitation->by_email.n ? invitation->by_email : invitation->by_id);
        view_bool(row, "works", invitation->works);
        view_ago(row, "createdAt", invitation->created_at, call->now_ms);
        view_ago(row, "expiresAt", invitation->expires_at, call->now_ms);
    }
    view_bool(call->view, "hasInvitations", list.count > 0);
    view_bool(call->view, "moreInvitations", list.more);
    return OK;
}

enum err admin_accounts_load(struct page_call *call, struct fail *fail)
{
    struct account_found_list list;
    struct account_search search = {
        .text = admin_filter(call, "q"),
        .plan = admin_filter(call, "plan"),
        .role = admin_filter(call, "role"),
        .before = admin_before(call),
    };
    (void)account_search_state_from_name(admin_filter(call, "state"), &search.state);
    put_filters(call, &search);
    put_invitation(call);
    TRY(put_invitations(call, fail));
    TRY(account_search(page_reads(call, fail), &search, ADMIN_ROWS, &list));
    struct view *table = table_begin(
        call->view, "accounts", "Account|Plan|Role|State|#Keys|#Endpoints|Last sign-in",
        "No account matches.");
    for (size_t i = 0; i < list.count; i++)
        put_account(call, table_row(table), &list.items[i]);
    const struct link_param filters[] = {
        {STR("q"), search.text},
        {STR("plan"), search.plan},
        {STR("role"), search.role},
        {STR("state"), admin_filter(call, "state")}};
    admin_pages(
        call, table, "/admin/accounts", filters, 4, list.more ? list.items[list.count - 1].no : 0);
    return OK;
}

/* --- invitations */

/* Without a mail server nothing is sent: the link is shown, once, for the admin to pass on. */
static void show_link(struct page_call *call, const struct subject *invite)
{
    view_str(call->view, "email", invite->email);
    view_str(call->view, "role", role_name(invite->role));
    view_str(call->view, "planName", plan_info(invite->plan)->name);
    view_str(call->view, "secret", invite->link);
    view_instant(call->view, "expiresAt", call->now_ms + TOKEN_INVITATION_DAYS * DAY_MS);
    page_show(call, 201, STR("admin_invitation"), STR("Invitation"));
}

static enum err invite_act(struct page_call *call, struct fail *fail)
{
    struct str email = form_value(call->form, "invite_email");
    struct subject invite = {.email = str_is_null(email) ? STR("") : str_trim(email)};
    if (!plan_from_key(form_value(call->form, "invite_plan"), &invite.plan) ||
        !role_from_name(form_value(call->form, "invite_role"), &invite.role))
        return fail_set(fail, ERR_INVALID, "choose a plan and a role");
    enum err err = page_write(call, invite_send, &invite, fail);
    if (err == ERR_INVALID) {
        page_fault(call, "invite_email", fail->text);
        return OK;
    }
    if (!err && call->config->account->mail)
        page_redirect(call, STR("/admin/accounts"), FLASH_INVITED);
    else if (!err)
        show_link(call, &invite);
    return err;
}

static enum err withdraw_act(struct page_call *call, struct fail *fail)
{
    int64_t no;
    if (!str_to_i64(form_value(call->form, "invitation"), &no))
        return fail_set(fail, ERR_INVALID, "\"invitation\" must be the number of an invitation");
    enum err err = page_write(call, invite_withdraw, &no, fail);
    if (err == ERR_NOT_FOUND) /* the page with the reason, not a page that does not exist */
        return fail_set(fail, ERR_REFUSED, "this invitation is not open any more");
    if (!err)
        page_redirect(call, STR("/admin/accounts"), FLASH_INVITATION_WITHDRAWN);
    return err;
}

enum err admin_accounts_act(struct page_call *call, struct fail *fail)
{
    bool withdraws = str_eq(form_value(call->form, "do"), STR("withdraw"));
    return withdraws ? withdraw_act(call, fail) : invite_act(call, fail);
}

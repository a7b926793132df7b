/* The session and the role of a request; see page_visitor.h. */
#include "site/frame/page_visitor.h"

#include "account/origin.h"
#include "base/log.h"
#include "edge/caller.h"
#include "http/bounds.h"
#include "site/frame/page_carry.h"
#include "site/frame/page_cookie.h"
#include "site/frame/page_origin.h"
#include "site/frame/page_reply.h"
#include "site/frame/page_rules.h"

/* --- the session */

struct touch_job {
    int64_t no;
    const struct session_origin *origin;
    int64_t now_ms;
};

static enum err run_touch(struct db *db, void *ctx, struct fail *fail)
{
    struct touch_job *job = ctx;
    return session_touch(db, job->no, job->origin, job->now_ms, fail);
}

/* Once a minute per session. A page that can only read works without it. */
static void touch(struct page_call *call)
{
    struct touch_job job = {call->visitor.session.no, &call->origin, call->now_ms};
    struct fail fail;
    if (!session_touch_due(&call->visitor.session, call->now_ms))
        return;
    if (writer_call(call->config->writer, WRITER_COUNT, run_touch, &job, &fail) != OK)
        log_line(
            LOG_WARN, "the use of a session was not stored", LOG_S("reason", str_from(fail.text)));
}

void page_visitor_forget(struct page_call *call)
{
    struct page_reply *reply = call->reply;
    page_cookie_set(call->x, COOKIE_SESSION, reply->site->https, STR(""), 0);
    reply->cookie = page_cookie_get(http_request(call->x), COOKIE_VISITOR, reply->site->https);
    call->visitor = (struct visitor){0};
    call->actor = ACTOR_VISITOR;
}

enum err page_visitor_begin(struct page_call *call, struct db_reader *reader, struct fail *fail)
{
    struct site *site = call->reply->site;
    bool memory = call->page->memory && !call->form, parts = call->page->parts && !call->form;
    bool session =
        !call->key &&
        !str_is_null(page_cookie_get(http_request(call->x), COOKIE_SESSION, site->https));
    if (memory && !session)
        return OK;
    enum err err = db_reader_begin(reader, &call->db, fail);
    bool visitors = call->page->access == PAGE_ANYONE || site->config.public_pages;
    if (err != ERR_UNAVAILABLE || !(memory || parts) || !visitors)
        return err;
    call->lost = true;
    call->db = db_reader_lost(reader);
    return OK;
}

void page_visitor_share_lane(const struct page_call *call)
{
    enum { IPV4_KEY_AT = 8 }; /* the last of the mapped prefix, and the four bytes */
    const struct address client = caller_address(call->x, call->config->trusted_proxies);
    uint64_t key = 0;
    if (!address_is_loopback(&client)) /* zero on a unix socket */
        memcpy(&key, client.bytes + (address_is_ipv4(&client) ? IPV4_KEY_AT : 0), sizeof key);
    http_share_lane(call->x, key);
}

enum err page_visitor_find(struct page_call *call, struct fail *fail)
{
    const struct http_request *request = http_request(call->x);
    struct page_reply *reply = call->reply;
    struct visitor *visitor = &call->visitor;
    struct str token = page_cookie_get(request, COOKIE_SESSION, reply->site->https);
    call->client = caller_address(call->x, call->config->trusted_proxies);
    call->origin = origin_make(&call->client, http_header(request, STR("user-agent")), call->arena);
    reply->cookie = page_cookie_get(request, COOKIE_VISITOR, reply->site->https);
    if (str_is_null(token) || call->key)
        return OK;
    if (call->lost) {
        view_bool(call->view, "storeLost", true);
        return OK;
    }
    enum err err =
        session_find(page_reads(call, fail), token, &visitor->session, &visitor->account);
    if (err == ERR_NOT_FOUND) {
        page_visitor_forget(call);
        return OK;
    }
    if (err)
        return err;
    visitor->signed_in = true;
    visitor->proved = session_is_proved(&visitor->session, call->now_ms);
    reply->cookie = token;
    call->actor = (struct actor){
        .kind = ACTOR_KIND_ACCOUNT,
        .account_id = visitor->account.id,
        .account_no = visitor->account.no,
        .role = visitor->account.role,
        .session_id = visitor->session.id,
    };
    touch(call);
    return OK;
}

/* --- the role */

static void send_to_sign_in(struct page_call *call)
{
    const struct http_request *request = http_request(call->x);
    BUF_SCOPED(b, HTTP_REPLY_HEAD_MAX);
    struct str target =
        str_is_null(request->query)
            ? request->path
            : arena_fmt(call->arena, "%.*s?%.*s", STR_ARG(request->path), STR_ARG(request->query));
    buf_text(&b, "/sign-in");
    if (!str_is_null(page_local(target))) {
        buf_text(&b, "?next=");
        query_encode(&b, target);
    }
    /* Encoded, a long address may be longer than a local path may be: it is left out then. */
    struct str location = page_local(buf_view(&b));
    page_redirect(call, str_is_null(location) ? STR("/sign-in") : location, FLASH_NONE);
}

/* The setting demands a second factor of the roles that these pages are for. */
static bool pass_factor(struct page_call *call)
{
    const struct account *account = &call->visitor.account;
    bool for_role = call->page->access == PAGE_REVIEWER || call->page->access == PAGE_ADMIN;
    if (!for_role || !call->config->account || account->totp_at != INSTANT_NONE ||
        !account_demands_factor(call->config->account, account->role))
        return true;
    if (call->json || call->form)
        page_problem(
            call, PROBLEM_FORBIDDEN,
            STR("This server demands a second factor of your role. Set it up in the settings."));
    else
        page_redirect(call, STR("/account/settings/second-factor"), FLASH_NONE);
    return false;
}

void page_visitor_ask(struct page_call *call, struct fail *fail)
{
    const struct page *sign_in = site_page(call->reply->site, STR("/sign-in"));
    if (call->json || !sign_in)
        page_problem(call, PROBLEM_SIGN_IN, STR_NULL);
    else if (call->form && !page_origin_is_named(http_request(call->x)))
        page_problem(call, PROBLEM_STALE, STR_NULL);
    else if (call->form)
        page_carry_sign_in(call, sign_in, fail);
    else
        send_to_sign_in(call);
}

bool page_visitor_may(struct page_call *call, struct fail *fail)
{
    if (page_may(call, call->page->access))
        return pass_factor(call);
    if (call->visitor.signed_in)
        page_problem(call, PROBLEM_FORBIDDEN, STR_NULL);
    else
        page_visitor_ask(call, fail);
    return false;
}

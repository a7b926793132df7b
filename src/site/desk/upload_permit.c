/* Permits of uploads; see upload_permit.h. */
#include "site/desk/upload_permit.h"

#include "base/clock.h"
#include "http/bounds.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_cookie.h"

enum { PERMIT_MS = 60 * 60 * 1000 };

static int64_t hour_of(int64_t now_ms)
{
    return now_ms / PERMIT_MS;
}

/* Another text than that of the token of forms, so that neither is valid as the other. */
static struct str seed_of(struct str cookie, int64_t hour, struct arena *arena)
{
    return arena_fmt(arena, "upload %lld %.*s", (long long)hour, STR_ARG(cookie));
}

void upload_permit_put(struct page_call *call)
{
    struct page_reply *reply = call->reply;
    char token[CSRF_TOKEN_SIZE];
    struct str seed = seed_of(reply->cookie, hour_of(call->now_ms), call->arena);
    csrf_token_make(&reply->site->csrf, seed, token);
    view_str(
        call->view, "action",
        arena_fmt(call->arena, "%.*s?permit=%.*s", STR_ARG(reply->path), (int)sizeof token, token));
}

static struct str permit_of(struct str query)
{
    static const struct str name = STR_INIT("permit=");
    struct str pair;
    while (str_split(&query, '&', &pair))
        if (str_starts(pair, name))
            return str_slice(pair, name.n, pair.n);
    return STR_NULL;
}

/* Identifies the session on this server. */
static uint64_t holder_of(struct str cookie)
{
    uint64_t holder;
    uint8_t sum[SHA256_SIZE];
    sha256(cookie, sum);
    memcpy(&holder, sum, sizeof holder);
    return holder;
}

static bool has_permit(const struct site *site, const struct http_request *request)
{
    struct str cookie = page_cookie_get(request, COOKIE_SESSION, site->https);
    ARENA_SCOPED(arena);
    if (str_is_null(cookie))
        return false;
    struct str permit = permit_of(request->query);
    int64_t hour = hour_of(clock_wall_ms());
    bool valid = false;
    for (int64_t made = hour - 1; made <= hour + 1; made++) /* servers' clocks differ */
        valid |= csrf_token_valid(&site->csrf, seed_of(cookie, made, &arena), permit);
    return valid;
}

struct http_body_rule upload_body_rule(const struct site *site, const struct http_request *request)
{
    if (!has_permit(site, request))
        return (struct http_body_rule){.max = HTTP_LARGE_BODY_MAX};
    struct str cookie = page_cookie_get(request, COOKIE_SESSION, site->https);
    return (struct http_body_rule){
        .spooled = true, .max = HTTP_SPOOL_MAX, .holder = holder_of(cookie)};
}

/* The words of a refusal that are not those of its problem. */
static const struct {
    int status;
    enum page_problem problem;
    struct str words;
} refusals[] = {
    {408, PROBLEM_TIMEOUT,
     STR_INIT("The upload was too slow, or took more than half an hour, and was stopped. Nothing "
              "was imported. Send fewer files at once, or use a faster connection.")},
    {409, PROBLEM_UPLOADING, {0}},
    {503, PROBLEM_UNAVAILABLE,
     STR_INIT("The server has no room for another upload now. Nothing was imported. Send the files "
              "again in a minute.")},
};

void upload_refused(struct page_call *call, int status)
{
    const struct http_exchange *x = call->x;
    if (http_is_late(x)) {
        page_problem(call, PROBLEM_READING, STR_NULL);
        return;
    }
    if (status == 413) {
        bool permitted = has_permit(call->reply->site, http_request(x));
        page_problem(
            call, PROBLEM_UPLOAD,
            permitted
                ? STR_NULL
                : STR("The upload page was loaded more than an hour ago, or before you signed in. "
                      "Nothing was imported. Reload the page, and send the files again."));
        return;
    }
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        if (refusals[i].status != status)
            continue;
        page_problem(call, refusals[i].problem, refusals[i].words);
        return;
    }
    page_problem(call, page_problem_from_status(status), STR_NULL);
}

/* Accepts the agreement, and sends requests in that session; see sync_session.h. */
#include "sync/sync_session.h"

enum { TOKEN_SIZE_MAX = 256, HEADERS_MAX = 3 };

#define HOME_PATH "/search/home/"

static struct str address(const struct sync *s, struct str path, struct arena *arena)
{
    return arena_fmt(arena, "%.*s%.*s", STR_ARG(s->base), STR_ARG(path));
}

/* The agreement page. */
static bool is_agreement(struct str page)
{
    return str_find(page, STR("prohibition_agreement")) >= 0;
}

static bool leads_home(const struct sync *s, const struct fetch_answer *answer, struct arena *arena)
{
    return str_starts(answer->redirect, address(s, STR(HOME_PATH), arena));
}

struct str session_token(struct str page)
{
    ptrdiff_t at = str_find(page, STR("csrfmiddlewaretoken"));
    struct str rest = str_slice(page, at < 0 ? page.n : (size_t)at, page.n);
    ptrdiff_t value = str_find(rest, STR("value="));
    if (value < 0)
        return STR_NULL;
    rest = str_slice(rest, (size_t)value + 7, rest.n); /* after the quote */
    size_t n = 0;
    while (n < rest.n && ascii_is_alnum(rest.p[n]))
        n++;
    bool quoted = n < rest.n && (rest.p[n] == '"' || rest.p[n] == '\'');
    return n > 0 && n <= TOKEN_SIZE_MAX && quoted ? str_slice(rest, 0, n) : STR_NULL;
}

/* Checks the answers while the session starts: anything but a page of the site ends the run. */
static enum err check_way_in(
    const struct sync *s, const struct fetch_answer *answer, struct fail *fail)
{
    if (answer->status >= 500)
        return fail_set(
            fail, ERR_UNAVAILABLE, "%.*s answers with status %d: try again later", STR_ARG(s->site),
            answer->status);
    if (answer->status != 200)
        return sync_wall(s, fail, "did not return its home page (status %d)", answer->status);
    return OK;
}

static enum err find_token(
    struct sync *s, struct arena *arena, struct str *ret_token, struct fail *fail)
{
    struct fetch_answer answer;
    TRY(sync_get(s, address(s, STR(HOME_PATH), arena), NULL, 0, arena, &answer, fail));
    TRY(check_way_in(s, &answer, fail));
    *ret_token = arena_str(arena, session_token(answer.body));
    if (str_is_null(*ret_token) || !is_agreement(answer.body))
        return sync_wall(s, fail, "has an unknown agreement page");
    return OK;
}

static enum err post_agreement(
    struct sync *s, struct str token, struct arena *arena, struct fail *fail)
{
    struct str home = address(s, STR(HOME_PATH), arena);
    const struct str referer = arena_fmt(arena, "Referer: %.*s", STR_ARG(home));
    const struct client_request request = {
        .target = home,
        .form =
            arena_fmt(arena, "prohibition_agreement=1&csrfmiddlewaretoken=%.*s", STR_ARG(token)),
        .headers = &referer,
        .header_count = 1,
        .time_max_ms = SYNC_ANSWER_TIME_MAX_MS,
    };
    struct fetch_answer answer;
    TRY(sync_ask(s, &request, arena, &answer, fail));
    bool sent_on = !str_is_null(answer.redirect) && !leads_home(s, &answer, arena);
    if (sent_on)
        return OK;
    TRY(check_way_in(s, &answer, fail));
    if (is_agreement(answer.body))
        TRY(sync_wall(s, fail, "did not accept the agreement"));
    return OK;
}

static enum err begin(struct sync *s, struct arena *arena, struct fail *fail)
{
    struct str token;
    enum err err = find_token(s, arena, &token, fail);
    if (!err)
        err = post_agreement(s, token, arena, fail);
    s->in_session = !err;
    return err;
}

/* --- requests */

static enum err ask(
    struct sync *s, const struct session_question *question, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail)
{
    struct str headers[HEADERS_MAX] = {
        arena_fmt(arena, "Referer: %.*s", STR_ARG(address(s, STR("/search/"), arena)))};
    struct client_request request = {
        .target = address(s, question->path, arena),
        .form = question->form,
        .headers = headers,
        .header_count = 1,
        .time_max_ms = SYNC_ANSWER_TIME_MAX_MS,
    };
    if (!str_is_null(question->form)) {
        struct str token = client_cookie(s->client, STR("csrftoken"), arena);
        headers[request.header_count++] = STR("X-Requested-With: XMLHttpRequest");
        headers[request.header_count++] = arena_fmt(arena, "X-CSRFToken: %.*s", STR_ARG(token));
    }
    return sync_ask(s, &request, arena, ret, fail);
}

/* Detects the end of the session: a redirect to the home page, the agreement page instead of a
 * page, or no JSON object in answer to a search. */
static bool has_ended(
    const struct sync *s, const struct session_question *question,
    const struct fetch_answer *answer, struct arena *arena)
{
    if (leads_home(s, answer, arena))
        return true;
    if (answer->status != 200)
        return false;
    return str_is_null(question->form) ? is_agreement(answer->body)
                                       : !str_starts(str_trim(answer->body), STR("{"));
}

enum err session_ask(
    struct sync *s, const struct session_question *question, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail)
{
    enum { TRIES = 2 };
    for (int i = 0; i < TRIES; i++) {
        enum err err = s->in_session ? OK : begin(s, arena, fail);
        if (!err)
            err = ask(s, question, arena, ret, fail);
        if (err || !has_ended(s, question, ret, arena))
            return err;
        s->in_session = false;
    }
    return sync_wall(s, fail, "keeps asking for the agreement");
}

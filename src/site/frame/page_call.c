/* What handlers of pages call; see page_call.h. */
#include "site/frame/page_call.h"

#include <assert.h>

#include "account/sign_in.h"
#include "base/codec.h"
#include "base/utf8.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_cookie.h"
#include "store/account/form_number.h"

enum { PATH_MAX_SIZE = 1024 };

struct str page_query(const struct page_call *call, struct str name)
{
    for (size_t i = 0; i < call->query.count; i++)
        if (str_eq(call->query.pairs[i].name, name))
            return call->query.pairs[i].value;
    return STR_NULL;
}

enum err page_part(struct page_call *call, enum err err)
{
    if (err != ERR_UNAVAILABLE || !call->page->parts || call->form)
        return err;
    if (call->reply->lacking)
        return OK;
    const _Atomic int64_t *lost = call->config->store_lost;
    int64_t at = lost ? atomic_load(lost) : 0;
    call->reply->lacking = true;
    view_instant(view_object(call->view, "lacking"), "at", at ? at : call->now_ms);
    return OK;
}

const struct act *page_reads(const struct page_call *call, struct fail *fail)
{
    struct act *act = ARENA_NEW(call->arena, struct act);
    *act = (struct act){call->db,    &call->actor, call->now_ms,
                        call->arena, fail,         call->config->account};
    return act;
}

/* --- writing */

struct write_job {
    struct page_call *call;
    struct str number; /* null: a program sent none */
    act_run *write;
    void *work;
    bool bare; /* page_write_bare */
};

/* The handler passes ERR_EXISTS on, and the gate answers with the problem. */
static enum err stop(struct write_job *job, enum page_problem problem)
{
    job->call->reply->no_write = problem;
    return ERR_EXISTS;
}

static enum err use_number(struct db *db, struct write_job *job, struct fail *fail)
{
    if (str_is_null(job->number))
        return OK;
    enum err err = form_number_use(db, job->number, job->call->now_ms, fail);
    return err == ERR_EXISTS ? stop(job, PROBLEM_SENT) : err;
}

/* What the gate read may be over by now: the session ended, the account was disabled, or it lost
 * its role. Pages for anyone act by a password or a link. */
static enum err confirm(struct db *db, struct write_job *job, struct fail *fail)
{
    const struct page_call *call = job->call;
    if (call->page->access == PAGE_ANYONE)
        return OK;
    enum err err = session_confirm(
        db, call->visitor.session.no, call->actor.account_no, call->actor.role, call->now_ms, fail);
    if (err == ERR_NOT_FOUND)
        return stop(job, PROBLEM_SIGN_IN);
    return err == ERR_REFUSED ? stop(job, PROBLEM_FORBIDDEN) : err;
}

static enum err run_write(struct db *db, void *ctx, struct fail *fail)
{
    struct write_job *job = ctx;
    struct act act = *page_reads(job->call, fail);
    act.db = db;
    TRY(job->bare ? OK : use_number(db, job, fail));
    if (!job->bare)
        TRY(confirm(db, job, fail));
    return job->write(&act, job->work);
}

enum err page_write_bare(struct page_call *call, act_run *write, void *work, struct fail *fail)
{
    struct write_job job = {.call = call, .write = write, .work = work, .bare = true};
    return writer_call(call->config->writer, WRITER_PUBLISH, run_write, &job, fail);
}

/* One page has several forms, and one number: what is used up is the number with the address that
 * the form was sent to. */
static struct str number_of(
    struct page_call *call, struct str once, char space[static FORM_NUMBER_SIZE])
{
    uint8_t digest[SHA256_SIZE];
    struct buf text = buf_over(space, FORM_NUMBER_SIZE);
    if (str_is_null(once))
        return STR_NULL;
    sha256(arena_fmt(call->arena, "%.*s %.*s", STR_ARG(once), STR_ARG(call->reply->path)), digest);
    base64url_encode(&text, digest, SHA256_SIZE / 2);
    assert(text.n == FORM_NUMBER_SIZE && !text.overflow);
    return buf_view(&text);
}

enum err page_write(struct page_call *call, act_run *write, void *work, struct fail *fail)
{
    char space[FORM_NUMBER_SIZE];
    assert(call->form);
    struct write_job job = {
        call, number_of(call, call->form ? form_value(call->form, "once") : STR_NULL, space), write,
        work};
    if (str_is_null(job.number) && !call->json)
        return fail_set(fail, ERR_INVALID, "the form is incomplete: load the page again");
    if (call->reply->number_used)
        job.number = STR_NULL;
    enum err err = writer_call(call->config->writer, WRITER_PUBLISH, run_write, &job, fail);
    call->reply->number_used |= !err;
    return err;
}

enum err page_write_row(struct page_call *call, struct str path, void *work, struct fail *fail)
{
    const struct page *page = call->page;
    TRY(page_write(call, page->write, work, fail));
    page_redirect(
        call,
        *page->next == '/' ? str_from(page->next)
                           : arena_fmt(call->arena, "%.*s%s", STR_ARG(path), page->next),
        page->flash);
    return OK;
}

enum err page_was_sent(
    struct page_call *call, struct db *db, struct str once, bool *ret, struct fail *fail)
{
    char space[FORM_NUMBER_SIZE];
    return form_number_used(db, number_of(call, once, space), ret, fail);
}

/* --- ends of a handler */

void page_redirect(struct page_call *call, struct str path, enum flash flash)
{
    assert(!str_is_null(page_local(path)));
    call->reply->kind = PAGE_REPLY_REDIRECT;
    call->reply->location = arena_str(call->arena, path);
    call->reply->flash = flash;
}

void page_redirect_about(struct page_call *call, struct str filing_id)
{
    call->reply->flash_filing = arena_str(call->arena, filing_id);
}

void page_fault(struct page_call *call, const char *field, const char *text)
{
    struct fail fail;
    assert(call->form);
    (void)fail_set(&fail, ERR_INVALID, "%s", text);
    form_fault(call->form, field, &fail);
}

void page_template(struct page_call *call, int status, struct str template, struct str title)
{
    call->reply->kind = PAGE_REPLY_VIEW;
    call->reply->status = status;
    call->reply->template = template;
    call->reply->title = title;
}

void page_show(struct page_call *call, int status, struct str template, struct str title)
{
    page_template(call, status, template, title);
}

void page_problem(struct page_call *call, enum page_problem problem, struct str sentence)
{
    call->reply->kind = PAGE_REPLY_PROBLEM;
    call->reply->problem = problem;
    call->reply->hint = sentence;
}

void page_title(struct page_call *call, struct str title)
{
    call->reply->title = title;
}

void page_alternate(struct page_call *call, const char *type, struct str href, const char *title)
{
    struct view *list = view_member(call->view, "alternates");
    struct view *item = view_item(list ? list : view_list(call->view, "alternates"));
    view_text(item, "type", type);
    view_str(item, "href", href);
    view_text(item, "title", title);
}

void page_surrogate(struct page_call *call, const char *kind, struct str name)
{
    struct page_reply *reply = call->reply;
    struct str key = arena_fmt(call->arena, "%s-%.*s", kind, STR_ARG(name));
    for (size_t i = 0; i < reply->surrogate_count; i++)
        if (str_eq(reply->surrogates[i], key))
            return;
    if (reply->surrogate_count < SURROGATES_MAX)
        reply->surrogates[reply->surrogate_count++] = key;
    else
        reply->surrogates_full = true;
}

void page_surrogate_brief(struct page_call *call)
{
    call->reply->brief = true;
}

void page_too_many(struct page_call *call, int64_t retry_after_s)
{
    page_problem(call, PROBLEM_TOO_MANY, STR_NULL);
    call->reply->retry_after_s = retry_after_s;
}

void page_error(struct page_call *call, enum error_code error, struct str hint, int64_t limit)
{
    call->reply->kind = PAGE_REPLY_ERROR;
    call->reply->error = error;
    call->reply->hint = str_is_null(hint) ? hint : arena_str(call->arena, hint);
    call->reply->limit = limit;
}

void page_download(struct page_call *call, struct str media_type, struct str filename)
{
    call->reply->kind = PAGE_REPLY_BODY;
    http_head(call->x, STR("Content-Type"), media_type);
    if (!str_is_null(filename))
        http_head(
            call->x, STR("Content-Disposition"),
            arena_fmt(call->arena, "attachment; filename=\"%.*s\"", STR_ARG(filename)));
}

void page_linked_data(struct page_call *call, struct str json)
{
    BUF_SCOPED(safe, SIZE_MAX);
    for (size_t i = 0; i < json.n; i++)
        if (json.p[i] == '<')
            buf_text(&safe, "\\u003c");
        else
            buf_char(&safe, json.p[i]);
    view_html(call->view, "linkedData", buf_view(&safe));
}

bool page_picture(struct page_call *call, uint64_t hash)
{
    call->reply->kind = PAGE_REPLY_FILE;
    call->reply->media = MEDIA_PNG;
    call->reply->file = representation_choose(call->x, MEDIA_PNG, hash, 0);
    return call->reply->file.unchanged;
}

bool page_file(
    struct page_call *call, struct str media_type, uint64_t hash, size_t size, bool *ret_gzip)
{
    struct representation *file = &call->reply->file;
    call->reply->kind = PAGE_REPLY_FILE;
    call->reply->media = MEDIA_NONE;
    *file = representation_choose(call->x, MEDIA_NONE, hash, size);
    *ret_gzip = file->gzip;
    if (!file->unchanged)
        http_head(call->x, STR("Content-Type"), media_type);
    http_head_raw(call->x, STR("Access-Control-Allow-Origin: *\r\n"));
    return file->unchanged;
}

void page_file_stream(struct page_call *call, const struct http_streamer *streamer, void *ctx)
{
    call->reply->streamer = streamer;
    call->reply->stream_ctx = ctx;
}

void page_stream(
    struct page_call *call, const struct http_streamer *streamer, void *ctx, struct str media_type,
    struct str filename)
{
    page_download(call, media_type, filename);
    call->reply->kind = PAGE_REPLY_STREAM;
    page_file_stream(call, streamer, ctx);
}

void *page_stream_ctx(const struct http_exchange *x)
{
    const struct page_call *call = http_data(x);
    return call->reply->stream_ctx;
}

/* --- sessions */

void page_session_start(struct page_call *call, struct str token, const struct account *account)
{
    struct page_reply *reply = call->reply;
    page_cookie_set(
        call->x, COOKIE_SESSION, reply->site->https, token, SESSION_LIFE_MS / SECOND_MS);
    page_cookie_set(call->x, COOKIE_VISITOR, reply->site->https, STR(""), 0);
    reply->cookie = arena_str(call->arena, token);
    call->visitor.signed_in = true;
    call->visitor.account = *account;
    page_known_browser(call);
}

struct str page_known_mark(const struct page_call *call)
{
    return page_cookie_get(http_request(call->x), COOKIE_KNOWN, call->reply->site->https);
}

/* A browser keeps the mark that it has: a new one would begin with new tries. */
void page_known_browser(struct page_call *call)
{
    const int64_t life_s = KNOWN_BROWSER_DAYS * (int64_t)DAY_MS / SECOND_MS;
    const struct account_config *config = call->config->account;
    const struct account *account = &call->visitor.account;
    struct str old = page_known_mark(call);
    char mark[KNOWN_BROWSER_SIZE];
    if (!str_is_null(known_browser_id(config, account->email, old, call->now_ms)) &&
        known_browser_holds(config, account, old))
        return;
    known_browser_make(config, account, call->now_ms, mark);
    page_cookie_set(
        call->x, COOKIE_KNOWN, call->reply->site->https, str_of(mark, sizeof mark), life_s);
}

void page_session_end(struct page_call *call)
{
    page_cookie_set(call->x, COOKIE_SESSION, call->reply->site->https, STR(""), 0);
    http_head(call->x, STR("Clear-Site-Data"), STR("\"cache\""));
    call->reply->cookie = STR_NULL;
    call->visitor.signed_in = false;
}

/* --- addresses */

struct str page_url(const struct page_call *call, struct str path)
{
    struct str base = call->reply->site->config.base_url;
    return arena_fmt(call->arena, "%.*s%.*s", STR_ARG(base), STR_ARG(path));
}

struct str page_local(struct str path)
{
    if (path.n == 0 || path.n > PATH_MAX_SIZE || path.p[0] != '/')
        return STR_NULL;
    if (path.n > 1 && (path.p[1] == '/' || path.p[1] == '\\'))
        return STR_NULL;
    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.p[i];
        if (c <= ' ' || c >= 0x7f || c == '\\' || c == '"' || c == '<' || c == '>')
            return STR_NULL;
    }
    return path;
}

struct str page_back(struct page_call *call)
{
    /* After a 404, lead to the list: the page of the missing thing would be a 404 as well. */
    bool exists = call->reply->problem != PROBLEM_NOT_FOUND;
    struct str path = call->reply->path;
    struct route_match match;
    while (path.n > 1) {
        router_find(call->reply->site->router, HTTP_GET, path, call->arena, &match);
        if (match.route && (exists || match.segment_count == 0))
            return path;
        while (path.n > 1 && path.p[path.n - 1] != '/')
            path.n--;
        if (path.n > 1)
            path.n--;
    }
    return STR("/");
}

static bool is_text(struct str text)
{
    return utf8_is_valid(text) && str_find_char(text, '\0') < 0;
}

bool page_call_has_texts(const struct page_call *call)
{
    for (size_t i = 0; i < call->query.count; i++)
        if (!is_text(call->query.pairs[i].name) || !is_text(call->query.pairs[i].value))
            return false;
    for (size_t i = 0; i < ROUTE_SEGMENTS_MAX; i++)
        if (!is_text(call->segments[i]))
            return false;
    return true;
}

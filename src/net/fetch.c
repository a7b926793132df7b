/* Requests through libcurl's easy interface; see fetch.h. */
#include "net/fetch.h"

#include <curl/curl.h>
#include <stdlib.h>

#include "base/buf.h"

struct fetcher {
    CURL *curl;
    struct buf body;
    char reason[CURL_ERROR_SIZE];
};

static enum err err_of(const struct fetcher *f, CURLcode code)
{
    if (f->body.overflow)
        return ERR_LIMIT;
    switch (code) {
    case CURLE_OK:
        return OK;
    case CURLE_OPERATION_TIMEDOUT:
        return ERR_TIMEOUT;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return ERR_INVALID;
    default:
        return ERR_UNAVAILABLE;
    }
}

static size_t take_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct buf *body = ctx;
    buf_put(body, bytes, size * count);
    return body->overflow ? 0 : size * count; /* fewer than given end the transfer */
}

/* What every request has; libcurl keeps it from one to the next. */
static CURLcode set_always(struct fetcher *f, const struct fetcher_config *config)
{
    CURLcode code = CURLE_OK;
    char *user_agent = mem_strdup(config->user_agent);
    char *proxy = mem_strdup(str_is_null(config->proxy) ? STR("") : config->proxy);
#define SET(option, value) (code = code ? code : curl_easy_setopt(f->curl, (option), (value)))
    SET(CURLOPT_ERRORBUFFER, f->reason);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_PROTOCOLS_STR, config->plain_http ? "http,https" : "https");
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_COOKIEFILE, ""); /* keep cookies, in memory only */
    SET(CURLOPT_PROXY, proxy);
    SET(CURLOPT_NOPROXY, "");
    SET(CURLOPT_USERAGENT, user_agent);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)FETCH_CONNECT_TIME_MAX_MS);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, &f->body);
    mem_free(user_agent);
    mem_free(proxy);
    return code;
}

enum err fetcher_create(
    const struct fetcher_config *config, struct fetcher **ret, struct fail *fail)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return fail_set(fail, ERR_IO, "libcurl does not start");
    struct fetcher *f = MEM_NEW(struct fetcher);
    buf_init(&f->body, 0);
    f->curl = curl_easy_init();
    if (!f->curl || set_always(f, config) != CURLE_OK) {
        fetcher_destroy(f);
        return fail_set(fail, ERR_IO, "libcurl does not start");
    }
    *ret = f;
    return OK;
}

void fetcher_destroy(struct fetcher *f)
{
    if (!f)
        return;
    curl_easy_cleanup(f->curl);
    curl_global_cleanup();
    buf_finish(&f->body);
    mem_free(f);
}

/* --- one request */

static CURLcode set_request(
    struct fetcher *f, const struct fetch_request *r, struct curl_slist *headers,
    struct arena *arena)
{
    CURLcode code = CURLE_OK;
    SET(CURLOPT_URL, arena_str(arena, r->url).p);
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_TIMEOUT_MS, (long)r->time_max_ms);
    if (str_is_null(r->form)) {
        SET(CURLOPT_HTTPGET, 1L);
    } else {
        SET(CURLOPT_POSTFIELDSIZE, (long)r->form.n);
        SET(CURLOPT_COPYPOSTFIELDS, r->form.p);
    }
    return code;
}
#undef SET

/* Of the answer, not of what a proxy said before it; null: none of that name. */
static struct str header_of(CURL *curl, const char *name, struct arena *arena)
{
    struct curl_header *header;
    if (curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return STR_NULL;
    return arena_str(arena, str_from(header->value));
}

static void take_answer(struct fetcher *f, struct arena *arena, struct fetch_answer *ret)
{
    long status = 0;
    char *redirect = NULL;
    curl_easy_getinfo(f->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(f->curl, CURLINFO_REDIRECT_URL, &redirect);
    *ret = (struct fetch_answer){
        .status = (int)status,
        .body = buf_view(&f->body),
        .redirect = arena_str(arena, str_from(redirect)),
        .etag = header_of(f->curl, "ETag", arena),
        .last_modified = header_of(f->curl, "Last-Modified", arena),
    };
}

/* NULL for no headers. */
static struct curl_slist *header_list(const struct fetch_request *r, struct arena *arena)
{
    struct curl_slist *list = NULL;
    for (size_t i = 0; i < r->header_count; i++) {
        struct curl_slist *longer = curl_slist_append(list, arena_str(arena, r->headers[i]).p);
        if (!longer)
            abort();
        list = longer;
    }
    return list;
}

enum err fetch(
    struct fetcher *f, const struct fetch_request *request, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail)
{
    struct curl_slist *headers = header_list(request, arena);
    buf_finish(&f->body);
    buf_init(&f->body, request->size_max);
    f->reason[0] = '\0';
    CURLcode code = set_request(f, request, headers, arena);
    if (code == CURLE_OK)
        code = curl_easy_perform(f->curl);
    enum err err = err_of(f, code);
    if (!err)
        take_answer(f, arena, ret);
    else if (err == ERR_LIMIT)
        fail_set(
            fail, err, "%.*s is larger than %zu bytes", STR_ARG(request->url), request->size_max);
    else
        fail_set(
            fail, err, "%.*s: %s", STR_ARG(request->url),
            f->reason[0] ? f->reason : curl_easy_strerror(code));
    curl_easy_setopt(f->curl, CURLOPT_HTTPHEADER, NULL); /* the list ends here */
    curl_slist_free_all(headers);
    return err;
}

/* --- cookies */

/* Of Netscape's seven columns the name is the sixth, the value the last. */
static bool cookie_is(struct str line, struct str name, struct str *ret_value)
{
    enum { NAME = 5 };
    struct str part;
    for (int column = 0; str_split(&line, '\t', &part); column++)
        if (column == NAME) {
            *ret_value = line;
            return str_eq(part, name);
        }
    return false;
}

struct str fetcher_cookie(struct fetcher *f, struct str name, struct arena *arena)
{
    struct curl_slist *all = NULL;
    struct str found = STR_NULL, value;
    if (curl_easy_getinfo(f->curl, CURLINFO_COOKIELIST, &all) != CURLE_OK)
        return STR_NULL;
    for (const struct curl_slist *one = all; one; one = one->next)
        if (cookie_is(str_from(one->data), name, &value))
            found = arena_str(arena, value);
    curl_slist_free_all(all);
    return found;
}

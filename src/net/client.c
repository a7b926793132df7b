/* Requests on libcurl's multi interface; see client.h. */
#include "net/client.h"

#include <assert.h>
#include <curl/curl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/queue.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/kept.h"
#include "net/target.h"

enum { KEEP_ALIVE_S = 60 };

struct client_exchange {
    LIST_ENTRY(client_exchange) link;
    struct client *client;
    CURL *easy;
    struct curl_slist *headers;
    struct buf body;
    client_answered *answered;
    void *ctx;
    bool misled; /* its connection must not be used: start again */
    char reason[CURL_ERROR_SIZE];
};

LIST_HEAD(client_exchange_list, client_exchange);

struct client {
    CURLM *multi;
    CURLSH *cookies; /* NULL: no cookies */
    bool plain_http;
    char *base_url; /* without a final slash; "": none */
    char *bearer;   /* NULL: none */
    char *proxy;    /* NULL: the environment's */
    char *ca_file;  /* NULL: libcurl's own */
    char *user_agent;
    int64_t connect_time_max_ms;
    size_t body_max;
    int count;
    struct kept kept;
    struct client_exchange_list exchanges; /* in progress: neither reported nor cancelled */
};

/* --- the client */

/* Checks a base URL by the rules of target.h; it has nothing after its path. */
static enum err check_base_url(struct str url, bool plain_http, struct fail *fail)
{
    struct target target;
    ARENA_SCOPED(arena);
    if (str_is_null(url))
        return OK;
    TRY(target_parse(url, plain_http, &arena, &target, fail));
    if (str_find_char(url, '?') >= 0)
        return fail_set(fail, ERR_INVALID, "the base URL has a query: remove it");
    return OK;
}

static struct str without_slashes_behind(struct str url)
{
    while (url.n > 0 && url.p[url.n - 1] == '/')
        url.n--;
    return url;
}

static char *copy_unless_null(struct str s)
{
    return str_is_null(s) ? NULL : mem_strdup(s);
}

static bool start_libcurl(struct client *c, const struct client_config *config)
{
    long connections = (long)config->connections_max;
    c->multi = curl_multi_init();
    if (config->cookies) {
        c->cookies = curl_share_init();
        if (curl_share_setopt(c->cookies, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE) != CURLSHE_OK)
            return false;
    }
    return c->multi &&
           curl_multi_setopt(c->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections) == CURLM_OK &&
           curl_multi_setopt(c->multi, CURLMOPT_MAXCONNECTS, connections) == CURLM_OK;
}

enum err client_create(const struct client_config *config, struct client **ret, struct fail *fail)
{
    TRY(check_base_url(config->base_url, config->plain_http, fail));
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return fail_set(fail, ERR_IO, "libcurl cannot be initialised");
    struct client *c = MEM_NEW(struct client);
    LIST_INIT(&c->exchanges);
    c->plain_http = config->plain_http;
    c->base_url = mem_strdup(without_slashes_behind(config->base_url));
    c->bearer = copy_unless_null(config->bearer);
    c->proxy = copy_unless_null(config->proxy);
    c->ca_file = copy_unless_null(config->ca_file);
    c->user_agent = mem_strdup(config->user_agent);
    c->connect_time_max_ms = config->connect_time_max_ms;
    c->body_max = config->body_max;
    if (!start_libcurl(c, config)) {
        client_destroy(c);
        return fail_set(fail, ERR_IO, "libcurl cannot be initialised");
    }
    *ret = c;
    return OK;
}

void client_destroy(struct client *c)
{
    if (!c)
        return;
    struct client_exchange *exchange;
    while ((exchange = LIST_FIRST(&c->exchanges)))
        client_cancel(exchange);
    curl_multi_cleanup(c->multi);
    curl_share_cleanup(c->cookies);
    kept_finish(&c->kept);
    curl_global_cleanup();
    if (c->bearer)
        mem_wipe(c->bearer, strlen(c->bearer));
    mem_free(c->base_url);
    mem_free(c->bearer);
    mem_free(c->proxy);
    mem_free(c->ca_file);
    mem_free(c->user_agent);
    mem_free(c);
}

/* --- sockets */

/* libcurl closes a socket that could not connect without calling close_socket; kept_opened with the
 * same descriptor replaces it. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct client *c = ctx;
    union net_address to = {0};
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (fd < 0)
        return CURL_SOCKET_BAD;
    memcpy(&to, &address->addr, address->addrlen < sizeof to ? address->addrlen : sizeof to);
    kept_opened(&c->kept, fd, &to);
    return fd;
}

static int close_socket(void *ctx, curl_socket_t fd)
{
    struct client *c = ctx;
    kept_closing(&c->kept, fd);
    return close(fd);
}

/* Rejects a kept connection that received bytes after its last response. */
static int before_request(void *ctx, char *remote, char *local, int remote_port, int local_port)
{
    struct client_exchange *exchange = ctx;
    long made = 0;
    curl_easy_getinfo(exchange->easy, CURLINFO_NUM_CONNECTS, &made);
    exchange->misled = made == 0 && kept_has_news(&exchange->client->kept, local_port);
    return exchange->misled ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* --- one request */

static size_t take_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct buf *body = ctx;
    buf_put(body, bytes, size * count);
    return body->overflow ? 0 : size * count; /* a smaller count ends the transfer */
}

static CURLcode set_options(
    struct client_exchange *exchange, const char *url, const struct client_request *request)
{
    struct client *c = exchange->client;
    CURLcode code = CURLE_OK;
#define SET(option, value)                                                                         \
    (code = code ? code : curl_easy_setopt(exchange->easy, (option), (value)))
    SET(CURLOPT_URL, url);
    SET(CURLOPT_PRIVATE, exchange);
    SET(CURLOPT_ERRORBUFFER, exchange->reason);
    SET(CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    SET(CURLOPT_QUICK_EXIT, 1L); /* on a timeout, do not wait for the resolver's thread */
#endif
    SET(CURLOPT_PROTOCOLS_STR, c->plain_http ? "http,https" : "https");
    SET(CURLOPT_PATH_AS_IS, 1L); /* keep "." and ".." segments of the path */
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (c->ca_file)
        SET(CURLOPT_CAINFO, c->ca_file);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    if (c->cookies) {
        SET(CURLOPT_SHARE, c->cookies);
        SET(CURLOPT_COOKIEFILE, ""); /* reads no file, but enables cookies */
    }
    if (c->proxy) {
        SET(CURLOPT_PROXY, c->proxy);
        SET(CURLOPT_NOPROXY, "");
    }
    if (c->bearer) {
        SET(CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
        SET(CURLOPT_XOAUTH2_BEARER, c->bearer);
    }
    SET(CURLOPT_MAXAGE_CONN, (long)KEEP_ALIVE_S);
    SET(CURLOPT_USERAGENT, c->user_agent);
    SET(CURLOPT_HTTPHEADER, exchange->headers);
    if (!str_is_null(request->form)) {
        SET(CURLOPT_POSTFIELDSIZE, (long)request->form.n);
        SET(CURLOPT_COPYPOSTFIELDS, request->form.p);
    }
    if (request->once) {
        SET(CURLOPT_FRESH_CONNECT, 1L);
        SET(CURLOPT_FORBID_REUSE, 1L);
    }
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)c->connect_time_max_ms);
    SET(CURLOPT_TIMEOUT_MS, (long)request->time_max_ms);
    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, c);
    SET(CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    SET(CURLOPT_CLOSESOCKETDATA, c);
    SET(CURLOPT_PREREQFUNCTION, before_request);
    SET(CURLOPT_PREREQDATA, exchange);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, &exchange->body);
#undef SET
    return code;
}

static void add_headers(struct client_exchange *exchange, const struct client_request *request)
{
    ARENA_SCOPED(arena);
    for (size_t i = 0; i < request->header_count; i++) {
        struct str line = arena_str(&arena, request->headers[i]);
        exchange->headers = curl_slist_append(exchange->headers, line.p);
        if (!exchange->headers)
            no_memory(0);
    }
}

struct client_exchange *client_begin(
    struct client *c, const struct client_request *request, client_answered *answered, void *ctx)
{
    struct client_exchange *exchange = MEM_NEW(struct client_exchange);
    exchange->client = c;
    exchange->answered = answered;
    exchange->ctx = ctx;
    buf_init(&exchange->body, c->body_max);
    exchange->easy = curl_easy_init();
    add_headers(exchange, request);
    BUF_SCOPED(url, SIZE_MAX);
    buf_text(&url, c->base_url);
    buf_str(&url, request->target);
    buf_char(&url, '\0');
    if (!exchange->easy || set_options(exchange, url.p, request) != CURLE_OK ||
        curl_multi_add_handle(c->multi, exchange->easy) != CURLM_OK)
        no_memory(0);
    LIST_INSERT_HEAD(&c->exchanges, exchange, link);
    c->count++;
    return exchange;
}

void client_cancel(struct client_exchange *exchange)
{
    LIST_REMOVE(exchange, link);
    exchange->client->count--;
    curl_multi_remove_handle(exchange->client->multi, exchange->easy);
    curl_easy_cleanup(exchange->easy);
    curl_slist_free_all(exchange->headers);
    buf_finish(&exchange->body);
    mem_free(exchange);
}

/* --- the response */

static struct str line_named(struct str head, struct str name)
{
    struct str line;
    while (str_split(&head, '\n', &line))
        if (str_starts(line, name) && line.n > name.n && line.p[name.n] == ':')
            return str_trim(str_slice(line, name.n + 1, line.n));
    return STR_NULL;
}

struct str client_header(const struct client_answer *answer, const char *name)
{
    struct curl_header *header;
    if (!answer->of)
        return line_named(answer->head, str_from(name));
    if (answer->err ||
        curl_easy_header(answer->of, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return STR_NULL;
    return str_from(header->value);
}

/* The name was resolved, but no connection was made. */
static bool was_connecting(const struct client_exchange *exchange)
{
    curl_off_t looked_up = 0, connected = 0;
    curl_easy_getinfo(exchange->easy, CURLINFO_NAMELOOKUP_TIME_T, &looked_up);
    curl_easy_getinfo(exchange->easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
    return looked_up > 0 && connected == 0;
}

static enum err err_of(const struct client_exchange *exchange, CURLcode code)
{
    if (exchange->body.overflow)
        return ERR_LIMIT;
    switch (code) {
    case CURLE_OK:
        return OK;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return ERR_INVALID;
    case CURLE_OPERATION_TIMEDOUT:
        return was_connecting(exchange) ? ERR_UNAVAILABLE : ERR_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
        return ERR_UNAVAILABLE;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
        return ERR_REFUSED;
    default:
        return ERR_IO;
    }
}

static const char *reason_of(struct client_exchange *exchange, enum err err, CURLcode code)
{
    if (err == ERR_LIMIT)
        snprintf(
            exchange->reason, sizeof exchange->reason, "the response is larger than %zu bytes",
            exchange->client->body_max);
    return exchange->reason[0] ? exchange->reason : curl_easy_strerror(code);
}

static void tell(struct client_exchange *exchange, CURLcode code)
{
    long status = 0;
    char *type = NULL, *redirect = NULL;
    enum err err = err_of(exchange, code);
    curl_easy_getinfo(exchange->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(exchange->easy, CURLINFO_CONTENT_TYPE, &type);
    curl_easy_getinfo(exchange->easy, CURLINFO_REDIRECT_URL, &redirect);
    const struct client_answer answer = {
        .err = err,
        .reason = err ? reason_of(exchange, err, code) : "",
        .status = (int)status,
        .body = buf_view(&exchange->body),
        .content_type = str_from(type),
        .redirect = str_from(redirect),
        .of = exchange->easy,
    };
    exchange->answered(exchange->ctx, &answer);
}

/* --- cookies */

/* Netscape's format has seven columns: the name is the sixth, the value the last. */
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

struct str client_cookie(struct client *c, struct str name, struct arena *arena)
{
    struct curl_slist *all = NULL;
    struct str found = STR_NULL, value;
    CURL *easy = curl_easy_init();
    if (curl_easy_setopt(easy, CURLOPT_SHARE, c->cookies) == CURLE_OK)
        curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &all);
    for (const struct curl_slist *one = all; one; one = one->next)
        if (cookie_is(str_from(one->data), name, &value))
            found = arena_str(arena, value);
    curl_slist_free_all(all);
    curl_easy_cleanup(easy);
    return found;
}

/* --- waiting */

/* Retries on another connection; closes the misled one. */
static void begin_again(struct client_exchange *exchange)
{
    exchange->misled = false;
    curl_multi_remove_handle(exchange->client->multi, exchange->easy);
    if (curl_multi_add_handle(exchange->client->multi, exchange->easy) != CURLM_OK)
        no_memory(0);
}

void client_tell(struct client *c)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(c->multi, &left))) {
        struct client_exchange *exchange;
        CURLcode code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &exchange);
        if (exchange->misled) {
            begin_again(exchange);
            continue;
        }
        tell(exchange, code);
        client_cancel(exchange);
    }
}

/* libcurl does not report a descriptor whose other end closed, so poll it again here. */
static void look_at(const int *fds, size_t count, bool *ret_readable)
{
    struct pollfd polled[CLIENT_DESCRIPTORS_MAX];
    for (size_t i = 0; i < count; i++)
        polled[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    bool any = poll(polled, count, 0) > 0;
    for (size_t i = 0; i < count; i++)
        ret_readable[i] = any && polled[i].revents != 0;
}

enum err client_wait(
    struct client *c, const int *fds, size_t count, int64_t time_max_ms, bool *ret_readable,
    struct fail *fail)
{
    struct curl_waitfd extra[CLIENT_DESCRIPTORS_MAX] = {0};
    int running;
    assert(count <= CLIENT_DESCRIPTORS_MAX);
    for (size_t i = 0; i < count; i++)
        extra[i] = (struct curl_waitfd){.fd = fds[i], .events = CURL_WAIT_POLLIN};
    int wait = time_max_ms > INT_MAX ? INT_MAX : (int)time_max_ms;
    CURLMcode code = curl_multi_perform(c->multi, &running); /* sends the requests begun since */
    if (running < c->count)
        wait = 0; /* there is a response to report */
    if (code == CURLM_OK)
        code = curl_multi_poll(c->multi, extra, (unsigned)count, wait, NULL);
    if (code == CURLM_OK)
        code = curl_multi_perform(c->multi, &running);
    if (code != CURLM_OK)
        return fail_set(fail, ERR_IO, "libcurl: %s", curl_multi_strerror(code));
    look_at(fds, count, ret_readable);
    return OK;
}

/* --- begins a request, waits, and copies the response */

struct waiting {
    const struct client_request *request;
    struct arena *arena;
    struct fetch_answer *ret;
    struct fail *fail;
    bool over;
    enum err err;
};

static enum err fetch_err_of(enum err err)
{
    return err == ERR_IO || err == ERR_REFUSED ? ERR_UNAVAILABLE : err;
}

static void answered(void *ctx, const struct client_answer *from)
{
    struct waiting *w = ctx;
    w->over = true;
    w->err = fetch_err_of(from->err);
    if (w->err) {
        (void)fail_set(w->fail, w->err, "%.*s: %s", STR_ARG(w->request->target), from->reason);
        return;
    }
    *w->ret = (struct fetch_answer){
        .status = from->status,
        .body = arena_str(w->arena, from->body),
        .redirect = arena_str(w->arena, from->redirect),
        .etag = arena_str(w->arena, client_header(from, "ETag")),
        .last_modified = arena_str(w->arena, client_header(from, "Last-Modified")),
    };
}

enum err fetch(
    struct client *c, const struct client_request *request, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail)
{
    struct waiting waiting = {.request = request, .arena = arena, .ret = ret, .fail = fail};
    struct client_exchange *exchange = client_begin(c, request, answered, &waiting);
    while (!waiting.over) {
        enum err err = client_wait(c, NULL, 0, INT_MAX, NULL, fail);
        if (err) {
            client_cancel(exchange);
            return err;
        }
        client_tell(c);
    }
    return waiting.err;
}

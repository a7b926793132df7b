/* GETs on libcurl's multi interface; see client.h. */
#include "net/client.h"

#include <assert.h>
#include <curl/curl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "base/mem.h"
#include "net/own_sockets.h"
#include "net/target.h"

enum { CONNECT_TIME_MAX_MS = 5000, KEEP_ALIVE_S = 60 };

struct client_get {
    LIST_ENTRY(client_get) link;
    struct client *client;
    CURL *easy;
    struct buf body;
    client_answered *answered;
    void *ctx;
    bool misled; /* its connection was not to be used; it is to begin again */
    char reason[CURL_ERROR_SIZE];
};

LIST_HEAD(client_get_list, client_get);

struct client {
    CURLM *multi;
    struct curl_slist *headers;
    char *base_url; /* without a slash at its end */
    char *ca_file;  /* NULL: libcurl's own */
    char *user_agent;
    size_t body_max;
    int count;
    struct own_sockets sockets;
    struct client_get_list gets; /* all that were begun and have not been told or cancelled */
};

/* --- the client */

/* The same for every request, so made once. */
static struct curl_slist *make_headers(struct str bearer)
{
    struct curl_slist *list = curl_slist_append(NULL, "Accept: application/json");
    if (list && !str_is_null(bearer)) {
        struct buf line;
        buf_init(&line, bearer.n + 64);
        buf_fmt(&line, "Authorization: Bearer %.*s", STR_ARG(bearer));
        buf_char(&line, '\0');
        struct curl_slist *longer = curl_slist_append(list, line.p);
        mem_wipe(line.p, line.n);
        buf_finish(&line);
        if (!longer)
            curl_slist_free_all(list);
        list = longer;
    }
    return list;
}

/* A base URL of the form that target.h asks for, and nothing behind its path. */
static enum err check_base_url(struct str url, struct fail *fail)
{
    struct target target;
    struct arena arena;
    arena_init(&arena);
    enum err err = target_parse(url, true, &arena, &target, fail);
    if (!err && str_find_char(url, '?') >= 0)
        err = fail_set(fail, ERR_INVALID, "a base URL has no query");
    arena_finish(&arena);
    return err;
}

static struct str without_slashes_behind(struct str url)
{
    while (url.n > 0 && url.p[url.n - 1] == '/')
        url.n--;
    return url;
}

enum err client_create(const struct client_config *config, struct client **ret, struct fail *fail)
{
    enum err err = check_base_url(config->base_url, fail);
    if (err)
        return err;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return fail_set(fail, ERR_IO, "libcurl does not start");
    struct client *c = MEM_NEW(struct client);
    LIST_INIT(&c->gets);
    own_sockets_init(&c->sockets);
    c->base_url = mem_strdup(without_slashes_behind(config->base_url));
    c->ca_file = str_is_null(config->ca_file) ? NULL : mem_strdup(config->ca_file);
    c->user_agent = mem_strdup(config->user_agent);
    c->body_max = config->body_max;
    c->headers = make_headers(config->bearer);
    c->multi = curl_multi_init();
    long connections = (long)config->connections_max;
    if (!c->headers || !c->multi ||
        curl_multi_setopt(c->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections) != CURLM_OK ||
        curl_multi_setopt(c->multi, CURLMOPT_MAXCONNECTS, connections) != CURLM_OK) {
        client_destroy(c);
        return fail_set(fail, ERR_IO, "libcurl does not start");
    }
    *ret = c;
    return OK;
}

static void wipe_headers(struct curl_slist *headers)
{
    for (struct curl_slist *one = headers; one; one = one->next)
        mem_wipe(one->data, strlen(one->data));
    curl_slist_free_all(headers);
}

void client_destroy(struct client *c)
{
    if (!c)
        return;
    struct client_get *get;
    while ((get = LIST_FIRST(&c->gets)))
        client_cancel(get);
    if (c->multi)
        curl_multi_cleanup(c->multi);
    own_sockets_finish(&c->sockets);
    curl_global_cleanup();
    wipe_headers(c->headers);
    mem_free(c->base_url);
    mem_free(c->ca_file);
    mem_free(c->user_agent);
    mem_free(c);
}

/* --- one GET */

static size_t take_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct buf *body = ctx;
    buf_put(body, bytes, size * count);
    return body->overflow ? 0 : size * count; /* fewer than given end the transfer */
}

/* A kept connection on which something came while nothing was asked is not used again. */
static int before_request(void *ctx, char *remote, char *local, int remote_port, int local_port)
{
    struct client_get *get = ctx;
    long made = 0;
    curl_easy_getinfo(get->easy, CURLINFO_NUM_CONNECTS, &made);
    get->misled = made == 0 && own_sockets_has_news(&get->client->sockets, local_port);
    return get->misled ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

static CURLcode set_options(struct client_get *get, const char *url, int64_t time_max_ms)
{
    struct client *c = get->client;
    CURLcode code = CURLE_OK;
#define SET(option, value) (code = code ? code : curl_easy_setopt(get->easy, (option), (value)))
    SET(CURLOPT_URL, url);
    SET(CURLOPT_PRIVATE, get);
    SET(CURLOPT_ERRORBUFFER, get->reason);
    SET(CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    SET(CURLOPT_QUICK_EXIT, 1L); /* whoever gives up does not wait for the resolver's thread */
#endif
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_PATH_AS_IS, 1L); /* a name of dots in the path is a name */
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (c->ca_file)
        SET(CURLOPT_CAINFO, c->ca_file);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_TCP_NODELAY, 1L);
    SET(CURLOPT_MAXAGE_CONN, (long)KEEP_ALIVE_S);
    SET(CURLOPT_USERAGENT, c->user_agent);
    SET(CURLOPT_HTTPHEADER, c->headers);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIME_MAX_MS);
    SET(CURLOPT_TIMEOUT_MS, (long)time_max_ms);
    SET(CURLOPT_OPENSOCKETFUNCTION, own_sockets_open);
    SET(CURLOPT_OPENSOCKETDATA, &c->sockets);
    SET(CURLOPT_CLOSESOCKETFUNCTION, own_sockets_close);
    SET(CURLOPT_CLOSESOCKETDATA, &c->sockets);
    SET(CURLOPT_PREREQFUNCTION, before_request);
    SET(CURLOPT_PREREQDATA, get);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, &get->body);
#undef SET
    return code;
}

struct client_get *client_get(
    struct client *c, struct str target, int64_t time_max_ms, client_answered *answered, void *ctx)
{
    struct client_get *get = MEM_NEW(struct client_get);
    get->client = c;
    get->answered = answered;
    get->ctx = ctx;
    buf_init(&get->body, c->body_max);
    get->easy = curl_easy_init();
    struct buf url;
    buf_init(&url, SIZE_MAX);
    buf_text(&url, c->base_url);
    buf_str(&url, target);
    buf_char(&url, '\0');
    if (!get->easy || set_options(get, url.p, time_max_ms) != CURLE_OK ||
        curl_multi_add_handle(c->multi, get->easy) != CURLM_OK)
        abort(); /* no memory */
    buf_finish(&url);
    LIST_INSERT_HEAD(&c->gets, get, link);
    c->count++;
    return get;
}

static void end_get(struct client_get *get)
{
    LIST_REMOVE(get, link);
    get->client->count--;
    curl_multi_remove_handle(get->client->multi, get->easy);
    curl_easy_cleanup(get->easy);
    buf_finish(&get->body);
    mem_free(get);
}

void client_cancel(struct client_get *get)
{
    end_get(get);
}

struct str client_header(const struct client_answer *answer, const char *name)
{
    struct curl_header *header;
    if (answer->err ||
        curl_easy_header(answer->of, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return STR_NULL;
    return str_from(header->value);
}

/* The name was looked up, and no connection came of it. */
static bool was_connecting(const struct client_get *get)
{
    curl_off_t looked_up = 0, connected = 0;
    curl_easy_getinfo(get->easy, CURLINFO_NAMELOOKUP_TIME_T, &looked_up);
    curl_easy_getinfo(get->easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
    return looked_up > 0 && connected == 0;
}

static enum err err_of(const struct client_get *get, CURLcode code)
{
    if (get->body.overflow)
        return ERR_LIMIT;
    switch (code) {
    case CURLE_OK:
        return OK;
    case CURLE_OPERATION_TIMEDOUT:
        return was_connecting(get) ? ERR_UNAVAILABLE : ERR_TIMEOUT;
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

static void tell(struct client_get *get, CURLcode code)
{
    long status = 0;
    char *type = NULL;
    enum err err = err_of(get, code);
    curl_easy_getinfo(get->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(get->easy, CURLINFO_CONTENT_TYPE, &type);
    const char *reason = get->reason[0] ? get->reason : curl_easy_strerror(code);
    const struct client_answer answer = {
        .err = err,
        .reason = err ? reason : "",
        .status = (int)status,
        .body = buf_view(&get->body),
        .content_type = str_from(type),
        .of = get->easy,
    };
    get->answered(get->ctx, &answer);
}

/* --- waiting */

/* On another connection: that one is closed. */
static void begin_again(struct client_get *get)
{
    get->misled = false;
    curl_multi_remove_handle(get->client->multi, get->easy);
    if (curl_multi_add_handle(get->client->multi, get->easy) != CURLM_OK)
        abort(); /* no memory */
}

void client_tell(struct client *c)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(c->multi, &left))) {
        struct client_get *get;
        CURLcode code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &get);
        if (get->misled) {
            begin_again(get);
            continue;
        }
        tell(get, code);
        end_get(get);
    }
}

/* libcurl says nothing of a descriptor whose other end is closed, so that is asked again here. */
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
    CURLMcode code = curl_multi_perform(c->multi, &running); /* what was begun since goes out */
    if (running < c->count)
        wait = 0; /* there is something to tell */
    if (code == CURLM_OK)
        code = curl_multi_poll(c->multi, extra, (unsigned)count, wait, NULL);
    if (code == CURLM_OK)
        code = curl_multi_perform(c->multi, &running);
    if (code != CURLM_OK)
        return fail_set(fail, ERR_IO, "libcurl: %s", curl_multi_strerror(code));
    look_at(fds, count, ret_readable);
    return OK;
}

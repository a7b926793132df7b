/* The steps of a transfer; see transfer.h. */
#include "net/transfer.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "address/address_class.h"
#include "base/clock.h"
#include "base/mem.h"
#include "net/engine.h"

enum {
    CA_CACHE_SECONDS = 3600,     /* then certificates are read again */
    RECEIVE_BUFFER_BYTES = 4096, /* per transfer; responses are short */
    NS_PER_MS = 1000 * 1000,
    NS_PER_US = 1000,
};

/* --- time */

static int64_t left_ms(const struct transfer *t)
{
    return t->time_max_ms - (clock_mono_ns() - t->started_ns) / NS_PER_MS;
}

/* The clock's millisecond from which no time is left. Rounded up, so that a transfer that ends then
 * counts as timed out and not as a name server failure a moment earlier. */
static int64_t ends_ms(const struct transfer *t)
{
    return (t->started_ns + NS_PER_MS - 1) / NS_PER_MS + t->time_max_ms;
}

/* The time at which libcurl passed a point of the attempt, by its own clock; 0: it did not. */
static int64_t passed_ns(const struct transfer *t, CURLINFO info)
{
    curl_off_t us = 0;
    if (!t->easy || curl_easy_getinfo(t->easy, info, &us) != CURLE_OK || us <= 0)
        return 0;
    return t->attempt_ns + us * NS_PER_US;
}

/* libcurl reports it only after the TLS handshake. */
static int64_t connected_ns(const struct transfer *t)
{
    return t->handshake_ns ? t->handshake_ns : passed_ns(t, CURLINFO_CONNECT_TIME_T);
}

/* The phases in order: each ends where its end is known; the first without one gets the rest. */
static struct outgoing_times times_of(const struct transfer *t)
{
    int64_t connected = connected_ns(t);
    int64_t secured = passed_ns(t, CURLINFO_APPCONNECT_TIME_T);
    if (!secured && passed_ns(t, CURLINFO_PRETRANSFER_TIME_T))
        secured = connected; /* without TLS, or on a connection that already has it */
    const int64_t ends[] = {t->resolved_ns, connected, secured, t->answered_ns};
    struct outgoing_times times = {.total_ms = (t->ended_ns - t->started_ns) / NS_PER_MS};
    int64_t *const phases[] = {&times.resolve_ms, &times.connect_ms, &times.tls_ms, &times.wait_ms};
    int64_t from_ms = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        int64_t to_ns = ends[i] ? ends[i] : t->ended_ns;
        int64_t to_ms = (to_ns - t->started_ns) / NS_PER_MS;
        *phases[i] = to_ms > from_ms ? to_ms - from_ms : 0;
        from_ms += *phases[i];
        if (!ends[i])
            break;
    }
    return times;
}

static bool made_connection(const struct transfer *t)
{
    long count = 0;
    return t->easy && curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &count) == CURLE_OK &&
           count > 0;
}

/* --- addresses */

static void note_remote(struct transfer *t)
{
    struct buf b = buf_over(t->remote, sizeof t->remote - 1);
    if (!t->attempt_ns)
        return;
    net_address_put(&b, &t->addresses[t->address_at]);
    buf_fmt(&b, ":%u", t->port);
    t->remote[b.n] = '\0';
}

const struct sockaddr *transfer_address(const struct transfer *t)
{
    return &t->addresses[t->address_at].any;
}

static bool allowed(const struct transfer *t, const struct sockaddr *address)
{
    return !t->may_connect || t->may_connect(t->may_connect_ctx, address);
}

/* --- its end */

static void say(struct transfer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct transfer *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(t->detail, sizeof t->detail, format, args);
    va_end(args);
    for (char *c = t->detail; *c; c++) /* one line of ASCII, whatever a server sent */
        if (*c < ' ' || *c > '~')
            *c = '?';
}

static void release(struct transfer *t)
{
    struct outgoing *o = t->engine;
    engine_give_easy(o, t->easy);
    t->easy = NULL;
    curl_slist_free_all(t->connect_to);
    t->connect_to = NULL;
    mem_free(t->addresses);
    t->addresses = NULL;
    TAILQ_REMOVE(t->state == TRANSFER_QUEUED ? &o->queued : &o->active, t, link);
    if (t->to_tell)
        TAILQ_REMOVE(&o->to_tell, t, tell_link);
    t->to_tell = false;
    o->in_flight--;
}

static void end(struct transfer *t, enum outgoing_error error)
{
    t->ended_ns = clock_mono_ns();
    t->times = times_of(t);
    t->connected = made_connection(t);
    note_remote(t);
    release(t);
    t->kind->ended(t, error);
}

static void end_late(struct transfer *t)
{
    static const char *const doing[] = {
        [TRANSFER_QUEUED] = "waiting in the queue",
        [TRANSFER_RESOLVING] = "resolving the host name",
        [TRANSFER_SENDING] = "connecting",
    };
    const char *phase = doing[t->state];
    if (passed_ns(t, CURLINFO_PRETRANSFER_TIME_T))
        phase = "waiting for the status line";
    else if (connected_ns(t))
        phase = "in the TLS handshake";
    say(t, "no response within %lld ms: %s", (long long)t->time_max_ms, phase);
    end(t, OUTGOING_TIMEOUT);
}

static enum outgoing_error error_of(CURLcode code)
{
    switch (code) {
    case CURLE_OK:
        return OUTGOING_NONE;
    case CURLE_COULDNT_CONNECT:
        return OUTGOING_CONNECT;
    case CURLE_OPERATION_TIMEDOUT:
        return OUTGOING_TIMEOUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_USE_SSL_FAILED:
        return OUTGOING_TLS;
    default:
        return OUTGOING_PROTOCOL;
    }
}

/* --- sending */

static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *t = ctx;
    if (purpose != CURLSOCKTYPE_IPCXN ||
        !net_address_is(&t->addresses[t->address_at], &address->addr) ||
        !allowed(t, &address->addr)) {
        t->refused = true;
        return CURL_SOCKET_BAD;
    }
    t->fd = socket(
        address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
    return t->fd;
}

/* A connection exists, and the request follows. From here on libcurl reports when it closes its
 * socket. A kept connection is known already. */
static int note_connected(void *ctx, char *remote, char *local, int remote_port, int local_port)
{
    struct transfer *t = ctx;
    if (t->fd >= 0)
        kept_opened(curl_loop_kept(t->engine->curl), t->fd, &t->addresses[t->address_at]);
    return CURL_PREREQFUNC_OK;
}

static int close_socket(void *ctx, curl_socket_t fd)
{
    struct outgoing *o = ctx; /* connections outlive transfers */
    kept_closing(curl_loop_kept(o->curl), fd);
    return close(fd);
}

static CURLcode note_handshake(CURL *easy, void *ssl_context, void *ctx)
{
    ((struct transfer *)ctx)->handshake_ns = clock_mono_ns();
    return CURLE_OK;
}

/* "::ADDRESS:PORT": libcurl connects to this number, whatever host and port the URL has. */
static struct curl_slist *connect_to(const struct transfer *t)
{
    char text[OUTGOING_REMOTE_MAX];
    struct buf b = buf_over(text, sizeof text - 1);
    buf_text(&b, "::");
    net_address_put(&b, &t->addresses[t->address_at]);
    buf_fmt(&b, ":%u", t->port);
    text[b.n] = '\0';
    return curl_slist_append(NULL, text);
}

/* The remaining addresses share the remaining time, so that one that drops packets leaves time for
 * the next. */
static CURLcode set_always(struct transfer *t, int64_t time_ms)
{
    struct outgoing *o = t->engine;
    CURLcode code = CURLE_OK;
    int64_t share_ms = time_ms / (int64_t)(t->address_count - t->address_at);
#define SET(option, value) (code = code ? code : curl_easy_setopt(t->easy, (option), (value)))
    SET(CURLOPT_PRIVATE, t);
    SET(CURLOPT_ERRORBUFFER, t->curl_error);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TIMEOUT_MS, (long)time_ms);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)(share_ms ? share_ms : 1));
    SET(CURLOPT_CONNECT_TO, t->connect_to);
    SET(CURLOPT_DNS_CACHE_TIMEOUT, 0L);
    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, t);
    SET(CURLOPT_PREREQFUNCTION, note_connected);
    SET(CURLOPT_PREREQDATA, t);
    SET(CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    SET(CURLOPT_CLOSESOCKETDATA, o);
    SET(CURLOPT_BUFFERSIZE, (long)RECEIVE_BUFFER_BYTES);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_USERAGENT, o->user_agent);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSL_CTX_FUNCTION, note_handshake);
    SET(CURLOPT_SSL_CTX_DATA, t);
    if (o->ca_file)
        SET(CURLOPT_CAINFO, o->ca_file);
    if (o->ca_file || o->ca_bundle)
        SET(CURLOPT_CAPATH, NULL); /* libcurl caches certificates only without a directory */
    SET(CURLOPT_CA_CACHE_TIMEOUT, (long)CA_CACHE_SECONDS);
#undef SET
    return code ? code : t->kind->prepare(t, t->easy);
}

static void attempt(struct transfer *t)
{
    struct outgoing *o = t->engine;
    int64_t time_ms = left_ms(t);
    if (time_ms <= 0) {
        end_late(t);
        return;
    }
    if (!t->easy)
        t->easy = engine_take_easy(o);
    curl_slist_free_all(t->connect_to);
    t->connect_to = connect_to(t);
    if (!t->easy || !t->connect_to)
        no_memory(0);
    t->curl_error[0] = '\0';
    CURLcode code = set_always(t, time_ms);
    kept_end_spoiled(curl_loop_kept(o->curl), &t->addresses[t->address_at]);
    t->fd = -1;
    t->handshake_ns = 0;
    t->attempt_ns = clock_mono_ns();
    if (code == CURLE_OK && curl_loop_add(o->curl, t->easy) != OK)
        code = CURLE_FAILED_INIT;
    if (code == CURLE_OK)
        return;
    say(t, "libcurl rejected the request: %s", curl_easy_strerror(code));
    end(t, OUTGOING_PROTOCOL);
}

/* Nothing was sent, so another address can be tried. */
static bool may_try_next(const struct transfer *t, CURLcode code)
{
    bool unconnected =
        code == CURLE_COULDNT_CONNECT || (code == CURLE_OPERATION_TIMEDOUT && !t->answered_ns &&
                                          !passed_ns(t, CURLINFO_PRETRANSFER_TIME_T));
    return unconnected && !t->refused && t->address_at + 1 < t->address_count && left_ms(t) > 0;
}

void transfer_on_ended(void *ctx, CURL *easy, CURLcode code)
{
    struct transfer *t = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t);
    assert(t && t->easy == easy);
    if (may_try_next(t, code)) {
        t->address_at++;
        attempt(t);
        return;
    }
    if (code == CURLE_OPERATION_TIMEDOUT) {
        end_late(t);
        return;
    }
    if (code != CURLE_OK)
        say(t, "%s", t->curl_error[0] ? t->curl_error : curl_easy_strerror(code));
    if (t->refused)
        say(t, "the address may not be connected to");
    end(t, t->refused ? OUTGOING_REFUSED_ADDRESS : error_of(code));
}

/* --- the addresses of the name */

/* The first forbidden address; NULL: all are allowed. */
static const union net_address *find_refused(const struct transfer *t)
{
    for (size_t i = 0; i < t->address_count; i++)
        if (!allowed(t, &t->addresses[i].any))
            return &t->addresses[i];
    return NULL;
}

static void end_refused(struct transfer *t, const union net_address *refused)
{
    char text[OUTGOING_REMOTE_MAX];
    struct buf b = buf_over(text, sizeof text - 1);
    struct address address = address_from_sockaddr(&refused->any);
    const struct address_block *block = address_block_of(&address);
    net_address_put(&b, refused);
    say(t, "%.*s may not be connected to%s%s%s", (int)b.n, text, block ? " (" : "",
        block ? block->name : "", block ? ")" : "");
    end(t, OUTGOING_REFUSED_ADDRESS);
}

/* Takes ownership of the addresses. */
static void connect_any(struct transfer *t, const union net_address *addresses, size_t count)
{
    t->resolved_ns = clock_mono_ns();
    t->state = TRANSFER_SENDING;
    t->addresses = mem_array(count, sizeof *addresses);
    t->address_count = count;
    memcpy(t->addresses, addresses, count * sizeof *addresses);
    for (size_t i = 0; i < count; i++)
        net_address_set_port(&t->addresses[i], t->port);
    const union net_address *refused = find_refused(t);
    if (refused) {
        end_refused(t, refused);
        return;
    }
    if (t->address_count > OUTGOING_ADDRESSES_MAX)
        t->address_count = OUTGOING_ADDRESSES_MAX;
    attempt(t);
}

static void on_resolved(struct resolver_wait *wait, const struct resolver_answer *answer)
{
    struct transfer *t =
        (struct transfer *)(void *)((char *)wait - offsetof(struct transfer, wait));
    if (answer->outcome == RESOLVER_FOUND) {
        connect_any(t, answer->addresses, answer->count);
    } else if (left_ms(t) <= 0) {
        end_late(t);
    } else {
        say(t, "%.*s: %s", STR_ARG(t->host), answer->detail);
        end(t, OUTGOING_RESOLVE);
    }
}

static void proceed(struct transfer *t)
{
    struct outgoing *o = t->engine;
    union net_address number;
    TAILQ_REMOVE(&o->queued, t, link);
    TAILQ_INSERT_TAIL(&o->active, t, link);
    t->state = TRANSFER_RESOLVING;
    if (net_address_parse(t->host, &number))
        connect_any(t, &number, 1);
    else
        resolver_ask(o->resolver, t->host, ends_ms(t), on_resolved, &t->wait);
}

/* --- turns of the loop */

static void on_kick(uv_idle_t *kick)
{
    struct outgoing *o = kick->data;
    struct transfer *t;
    while ((t = TAILQ_FIRST(&o->to_tell))) {
        TAILQ_REMOVE(&o->to_tell, t, tell_link);
        t->to_tell = false;
        t->kind->told(t);
    }
    /* Transfers begun meanwhile run in the next turn, so that no turn lasts forever. */
    for (unsigned left = o->in_flight; left && (t = TAILQ_FIRST(&o->queued)); left--)
        proceed(t);
    if (TAILQ_EMPTY(&o->queued) && TAILQ_EMPTY(&o->to_tell))
        uv_idle_stop(kick);
}

/* Schedules the queued transfers and reports. */
static void kick_engine(struct outgoing *o)
{
    uv_idle_start(o->kick, on_kick);
}

/* --- begin and cancel */

void transfer_tell(struct transfer *t)
{
    if (t->to_tell)
        return;
    t->to_tell = true;
    TAILQ_INSERT_TAIL(&t->engine->to_tell, t, tell_link);
    kick_engine(t->engine);
}

enum err transfer_begin(struct outgoing *o, struct transfer *t, struct fail *fail)
{
    if (o->in_flight == o->in_flight_max)
        return fail_set(
            fail, ERR_BUSY, "%u requests are in flight already, which is the maximum",
            o->in_flight);
    t->engine = o;
    t->state = TRANSFER_QUEUED;
    t->fd = -1;
    t->started_ns = clock_mono_ns();
    TAILQ_INSERT_TAIL(&o->queued, t, link);
    o->in_flight++;
    kick_engine(o);
    return OK;
}

void transfer_cancel(struct transfer *t)
{
    resolver_forget(&t->wait);
    if (t->attempt_ns)
        curl_loop_remove(t->engine->curl, t->easy);
    release(t);
}

void transfer_drop_all(struct outgoing *o)
{
    struct transfer *t;
    while ((t = TAILQ_FIRST(&o->queued)) || (t = TAILQ_FIRST(&o->active)))
        t->kind->dropped(t);
}

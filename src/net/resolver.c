/* c-ares on a loop of libuv; see resolver.h. */
#include "net/resolver.h"

#include <ares.h>
#include <assert.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"

enum {
    TRIES = 2,      /* of each server; the second waits twice as long as the first */
    TRY_SHARES = 3, /* of the time: one and two */
    MARGIN_MS = 100,
    SERVERS_MAX = 8, /* more could not be asked in time */
};

/* A watched socket of c-ares. */
struct resolver_watch {
    uv_poll_t poll;
    struct resolver *resolver;
    ares_socket_t fd;
    struct resolver_watch *next;
};

struct resolver_query {
    struct resolver *resolver;
    struct resolver_query *next, **at;
    struct resolver_wait *waits;
    size_t name_n;
    char name[]; /* ends in NUL */
};

struct resolver {
    uv_loop_t *loop;
    uv_timer_t *timer; /* separate memory: it closes later than its owner */
    ares_channel channel;
    char *servers;             /* NULL: the configured ones */
    struct timespec conf_time; /* of resolv.conf when the channel was created */
    struct resolver_query *queries;
    struct resolver_watch *watches;
    unsigned inside; /* calls of c-ares in progress: its channel must stay */
    bool ending;
};

static const char resolv_conf[] = "/etc/resolv.conf";

static void schedule(struct resolver *r);

/* --- sockets */

static void free_handle(uv_handle_t *handle)
{
    mem_free(handle); /* the handle is the first member */
}

static void process(struct resolver *r, ares_socket_t readable, ares_socket_t writable)
{
    r->inside++;
    ares_process_fd(r->channel, readable, writable);
    r->inside--;
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct resolver_watch *w = (struct resolver_watch *)poll;
    struct resolver *r = w->resolver;
    bool failed = status < 0; /* c-ares finds the error by using the socket */
    process(
        r, failed || events & (UV_READABLE | UV_DISCONNECT) ? w->fd : ARES_SOCKET_BAD,
        failed || events & UV_WRITABLE ? w->fd : ARES_SOCKET_BAD);
    schedule(r);
}

static struct resolver_watch **find_watch(struct resolver *r, ares_socket_t fd)
{
    struct resolver_watch **at = &r->watches;
    while (*at && (*at)->fd != fd)
        at = &(*at)->next;
    return at;
}

/* c-ares also calls it before it closes a socket. */
static void on_socket(void *ctx, ares_socket_t fd, int readable, int writable)
{
    struct resolver *r = ctx;
    struct resolver_watch **at = find_watch(r, fd), *w = *at;
    int events = (readable ? UV_READABLE : 0) | (writable ? UV_WRITABLE : 0);
    if (!events) {
        if (!w)
            return;
        *at = w->next;
        uv_close((uv_handle_t *)&w->poll, free_handle);
        return;
    }
    if (!w) {
        w = MEM_NEW(struct resolver_watch);
        *w = (struct resolver_watch){.resolver = r, .fd = fd};
        if (uv_poll_init(r->loop, &w->poll, fd) != 0) {
            mem_free(w); /* no descriptor or kernel memory: the query times out */
            return;
        }
        *at = w;
    }
    uv_poll_start(&w->poll, events, on_ready);
}

/* --- the channel */

static struct timespec conf_time(void)
{
    struct stat st;
    return stat(resolv_conf, &st) == 0 ? st.st_mtim : (struct timespec){0};
}

static int channel_init(struct resolver *r, int try_ms)
{
    struct ares_options options = {
        .sock_state_cb = on_socket,
        .sock_state_cb_data = r,
        .timeout = try_ms,
        .tries = TRIES,
    };
    int status = ares_init_options(
        &r->channel, &options, ARES_OPT_SOCK_STATE_CB | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES);
    if (status == ARES_SUCCESS && r->servers) {
        status = ares_set_servers_ports_csv(r->channel, r->servers);
        if (status != ARES_SUCCESS)
            ares_destroy(r->channel);
    }
    return status;
}

static int server_count(ares_channel channel)
{
    struct ares_addr_port_node *servers = NULL;
    int count = 0;
    if (ares_get_servers_ports(channel, &servers) != ARES_SUCCESS)
        return 1;
    for (const struct ares_addr_port_node *one = servers; one; one = one->next)
        count++;
    ares_free_data(servers);
    return count < 1 ? 1 : count > SERVERS_MAX ? SERVERS_MAX : count;
}

/* Creates the channel twice: the number of servers decides the time for each, so that c-ares ends,
 * with any partial answer, before the callers stop waiting. */
static enum err channel_open(struct resolver *r, struct fail *fail)
{
    r->conf_time = conf_time();
    int status = channel_init(r, RESOLVER_TIME_MAX_MS);
    if (status == ARES_SUCCESS) {
        int servers = server_count(r->channel);
        ares_destroy(r->channel);
        status = channel_init(r, (RESOLVER_TIME_MAX_MS - MARGIN_MS) / (servers * TRY_SHARES));
    }
    if (status == ARES_SUCCESS)
        return OK;
    r->channel = NULL;
    return fail_set(
        fail, ERR_IO, "the name resolver cannot be initialised: %s", ares_strerror(status));
}

/* Only while nothing is in flight. If the channel cannot be created again, names stay unresolved
 * until the next try. */
static void channel_refresh(struct resolver *r)
{
    struct timespec now = conf_time();
    if (r->queries ||
        (r->channel && now.tv_sec == r->conf_time.tv_sec && now.tv_nsec == r->conf_time.tv_nsec))
        return;
    if (r->channel)
        ares_destroy(r->channel);
    if (channel_open(r, NULL))
        r->channel = NULL;
}

/* --- time */

static void wait_end(struct resolver_wait *wait, const struct resolver_answer *answer)
{
    resolver_forget(wait);
    wait->answered(wait, answer);
}

/* Removes one expired wait; NULL: none. Its callback may begin and end others. */
static struct resolver_wait *find_overdue(struct resolver *r, int64_t now_ms)
{
    for (struct resolver_query *q = r->queries; q; q = q->next)
        for (struct resolver_wait *wait = q->waits; wait; wait = wait->next)
            if (wait->until_ms <= now_ms)
                return wait;
    return NULL;
}

static void on_time(uv_timer_t *timer)
{
    static const struct resolver_answer answer = {
        .outcome = RESOLVER_TIMED_OUT, .detail = "no name server responded in time"};
    struct resolver *r = timer->data;
    struct resolver_wait *wait;
    int64_t now_ms = clock_mono_ms();
    if (r->channel)
        process(r, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    while ((wait = find_overdue(r, now_ms)))
        wait_end(wait, &answer);
    schedule(r);
}

/* Wakes at the next time limit, of c-ares or of a wait. */
static void schedule(struct resolver *r)
{
    int64_t due_ms = RESOLVER_TIME_MAX_MS, now_ms = clock_mono_ms();
    struct timeval most = {.tv_sec = RESOLVER_TIME_MAX_MS / 1000}, next;
    if (r->ending)
        return;
    if (!r->queries) {
        uv_timer_stop(r->timer);
        return;
    }
    if (r->channel && ares_timeout(r->channel, &most, &next))
        due_ms = (int64_t)next.tv_sec * 1000 + (next.tv_usec + 999) / 1000;
    for (struct resolver_query *q = r->queries; q; q = q->next)
        for (struct resolver_wait *wait = q->waits; wait; wait = wait->next)
            if (wait->until_ms - now_ms < due_ms)
                due_ms = wait->until_ms - now_ms;
    uv_timer_start(r->timer, on_time, due_ms > 0 ? (uint64_t)due_ms : 0, 0);
}

/* --- queries */

static struct resolver_answer failure(int status)
{
    switch (status) {
    case ARES_ENOTFOUND:
    case ARES_ENODATA:
    case ARES_EBADNAME:
        return (struct resolver_answer){
            .outcome = RESOLVER_NO_SUCH_NAME,
            .detail = status == ARES_ENODATA ? "the name has no address" : "no such name"};
    case ARES_ETIMEOUT:
        return (struct resolver_answer){
            .outcome = RESOLVER_TIMED_OUT, .detail = "no name server responded in time"};
    case ARES_ECONNREFUSED:
        return (struct resolver_answer){
            .outcome = RESOLVER_FAILED, .detail = "no name server can be reached"};
    case ARES_ESERVFAIL:
        return (struct resolver_answer){
            .outcome = RESOLVER_FAILED, .detail = "the name server failed to answer"};
    default:
        return (struct resolver_answer){
            .outcome = RESOLVER_FAILED, .detail = ares_strerror(status)};
    }
}

/* Addresses of both families, in the order of c-ares (RFC 6724). Free with mem_free. */
static union net_address *take_addresses(const struct ares_addrinfo *info, size_t *ret_count)
{
    size_t count = 0;
    for (const struct ares_addrinfo_node *node = info->nodes; node; node = node->ai_next)
        count++;
    union net_address *addresses = mem_array(count ? count : 1, sizeof *addresses);
    count = 0;
    for (const struct ares_addrinfo_node *node = info->nodes; node; node = node->ai_next)
        if ((node->ai_family == AF_INET || node->ai_family == AF_INET6) &&
            (size_t)node->ai_addrlen <= sizeof *addresses)
            memcpy(&addresses[count++], node->ai_addr, (size_t)node->ai_addrlen);
    *ret_count = count;
    return addresses;
}

static void query_end(struct resolver_query *q, const struct resolver_answer *answer)
{
    *q->at = q->next;
    if (q->next)
        q->next->at = q->at;
    while (q->waits)
        wait_end(q->waits, answer);
    mem_free(q);
}

static void on_answer(void *ctx, int status, int timeouts, struct ares_addrinfo *info)
{
    struct resolver_query *q = ctx;
    union net_address *addresses = NULL;
    struct resolver_answer answer = failure(status == ARES_SUCCESS ? ARES_ENODATA : status);
    if (status == ARES_SUCCESS && info) {
        size_t count;
        addresses = take_addresses(info, &count);
        if (count)
            answer = (struct resolver_answer){RESOLVER_FOUND, addresses, count, NULL};
    }
    if (info)
        ares_freeaddrinfo(info);
    query_end(q, &answer);
    mem_free(addresses);
}

static struct resolver_query *find_query(const struct resolver *r, struct str name)
{
    for (struct resolver_query *q = r->queries; q; q = q->next)
        if (str_eq(str_of(q->name, q->name_n), name))
            return q;
    return NULL;
}

static struct resolver_query *query_create(struct resolver *r, struct str name)
{
    struct resolver_query *q = mem_zalloc(sizeof *q + name.n + 1);
    q->resolver = r;
    q->name_n = name.n;
    memcpy(q->name, name.p, name.n);
    q->next = r->queries;
    q->at = &r->queries;
    if (q->next)
        q->next->at = &q->next;
    r->queries = q;
    return q;
}

static void wait_begin(struct resolver_query *q, struct resolver_wait *wait)
{
    wait->query = q;
    wait->next = q->waits;
    wait->at = &q->waits;
    if (wait->next)
        wait->next->at = &wait->next;
    q->waits = wait;
}

void resolver_ask(
    struct resolver *r, struct str name, int64_t until_ms, resolver_answered *answered,
    struct resolver_wait *wait)
{
    static const struct ares_addrinfo_hints hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    int64_t most_ms = clock_mono_ms() + RESOLVER_TIME_MAX_MS;
    assert(!wait->query && name.n);
    wait->until_ms = until_ms < most_ms ? until_ms : most_ms;
    wait->answered = answered;
    struct resolver_query *q = find_query(r, name);
    if (q) {
        wait_begin(q, wait);
    } else {
        channel_refresh(r);
        q = query_create(r, name);
        wait_begin(q, wait);
        if (r->channel) {
            r->inside++;
            ares_getaddrinfo(r->channel, q->name, NULL, &hints, on_answer, q);
            r->inside--;
        } else {
            struct resolver_answer answer = failure(ARES_ECONNREFUSED);
            query_end(q, &answer);
        }
    }
    schedule(r);
}

void resolver_forget(struct resolver_wait *wait)
{
    if (!wait->query)
        return;
    *wait->at = wait->next;
    if (wait->next)
        wait->next->at = wait->at;
    wait->query = NULL;
}

/* --- lifetime */

enum err resolver_create(
    uv_loop_t *loop, struct str servers, struct resolver **ret, struct fail *fail)
{
    if (ares_library_init(ARES_LIB_INIT_ALL) != ARES_SUCCESS)
        return fail_set(fail, ERR_IO, "c-ares cannot be initialised");
    struct resolver *r = MEM_NEW(struct resolver);
    r->loop = loop;
    r->servers = str_is_null(servers) ? NULL : mem_strdup(servers);
    enum err err = channel_open(r, fail);
    if (err) {
        mem_free(r->servers);
        mem_free(r);
        ares_library_cleanup();
        return err;
    }
    r->timer = MEM_NEW(uv_timer_t);
    uv_timer_init(loop, r->timer);
    r->timer->data = r;
    *ret = r;
    return OK;
}

void resolver_destroy(struct resolver *r)
{
    if (!r)
        return;
    r->ending = true;
    if (r->channel)
        ares_destroy(r->channel); /* ends the queries; no caller waits for them */
    assert(!r->queries && !r->watches);
    uv_close((uv_handle_t *)r->timer, free_handle);
    mem_free(r->servers);
    mem_free(r);
    ares_library_cleanup();
}

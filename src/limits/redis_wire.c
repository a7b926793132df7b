/* A socket watched by libuv, hiredis' reader, and TLS in between; see redis_wire.h. */
#include "limits/redis_wire.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "limits/redis_reply.h"

enum {
    READ_SIZE = 16 * 1024, /* a TLS record's text at most: none stays behind in OpenSSL */
    READS_MAX = 16,        /* in one turn of the loop */
    REPLY_MAX = 64 * 1024, /* bytes; those to our commands have a few hundred */
    SENT_KEPT_MAX = 64 * 1024,
    PORT_SIZE = 16,
};

enum wire_state { WIRE_LOOKING_UP, WIRE_CONNECTING, WIRE_SHAKING, WIRE_OPEN, WIRE_FAILED };

struct redis_wire {
    uv_loop_t *loop;
    const struct redis_wire_events *events;
    void *ctx;
    const struct redis_tls *tls; /* NULL: none */
    struct redis_place place;
    uv_getaddrinfo_t *look_up; /* separate memory: it cannot be stopped. NULL: it has ended */
    int look_up_error;         /* for IPv4 */
    struct addrinfo *addresses, *address; /* the one that is tried */
    int64_t found_ms;                     /* when the look-up ended; 0: it has not */
    uv_poll_t *poll;                      /* separate memory: it closes later. NULL: no socket */
    int fd;                               /* -1: none */
    enum wire_state state;
    struct redis_tls_link *tls_link;
    bool wants_write; /* of TLS: nothing goes on before the socket is writable */
    redisReader *reader;
    struct redis_reply_bound bound;
    size_t unfinished; /* bytes of the reply that is not complete yet */
    struct buf out;
    size_t sent; /* of `out` */
    char reason[REDIS_WIRE_REASON_MAX];
};

static void fail(struct redis_wire *wire, const char *reason)
{
    if (wire->state == WIRE_FAILED)
        return;
    wire->state = WIRE_FAILED;
    snprintf(wire->reason, sizeof wire->reason, "%s", reason);
    if (wire->poll)
        uv_poll_stop(wire->poll);
}

/* --- the socket */

static void free_handle(uv_handle_t *handle)
{
    mem_free(handle);
}

static void close_socket(struct redis_wire *wire)
{
    redis_tls_close(wire->tls_link);
    wire->tls_link = NULL;
    if (wire->poll) {
        uv_poll_stop(wire->poll);
        uv_close((uv_handle_t *)wire->poll, free_handle);
        wire->poll = NULL;
    }
    if (wire->fd >= 0)
        close(wire->fd);
    wire->fd = -1;
}

static void on_poll(uv_poll_t *poll, int status, int events);

static void watch(struct redis_wire *wire)
{
    bool unsent = wire->sent < wire->out.n;
    bool write = wire->state == WIRE_CONNECTING || wire->wants_write ||
                 (wire->state == WIRE_OPEN && unsent && !wire->tls_link);
    bool read = wire->state != WIRE_CONNECTING;
    if (wire->state != WIRE_FAILED)
        uv_poll_start(wire->poll, (read ? UV_READABLE : 0) | (write ? UV_WRITABLE : 0), on_poll);
}

/* false: this address cannot be connected to; errno says why. */
static bool connect_socket(struct redis_wire *wire)
{
    const struct addrinfo *to = wire->address;
    const int on = 1;
    wire->fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (wire->fd < 0)
        return false;
    setsockopt(wire->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(wire->fd, to->ai_addr, to->ai_addrlen) != 0 && errno != EINPROGRESS)
        return false;
    wire->poll = MEM_NEW(uv_poll_t);
    int error = uv_poll_init(wire->loop, wire->poll, wire->fd);
    if (error) {
        mem_free(wire->poll);
        wire->poll = NULL;
        errno = -error;
        return false;
    }
    wire->poll->data = wire;
    wire->state = WIRE_CONNECTING;
    watch(wire);
    return true;
}

/* Tries the addresses in turn, from wire->address on. */
static void connect_any(struct redis_wire *wire, int error)
{
    for (; wire->address; wire->address = wire->address->ai_next) {
        if (connect_socket(wire))
            return;
        error = errno;
        close_socket(wire);
    }
    fail(wire, strerror(error));
}

/* --- sending */

static void wrote(struct redis_wire *wire, size_t n)
{
    wire->sent += n;
    if (wire->sent == wire->out.n) {
        mem_wipe(wire->out.p, wire->out.n); /* a password may have been in it */
        buf_reset(&wire->out);
        wire->sent = 0;
    } else if (wire->sent > SENT_KEPT_MAX) {
        memmove(wire->out.p, wire->out.p + wire->sent, wire->out.n - wire->sent);
        wire->out.n -= wire->sent;
        wire->sent = 0;
    }
}

/* false: the socket takes no more now, or failed. */
static bool write_tls(struct redis_wire *wire, const char *p, size_t n)
{
    size_t done = 0;
    enum redis_tls_step step = redis_tls_write(wire->tls_link, p, n, &done);
    wire->wants_write = step == REDIS_TLS_WANTS_WRITE;
    if (step == REDIS_TLS_DONE)
        wrote(wire, done);
    else if (step == REDIS_TLS_FAILED)
        fail(wire, redis_tls_reason(wire->tls_link));
    else if (step == REDIS_TLS_CLOSED)
        fail(wire, "it closed the connection");
    return step == REDIS_TLS_DONE;
}

static bool write_plain(struct redis_wire *wire, const char *p, size_t n)
{
    ssize_t done = send(wire->fd, p, n, MSG_NOSIGNAL);
    if (done >= 0)
        wrote(wire, (size_t)done);
    else if (errno != EAGAIN && errno != EINTR)
        fail(wire, strerror(errno));
    return done >= 0;
}

void redis_wire_flush(struct redis_wire *wire)
{
    bool more = true;
    if (wire->state != WIRE_OPEN)
        return;
    while (more && wire->state == WIRE_OPEN && wire->sent < wire->out.n) {
        const char *p = wire->out.p + wire->sent;
        size_t n = wire->out.n - wire->sent;
        more = wire->tls_link ? write_tls(wire, p, n) : write_plain(wire, p, n);
    }
    watch(wire);
}

void redis_wire_send(struct redis_wire *wire, const char *p, size_t n)
{
    buf_put(&wire->out, p, n);
    if (wire->out.overflow)
        fail(wire, "too much waits to be sent");
}

/* --- receiving */

static void hand_over(struct redis_wire *wire, const char *p, size_t n)
{
    void *reply;
    if (redisReaderFeed(wire->reader, p, n) != REDIS_OK) {
        fail(wire, wire->reader->errstr);
        return;
    }
    wire->unfinished += n;
    for (;;) {
        reply = NULL;
        if (redisReaderGetReply(wire->reader, &reply) != REDIS_OK) {
            fail(wire, wire->reader->errstr);
            return;
        }
        if (!reply)
            break;
        wire->unfinished = wire->reader->len - wire->reader->pos;
        wire->events->replied(wire->ctx, reply);
        freeReplyObject(reply);
    }
    if (wire->unfinished > REPLY_MAX)
        fail(wire, "a reply that is too long");
}

static bool read_tls(struct redis_wire *wire, char *p, size_t size)
{
    size_t n = 0;
    enum redis_tls_step step = redis_tls_read(wire->tls_link, p, size, &n);
    if (step == REDIS_TLS_DONE)
        hand_over(wire, p, n);
    else if (step == REDIS_TLS_FAILED)
        fail(wire, redis_tls_reason(wire->tls_link));
    else if (step == REDIS_TLS_CLOSED)
        fail(wire, "it closed the connection");
    else if (step == REDIS_TLS_WANTS_WRITE)
        wire->wants_write = true;
    return step == REDIS_TLS_DONE;
}

static bool read_plain(struct redis_wire *wire, char *p, size_t size)
{
    ssize_t n = recv(wire->fd, p, size, 0);
    if (n > 0)
        hand_over(wire, p, (size_t)n);
    else if (n == 0)
        fail(wire, "it closed the connection");
    else if (errno != EAGAIN && errno != EINTR)
        fail(wire, strerror(errno));
    return n > 0;
}

/* Ends before the socket is empty if the peer never pauses: otherwise the owner could neither cut
 * the connection nor end its thread. The rest keeps the socket readable. */
static void receive(struct redis_wire *wire)
{
    char chunk[READ_SIZE];
    bool more = true;
    for (int i = 0; i < READS_MAX && more && wire->state == WIRE_OPEN; i++)
        more = wire->tls_link ? read_tls(wire, chunk, sizeof chunk)
                              : read_plain(wire, chunk, sizeof chunk);
}

/* --- opening */

static void shake(struct redis_wire *wire)
{
    enum redis_tls_step step = redis_tls_shake(wire->tls_link);
    wire->wants_write = step == REDIS_TLS_WANTS_WRITE;
    if (step == REDIS_TLS_FAILED)
        fail(wire, redis_tls_reason(wire->tls_link));
    else if (step == REDIS_TLS_CLOSED)
        fail(wire, "it closed the connection in the TLS handshake");
    if (step != REDIS_TLS_DONE)
        return;
    wire->state = WIRE_OPEN;
    wire->events->opened(wire->ctx);
}

static void connected(struct redis_wire *wire)
{
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(wire->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        error = errno;
    if (error) {
        close_socket(wire);
        wire->address = wire->address->ai_next;
        connect_any(wire, error);
    } else if (!wire->tls) {
        wire->state = WIRE_OPEN;
        wire->events->opened(wire->ctx);
    } else {
        wire->state = WIRE_SHAKING;
        wire->tls_link = redis_tls_open(wire->tls, wire->fd, wire->place.host);
        if (!wire->tls_link)
            fail(wire, "its name cannot be that of a certificate");
        else
            shake(wire);
    }
}

/* An error of the poll shows itself in the next call on the socket. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct redis_wire *wire = poll->data;
    wire->wants_write = false;
    if (wire->state == WIRE_CONNECTING)
        connected(wire);
    else if (wire->state == WIRE_SHAKING)
        shake(wire);
    else if (wire->state == WIRE_OPEN)
        receive(wire);
    redis_wire_flush(wire);
    if (wire->state == WIRE_SHAKING)
        watch(wire);
    if (status < 0 && wire->state != WIRE_FAILED && wire->poll == poll)
        fail(wire, uv_strerror(status));
}

/* --- the name, which a thread of libuv looks up */

static void on_looked_up(uv_getaddrinfo_t *request, int status, struct addrinfo *found);

static void port_text(const struct redis_wire *wire, char ret[static PORT_SIZE])
{
    snprintf(ret, PORT_SIZE, "%d", wire->place.port);
}

/* IPv4 first: a Redis on this machine often listens on 127.0.0.1 only. */
static int look_up(struct redis_wire *wire, int family)
{
    const struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_STREAM};
    char port[PORT_SIZE];
    port_text(wire, port);
    return uv_getaddrinfo(wire->loop, wire->look_up, on_looked_up, wire->place.host, port, &hints);
}

/* An address needs no look-up, and so no thread, which slow look-ups may all keep busy. */
static struct addrinfo *read_address(const struct redis_wire *wire)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char port[PORT_SIZE];
    port_text(wire, port);
    return getaddrinfo(wire->place.host, port, &hints, &found) == 0 ? found : NULL;
}

static void end_look_up(struct redis_wire *wire, int error, struct addrinfo *found)
{
    mem_free(wire->look_up);
    wire->look_up = NULL;
    wire->addresses = wire->address = found;
    wire->found_ms = clock_mono_ms();
    if (error)
        fail(wire, uv_strerror(error));
    else if (wire->state == WIRE_LOOKING_UP)
        connect_any(wire, 0);
}

static void on_looked_up(uv_getaddrinfo_t *request, int status, struct addrinfo *found)
{
    struct redis_wire *wire = request->data;
    if (!wire) { /* it was closed meanwhile */
        uv_freeaddrinfo(found);
        mem_free(request);
    } else if (!status || wire->look_up_error) {
        end_look_up(wire, status ? wire->look_up_error : 0, found);
    } else {
        wire->look_up_error = status;
        if (look_up(wire, AF_INET6) != 0)
            end_look_up(wire, status, NULL);
    }
}

/* A look-up that has not begun ends at once. */
static void leave_look_up(struct redis_wire *wire)
{
    if (!wire->look_up)
        return;
    wire->look_up->data = NULL;
    uv_cancel((uv_req_t *)wire->look_up);
    wire->look_up = NULL;
}

struct redis_wire *redis_wire_open(
    uv_loop_t *loop, const struct redis_place *place, const struct redis_tls *tls,
    const struct redis_wire_events *events, void *ctx)
{
    struct redis_wire *wire = MEM_NEW(struct redis_wire);
    *wire = (struct redis_wire){
        .loop = loop,
        .events = events,
        .ctx = ctx,
        .tls = tls,
        .place = *place,
        .fd = -1,
        .reader = redisReaderCreate(),
    };
    if (!wire->reader)
        no_memory(0);
    redis_reply_bind(&wire->bound, wire->reader);
    buf_init(&wire->out, REDIS_WIRE_WAITING_MAX);
    struct addrinfo *address = read_address(wire);
    int error = 0;
    if (!address) {
        wire->look_up = MEM_NEW(uv_getaddrinfo_t);
        wire->look_up->data = wire;
        error = look_up(wire, AF_INET);
    }
    if (address || error)
        end_look_up(wire, error, address);
    return wire;
}

void redis_wire_close(struct redis_wire *wire)
{
    if (!wire)
        return;
    close_socket(wire);
    leave_look_up(wire);
    redisReaderFree(wire->reader);
    uv_freeaddrinfo(wire->addresses);
    if (wire->out.p)
        mem_wipe(wire->out.p, wire->out.n);
    buf_finish(&wire->out);
    mem_free(wire);
}

int64_t redis_wire_found_ms(const struct redis_wire *wire)
{
    return wire->found_ms;
}

const char *redis_wire_failed(const struct redis_wire *wire)
{
    return wire->state == WIRE_FAILED ? wire->reason : NULL;
}

/* Servers for the net tests; see net_kit.h. */
#include "net_kit.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address/address_class.h"
#include "base/clock.h"
#include "base/mem.h"

/* The loop of the servers and of the code under test. */
static uv_loop_t *kit_loop;

/* --- writing */

struct write {
    uv_write_t uv;
    char bytes[];
};

static void on_written(uv_write_t *uv, int status)
{
    mem_free(uv);
}

void receiver_send(struct receiver_conn *c, struct str bytes)
{
    struct write *w = mem_alloc(sizeof *w + bytes.n);
    memcpy(w->bytes, bytes.p, bytes.n);
    uv_buf_t buf = uv_buf_init(w->bytes, (unsigned)bytes.n);
    if (uv_is_closing((uv_handle_t *)&c->tcp) ||
        uv_write(&w->uv, (uv_stream_t *)&c->tcp, &buf, 1, on_written) != 0)
        mem_free(w);
}

static void on_slow(uv_timer_t *timer)
{
    struct receiver_conn *c = timer->data;
    receiver_send(c, str_of(c->slow, 1));
    if (!*++c->slow)
        uv_timer_stop(timer);
}

void receiver_send_slowly(struct receiver_conn *c, const char *text, unsigned every_ms)
{
    c->slow = text;
    uv_timer_start(&c->timer, on_slow, every_ms, every_ms);
}

static char filler[16 * 1024];

static void on_filled(uv_write_t *uv, int status)
{
    struct receiver_conn *c = uv->data;
    uv_buf_t buf = uv_buf_init(filler, sizeof filler);
    if (status != 0 || uv_is_closing((uv_handle_t *)&c->tcp) ||
        uv_write(uv, (uv_stream_t *)&c->tcp, &buf, 1, on_filled) != 0)
        mem_free(uv);
}

void receiver_send_for_ever(struct receiver_conn *c, const char *head)
{
    uv_write_t *uv = MEM_NEW(uv_write_t);
    uv_buf_t buf = uv_buf_init(filler, sizeof filler);
    memset(filler, 'x', sizeof filler);
    receiver_send(c, str_from(head));
    uv->data = c;
    if (uv_write(uv, (uv_stream_t *)&c->tcp, &buf, 1, on_filled) != 0)
        mem_free(uv);
}

/* --- reading */

static void on_conn_closed(uv_handle_t *handle)
{
    struct receiver_conn *c = handle->data;
    if (--c->open_handles)
        return;
    mem_free(c->in);
    mem_free(c);
}

void receiver_hang_up(struct receiver_conn *c)
{
    if (uv_is_closing((uv_handle_t *)&c->tcp))
        return;
    *c->at = c->next;
    if (c->next)
        c->next->at = c->at;
    uv_close((uv_handle_t *)&c->tcp, on_conn_closed);
    uv_close((uv_handle_t *)&c->timer, on_conn_closed);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct receiver_conn *c = handle->data;
    *buf = uv_buf_init(c->in + c->in_n, (unsigned)(KIT_REQUEST_MAX - 1 - c->in_n));
}

/* The length of the complete request at the start of the input; 0: incomplete. */
static size_t whole_request(const struct receiver_conn *c)
{
    const char *end = memmem(c->in, c->in_n, "\r\n\r\n", 4);
    if (!end)
        return 0;
    size_t head_n = (size_t)(end - c->in) + 4, body_n = 0;
    const char *length = memmem(c->in, head_n, "Content-Length: ", 16);
    if (length)
        body_n = strtoul(length + 16, NULL, 10);
    return c->in_n >= head_n + body_n ? head_n + body_n : 0;
}

static void take_requests(struct receiver_conn *c)
{
    struct receiver *r = c->receiver;
    size_t n;
    while (!uv_is_closing((uv_handle_t *)&c->tcp) && (n = whole_request(c))) {
        r->requests++;
        mem_free(r->last);
        r->last = mem_strdup(str_of(c->in, n));
        c->in_n -= n;
        memmove(c->in, c->in + n, c->in_n);
        if (r->answer)
            r->answer(c);
        else
            receiver_send(c, str_from(r->text));
    }
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct receiver_conn *c = stream->data;
    if (n < 0) {
        receiver_hang_up(c);
        return;
    }
    c->in_n += (size_t)n;
    take_requests(c);
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct receiver *r = listener->data;
    struct receiver_conn *c = MEM_NEW(struct receiver_conn);
    assert(status == 0);
    c->receiver = r;
    c->in = mem_alloc(KIT_REQUEST_MAX);
    c->open_handles = 2;
    uv_tcp_init(listener->loop, &c->tcp);
    uv_timer_init(listener->loop, &c->timer);
    c->tcp.data = c->timer.data = c;
    c->next = r->conns;
    c->at = &r->conns;
    if (c->next)
        c->next->at = &c->next;
    r->conns = c;
    r->accepted++;
    if (uv_accept(listener, (uv_stream_t *)&c->tcp) != 0 ||
        uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read) != 0)
        receiver_hang_up(c);
}

static void on_closed(uv_handle_t *handle)
{
    handle->data = NULL;
}

void receiver_open(struct receiver *r, uv_loop_t *loop, const char *address)
{
    struct sockaddr_storage bound;
    int size = sizeof bound;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    bool ipv6 = strchr(address, ':');
    kit_loop = loop;
    uv_tcp_init(loop, &r->tcp);
    r->tcp.data = r;
    assert_int_equal(
        ipv6 ? uv_ip6_addr(address, r->port, &in6) : uv_ip4_addr(address, r->port, &in), 0);
    assert_int_equal(
        uv_tcp_bind(
            &r->tcp, ipv6 ? (const struct sockaddr *)&in6 : (const struct sockaddr *)&in, 0),
        0);
    assert_int_equal(uv_listen((uv_stream_t *)&r->tcp, 512, on_connection), 0);
    assert_int_equal(uv_tcp_getsockname(&r->tcp, (struct sockaddr *)&bound, &size), 0);
    r->port = ntohs(
        ipv6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
             : ((struct sockaddr_in *)&bound)->sin_port);
}

/* Waits until the close is complete: its memory may be on the stack of the test. */
static void close_now(uv_handle_t *handle)
{
    uv_close(handle, on_closed);
    while (handle->data)
        uv_run(handle->loop, UV_RUN_NOWAIT);
}

void receiver_close(struct receiver *r)
{
    while (r->conns)
        receiver_hang_up(r->conns);
    close_now((uv_handle_t *)&r->tcp);
    mem_free(r->last);
    r->last = NULL;
}

/* --- the name server: one query, one answer (RFC 1035) */

enum { DNS_HEAD = 12, DNS_A = 1, DNS_AAAA = 28, DNS_MAX = 4096 };

struct held_query {
    struct held_query *next;
    struct sockaddr_storage from;
    size_t n;
    uint8_t bytes[512];
};

/* Prints the name as text and returns the place after it; 0: invalid. */
static size_t read_name(const uint8_t *query, size_t n, char *ret_name, size_t size)
{
    size_t at = DNS_HEAD, to = 0;
    while (at < n && query[at]) {
        size_t label = query[at++];
        if (at + label >= n || to + label + 2 > size)
            return 0;
        if (to)
            ret_name[to++] = '.';
        memcpy(ret_name + to, query + at, label);
        to += label;
        at += label;
    }
    ret_name[to] = '\0';
    return at + 5 <= n ? at + 1 : 0;
}

static size_t put_record(uint8_t *to, int type, const void *address, size_t size)
{
    const uint8_t head[] = {0xc0, DNS_HEAD, 0, (uint8_t)type, 0, 1, 0, 0, 0, 0, 0, (uint8_t)size};
    memcpy(to, head, sizeof head);
    memcpy(to + sizeof head, address, size);
    return sizeof head + size;
}

/* Appends the addresses of the requested type. */
static size_t put_addresses(const char *list, int type, uint8_t *answer, size_t n)
{
    struct str rest = str_from(list), one;
    while (str_split(&rest, ',', &one)) {
        char text[64];
        uint8_t address[16];
        int family = str_find_char(one, ':') >= 0 ? AF_INET6 : AF_INET;
        snprintf(text, sizeof text, "%.*s", STR_ARG(one));
        if ((family == AF_INET) != (type == DNS_A))
            continue;
        assert(inet_pton(family, text, address) == 1 && n + 32 < DNS_MAX);
        n += put_record(answer + n, type, address, family == AF_INET ? 4 : 16);
        answer[7]++;
    }
    return n;
}

static const char *find_addresses(struct name_server *s, const char *name, int type)
{
    for (size_t i = 0; i < s->count; i++) {
        struct name_record *record = &s->records[i];
        if (strcasecmp(record->name, name) != 0)
            continue;
        /* c-ares asks for both families at once, in either order: count each separately */
        unsigned before = type == DNS_A ? record->asked++ : record->asked;
        return before && record->later && type == DNS_A ? record->later : record->addresses;
    }
    return "-";
}

static void answer_query(struct name_server *s, const struct held_query *query)
{
    uint8_t answer[DNS_MAX] = {0};
    char name[256];
    size_t question_end = read_name(query->bytes, query->n, name, sizeof name);
    if (!question_end)
        return;
    int type = query->bytes[question_end + 1];
    const char *addresses = find_addresses(s, name, type);
    size_t n = question_end + 4;
    memcpy(answer, query->bytes, n);
    memset(answer + 6, 0, 6); /* no records yet; one question */
    answer[2] = 0x81;
    answer[3] = 0x80;
    if (!*addresses)
        return;
    if (strcmp(addresses, "-") == 0)
        answer[3] |= 3;
    else if (type == DNS_A || type == DNS_AAAA)
        n = put_addresses(addresses, type, answer, n);
    uv_buf_t buf = uv_buf_init((char *)answer, (unsigned)n);
    assert_int_equal(
        uv_udp_try_send(&s->udp, &buf, 1, (const struct sockaddr *)&query->from), (int)n);
}

static void on_datagram_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    static char room[512];
    *buf = uv_buf_init(room, sizeof room);
}

static void on_datagram(
    uv_udp_t *udp, ssize_t n, const uv_buf_t *buf, const struct sockaddr *from, unsigned flags)
{
    struct name_server *s = udp->data;
    if (n <= 0 || !from)
        return;
    struct held_query *query = MEM_NEW(struct held_query);
    memcpy(&query->from, from, sizeof(struct sockaddr_in));
    memcpy(query->bytes, buf->base, (size_t)n);
    query->n = (size_t)n;
    s->queries++;
    if (s->holding) {
        query->next = s->held;
        s->held = query;
    } else {
        answer_query(s, query);
        mem_free(query);
    }
}

void name_server_release(struct name_server *s)
{
    s->holding = false;
    while (s->held) {
        struct held_query *query = s->held;
        s->held = query->next;
        answer_query(s, query);
        mem_free(query);
    }
}

void name_server_open(
    struct name_server *s, uv_loop_t *loop, struct name_record *records, size_t count)
{
    struct sockaddr_in address;
    int size = sizeof address;
    kit_loop = loop;
    s->records = records;
    s->count = count;
    uv_udp_init(loop, &s->udp);
    s->udp.data = s;
    assert_int_equal(uv_ip4_addr("127.0.0.1", 0, &address), 0);
    assert_int_equal(uv_udp_bind(&s->udp, (struct sockaddr *)&address, 0), 0);
    assert_int_equal(uv_udp_getsockname(&s->udp, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(uv_udp_recv_start(&s->udp, on_datagram_room, on_datagram), 0);
    snprintf(s->address, sizeof s->address, "127.0.0.1:%d", ntohs(address.sin_port));
}

void name_server_close(struct name_server *s)
{
    while (s->held) {
        struct held_query *query = s->held;
        s->held = query->next;
        mem_free(query);
    }
    close_now((uv_handle_t *)&s->udp);
}

/* --- calls */

static void on_answered(void *ctx, int status)
{
    struct call *call = ctx;
    assert(!call->done && !call->answered);
    call->answered = status;
}

static void on_done(void *ctx, const struct outgoing_result *result)
{
    struct call *call = ctx;
    assert(!call->done);
    call->done = true;
    uv_stop(kit_loop); /* a time limit can end it before the loop waits: it must not wait then */
    call->request = NULL;
    call->status = result->status;
    call->error = result->error;
    snprintf(call->detail, sizeof call->detail, "%s", result->detail);
    snprintf(call->remote, sizeof call->remote, "%s", result->remote);
    snprintf(call->retry_after, sizeof call->retry_after, "%.*s", STR_ARG(result->retry_after));
    call->has_retry_after = !str_is_null(result->retry_after);
    call->connected = result->connected;
    call->body = mem_strdup(result->body);
    call->body_n = result->body.n;
    call->times = result->times;
}

static bool on_may_connect(void *ctx, const struct sockaddr *address)
{
    struct call *call = ctx;
    call->asked++;
    return call->may_connect ? call->may_connect(address) : kit_loopback(address);
}

struct outgoing_post call_post(struct call *call, const char *url)
{
    return (struct outgoing_post){
        .url = str_from(url),
        .plain_http = true,
        .body = STR("{\"a\":1}"),
        .time_max_ms = KIT_LONG_MS,
        .answer_max = 16 * 1024,
        .may_connect = on_may_connect,
        .answered = on_answered,
        .done = on_done,
        .ctx = call,
    };
}

void call_start(struct outgoing *o, struct call *call, const char *url)
{
    struct outgoing_post post = call_post(call, url);
    struct fail why;
    if (outgoing_post(o, &post, &call->request, &why))
        fail_msg("%s: %s", url, why.text);
    assert_false(call->done);
}

void call_wait(uv_loop_t *loop, const struct call *call)
{
    while (!call->done)
        if (!uv_run(loop, UV_RUN_ONCE))
            fail_msg("the loop has nothing left, and the request has not ended");
}

void call_run(struct outgoing *o, uv_loop_t *loop, struct call *call, const char *url)
{
    call_start(o, call, url);
    call_wait(loop, call);
}

int64_t call_run_late(
    struct outgoing *o, uv_loop_t *loop, struct call *call, const char *url, const unsigned *seen)
{
    for (int64_t ms = KIT_SHORT_MS;; ms *= 2) {
        unsigned before = *seen;
        struct outgoing_post post = call_post(call, url);
        post.time_max_ms = ms;
        *call = (struct call){.may_connect = call->may_connect};
        int64_t from_ms = clock_mono_ms();
        assert_int_equal(outgoing_post(o, &post, &call->request, NULL), OK);
        call_wait(loop, call);
        assert_true(clock_mono_ms() - from_ms >= ms - 1);
        if (*seen > before)
            return ms;
        assert_int_equal(call->error, OUTGOING_TIMEOUT);
        call_finish(call);
    }
}

void call_finish(struct call *call)
{
    mem_free(call->body);
    call->body = NULL;
}

bool kit_loopback(const struct sockaddr *sockaddr)
{
    struct address address = address_from_sockaddr(sockaddr);
    return address_is_loopback(&address);
}

bool kit_public(const struct sockaddr *sockaddr)
{
    struct address address = address_from_sockaddr(sockaddr);
    return !address_block_of(&address);
}

bool kit_everything(const struct sockaddr *sockaddr)
{
    return true;
}

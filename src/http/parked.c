/* Replies that wait for their clients; see parked.h. */
#include "http/parked.h"

#include <assert.h>

/* Reserves mapped bytes; false if that passes the limit. */
static bool reserve(struct http_server *server, size_t n)
{
    if (atomic_fetch_add(&server->parked_bytes, n) + n <= server->limits.reply_bytes)
        return true;
    atomic_fetch_sub(&server->parked_bytes, n);
    return false;
}

static bool is_const(const struct http_exchange *x, uv_buf_t piece)
{
    return piece.base == x->body_const.p;
}

static size_t bytes_to_copy(const struct http_exchange *x, size_t sent)
{
    size_t n = 0, at = 0;
    for (unsigned i = 0; i < x->out_count; at += x->out[i++].len) {
        if (!is_const(x, x->out[i]) && at + x->out[i].len > sent)
            n += at + x->out[i].len - (sent > at ? sent : at);
    }
    return n + x->end - x->next_at;
}

/* The rest of the pieces; those to copy come first and become one. */
static char *put_rest(struct parked *p, const struct http_exchange *x, size_t sent)
{
    char *to = p->bytes;
    for (unsigned i = 0; i < x->out_count; i++) {
        size_t skip = sent < x->out[i].len ? sent : x->out[i].len;
        uv_buf_t rest = uv_buf_init(x->out[i].base + skip, (unsigned)(x->out[i].len - skip));
        sent -= skip;
        if (rest.len == 0)
            continue;
        if (is_const(x, x->out[i])) {
            assert(i + 1 == x->out_count);
            p->out[p->out_count++] = rest;
            continue;
        }
        to = mempcpy(to, rest.base, rest.len);
        p->out[0] = uv_buf_init(p->bytes, (unsigned)(to - p->bytes));
        p->out_count = 1;
    }
    return to;
}

struct parked *parked_create(const struct http_exchange *x, size_t sent)
{
    struct http_server *server = x->loop->server;
    size_t size = mem_mapped(sizeof(struct parked) + bytes_to_copy(x, sent));
    if (!reserve(server, size))
        return NULL;
    struct parked *p = mem_map(size);
    if (!p) {
        atomic_fetch_sub(&server->parked_bytes, size);
        return NULL;
    }
    p->size = size;
    p->last = x->last;
    char *to = put_rest(p, x, sent);
    p->input = str_of(to, x->end - x->next_at);
    memcpy(to, x->in + x->next_at, p->input.n);
    return p;
}

void parked_destroy(struct loop *loop, struct parked *p)
{
    size_t size = p->size;
    mem_unmap(p, size);
    atomic_fetch_sub(&loop->server->parked_bytes, size);
}

void parked_resume(const struct parked *p, struct http_exchange *x)
{
    assert(p->input.n <= sizeof x->in);
    memcpy(x->in, p->input.p, p->input.n);
    x->end = p->input.n;
}

#include "http_drive.h"

#include <assert.h>
#include <string.h>

#include "http/framing.h"
#include "http/head.h"

struct drive {
    char *bytes; /* a copy: names are turned to lower case in place */
    size_t begin, next_at, end;
    bool in_body;
    bool closed;
    struct head head;
    struct framing framing;
    struct arena arena;
    struct buf *outcome, *details;
};

static void reply(struct drive *d, int status, bool close)
{
    buf_fmt(d->outcome, "%s%d%s", d->outcome->n ? " " : "", status, close ? "!" : "");
    d->closed = close;
}

static void refuse(struct drive *d, int status, const char *why)
{
    assert(why);
    buf_fmt(d->details, "%d %s\n", status, why);
    reply(d, status, true);
}

static bool within(const struct drive *d, struct str s)
{
    return s.n == 0 || (s.p >= d->bytes && s.p + s.n <= d->bytes + d->end);
}

static void deliver(struct drive *d)
{
    const struct http_request *r = &d->head.request;
    assert(within(d, r->method_text) && within(d, r->target));
    assert(r->header_count <= HTTP_HEADERS_MAX && d->framing.body_n <= HTTP_BODY_MAX);
    buf_fmt(
        d->details, "%d [%.*s] [%.*s] [%.*s] [%.*s]\n", r->method, STR_ARG(r->method_text),
        STR_ARG(r->target), STR_ARG(r->path), STR_ARG(r->query));
    for (size_t i = 0; i < r->header_count; i++) {
        assert(within(d, r->headers[i].name) && within(d, r->headers[i].value));
        buf_fmt(d->details, "[%.*s]=[", STR_ARG(r->headers[i].name));
        buf_str(d->details, r->headers[i].value);
        buf_text(d->details, "]\n");
    }
    buf_put(d->details, d->framing.body, d->framing.body_n);
    buf_fmt(d->details, "\nkeep-alive %d\n", r->keep_alive);

    bool unknown = r->method == HTTP_UNKNOWN;
    reply(d, unknown ? 501 : 200, unknown || !r->keep_alive);
    d->begin = d->next_at;
    d->in_body = false;
    head_init(&d->head);
    arena_reset(&d->arena);
}

/* False when more bytes are needed. */
static bool step_head(struct drive *d)
{
    if (d->begin == d->end)
        return false;
    switch (head_take(&d->head, d->bytes + d->begin, d->end - d->begin)) {
    case HEAD_MORE:
        return false;
    case HEAD_REFUSED:
        refuse(d, d->head.status, d->head.why);
        return true;
    case HEAD_WHOLE:
        break;
    }
    const struct head *h = &d->head;
    struct str lines = str_of(d->bytes + d->begin + h->headers_at, h->size - h->headers_at);
    d->next_at = d->begin + h->size;
    switch (framing_begin(&d->framing, lines, h->request.http_1_0, h->content_length, h->chunked)) {
    case FRAMING_DONE:
        deliver(d);
        return true;
    case FRAMING_MORE:
        d->in_body = true;
        return true;
    default:
        refuse(d, 400, "framing");
        return true;
    }
}

static bool step_body(struct drive *d)
{
    if (d->next_at == d->end)
        return false;
    size_t used;
    struct str bytes = str_of(d->bytes + d->next_at, d->end - d->next_at);
    enum framing_result result = framing_take(&d->framing, &d->arena, bytes, &used);
    assert(used <= bytes.n);
    d->next_at += used;
    if (result == FRAMING_DONE)
        deliver(d);
    else if (result != FRAMING_MORE)
        refuse(d, result == FRAMING_TOO_LARGE ? 413 : 400, "body");
    return true;
}

void http_drive(
    struct str bytes, http_drive_piece *piece, void *ctx, struct buf *outcome, struct buf *details)
{
    struct drive *d = MEM_NEW(struct drive);
    d->bytes = mem_strdup(bytes);
    d->outcome = outcome;
    d->details = details;
    arena_init(&d->arena);
    head_init(&d->head);
    while (d->end < bytes.n && !d->closed) {
        d->end += piece(ctx, bytes.n - d->end);
        assert(d->end <= bytes.n);
        while (!d->closed && (d->in_body ? step_body(d) : step_head(d))) {
        }
    }
    arena_finish(&d->arena);
    mem_free(d->bytes);
    mem_free(d);
}

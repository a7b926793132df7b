#include "http_drive.h"

#include <assert.h>
#include <string.h>

#include "http/framing.h"
#include "http/head.h"

struct drive {
    char *bytes; /* a copy: names are converted to lower case in place */
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
    if (d->outcome->n)
        buf_char(d->outcome, ' ');
    buf_u64(d->outcome, (uint64_t)status);
    if (close)
        buf_char(d->outcome, '!');
    d->closed = close;
}

static void refuse(struct drive *d, int status, const char *why)
{
    assert(why);
    buf_u64(d->details, (uint64_t)status);
    buf_char(d->details, ' ');
    buf_text(d->details, why);
    buf_char(d->details, '\n');
    reply(d, status, true);
}

static bool within(const struct drive *d, struct str s)
{
    return s.n == 0 || (s.p >= d->bytes && s.p + s.n <= d->bytes + d->end);
}

static void put_part(struct drive *d, struct str part, char end)
{
    buf_char(d->details, '[');
    buf_str(d->details, part);
    buf_char(d->details, ']');
    buf_char(d->details, end);
}

static void deliver(struct drive *d)
{
    const struct http_request *r = &d->head.request;
    assert(within(d, r->method_text) && within(d, r->target));
    assert(r->header_count <= HTTP_HEADERS_MAX && d->framing.body_n <= HTTP_BODY_MAX);
    buf_u64(d->details, r->method);
    buf_char(d->details, ' ');
    put_part(d, r->method_text, ' ');
    put_part(d, r->target, ' ');
    put_part(d, r->path, ' ');
    put_part(d, r->query, '\n');
    for (size_t i = 0; i < r->header_count; i++) {
        assert(within(d, r->headers[i].name) && within(d, r->headers[i].value));
        put_part(d, r->headers[i].name, '=');
        put_part(d, r->headers[i].value, '\n');
    }
    buf_put(d->details, d->framing.body, d->framing.body_n);
    buf_text(d->details, r->keep_alive ? "\nkeep-alive 1\n" : "\nkeep-alive 0\n");

    bool unknown = r->method == HTTP_UNKNOWN;
    reply(d, unknown ? 501 : 200, !r->keep_alive);
    d->begin = d->next_at;
    d->in_body = false;
    head_init(&d->head);
    arena_reset(&d->arena);
}

/* Returns false if it needs more bytes. */
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
    if (h->content_length > HTTP_BODY_MAX) { /* as of an application without body_max */
        refuse(d, 413, "body");
        return true;
    }
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

/* One drive for all runs, because setup costs more than most streams. Only the bytes are allocated
 * for each run, so that a sanitizer detects reads past their end. */
void http_drive(
    struct str bytes, http_drive_piece *piece, void *ctx, struct buf *outcome, struct buf *details)
{
    static struct drive drive;
    struct drive *d = &drive;
    d->bytes = mem_strdup(bytes);
    d->begin = d->next_at = d->end = 0;
    d->in_body = d->closed = false;
    d->outcome = outcome;
    d->details = details;
    arena_reset(&d->arena);
    head_init(&d->head);
    while (d->end < bytes.n && !d->closed) {
        d->end += piece(ctx, bytes.n - d->end);
        assert(d->end <= bytes.n);
        while (!d->closed && (d->in_body ? step_body(d) : step_head(d))) {
        }
    }
    mem_free(d->bytes);
}

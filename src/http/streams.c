/* The lists of streams; see streams.h. */
#include "http/streams.h"

static void list_init(struct stream_link *list)
{
    list->prev = list->next = list;
}

static struct http_exchange *exchange_of(struct stream_link *link)
{
    return (struct http_exchange *)((char *)link - offsetof(struct http_exchange, stream.link));
}

struct http_exchange *streams_first(struct stream_link *list)
{
    return exchange_of(list->next);
}

void streams_leave(struct http_exchange *x)
{
    struct stream_link *link = &x->stream.link;
    if (!link->next)
        return;
    link->prev->next = link->next;
    link->next->prev = link->prev;
    link->prev = link->next = NULL;
}

static void join(struct stream_link *list, struct http_exchange *x)
{
    struct stream_link *link = &x->stream.link;
    streams_leave(x);
    link->prev = list->prev;
    link->next = list;
    list->prev->next = link;
    list->prev = link;
}

void streams_rest(struct http_exchange *x)
{
    join(&x->loop->streams_resting, x);
}

void streams_make_due(struct http_exchange *x)
{
    join(&x->loop->streams_due, x);
    uv_idle_start(&x->loop->streams_idle, x->loop->streams_on_due);
}

bool streams_heartbeat_is_due(const struct http_exchange *x, int64_t now_ms)
{
    int64_t length_ms = x->streamer->heartbeat_ms;
    return now_ms - x->stream.sent_at_ms >= length_ms ||
           loop_now_ms(x->loop) - x->stream.sent_mono_ms >= length_ms;
}

void streams_tell_ended(struct http_exchange *x)
{
    const struct http_streamer *streamer = x->streamer;
    x->streamer = NULL;
    x->now_ms = clock_wall_ms();
    streamer->ended(x);
}

bool streams_closed(struct http_exchange *x)
{
    streams_leave(x);
    if (x->stream.waiting) {
        exchange_leave(x);
        return true;
    }
    streams_tell_ended(x);
    return false;
}

void streams_drain(struct http_exchange *x)
{
    x->stream.ending = true;
    if (!x->stream.waiting && !x->stream.blocked)
        streams_make_due(x);
}

void streams_wake(struct loop *loop)
{
    while (streams_any(&loop->streams_resting))
        streams_make_due(streams_first(&loop->streams_resting));
}

void streams_tick(struct loop *loop)
{
    if (!streams_any(&loop->streams_resting))
        return;
    int64_t now_ms = clock_wall_ms();
    for (struct stream_link *link = loop->streams_resting.next, *next;
         link != &loop->streams_resting; link = next) {
        next = link->next;
        if (streams_heartbeat_is_due(exchange_of(link), now_ms))
            streams_make_due(exchange_of(link));
    }
}

static void resumed(struct http_exchange *x)
{
    x->stream.waiting = false;
    if (!x->conn) {
        streams_tell_ended(x);
        exchange_release(x);
    } else if (!x->stream.blocked) {
        streams_make_due(x);
    }
}

void http_stream_resume(struct http_exchange *x)
{
    http_resume(x, resumed);
}

void streams_init(struct loop *loop, uv_idle_cb on_due)
{
    list_init(&loop->streams_due);
    list_init(&loop->streams_resting);
    uv_idle_init(&loop->uv, &loop->streams_idle);
    loop->streams_idle.data = loop;
    loop->streams_on_due = on_due;
    buf_init(&loop->stream_out, HTTP_REPLY_MAX);
}

void streams_close(struct loop *loop)
{
    uv_close((uv_handle_t *)&loop->streams_idle, NULL);
}

void streams_finish(struct loop *loop)
{
    buf_finish(&loop->stream_out);
}

/*
 * Replies without an end: the application writes the next piece whenever there is one. The loops
 * send the pieces; no thread waits for a stream.
 *
 *     handle(ctx, x):  http_status, http_head ... http_stream_begin(x, streamer)
 *     later, on the loop:                         turn(x, out), turn(x, out) ... ended(x)
 *
 * A stream takes a turn at its start, after http_server_wake_streams (server.h), after
 * http_stream_resume, when its heartbeat is due, and after a turn that left more to say. Turns of
 * all streams share a small slice of time in each turn of the loop, so that other requests go on.
 *
 * A client that is slow holds one piece at most: it gets no turn until the socket has taken that
 * piece, and is disconnected by the rule of conn_reader.h. The connection ends with the stream.
 */
#pragma once

#include "http/http.h"

enum http_stream_next {
    HTTP_STREAM_REST, /* nothing more now */
    HTTP_STREAM_MORE, /* there is more: another turn when the client has taken this piece */
    HTTP_STREAM_WAIT, /* no turn before http_stream_resume, which must come */
    HTTP_STREAM_END,  /* the reply is complete with this piece */
    HTTP_STREAM_CUT, /* it cannot be completed: the connection closes without the mark of its end */
};

struct http_streamer {
    /* Appends the next piece. During the call http_now_ms is the present time. A piece larger than
     * HTTP_REPLY_MAX ends the connection. */
    enum http_stream_next (*turn)(struct http_exchange *x, struct buf *out);
    /* Called once, after the last turn: the stream is complete, or the client has disconnected.
     * x is invalid afterwards. */
    void (*ended)(struct http_exchange *x);
    /* Sent when nothing else was sent for this long, by the wall clock or by the monotonic one. */
    struct str heartbeat;
    int64_t heartbeat_ms;
    /* The reply has an end of its own, such as a file: it goes on while the server drains, and is
     * cut without the mark of its end when there is no more time or it rests, so that it never
     * looks complete. */
    bool finite;
};

/* Instead of http_reply_end: sends the head, then what the turns write. The streamer must outlive
 * the server. HEAD gets the head alone. While the server drains, the stream ends after its head,
 * unless it is finite. On the loop only; `ended` may be called before it returns. */
void http_stream_begin(struct http_exchange *x, const struct http_streamer *streamer);

/* Before http_stream_begin: the turns write this many bytes, as Content-Length says, also that of
 * HEAD. Fewer are a reply that was cut. */
void http_stream_size(struct http_exchange *x, uint64_t size);

/* From any thread, once after a turn that returned HTTP_STREAM_WAIT. */
void http_stream_resume(struct http_exchange *x);

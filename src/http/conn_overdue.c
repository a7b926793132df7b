/* Expired deadlines; see conn_overdue.h. */
#include "http/conn_overdue.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "http/conn_run.h"
#include "http/exchange.h"

/* Bytes in our kernel's buffer that the peer has not acknowledged. */
static size_t bytes_unsent(const struct conn *c)
{
    int unsent = 0;
    return ioctl(c->fd, SIOCOUTQ, &unsent) == 0 ? (size_t)unsent : 0;
}

/* Bytes of the reply that have left both libuv and our kernel. */
static size_t bytes_taken(const struct conn *c)
{
    size_t held = uv_stream_get_write_queue_size(&c->uv.stream) + bytes_unsent(c);
    return c->x->out_size > held ? c->x->out_size - held : 0;
}

/* By a reset: after a normal close our kernel would keep those bytes as long as the peer likes. */
static void cut_reader(struct conn *c)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    loop_count(c->loop, TALLY_CLOSED_SLOW_READER);
    conn_close(c);
}

static void check_reader(struct conn *c)
{
    int64_t elapsed_ms = loop_now_ms(c->loop) - c->write_began_ms;
    size_t wanted = c->loop->server->limits.write_floor * (size_t)elapsed_ms / 1000;
    if (bytes_taken(c) >= wanted) {
        conn_set_deadline(c, DEADLINE_WRITE);
        return;
    }
    cut_reader(c);
}

/* Timers run before sockets in a turn of the loop, so a request may have arrived in time without
 * being read yet: answer it. */
static bool has_unread(const struct conn *c)
{
    char byte;
    return recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static void close_unasked(struct conn *c)
{
    if (has_unread(c)) {
        conn_set_deadline(c, c->deadline.kind);
        return;
    }
    if (bytes_unsent(c) > 0) {
        cut_reader(c);
        return;
    }
    loop_count(c->loop, TALLY_CLOSED_IDLE);
    conn_close(c);
}

void conn_overdue(struct conn *c)
{
    switch (c->deadline.kind) {
    case DEADLINE_HEAD:
        conn_run_refuse(c, 408, "the head did not come in time");
        break;
    case DEADLINE_BODY:
        conn_run_refuse(c, 408, "the body did not come in time");
        break;
    case DEADLINE_WRITE_GRACE:
    case DEADLINE_WRITE:
        check_reader(c);
        break;
    case DEADLINE_IDLE:
    case DEADLINE_LAST_CALL:
        close_unasked(c);
        break;
    case DEADLINE_REPLY:
        conn_run_abandon(c);
        break;
    default:
        conn_close(c);
    }
}

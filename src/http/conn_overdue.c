/* Expired deadlines; see conn_overdue.h. */
#include "http/conn_overdue.h"

#include <sys/socket.h>

#include "http/conn_reader.h"
#include "http/conn_run.h"
#include "http/exchange.h"

/* Timers run before sockets in a turn of the loop, so a request may have arrived in time without
 * being read yet: answer it. After a pause of the machine that is the rule. */
static bool has_unread(const struct conn *c)
{
    char byte;
    return recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/* If the client has not taken all, this is not the end as long as it takes enough (conn_reader.c).
 * A close would leave the bytes to our kernel, where they count against no limit of ours. While the
 * server drains that is right: the kernel goes on when the process has ended. */
static bool is_later(struct conn *c)
{
    if (c->loop->draining || conn_unsent(c) == 0)
        return false;
    conn_set_deadline(c, c->deadline.kind);
    conn_watch_reader(c);
    return true;
}

static void close_unasked(struct conn *c)
{
    if (has_unread(c)) {
        conn_set_deadline(c, c->deadline.kind);
        return;
    }
    if (is_later(c))
        return;
    loop_count(c->loop, TALLY_CLOSED_IDLE);
    conn_close(c);
}

static void overdue_body(struct conn *c)
{
    const struct http_limits *limits = &c->loop->server->limits;
    struct spool *spool = &c->x->spool;
    if (!spool->open || !spool_keeps_up(spool, limits->body_ms))
        conn_run_refuse(c, 408, "The body did not arrive in time.");
    else if (loop_now_ms(c->loop) - spool->began_ms >= limits->spool_ms)
        conn_run_refuse(c, 408, "The upload took too long to arrive.");
    else
        conn_set_deadline(c, DEADLINE_BODY);
}

void conn_overdue(struct conn *c)
{
    bool reads = c->deadline.kind == DEADLINE_HEAD || c->deadline.kind == DEADLINE_BODY;
    if (reads && conn_run_arrived(c))
        return;
    switch (c->deadline.kind) {
    case DEADLINE_HEAD:
        conn_run_refuse(c, 408, "The head did not arrive in time.");
        break;
    case DEADLINE_BODY:
        overdue_body(c);
        break;
    case DEADLINE_IDLE:
    case DEADLINE_LAST_CALL:
        close_unasked(c);
        break;
    case DEADLINE_REPLY:
    case DEADLINE_PATIENT:
        conn_run_abandon(c);
        break;
    case DEADLINE_LINGER:
        if (!is_later(c))
            conn_close(c);
        break;
    default:
        conn_close(c);
    }
}

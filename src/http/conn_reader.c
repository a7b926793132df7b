/* Slow readers; see conn_reader.h. */
#include "http/conn_reader.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

size_t conn_unsent(const struct conn *c)
{
    int unsent = 0;
    return ioctl(c->fd, SIOCOUTQ, &unsent) == 0 ? (size_t)unsent : 0;
}

void conn_reset(struct conn *c)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    conn_close(c);
}

/* Moves the account forward to now. `taken` are the bytes of all replies that have left libuv and
 * our kernel. A client that has taken all that was there at some earlier look is not behind,
 * however little that was. */
static void settle(struct conn_reader *r, uint64_t taken, int64_t now_ms, int64_t floor)
{
    if (!r->looked || taken >= r->goal) {
        r->goal = r->given;
        if (!r->looked || r->behind_ms > 0)
            r->behind_ms = 0;
    } else {
        int64_t paid_ms = taken > r->taken ? (int64_t)(taken - r->taken) * 1000 / floor : 0;
        int64_t credit_ms = (int64_t)HTTP_READER_STEP * 1000 / floor;
        r->behind_ms += now_ms - r->looked_ms - paid_ms;
        if (r->behind_ms < -credit_ms)
            r->behind_ms = -credit_ms;
    }
    r->looked = true;
    r->looked_ms = now_ms;
    r->taken = taken;
}

void conn_reader_look(struct conn *c)
{
    struct conn_reader *r = &c->reader;
    const struct http_limits *limits = &c->loop->server->limits;
    size_t held = uv_stream_get_write_queue_size(&c->uv.stream) + conn_unsent(c);
    if (held == 0) { /* until the next reply */
        r->looked = false;
        return;
    }
    settle(
        r, r->given > held ? r->given - held : 0, loop_now_ms(c->loop),
        (int64_t)limits->write_floor);
    if (r->behind_ms >= limits->write_grace_ms) {
        loop_count(c->loop, closed_slow_reader);
        conn_reset(c);
        return;
    }
    conn_watch_reader(c);
}

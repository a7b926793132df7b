/* The functions of a loop that its connections call; see loop.h. */
#include "http/loop.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "base/thread.h"

/* Lists of deadlines. */

void deadlines_init(struct deadlines *ds)
{
    for (int kind = 0; kind < DEADLINE_KINDS; kind++)
        ds->lists[kind].prev = ds->lists[kind].next = &ds->lists[kind];
}

void deadline_init(struct deadline *d)
{
    *d = (struct deadline){.kind = DEADLINE_NONE};
}

static void unlink_deadline(struct deadline *d)
{
    d->prev->next = d->next;
    d->next->prev = d->prev;
    d->prev = d->next = NULL;
}

void deadline_clear(struct deadline *d)
{
    if (d->next)
        unlink_deadline(d);
    d->kind = DEADLINE_NONE;
}

void deadline_set(struct deadlines *ds, struct deadline *d, enum deadline_kind kind, int64_t now_ms)
{
    deadline_clear(d);
    struct deadline *list = &ds->lists[kind];
    d->kind = kind;
    d->at_ms = now_ms + ds->length_ms[kind];
    d->prev = list->prev;
    d->next = list;
    list->prev->next = d;
    list->prev = d;
}

struct deadline *deadlines_pop(struct deadlines *ds, int64_t now_ms)
{
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        struct deadline *first = ds->lists[kind].next;
        if (first != &ds->lists[kind] && first->at_ms <= now_ms) {
            unlink_deadline(first);
            return first;
        }
    }
    return NULL;
}

const char *loop_date(struct loop *loop, int64_t now_ms)
{
    int64_t second = now_ms / 1000;
    if (second != loop->date_s) {
        static const char days[] = "SunMonTueWedThuFriSat";
        static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
        time_t t = (time_t)second;
        struct tm tm;
        gmtime_r(&t, &tm);
        char text[64];
        int n = snprintf(
            text, sizeof text, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT", days + 3 * tm.tm_wday,
            tm.tm_mday, months + 3 * tm.tm_mon, tm.tm_year + 1900, tm.tm_hour, tm.tm_min,
            tm.tm_sec);
        assert(n == DATE_SIZE);
        memcpy(loop->date, text, DATE_SIZE);
        loop->date_s = second;
    }
    return loop->date;
}

void loop_wake(struct loop *loop)
{
    ssize_t unused = write(loop->wake_fd, &(uint64_t){1}, sizeof(uint64_t));
    (void)unused; /* it fails only if the loop has far more wakes than it can count: it is awake */
}

void loop_tell_empty(struct loop *loop)
{
    if (!loop->draining || loop->conn_count > 0 || loop->empty_told)
        return;
    struct http_server *server = loop->server;
    loop->empty_told = true;
    LOCKED(&server->lock);
    server->loops_empty++;
    pthread_cond_broadcast(&server->changed);
}

void loop_conn_closed(struct loop *loop)
{
    atomic_fetch_sub(&loop->server->connections, 1);
    loop->descriptor_freed = true;
    loop_tell_empty(loop);
}

/* Lanes of the log; see log_lane.h. */
#include "base/log_lane.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { LANE_SIZE = 1 << 20 };

/*
 * One thread writes, the log thread reads. Positions only grow; the offset is position modulo size.
 *     taken <= head; head - taken <= LANE_SIZE
 */
struct log_lane {
    struct log_lane *next; /* set before the lane is linked, then never changed */
    _Atomic uint64_t head;
    _Atomic uint64_t taken;
    _Atomic uint64_t dropped;
    uint64_t reported; /* drops already returned by log_lanes_write; log thread only */
    bool woken; /* owning thread only: the log thread was woken since the lane was less than half
                   full */
    char ring[LANE_SIZE];
};

static struct log_lane *_Atomic lanes;
static void (*_Atomic wake_log)(void); /* NULL: the log thread is not running */
static _Thread_local struct log_lane *own;

void log_lanes_start(void (*wake)(void))
{
    wake_log = wake;
}

void log_lanes_stop(void)
{
    wake_log = NULL;
}

static struct log_lane *lane_create(void (*wake)(void))
{
    struct log_lane *lane = MEM_NEW(struct log_lane);
    struct log_lane *first = atomic_load(&lanes);
    do
        lane->next = first;
    while (!atomic_compare_exchange_weak(&lanes, &first, lane));
    wake();
    return lane;
}

bool log_lanes_any(void)
{
    return atomic_load(&lanes) != NULL;
}

void log_lane_put(struct str lines)
{
    void (*wake)(void) = wake_log;
    if (!wake) {
        ssize_t ignored = write(STDERR_FILENO, lines.p, lines.n);
        (void)ignored; /* stderr is closed: there is nowhere to report it */
        return;
    }
    if (!own)
        own = lane_create(wake);
    struct log_lane *lane = own;
    uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);
    size_t used = (size_t)(head - atomic_load_explicit(&lane->taken, memory_order_acquire));
    if (lines.n > LANE_SIZE - used) {
        atomic_fetch_add_explicit(&lane->dropped, 1, memory_order_relaxed);
        return;
    }
    size_t at = head % LANE_SIZE;
    size_t first = lines.n < LANE_SIZE - at ? lines.n : LANE_SIZE - at;
    memcpy(lane->ring + at, lines.p, first);
    memcpy(lane->ring, lines.p + first, lines.n - first);
    atomic_store_explicit(&lane->head, head + lines.n, memory_order_release);

    bool full = used > LANE_SIZE / 2;
    if (full && !lane->woken)
        wake();
    lane->woken = full;
}

uint64_t log_lanes_write(void (*write_out)(const char *p, size_t n))
{
    uint64_t dropped = 0;
    for (struct log_lane *lane = atomic_load(&lanes); lane; lane = lane->next) {
        uint64_t head = atomic_load_explicit(&lane->head, memory_order_acquire);
        uint64_t taken = atomic_load_explicit(&lane->taken, memory_order_relaxed);
        while (taken != head) {
            size_t at = taken % LANE_SIZE;
            size_t n = (size_t)(head - taken);
            if (n > LANE_SIZE - at)
                n = LANE_SIZE - at;
            write_out(lane->ring + at, n);
            taken += n;
        }
        atomic_store_explicit(&lane->taken, taken, memory_order_release);
        uint64_t lost = atomic_load_explicit(&lane->dropped, memory_order_relaxed);
        dropped += lost - lane->reported;
        lane->reported = lost;
    }
    return dropped;
}

uint64_t log_lanes_dropped(void)
{
    uint64_t dropped = 0;
    for (struct log_lane *lane = atomic_load(&lanes); lane; lane = lane->next)
        dropped += atomic_load_explicit(&lane->dropped, memory_order_relaxed);
    return dropped;
}

/* The log ring and its thread; see log.h. */
#include "base/log.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/instant.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "base/thread.h"

/* Lanes of the log. */

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

/* Lines go through the lanes between these two calls. `wake` is called when the log thread has a
 * new lane or a half-full lane to read; from any thread. */
static void log_lanes_start(void (*wake)(void))
{
    wake_log = wake;
}

static void log_lanes_stop(void)
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

static bool log_lanes_any(void)
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

static uint64_t log_lanes_write(void (*write_out)(const char *p, size_t n))
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

static uint64_t log_lanes_dropped(void)
{
    uint64_t dropped = 0;
    for (struct log_lane *lane = atomic_load(&lanes); lane; lane = lane->next)
        dropped += atomic_load_explicit(&lane->dropped, memory_order_relaxed);
    return dropped;
}

/* The log itself. */

enum {
    LOG_RING_SIZE = 1 << 20,
    LOG_LINE_MAX = 4096,
    LOG_LANES_EVERY_MS = 100,
};

/*
 * The ring: bytes of whole lines. Positions only grow; the offset is position modulo size.
 *     written <= head; head - written <= LOG_RING_SIZE
 */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    pthread_t thread;
    _Atomic bool running;
    bool stopping;
    bool ended; /* the thread has written everything and ended */
    enum log_format format;
    uint64_t head;                  /* position of the next line */
    uint64_t written;               /* position up to which the thread has written */
    uint64_t dropped;               /* lines dropped since the last line that fit */
    _Atomic uint64_t dropped_total; /* excludes the lanes, which count their own */
    char ring[LOG_RING_SIZE];
} log_state = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

static const char *const level_names[] = {"info", "warn", "error"};

/* A logfmt value, quoted only if necessary. Control bytes use JSON escapes. */
static void put_logfmt_value(struct buf *b, struct str text)
{
    bool bare = text.n > 0;
    for (size_t i = 0; i < text.n && bare; i++)
        bare = text.p[i] > ' ' && text.p[i] < 0x7f && text.p[i] != '"' && text.p[i] != '=' &&
               text.p[i] != '\\';
    if (bare)
        buf_str(b, text);
    else
        json_quote(b, text);
}

static void put_fields(struct buf *b, const struct log_field *fields, size_t n)
{
    for (size_t i = 1; i <= n; i++) {
        buf_char(b, ' ');
        buf_text(b, fields[i].name);
        buf_char(b, '=');
        if (fields[i].is_number)
            buf_i64(b, fields[i].number);
        else
            put_logfmt_value(b, fields[i].text);
    }
}

static void put_logfmt(
    struct buf *b, enum log_level level, struct str at, const char *event,
    const struct log_field *fields, size_t n)
{
    buf_text(b, "time=");
    buf_str(b, at);
    buf_text(b, " level=");
    buf_text(b, level_names[level]);
    buf_text(b, " event=");
    put_logfmt_value(b, str_from(event));
    put_fields(b, fields, n);
}

static void put_text(
    struct buf *b, enum log_level level, struct str at, const char *event,
    const struct log_field *fields, size_t n)
{
    buf_str(b, log_short_time(at));
    buf_text(b, level == LOG_INFO ? "Z " : level == LOG_WARN ? "Z warn: " : "Z error: ");
    buf_text(b, event);
    put_fields(b, fields, n);
}

static void put_json(
    struct buf *b, enum log_level level, struct str at, const char *event,
    const struct log_field *fields, size_t n)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "time", at);
    JSON_KEY_STR(&j, "level", str_from(level_names[level]));
    JSON_KEY_STR(&j, "event", str_from(event));
    for (size_t i = 1; i <= n; i++) {
        json_key(&j, str_from(fields[i].name));
        if (fields[i].is_number)
            json_i64(&j, fields[i].number);
        else
            json_str(&j, fields[i].text);
    }
    json_object_end(&j);
}

static void put_line(
    struct buf *b, enum log_level level, const char *event, const struct log_field *fields,
    size_t n)
{
    char at[INSTANT_TEXT_SIZE];
    instant_print(clock_wall_ms(), at);
    struct str time = str_of(at, sizeof at);
    if (log_state.format == LOG_JSON)
        put_json(b, level, time, event, fields, n);
    else if (log_state.format == LOG_TEXT)
        put_text(b, level, time, event, fields, n);
    else
        put_logfmt(b, level, time, event, fields, n);
    buf_char(b, '\n');
}

static void write_all(const char *p, size_t n)
{
    while (n) {
        ssize_t done = write(STDERR_FILENO, p, n);
        if (done <= 0)
            return; /* stderr is closed: there is nowhere to report it */
        p += done;
        n -= (size_t)done;
    }
}

static void ring_put(struct str line)
{
    size_t at = log_state.head % LOG_RING_SIZE;
    size_t first = line.n < LOG_RING_SIZE - at ? line.n : LOG_RING_SIZE - at;
    memcpy(log_state.ring + at, line.p, first);
    memcpy(log_state.ring, line.p + first, line.n - first);
    log_state.head += line.n;
}

static void ring_add(struct str line)
{
    size_t room = LOG_RING_SIZE - (size_t)(log_state.head - log_state.written);
    if (room < line.n + LOG_LINE_MAX) {
        log_state.dropped++;
        log_state.dropped_total++;
        return;
    }
    if (log_state.dropped) {
        BUF_SCOPED(note, LOG_LINE_MAX);
        const struct log_field fields[] = {{0}, LOG_I("lines", (int64_t)log_state.dropped)};
        put_line(&note, LOG_WARN, "log lines dropped", fields, 1);
        ring_put(buf_view(&note));
        log_state.dropped = 0;
    }
    ring_put(line);
}

void log_fields(enum log_level level, const char *event, const struct log_field *fields, size_t n)
{
    BUF_SCOPED(line, LOG_LINE_MAX);
    put_line(&line, level, event, fields, n);
    if (line.overflow) { /* write a short complete line instead of a truncated one */
        buf_reset(&line);
        put_line(&line, level, event, fields, 0);
    }
    LOCKED(&log_state.lock);
    if (log_state.running) {
        ring_add(buf_view(&line));
        pthread_cond_signal(&log_state.filled);
    } else {
        write_all(line.p, line.n);
    }
}

/* Writes the lines of the lanes and adds their losses. Call without the lock. */
static void write_lanes(void)
{
    uint64_t dropped = log_lanes_write(write_all);
    if (dropped) {
        pthread_mutex_lock(&log_state.lock);
        log_state.dropped += dropped;
        pthread_mutex_unlock(&log_state.lock);
    }
}

/* Waits for data in the ring or in a lane. Call with the lock. */
static void wait_for_lines(void)
{
    if (!log_lanes_any()) {
        pthread_cond_wait(&log_state.filled, &log_state.lock);
        return;
    }
    struct timespec until = clock_mono_timespec(clock_mono_ms() + LOG_LANES_EVERY_MS);
    pthread_cond_timedwait(&log_state.filled, &log_state.lock, &until);
}

static void *log_thread(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&log_state.lock);
    for (;;) {
        if (log_state.head == log_state.written && !log_state.stopping)
            wait_for_lines();
        pthread_mutex_unlock(&log_state.lock);
        write_lanes();
        pthread_mutex_lock(&log_state.lock);
        if (log_state.head == log_state.written) {
            if (log_state.stopping)
                break;
            continue;
        }
        size_t at = log_state.written % LOG_RING_SIZE;
        size_t n = (size_t)(log_state.head - log_state.written);
        if (n > LOG_RING_SIZE - at)
            n = LOG_RING_SIZE - at;
        /* Writers never touch [written, head), so these bytes do not change without the lock. */
        pthread_mutex_unlock(&log_state.lock);
        write_all(log_state.ring + at, n);
        pthread_mutex_lock(&log_state.lock);
        log_state.written += n;
    }
    log_state.ended = true;
    pthread_cond_signal(&log_state.filled);
    pthread_mutex_unlock(&log_state.lock);
    return NULL;
}

enum log_format log_format(void)
{
    return log_state.format;
}

uint64_t log_dropped(void)
{
    return log_state.dropped_total + log_lanes_dropped();
}

static void wake(void)
{
    pthread_cond_signal(&log_state.filled);
}

void log_start(enum log_format format)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&log_state.filled, &attr);
    pthread_condattr_destroy(&attr);
    if (format == LOG_CHOOSE)
        format = isatty(STDERR_FILENO) ? LOG_TEXT : LOG_LOGFMT;
    log_state.format = format;
    log_state.stopping = log_state.ended = false;
    log_state.running = pthread_create(&log_state.thread, NULL, log_thread, NULL) == 0;
    if (log_state.running)
        log_lanes_start(wake);
}

/* A reader that has stopped reading blocks the thread in write(2) forever: abandon the thread and
 * its lines. It owns nothing that must be freed before the process ends. */
void log_stop_within(int64_t max_ms)
{
    if (!log_state.running)
        return;
    struct timespec until = clock_mono_timespec(clock_mono_ms() + max_ms);
    pthread_mutex_lock(&log_state.lock);
    log_state.stopping = true;
    log_state.running = false;
    log_lanes_stop();
    pthread_cond_signal(&log_state.filled);
    int error = 0;
    while (!log_state.ended && error == 0)
        error = pthread_cond_timedwait(&log_state.filled, &log_state.lock, &until);
    bool ended = log_state.ended;
    pthread_mutex_unlock(&log_state.lock);
    if (ended)
        pthread_join(log_state.thread, NULL);
    else
        pthread_detach(log_state.thread);
}

void log_stop(void)
{
    log_stop_within(LOG_STOP_MAX_MS);
}

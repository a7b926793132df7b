/* Progress bars; see progress.h. */
#include "cmd/term/progress.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "base/clock.h"
#include "base/import_file.h"
#include "base/thread.h"
#include "cmd/term/layout.h"
#include "db/migrate_phase.h"
#include "status/words.h"
#include "store/check/check.h"
#include "store/copy/copy.h"

enum {
    QUIET_MS = 2000, /* shorter work has no bar */
    DRAW_MS = 100,
    MARK_MS = 5000, /* the rate is that of the last five to ten seconds */
    LINE_MAX = 4096,
    BAR_MAX = 30,
    BAR_MIN = 8,
    GAP = 2,
    PERCENT = 100,
    TENTHS = 10,
    LEFT_MAX_HOURS = 99,
};

/* Where the work was at a time. */
struct mark {
    int64_t done, ms;
};

struct progress {
    int64_t began_ms;
    struct out *out;
    pthread_t thread;
    pthread_cond_t wake;
    pthread_mutex_t lock; /* of all below, and of the bar's line on the terminal */
    bool stop;
    bool drawn;
    const struct progress_label *labels; /* of the phases */
    int phase;
    int64_t done, total, part;
    struct mark earlier, later; /* at least MARK_MS apart */
};

/* --- the line */

static struct str time_text(struct arena *arena, int64_t ms)
{
    int64_t s = ms / SECOND_MS, minutes = s / 60, hours = minutes / 60;
    if (hours)
        return arena_fmt(arena, "%lld h %lld min", (long long)hours, (long long)(minutes % 60));
    if (minutes)
        return arena_fmt(arena, "%lld min %lld s", (long long)minutes, (long long)(s % 60));
    return arena_fmt(arena, "%lld s", (long long)s);
}

static struct str amount_text(
    struct arena *arena, const struct progress_label *label, int64_t amount, bool with_unit)
{
    if (!label->one)
        return words_bytes(arena, amount);
    return with_unit ? words_count(arena, amount, label->one, label->many)
                     : words_number(arena, amount);
}

/* "52/s", "2.5/s", "30/min". */
static struct str rate_text(
    struct arena *arena, const struct progress_label *label, const struct progress_state *s)
{
    int64_t tenths = s->lately_done * TENTHS * SECOND_MS / s->lately_ms;
    if (!label->one)
        return arena_fmt(
            arena, "%.*s/s",
            STR_ARG(words_bytes(arena, s->lately_done * SECOND_MS / s->lately_ms)));
    int64_t a_minute = s->lately_done * MINUTE_MS / s->lately_ms;
    if (a_minute == 0)
        return arena_fmt(arena, "%lld/h", (long long)(s->lately_done * HOUR_MS / s->lately_ms));
    if (tenths < TENTHS)
        return arena_fmt(arena, "%lld/min", (long long)a_minute);
    if (tenths < TENTHS * TENTHS)
        return arena_fmt(
            arena, "%lld.%lld/s", (long long)(tenths / TENTHS), (long long)(tenths % TENTHS));
    return arena_fmt(arena, "%.*s/s", STR_ARG(words_number(arena, tenths / TENTHS)));
}

/* The parts behind the bar, most important first. */
enum { PART_AMOUNT, PART_LEFT, PART_OF_ONE, PART_PERCENT, PART_RATE, PART_COUNT };

static struct str left_text(struct arena *arena, const struct progress_state *s)
{
    if (s->total && s->done >= s->total)
        return arena_fmt(arena, "finishing, %.*s", STR_ARG(time_text(arena, s->elapsed_ms)));
    if (!s->total || !s->lately_done || !s->lately_ms)
        return time_text(arena, s->elapsed_ms);
    int64_t left = s->total - s->done, most = LEFT_MAX_HOURS * (int64_t)HOUR_MS;
    if (left > most / s->lately_ms * s->lately_done)
        return STR("days left");
    int64_t ms = left * s->lately_ms / s->lately_done;
    return arena_fmt(
        arena, "%.*s left", STR_ARG(time_text(arena, ms < SECOND_MS ? SECOND_MS : ms)));
}

static void make_parts(
    struct arena *arena, const struct progress_label *label, const struct progress_state *s,
    struct str parts[static PART_COUNT])
{
    for (int i = 0; i < PART_COUNT; i++)
        parts[i] = STR_NULL;
    parts[PART_LEFT] = left_text(arena, s);
    if (s->total) {
        struct str total = amount_text(arena, label, s->total, true);
        struct str done = amount_text(arena, label, s->done, false);
        parts[PART_AMOUNT] = arena_fmt(arena, "%.*s of %.*s", STR_ARG(done), STR_ARG(total));
        int64_t part = s->done < s->total ? s->done : s->total;
        parts[PART_PERCENT] = arena_fmt(arena, "%d%%", (int)(part * PERCENT / s->total));
    } else if (s->done) {
        parts[PART_AMOUNT] = amount_text(arena, label, s->done, true);
    }
    if (label->part && s->part)
        parts[PART_OF_ONE] =
            arena_fmt(arena, "%s %.*s", label->part, STR_ARG(words_number(arena, s->part)));
    if (s->lately_done && s->lately_ms)
        parts[PART_RATE] = rate_text(arena, label, s);
}

static void put_bar(
    struct buf *to, const struct terminal *t, const struct progress_state *s, size_t columns)
{
    size_t full = s->done >= s->total ? columns : (size_t)(s->done * (int64_t)columns / s->total);
    static const char *const cells[2][2] = {{"#", "."}, {"█", "░"}};
    char space[2][BAR_MAX * 3 + 1];
    struct buf bar[] = {buf_over(space[0], sizeof space[0]), buf_over(space[1], sizeof space[1])};
    for (size_t i = 0; i < columns; i++)
        buf_text(&bar[i >= full], cells[t->utf8][i >= full]);
    terminal_paint(t, to, PAINT_GOOD, buf_view(&bar[0]));
    terminal_paint(t, to, PAINT_FAINT, buf_view(&bar[1]));
}

void progress_put(
    struct buf *to, const struct terminal *t, const struct progress_label *label,
    const struct progress_state *state)
{
    static const int order[] = {PART_AMOUNT, PART_OF_ONE, PART_PERCENT, PART_RATE, PART_LEFT};
    /* The bar keeps its length while these parts get a digit more or less. */
    static const size_t usual[PART_COUNT] = {
        [PART_LEFT] = sizeof "  1 min 59 s left" - 1,
        [PART_PERCENT] = sizeof "  100%" - 1,
        [PART_RATE] = sizeof "  1,000/s" - 1,
    };
    struct str parts[PART_COUNT], doing = str_from(label->doing);
    ARENA_SCOPED(arena);
    /* Not the last column: some terminals begin a new line after it. */
    size_t room = (size_t)t->columns - 1, used = layout_columns(doing);
    size_t steady = used, digits = 0;
    make_parts(&arena, label, state, parts);
    if (label->one && state->done < state->total) /* that the amount will have more at the end */
        digits = words_number(&arena, state->total).n - words_number(&arena, state->done).n;
    for (int i = 0; i < PART_COUNT; i++) {
        size_t columns = parts[i].n ? layout_columns(parts[i]) + GAP : 0;
        if (used + columns > room) {
            parts[i] = STR_NULL;
            continue;
        }
        used += columns;
        steady += columns > usual[i] ? columns : usual[i];
    }
    steady += digits;
    size_t bar = room > steady + GAP ? room - steady - GAP : 0;
    terminal_paint(t, to, PAINT_STRONG, doing);
    if (state->total && bar >= BAR_MIN) {
        layout_spaces(to, GAP);
        put_bar(to, t, state, bar < BAR_MAX ? bar : BAR_MAX);
    }
    for (int i = 0; i < PART_COUNT; i++)
        if (parts[order[i]].n) {
            layout_spaces(to, GAP);
            buf_str(to, parts[order[i]]);
        }
}

/* --- drawing */

static void erase(struct progress *p)
{
    if (p->drawn)
        fputs("\r\x1b[K", stderr);
    p->drawn = false;
}

static void draw(struct progress *p)
{
    BUF_SCOPED(line, LINE_MAX);
    struct terminal t;
    int64_t now = clock_mono_ms();
    if (now - p->later.ms >= MARK_MS) {
        p->earlier = p->later;
        p->later = (struct mark){p->done, now};
    }
    const struct progress_state state = {
        .done = p->done,
        .total = p->total,
        .elapsed_ms = now - p->began_ms,
        .lately_done = p->done - p->earlier.done,
        .lately_ms = now - p->earlier.ms,
        .part = p->part,
    };
    terminal_init(&t, stderr, p->out->colour); /* the window may have another size by now */
    buf_text(&line, "\r");
    progress_put(&line, &t, &p->labels[p->phase], &state);
    buf_text(&line, "\x1b[K");
    fwrite(line.p, 1, line.n, stderr);
    fflush(stderr);
    p->drawn = true;
}

static void *draw_until_stopped(void *ctx)
{
    struct progress *p = ctx;
    struct timespec next = clock_mono_timespec(clock_mono_ms() + QUIET_MS);
    LOCKED(&p->lock);
    while (!p->stop) {
        if (pthread_cond_timedwait(&p->wake, &p->lock, &next) != ETIMEDOUT || p->stop)
            continue;
        draw(p);
        next = clock_mono_timespec(clock_mono_ms() + DRAW_MS);
    }
    erase(p);
    return NULL;
}

/* Signals are for the thread that works. */
static bool start_thread(struct progress *p)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&p->thread, NULL, draw_until_stopped, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void destroy(struct progress *p)
{
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
    mem_free(p);
}

static void hide(void *ctx)
{
    struct progress *p = ctx;
    pthread_mutex_lock(&p->lock);
    erase(p);
    fflush(stderr);
}

static void show(void *ctx)
{
    struct progress *p = ctx;
    fflush(p->out->to);
    pthread_mutex_unlock(&p->lock);
}

struct progress *progress_start(struct out *out, const struct progress_label *labels)
{
    struct terminal t;
    pthread_condattr_t monotonic;
    terminal_init(&t, stderr, COLOUR_AUTO);
    if (out->json || !t.is_tty)
        return NULL;
    struct progress *p = MEM_NEW(struct progress);
    p->labels = labels;
    p->out = out;
    p->began_ms = clock_mono_ms();
    p->earlier.ms = p->later.ms = p->began_ms;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&p->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&p->lock, NULL);
    if (start_thread(p)) {
        out->over = (struct out_over){hide, show, p};
        return p;
    }
    destroy(p);
    return NULL;
}

static void enter(struct progress *p, const struct progress_label *labels, int phase)
{
    LOCKED(&p->lock);
    p->labels = labels;
    p->phase = phase;
    p->done = p->total = p->part = 0;
    p->earlier = p->later = (struct mark){0, clock_mono_ms()};
}

void progress_relabel(struct progress *p, const struct progress_label *labels)
{
    if (p)
        enter(p, labels, 0);
}

static void enter_phase(void *ctx, int phase)
{
    struct progress *p = ctx;
    if (p)
        enter(p, p->labels, phase);
}

static void note_part(void *ctx, int64_t part)
{
    struct progress *p = ctx;
    if (!p)
        return;
    LOCKED(&p->lock);
    p->part = part;
}

struct progress_hook progress_hook_of(struct progress *p)
{
    return (struct progress_hook){progress_note, p, enter_phase, note_part};
}

void progress_note(void *ctx, int64_t done, int64_t total)
{
    struct progress *p = ctx;
    if (!p)
        return;
    LOCKED(&p->lock);
    if (done < p->done) /* the work started over */
        p->earlier = p->later = (struct mark){done, clock_mono_ms()};
    p->done = done;
    p->total = total;
    p->part = 0;
}

void progress_stop(struct progress *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    p->out->over = (struct out_over){.ctx = NULL};
    fflush(stderr);
    destroy(p);
}

const struct progress_label members_labels[] = {
    [IMPORT_READ] = {"Reading members", NULL, NULL},
    [IMPORT_WRITE] = {"Importing members", "person", "people"},
};

const struct progress_label symbols_labels[] = {
    [IMPORT_READ] = {"Reading symbols", NULL, NULL},
    [IMPORT_WRITE] = {"Importing symbols", "symbol", "symbols"},
};

const struct progress_label check_labels[] = {
    [CHECK_RULES] = {"Checking rules", "rule", "rules"},
    [CHECK_ROWS] = {"Checking rows", "row", "rows"},
    [CHECK_CHAIN] = {"Checking the chain", "entry", "entries"},
};

const struct progress_label migrate_labels[] = {
    [MIGRATE_STEPS] = {"Applying migrations", "step", "steps"},
    [MIGRATE_ROWS] = {"Filling in rows", "row", "rows"},
};

const struct progress_label copy_labels[] = {
    [COPY_PHASE_FILL] = {"Copying rows", "row", "rows"},
    [COPY_PHASE_COMPARE] = {"Comparing rows", "row", "rows"},
};

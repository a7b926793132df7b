/*
 * The schedule. Kinds with a rate begin a request when one is due and a client is free; a due
 * request without a free client waits and is late. Each connection of the other kinds is visited
 * once a second, evenly spread: it is opened if it is closed, or else sends or reads its byte.
 */
#include "run.h"

#include <stdlib.h>

enum { SPARE = 16 };

static bool has_rate(enum kind kind)
{
    return behaviour_of(kind)->begin != NULL;
}

/* Enough for two seconds of short connections. */
static size_t count_of(const struct run *run, enum kind kind)
{
    if (kind == GOOD || !has_rate(kind))
        return run->options.count[kind];
    double rate = run->options.rate[kind];
    return rate > 0 ? (size_t)(2 * rate) + SPARE : 0;
}

void schedule_init(struct run *run)
{
    for (enum kind kind = 0; kind < KINDS; kind++) {
        size_t n = run->options.count[kind] = count_of(run, kind);
        run->clients[kind] = calloc(n + 1, sizeof(struct client));
        for (size_t i = 0; i < n; i++) {
            struct client *c = &run->clients[kind][i];
            c->kind = kind;
            c->number = (unsigned)i;
            c->fd = -1;
            if (kind == GOOD)
                client_open(run, c);
            else if (has_rate(kind))
                client_free(run, c);
        }
    }
    run->began_ns = run->now_ns = now_ns();
}

static double per_second(const struct run *run, enum kind kind)
{
    return has_rate(kind) ? run->options.rate[kind] : (double)run->options.count[kind];
}

static uint64_t share_of(const struct run *run, double each_second)
{
    double elapsed_s = (double)(run->now_ns - run->began_ns) / 1e9;
    if (elapsed_s > run->options.seconds)
        elapsed_s = run->options.seconds;
    return (uint64_t)(elapsed_s * each_second);
}

static int64_t instant_of(const struct run *run, enum kind kind, uint64_t n)
{
    return run->began_ns + (int64_t)((double)n / per_second(run, kind) * 1e9);
}

static void begin_due(struct run *run, enum kind kind)
{
    uint64_t due = share_of(run, run->options.rate[kind]);
    run->tallies[kind].due = due;
    while (run->done[kind] < due) {
        struct client *c = client_take_free(run, kind);
        if (!c)
            return;
        run->done[kind]++;
        if (kind < IDLE)
            c->due_ns = instant_of(run, kind, run->done[kind]);
        behaviour_of(kind)->begin(run, c);
    }
}

static void visit(struct run *run, struct client *c)
{
    const struct behaviour *behaviour = behaviour_of(c->kind);
    if (c->fd < 0 && !c->retired)
        client_open(run, c);
    else if (c->fd >= 0 && !c->connecting && behaviour->visit)
        behaviour->visit(run, c);
}

static void visit_due(struct run *run, enum kind kind, uint64_t *visited)
{
    size_t n = run->options.count[kind];
    for (uint64_t due = share_of(run, (double)n); *visited < due; (*visited)++)
        visit(run, &run->clients[kind][*visited % n]);
}

void schedule_tick(struct run *run)
{
    for (enum kind kind = 0; kind < KINDS; kind++) {
        if (has_rate(kind))
            begin_due(run, kind);
        else
            visit_due(run, kind, &run->done[kind]);
    }
    visit_due(run, GOOD, &run->good_visited);
}

int64_t schedule_next_ns(const struct run *run)
{
    int64_t next_ns = run->now_ns + INT64_C(100000000);
    for (enum kind kind = 0; kind < KINDS; kind++) {
        bool stuck = has_rate(kind) && !run->free[kind];
        if (per_second(run, kind) <= 0 || stuck)
            continue;
        int64_t at_ns = instant_of(run, kind, run->done[kind] + 1);
        next_ns = at_ns < next_ns ? at_ns : next_ns;
    }
    return next_ns;
}

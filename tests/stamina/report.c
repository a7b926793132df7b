/* The results of a run as one line of JSON. */
#include <stdio.h>

#include "run.h"

static void put_statuses(const char *name, const uint64_t counts[static STATUS_MAX])
{
    const char *comma = "";
    printf(",\"%s\":{", name);
    for (int status = 0; status < STATUS_MAX; status++) {
        if (counts[status] == 0)
            continue;
        printf("%s\"%d\":%llu", comma, status, (unsigned long long)counts[status]);
        comma = ",";
    }
    printf("}");
}

static void put_count(const char *name, uint64_t n)
{
    printf(",\"%s\":%llu", name, (unsigned long long)n);
}

/* A server that is being stopped may refuse connections. */
static uint64_t failed(const struct run *run, const struct tally *t)
{
    uint64_t n = t->wrong + t->truncated + t->lost + t->unanswered;
    return run->options.until_refused ? n : n + t->refused;
}

static void put_asked(const struct run *run, const struct tally *t)
{
    put_count("due", t->due);
    put_count("answered", t->answered);
    put_count("failed", failed(run, t));
    put_count("lost", t->lost);
    put_count("unanswered", t->unanswered);
}

static void put_kind(const struct run *run, enum kind kind)
{
    const struct tally *t = &run->tallies[kind];
    printf(",\"%s\":{\"clients\":%zu", behaviour_of(kind)->name, run->options.count[kind]);
    put_count("opened", t->opened);
    put_count("refused", t->refused);
    put_count("closed", t->closed);
    put_count("reset", t->reset);
    put_count("truncated", t->truncated);
    put_count("wrong", t->wrong);
    if (kind < IDLE)
        put_asked(run, t);
    put_statuses("answers", t->answers);
    put_statuses("ended", t->ended);
    printf("}");
}

void report(const struct run *run)
{
    const struct latency *l = &run->latency;
    printf("{\"seconds\":%.3f", (double)(run->now_ns - run->began_ns) / 1e9);
    printf(
        ",\"latency_ms\":{\"p50\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"max\":%.3f}",
        latency_ms(l, 0.5), latency_ms(l, 0.99), latency_ms(l, 0.999), (double)l->max_us / 1000);
    for (enum kind kind = 0; kind < KINDS; kind++) {
        if (run->options.count[kind] > 0)
            put_kind(run, kind);
    }
    printf("}\n");
}

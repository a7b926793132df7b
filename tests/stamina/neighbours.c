/*
 * neighbours: good clients together with bad ones, against a server on 127.0.0.1.
 *
 *     neighbours --port P --key K [--target T] [--seconds S] [--good N --rate R] [--fresh R]
 *                [--idle N [--room M]] [--slow-head N] [--slow-read N] [--slow-body N]
 *                [--unread N [--asks K]] [--malformed R] [--reset R]
 *                [--until-refused] [--until-cut]
 *
 * N are open connections, R are requests or connections per second (run.h describes each kind).
 * Prints "ready" once all have started, and one line of JSON at the end. Of idle clients, M
 * (default N) need an answer for that. Ends on SIGTERM, or with --until-refused when the server
 * refuses all clients, or after S seconds (default 60), but not before all have started and, with
 * --until-cut, the server has ended every unread client, a slow head and a slow reader. What has
 * not happened after four minutes never will. Exits with 0 whatever it measured, and with 2 if it
 * could not measure.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

#include "run.h"

enum { EVENTS_MAX = 512, READY_ANSWERS = 100, ANSWER_GRACE_S = 60, HANGS_S = 240 };

static volatile sig_atomic_t asked_to_stop;

static void on_signal(int number)
{
    asked_to_stop = 1;
}

/* ---- options ---- */

enum {
    OPT_PORT = KINDS,
    OPT_KEY,
    OPT_TARGET,
    OPT_SECONDS,
    OPT_RATE,
    OPT_ROOM,
    OPT_ASKS,
    OPT_UNTIL_REFUSED,
    OPT_UNTIL_CUT,
};

static const struct option long_options[] = {
    {"good", required_argument, NULL, GOOD},
    {"fresh", required_argument, NULL, FRESH},
    {"idle", required_argument, NULL, IDLE},
    {"slow-head", required_argument, NULL, SLOW_HEAD},
    {"slow-read", required_argument, NULL, SLOW_READ},
    {"slow-body", required_argument, NULL, SLOW_BODY},
    {"unread", required_argument, NULL, UNREAD},
    {"asks", required_argument, NULL, OPT_ASKS},
    {"malformed", required_argument, NULL, MALFORMED},
    {"reset", required_argument, NULL, RESET},
    {"port", required_argument, NULL, OPT_PORT},
    {"key", required_argument, NULL, OPT_KEY},
    {"target", required_argument, NULL, OPT_TARGET},
    {"seconds", required_argument, NULL, OPT_SECONDS},
    {"rate", required_argument, NULL, OPT_RATE},
    {"room", required_argument, NULL, OPT_ROOM},
    {"until-refused", no_argument, NULL, OPT_UNTIL_REFUSED},
    {"until-cut", no_argument, NULL, OPT_UNTIL_CUT},
    {0},
};

static double number(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || value < 0) {
        fprintf(stderr, "neighbours: \"%s\" is not a number\n", text);
        exit(2);
    }
    return value;
}

static void take_option(struct options *o, int option)
{
    switch (option) {
    case GOOD:
    case IDLE:
    case SLOW_HEAD:
    case SLOW_READ:
    case SLOW_BODY:
    case UNREAD:
        o->count[option] = (size_t)number(optarg);
        break;
    case FRESH:
    case MALFORMED:
    case RESET:
        o->rate[option] = number(optarg);
        break;
    case OPT_PORT:
        o->server.sin_port = htons((uint16_t)number(optarg));
        break;
    case OPT_KEY:
        o->key = optarg;
        break;
    case OPT_TARGET:
        o->target = optarg;
        break;
    case OPT_SECONDS:
        o->seconds = number(optarg);
        break;
    case OPT_RATE:
        o->rate[GOOD] = number(optarg);
        break;
    case OPT_ASKS:
        o->asks = (unsigned)number(optarg);
        break;
    case OPT_ROOM:
        o->room = (size_t)number(optarg);
        break;
    case OPT_UNTIL_REFUSED:
        o->until_refused = true;
        break;
    case OPT_UNTIL_CUT:
        o->until_cut = true;
        break;
    default:
        exit(2);
    }
}

static struct options read_options(int argc, char **argv)
{
    struct options o = {
        .server = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}},
        .target = "/api/v1/trades",
        .seconds = 60,
        .asks = 16,
        .room = SIZE_MAX,
        .count[GOOD] = 64,
    };
    int option;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
        take_option(&o, option);
    if (o.server.sin_port == 0 || !o.key || optind < argc) {
        fprintf(stderr, "neighbours: needs --port and --key\n");
        exit(2);
    }
    return o;
}

static void write_request(
    const struct options *o, const char *query, const char *line, char ret[static REQUEST_MAX])
{
    int n = snprintf(
        ret, REQUEST_MAX,
        "GET %s%s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n%s\r\n", o->target,
        query, o->key, line);
    if (n < 0 || n >= REQUEST_MAX) {
        fprintf(stderr, "neighbours: the target or the key is too long\n");
        exit(2);
    }
}

static void write_requests(struct run *run)
{
    const struct options *o = &run->options;
    write_request(o, "", "", run->request);
    write_request(o, "", "Connection: close\r\n", run->last_request);
    write_request(o, "?limit=100", "", run->long_request);
}

/* ---- the run ---- */

static size_t answered_when_ready(const struct options *o)
{
    return o->count[IDLE] < o->room ? o->count[IDLE] : o->room;
}

static bool all_have_begun(const struct run *run)
{
    for (enum kind kind = IDLE; kind <= UNREAD; kind++) {
        if (run->tallies[kind].opened < run->options.count[kind])
            return false;
    }
    uint64_t idle_answers = 0;
    for (int status = 0; status < STATUS_MAX; status++)
        idle_answers += run->tallies[IDLE].answers[status];
    return idle_answers >= answered_when_ready(&run->options) &&
           (run->options.rate[GOOD] <= 0 || run->tallies[GOOD].answered >= READY_ANSWERS);
}

static void say_ready(struct run *run)
{
    if (run->has_begun || !all_have_begun(run))
        return;
    run->has_begun = true;
    printf("ready\n");
    fflush(stdout);
}

/* Connections of a kind that the server has ended. */
static uint64_t ended_by_server(const struct run *run, enum kind kind)
{
    const struct tally *t = &run->tallies[kind];
    uint64_t n = t->closed + t->reset;
    for (int status = 0; status < STATUS_MAX; status++)
        n += t->ended[status];
    return n;
}

static bool are_cut(const struct run *run)
{
    const size_t *count = run->options.count;
    return ended_by_server(run, UNREAD) >= count[UNREAD] &&
           (count[SLOW_HEAD] == 0 || ended_by_server(run, SLOW_HEAD) > 0) &&
           (count[SLOW_READ] == 0 || ended_by_server(run, SLOW_READ) > 0);
}

/* Every good client was refused, also on a new connection, and no neighbour is connected any more,
 * except slow readers, which the kernel still serves after the server has stopped. */
static bool nobody_serves(const struct run *run)
{
    const struct options *o = &run->options;
    if (run->under_way > 0 || (o->rate[FRESH] > 0 && run->tallies[FRESH].refused == 0))
        return false;
    for (size_t i = 0; i < o->count[GOOD]; i++) {
        if (!run->clients[GOOD][i].retired)
            return false;
    }
    for (enum kind kind = IDLE; kind < KINDS; kind++) {
        for (size_t i = 0; i < o->count[kind]; i++) {
            if (run->clients[kind][i].fd >= 0 && kind != SLOW_READ)
                return false;
        }
    }
    return true;
}

static double elapsed_s(const struct run *run)
{
    return (double)(run->now_ns - run->began_ns) / 1e9;
}

/* Whether the run goes on for an event, however long that takes. */
static bool waits(const struct run *run)
{
    bool is_done = run->has_begun && (!run->options.until_cut || are_cut(run));
    return !is_done && !asked_to_stop && elapsed_s(run) < HANGS_S;
}

static bool is_over(const struct run *run)
{
    double seconds = run->options.seconds;
    if (run->options.until_refused && nobody_serves(run))
        return true;
    if (waits(run) || elapsed_s(run) < seconds)
        return false;
    bool is_still = run->under_way == 0 && run->events == 0;
    return is_still || elapsed_s(run) >= seconds + ANSWER_GRACE_S;
}

/* The schedule is as long as the run. */
static void set_end(struct run *run)
{
    double now_s = elapsed_s(run), *seconds = &run->options.seconds;
    if (asked_to_stop ? now_s < *seconds : waits(run) && now_s > *seconds)
        *seconds = now_s;
}

static void turn(struct run *run)
{
    struct epoll_event events[EVENTS_MAX];
    int64_t wait_ns = schedule_next_ns(run) - now_ns();
    if (wait_ns < 0)
        wait_ns = 0;
    const struct timespec wait = {wait_ns / 1000000000, wait_ns % 1000000000};
    int n = run->events = epoll_pwait2(run->epoll, events, EVENTS_MAX, &wait, NULL);
    for (int i = 0; i < n; i++)
        client_event(run, events[i].data.ptr, events[i].events);
    run->now_ns = now_ns();
    set_end(run);
    schedule_tick(run);
}

/* Due requests without an answer; a server that refuses all connections got no further requests. */
static void count_unanswered(struct run *run)
{
    for (enum kind kind = GOOD; kind <= FRESH; kind++) {
        struct tally *t = &run->tallies[kind];
        for (size_t i = 0; i < run->options.count[kind]; i++)
            t->unanswered += run->clients[kind][i].due_ns != 0;
        if (!run->options.until_refused)
            t->unanswered += t->due - run->done[kind];
    }
}

int main(int argc, char **argv)
{
    static struct run run;
    struct rlimit descriptors;
    getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = descriptors.rlim_max;
    setrlimit(RLIMIT_NOFILE, &descriptors);
    const struct sigaction stop = {.sa_handler = on_signal};
    sigaction(SIGTERM, &stop, NULL);
    run.options = read_options(argc, argv);
    run.epoll = epoll_create1(EPOLL_CLOEXEC);
    write_requests(&run);
    good_probe(&run);
    schedule_init(&run);
    while (!is_over(&run)) {
        turn(&run);
        say_ready(&run);
    }
    count_unanswered(&run);
    report(&run);
    return 0;
}

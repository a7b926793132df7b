/*
 * neighbours: good clients together with bad ones, against a server on 127.0.0.1.
 *
 *     neighbours --port P --key K [--target T] [--seconds S] [--good N --rate R] [--fresh R]
 *                [--idle N] [--slow-head N] [--slow-read N] [--slow-body N]
 *                [--unread N [--asks K]] [--malformed R] [--reset R] [--until-refused]
 *
 * N are open connections, R are requests or connections per second (run.h describes each kind).
 * Prints "ready" once all have started, and one line of JSON at the end. Ends after S seconds
 * (default 60), on SIGTERM, or with --until-refused when the server refuses all clients. Exits with
 * 0 whatever it measured, and with 2 if it could not measure.
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

enum { EVENTS_MAX = 512, READY_ANSWERS = 100, ANSWER_GRACE_S = 5 };

static volatile sig_atomic_t asked_to_stop;

static void on_signal(int number)
{
    asked_to_stop = 1;
}

/* ---- options ---- */

enum { OPT_PORT = KINDS, OPT_KEY, OPT_TARGET, OPT_SECONDS, OPT_RATE, OPT_ASKS, OPT_UNTIL_REFUSED };

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
    {"until-refused", no_argument, NULL, OPT_UNTIL_REFUSED},
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
    case OPT_UNTIL_REFUSED:
        o->until_refused = true;
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

static bool all_have_begun(const struct run *run)
{
    for (enum kind kind = IDLE; kind <= UNREAD; kind++) {
        if (run->tallies[kind].opened < run->options.count[kind])
            return false;
    }
    uint64_t idle_answers = 0;
    for (int status = 0; status < STATUS_MAX; status++)
        idle_answers += run->tallies[IDLE].answers[status];
    return idle_answers >= run->options.count[IDLE] &&
           (run->options.rate[GOOD] <= 0 || run->tallies[GOOD].answered >= READY_ANSWERS);
}

static void say_ready(const struct run *run)
{
    static bool said;
    if (said || !all_have_begun(run))
        return;
    said = true;
    printf("ready\n");
    fflush(stdout);
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

static bool is_over(const struct run *run)
{
    double elapsed_s = (double)(run->now_ns - run->began_ns) / 1e9;
    double seconds = run->options.seconds;
    if (run->options.until_refused && nobody_serves(run))
        return true;
    return elapsed_s >= seconds && (run->under_way == 0 || elapsed_s >= seconds + ANSWER_GRACE_S);
}

static void turn(struct run *run)
{
    struct epoll_event events[EVENTS_MAX];
    int64_t wait_ns = schedule_next_ns(run) - now_ns();
    if (wait_ns < 0)
        wait_ns = 0;
    const struct timespec wait = {wait_ns / 1000000000, wait_ns % 1000000000};
    int n = epoll_pwait2(run->epoll, events, EVENTS_MAX, &wait, NULL);
    for (int i = 0; i < n; i++)
        client_event(run, events[i].data.ptr, events[i].events);
    run->now_ns = now_ns();
    schedule_tick(run);
    if (asked_to_stop) { /* schedule nothing more */
        double elapsed_s = (double)(run->now_ns - run->began_ns) / 1e9;
        if (elapsed_s < run->options.seconds)
            run->options.seconds = elapsed_s;
    }
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

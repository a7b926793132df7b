/*
 * Streams beside other requests: opens many streams of trades on one server, waits for a
 * publication, and measures how long every stream needs for it, and how long other requests take
 * meanwhile.
 *
 *     STOCKACT_BENCH_UNLIMITED=1 stockact serve --streams 2000 --streams-per-caller 2000 --threads
 * 1 build/bench/streams PORT STREAMS EVENTS stockact demo --publish 1 --rows EVENTS       (when it
 * prints "ready")
 *
 * The probe sends one request after the other on a connection of its own, from a second thread.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PROBES_MAX = 1 << 20, BUFFER = 256 * 1024, REPLY = 64 * 1024, BATCH = 256 };

static const char mark[] = "event: trade\n";
enum { MARK = sizeof mark - 1 };

struct stream {
    int fd;
    long events;
    char tail[MARK]; /* the last bytes, which may begin a mark */
    size_t tail_n;
};

static int port;
static _Atomic long all_events;
static _Atomic int done;
static struct probe {
    double at, took_ms;
    long events; /* that had arrived at all streams */
} * probes;
static long probe_count;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int dial(void)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        die("connect");
    return fd;
}

static void say(int fd, const char *target)
{
    char text[256];
    int n = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", target);
    if (write(fd, text, (size_t)n) != n)
        die("write");
}

/* One reply with a Content-Length. */
static void read_reply(int fd)
{
    static char text[REPLY];
    size_t n = 0, whole = 0;
    while (!whole || n < whole) {
        ssize_t got = read(fd, text + n, sizeof text - 1 - n);
        if (got <= 0)
            die("probe");
        n += (size_t)got;
        text[n] = 0;
        const char *end = strstr(text, "\r\n\r\n"), *length = strstr(text, "Content-Length: ");
        if (!whole && end && length)
            whole = (size_t)(end + 4 - text) + strtoul(length + 16, NULL, 10);
    }
}

static void *probe_main(void *unused)
{
    int fd = dial();
    while (!atomic_load(&done) && probe_count < PROBES_MAX) {
        double began = now_s();
        say(fd, "/api/v1/trades?limit=25");
        read_reply(fd);
        probes[probe_count++] =
            (struct probe){began, (now_s() - began) * 1000, atomic_load(&all_events)};
        usleep(500);
    }
    close(fd);
    return NULL;
}

/* Counts the marks in the bytes, also one that began in earlier bytes. */
static void take(struct stream *s, const char *p, size_t n)
{
    char seam[2 * MARK];
    size_t head = n < MARK - 1 ? n : MARK - 1;
    long found = 0;
    memcpy(seam, s->tail, s->tail_n);
    memcpy(seam + s->tail_n, p, head);
    if (s->tail_n && memmem(seam, s->tail_n + head, mark, MARK))
        found++;
    for (const char *at = p; (at = memmem(at, n - (size_t)(at - p), mark, MARK)); at += MARK)
        found++;
    size_t keep = n < MARK - 1 ? n : MARK - 1;
    memcpy(s->tail, p + n - keep, keep);
    s->tail_n = keep;
    s->events += found;
    atomic_fetch_add(&all_events, found);
}

static int by_time(const void *a, const void *b)
{
    double x = ((const struct probe *)a)->took_ms, y = ((const struct probe *)b)->took_ms;
    return x < y ? -1 : x > y;
}

static void report(const char *when, struct probe *p, long n)
{
    if (n == 0)
        return;
    qsort(p, (size_t)n, sizeof *p, by_time);
    printf(
        "other requests %s: %ld, p50 %.2f ms, p99 %.2f ms, most %.2f ms\n", when, n,
        p[n / 2].took_ms, p[n * 99 / 100].took_ms, p[n - 1].took_ms);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: streams PORT STREAMS EVENTS\n");
        return 2;
    }
    port = (int)strtol(argv[1], NULL, 10);
    int count = (int)strtol(argv[2], NULL, 10);
    long wanted = strtol(argv[3], NULL, 10), full = 0;
    struct stream *streams = calloc((size_t)count, sizeof *streams);
    char *buffer = malloc(BUFFER);
    probes = calloc(PROBES_MAX, sizeof *probes);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < count; i++) {
        streams[i].fd = dial();
        say(streams[i].fd, "/api/v1/trades/stream");
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &streams[i]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, streams[i].fd, &event);
    }
    pthread_t probe;
    pthread_create(&probe, NULL, probe_main, NULL);
    printf("ready: %d streams\n", count);
    fflush(stdout);
    double first = 0, last = 0;
    double bytes = 0;
    while (full < count) {
        struct epoll_event events[BATCH];
        int n = epoll_wait(epoll, events, BATCH, -1);
        for (int i = 0; i < n; i++) {
            struct stream *s = events[i].data.ptr;
            long before = s->events;
            ssize_t got = read(s->fd, buffer, BUFFER);
            if (got <= 0)
                die("stream");
            take(s, buffer, (size_t)got);
            if (s->events > before && first == 0)
                first = now_s();
            bytes += first > 0 ? (double)got : 0;
            full += before < wanted && s->events >= wanted;
        }
    }
    last = now_s();
    atomic_store(&done, 1);
    pthread_join(probe, NULL);
    long begin = 0;
    while (begin < probe_count && probes[begin].at < first - 0.001)
        begin++;
    for (int i = 0; i < count; i++) {
        if (streams[i].events != wanted)
            printf("stream %d has %ld events\n", i, streams[i].events);
    }
    printf(
        "%d streams have %ld events each after %.0f ms (%.0f MB)\n", count, wanted,
        (last - first) * 1000, bytes / 1e6);
    report("before", probes, begin);
    report("meanwhile", probes + begin, probe_count - begin);
    return 0;
}

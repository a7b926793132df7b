/*
 * An open-loop client: requests are due at fixed instants, whether or not the server keeps up, and
 * a request's latency counts from the instant at which it was due. So a server that stops for
 * 200 ms is charged with all that was due meanwhile, which a client that waits for answers before
 * it asks again never asks for (wrk, and h2load with --rps).
 *
 *     open_loop PORT MILLISECONDS RATE CONNECTIONS REQUESTS [RATE CONNECTIONS REQUESTS]
 *
 * REQUESTS is a file with the bytes of one request, or of several, each ended by NUL: they are sent
 * in turn. The second load runs beside the first, in this process, which can have only one core. It
 * ends with the first, and its last answers are not awaited.
 *
 * To 127.0.0.1, over connections kept alive, at most one request under way on each. What is due
 * goes out on the connection that has been idle longest; when none is idle it waits, and the wait
 * counts. It never sleeps: it wants a core of its own. SIGTERM ends the schedule early, but not
 * before there is a latency.
 *
 * Prints one line of JSON. Latencies count from WARM_UP_NS on. late_p99_us is the client's own
 * doing: how long after it could have been sent a request was sent.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "histogram.h"

enum {
    LOADS_MAX = 2,
    CONNECTIONS_MAX = 4096,
    STATUS_MAX = 600,
    HEAD_MAX = 4 << 10,
    READ_MAX = 256 << 10,
    EVENTS = 64,
};

#define SECOND_NS 1000000000LL
#define WARM_UP_NS (SECOND_NS / 5)
#define GIVE_UP_NS (120 * SECOND_NS) /* without an answer */

struct load;

/* Idle ones stand in a ring, the longest idle first. */
struct connection {
    struct load *load;
    int fd;
    int64_t due_ns;        /* of the request under way */
    int64_t idle_since_ns; /* when its last answer was whole */
    enum { IDLE, HEAD, BODY } state;
    size_t head_n;    /* HEAD: of the answer being read */
    size_t body_left; /* BODY */
    char head[HEAD_MAX];
};

struct load {
    int64_t rate;           /* a second */
    int64_t sent, answered; /* requests */
    int64_t answered_ns;    /* when the last one was */
    int64_t refused;        /* answers other than 200 */
    int64_t bytes;
    char *requests, *requests_end, *next; /* each ended by NUL */
    struct connection connections[CONNECTIONS_MAX];
    struct connection *idle[CONNECTIONS_MAX];
    size_t connection_n, idle_first, idle_n;
    struct histogram latency, late;
    int64_t statuses[STATUS_MAX];
};

static struct {
    int64_t start_ns, end_ns; /* of the schedule */
} run;

static struct load loads[LOADS_MAX];
static size_t load_n;
static volatile sig_atomic_t asked_to_end;

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND_NS + t.tv_nsec;
}

static void on_signal(int signal_number)
{
    asked_to_end = 1;
}

static int64_t due_of(const struct load *load)
{
    return run.start_ns + load->sent * SECOND_NS / load->rate;
}

static void put_idle(struct connection *c, int64_t now_ns)
{
    struct load *load = c->load;
    c->state = IDLE;
    c->idle_since_ns = now_ns;
    load->idle[(load->idle_first + load->idle_n++) % load->connection_n] = c;
}

static struct connection *take_idle(struct load *load)
{
    struct connection *c = load->idle[load->idle_first];
    load->idle_first = (load->idle_first + 1) % load->connection_n;
    load->idle_n--;
    return c;
}

static void send_next(struct load *load, const struct connection *c)
{
    size_t size = strlen(load->next);
    if (send(c->fd, load->next, size, MSG_NOSIGNAL) != (ssize_t)size)
        die("send");
    load->next += size + 1;
    if (load->next >= load->requests_end)
        load->next = load->requests;
}

static void send_due(struct load *load, int64_t now_ns)
{
    int64_t due_ns;
    while (load->idle_n > 0 && (due_ns = due_of(load)) <= now_ns && due_ns < run.end_ns) {
        struct connection *c = take_idle(load);
        send_next(load, c);
        c->due_ns = due_ns;
        c->state = HEAD;
        c->head_n = 0;
        load->sent++;
        if (due_ns >= run.start_ns + WARM_UP_NS)
            histogram_add(
                &load->late, now_ns - (due_ns > c->idle_since_ns ? due_ns : c->idle_since_ns));
    }
}

static void end_of_answer(struct connection *c, int64_t now_ns)
{
    c->load->answered++;
    c->load->answered_ns = now_ns;
    if (c->due_ns >= run.start_ns + WARM_UP_NS)
        histogram_add(&c->load->latency, now_ns - c->due_ns);
    put_idle(c, now_ns);
}

static _Noreturn void die_of(const char *answer)
{
    fprintf(stderr, "open_loop: an answer %s\n", answer);
    exit(EXIT_FAILURE);
}

/* Takes what belongs to the head out of the n bytes; how many that is. */
static size_t take_head(struct connection *c, const char *bytes, size_t n)
{
    static const char length[] = "\r\nContent-Length: ";
    size_t before = c->head_n, room = HEAD_MAX - before, copied = n < room ? n : room;
    memcpy(c->head + before, bytes, copied);
    c->head_n += copied;
    const char *end = memmem(c->head, c->head_n, "\r\n\r\n", 4);
    if (!end && copied < n)
        die_of("has too long a head");
    if (!end)
        return n;
    size_t size = (size_t)(end - c->head) + 4;
    const char *line = memmem(c->head, size, length, sizeof length - 1);
    if (!line)
        die_of("has no Content-Length");
    c->body_left = strtoul(line + sizeof length - 1, NULL, 10);
    c->state = BODY;
    unsigned long status = strtoul(c->head + sizeof "HTTP/1.1", NULL, 10);
    if (status >= STATUS_MAX)
        die_of("has no status");
    c->load->statuses[status]++;
    c->load->refused += status != 200;
    return size - before;
}

static void on_readable(struct connection *c)
{
    static char bytes[READ_MAX];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
    if (n <= 0)
        die("a connection broke");
    if (c->state == IDLE)
        die_of("came that was not asked for");
    c->load->bytes += n;
    size_t left = (size_t)n;
    if (c->state == HEAD)
        left -= take_head(c, bytes, left);
    if (c->state == HEAD)
        return;
    if (left > c->body_left)
        die_of("is longer than it says");
    c->body_left -= left;
    if (c->body_left == 0)
        end_of_answer(c, now());
}

static void connect_all(struct load *load, int poll_fd, in_port_t port)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    for (size_t i = 0; i < load->connection_n; i++) {
        struct connection *c = &load->connections[i];
        c->load = load;
        c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof to) != 0)
            die("connect");
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        if (epoll_ctl(poll_fd, EPOLL_CTL_ADD, c->fd, &event) != 0)
            die("epoll_ctl");
        put_idle(c, 0);
    }
}

static bool is_over(int64_t now_ns)
{
    const struct load *load = &loads[0];
    if (asked_to_end && load->latency.count > 0 && now_ns < run.end_ns)
        run.end_ns = now_ns;
    if (load->answered < load->sent && now_ns > load->answered_ns + GIVE_UP_NS) {
        fprintf(
            stderr, "open_loop: %" PRId64 " answers are missing\n", load->sent - load->answered);
        exit(EXIT_FAILURE);
    }
    return due_of(load) >= run.end_ns && load->answered == load->sent;
}

static void send_all_due(int64_t now_ns)
{
    for (size_t i = 0; i < load_n; i++)
        send_due(&loads[i], now_ns);
}

static void go(int poll_fd, int64_t ms)
{
    struct epoll_event events[EVENTS];
    int64_t now_ns = run.start_ns = loads[0].answered_ns = now();
    run.end_ns = run.start_ns + WARM_UP_NS + ms * (SECOND_NS / 1000);
    while (!is_over(now_ns)) {
        send_all_due(now_ns);
        int n = epoll_wait(poll_fd, events, EVENTS, 0);
        for (int i = 0; i < n; i++) {
            on_readable(events[i].data.ptr);
            send_all_due(now());
        }
        now_ns = now();
    }
}

static double us(const struct histogram *h, double share)
{
    return (double)histogram_at(h, share) / 1000;
}

static void print_load(const struct load *load)
{
    const char *comma = "";
    printf(
        "{\"requests\":%" PRId64 ",\"refused\":%" PRId64 ",\"bytes\":%" PRId64
        ",\"counted\":%" PRIu64 ",\"p50_us\":%.1f,\"p90_us\":%.1f,\"p99_us\":%.1f,"
        "\"p999_us\":%.1f,\"max_us\":%.1f,\"late_p99_us\":%.1f,\"statuses\":{",
        load->answered, load->refused, load->bytes, load->latency.count, us(&load->latency, 0.5),
        us(&load->latency, 0.9), us(&load->latency, 0.99), us(&load->latency, 0.999),
        us(&load->latency, 1), us(&load->late, 0.99));
    for (int status = 0; status < STATUS_MAX; status++)
        if (load->statuses[status]) {
            printf("%s\"%d\":%" PRId64, comma, status, load->statuses[status]);
            comma = ",";
        }
    printf("}}");
}

static void print(void)
{
    printf("{\"seconds\":%.6f,\"loads\":[", (double)(now() - run.start_ns) / SECOND_NS);
    for (size_t i = 0; i < load_n; i++) {
        printf("%s", i ? "," : "");
        print_load(&loads[i]);
    }
    printf("]}\n");
}

static void read_requests(struct load *load, const char *path)
{
    size_t size = 0;
    FILE *file = fopen(path, "re"), *memory = open_memstream(&load->requests, &size);
    if (!file || !memory)
        die(path);
    for (int byte; (byte = getc(file)) != EOF;)
        putc(byte, memory);
    fclose(file);
    if (fclose(memory) != 0 || size == 0)
        die(path);
    /* The last request may have no NUL: there is one behind what was written. */
    load->requests_end = load->requests + size;
    load->next = load->requests;
}

static int64_t number_of(const char *text, int64_t max)
{
    char *end;
    int64_t number = strtoll(text, &end, 10);
    if (*end || number < 1 || number > max) {
        fprintf(stderr, "open_loop: \"%s\" is not a number from 1 to %" PRId64 "\n", text, max);
        exit(2);
    }
    return number;
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 9) {
        fprintf(
            stderr, "usage: open_loop PORT MILLISECONDS RATE CONNECTIONS REQUESTS"
                    " [RATE CONNECTIONS REQUESTS]\n");
        return 2;
    }
    in_port_t port = (in_port_t)number_of(argv[1], UINT16_MAX);
    int64_t ms = number_of(argv[2], 3600 * 1000);
    int poll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (poll_fd < 0)
        die("epoll_create1");
    signal(SIGTERM, on_signal);
    for (char **arg = argv + 3; *arg; arg += 3) {
        struct load *load = &loads[load_n++];
        load->rate = number_of(arg[0], 10000000);
        load->connection_n = (size_t)number_of(arg[1], CONNECTIONS_MAX);
        read_requests(load, arg[2]);
        connect_all(load, poll_fd, port);
    }
    go(poll_fd, ms);
    print();
    return 0;
}

/*
 * The host of a tool server: starts it as a child, asks it one thing again and again over its
 * standard streams, and says what that took.
 *
 *     mcp_load CORE WIDE WARM LOAD REQUEST COMMAND [ARGUMENT...]
 *
 * The child runs on CORE alone. REQUEST is a file with the members of a JSON-RPC request but its
 * jsonrpc and id. It is asked once, which times the start; then WARM, which does not count, and
 * LOAD: each a count of calls, or with an s behind it seconds. WIDE calls are under way at once.
 *
 * An answer must have the id of a call that is under way, a result that is not isError, and as
 * many bytes as the first: ids have one width, so only other content has another length.
 *
 * Prints one line of JSON. Processor time is the child's, with all its threads, and for own_busy
 * this program's: where that nears 1, the figures are of this program.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "histogram.h"

enum {
    WIDE_MAX = 64,
    REQUEST_MAX = 2048, /* as many as WIDE_MAX fit into a pipe, so that writing waits for nobody */
    LINE_MAX_SIZE = 4 << 20,
    ID_FIRST = 1000000,
    ID_END = 10000000,
    GIVE_UP_MS = 120 * 1000, /* without a byte */
};

#define SECOND_NS 1000000000LL

struct limit {
    int64_t calls, ns; /* one of them; the other is INT64_MAX */
};

struct memory {
    int64_t rss, pss; /* bytes */
};

struct child {
    pid_t pid;
    clockid_t cpu;
    int in, out; /* its standard streams, our ends */
};

/* Of one load. */
struct figures {
    int64_t calls, elapsed_ns, child_cpu_ns, own_cpu_ns;
};

struct call {
    int64_t id; /* 0: none is under way */
    int64_t sent_ns;
};

static struct call calls[WIDE_MAX];
static int64_t id_next = ID_FIRST;
static char members[REQUEST_MAX];
static size_t answer_size; /* of the first, which all others have */
static char in[LINE_MAX_SIZE];
static size_t in_begin, in_end; /* of what was read and is no line yet */
static struct histogram latency;

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static _Noreturn void die_of(const char *reason, const char *line, size_t n)
{
    fprintf(stderr, "mcp_load: %s: %.*s\n", reason, n < 300 ? (int)n : 300, line);
    exit(EXIT_FAILURE);
}

static int64_t read_clock(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0)
        die("clock_gettime");
    return t.tv_sec * SECOND_NS + t.tv_nsec;
}

static int64_t now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

/* --- the child */

static _Noreturn void become(char **command, int core, int in_fd, int out_fd)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 ||
        dup2(in_fd, STDIN_FILENO) < 0 || dup2(out_fd, STDOUT_FILENO) < 0)
        die("the child's core and streams");
    execv(command[0], command);
    die(command[0]);
}

static struct child start(char **command, int core)
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        die("pipe2");
    pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0)
        become(command, core, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    struct child child = {.pid = pid, .in = to[1], .out = from[0]};
    if (clock_getcpuclockid(pid, &child.cpu) != 0)
        die("clock_getcpuclockid");
    return child;
}

static struct memory memory_of(pid_t pid)
{
    char path[64], line[256];
    struct memory memory = {0};
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        die(path);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "Rss:", 4) == 0)
            memory.rss = strtoll(line + 4, NULL, 10) * 1024;
        else if (strncmp(line, "Pss:", 4) == 0)
            memory.pss = strtoll(line + 4, NULL, 10) * 1024;
    }
    fclose(file);
    return memory;
}

/* The end of its input is what ends it. */
static void end(struct child *child)
{
    int status;
    close(child->in);
    if (waitpid(child->pid, &status, 0) != child->pid)
        die("waitpid");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "mcp_load: the server ended with status %#x\n", (unsigned)status);
        exit(EXIT_FAILURE);
    }
}

/* --- one call */

static void ask(const struct child *child, struct call *call)
{
    char line[REQUEST_MAX + 64];
    if (id_next == ID_END)
        die_of("too many calls", members, strlen(members));
    call->id = id_next++;
    int n = snprintf(
        line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%" PRId64 ",%s}\n", call->id, members);
    call->sent_ns = now();
    if (write(child->in, line, (size_t)n) != n)
        die("write");
}

/* The next line, without its end; valid until the next call. */
static char *read_line(const struct child *child, size_t *ret_n)
{
    size_t looked = in_begin;
    char *newline;
    while (!(newline = memchr(in + looked, '\n', in_end - looked))) {
        if (in_begin > 0 && in_end == sizeof in) {
            memmove(in, in + in_begin, in_end - in_begin);
            in_end -= in_begin;
            in_begin = 0;
        }
        looked = in_end;
        struct pollfd polled = {.fd = child->out, .events = POLLIN};
        if (poll(&polled, 1, GIVE_UP_MS) != 1)
            die_of("no answer comes", members, strlen(members));
        ssize_t n = read(child->out, in + in_end, sizeof in - in_end);
        if (n <= 0)
            die_of("the server ended", in + in_begin, in_end - in_begin);
        in_end += (size_t)n;
    }
    char *line = in + in_begin;
    *ret_n = (size_t)(newline - line);
    in_begin += *ret_n + 1;
    if (in_begin == in_end)
        in_begin = in_end = 0;
    return line;
}

/* It stands near the beginning or at the end, after whatever the server writes first. */
static int64_t id_of(const char *line, size_t n)
{
    static const char before[] = "{\"jsonrpc\":\"2.0\",\"id\":", key[] = "\"id\":";
    const size_t at_end = sizeof key - 1 + 7 + 1; /* with the digits and the brace */
    if (n > sizeof before && memcmp(line, before, sizeof before - 1) == 0)
        return strtoll(line + sizeof before - 1, NULL, 10);
    if (n > at_end && memcmp(line + n - at_end, key, sizeof key - 1) == 0)
        return strtoll(line + n - at_end + sizeof key - 1, NULL, 10);
    return 0;
}

static bool has(const char *line, size_t n, const char *text)
{
    return memmem(line, n, text, strlen(text)) != NULL;
}

/* Inside a string of the answer the quotes would be escaped, so these are members. */
static void check(const char *line, size_t n)
{
    if (!has(line, n, "\"result\":{") || has(line, n, "\"isError\":true"))
        die_of("a failure", line, n);
    if (!answer_size)
        answer_size = n;
    if (n != answer_size)
        die_of("an answer of another length than the first", line, n);
}

/* The call whose answer came; it is under way no more. */
static struct call *take_answer(const struct child *child)
{
    size_t n;
    const char *line = read_line(child, &n);
    int64_t id = id_of(line, n);
    for (struct call *call = calls; call < calls + WIDE_MAX; call++) {
        if (id == 0 || call->id != id)
            continue;
        histogram_add(&latency, now() - call->sent_ns);
        call->id = 0;
        check(line, n);
        return call;
    }
    die_of("an answer to nothing that was asked", line, n);
}

/* --- loads */

static bool is_within(const struct limit *limit, int64_t asked, int64_t elapsed_ns)
{
    return asked < limit->calls && elapsed_ns < limit->ns;
}

static struct figures load(const struct child *child, size_t wide, const struct limit *limit)
{
    int64_t child_cpu_ns = read_clock(child->cpu),
            own_cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    int64_t began_ns = now(), asked = 0, answered = 0;
    latency = (struct histogram){0};
    while (asked < (int64_t)wide && is_within(limit, asked, now() - began_ns))
        ask(child, &calls[asked++]);
    while (answered < asked) {
        struct call *call = take_answer(child);
        answered++;
        if (is_within(limit, asked, now() - began_ns)) {
            ask(child, call);
            asked++;
        }
    }
    return (struct figures){
        .calls = answered,
        .elapsed_ns = now() - began_ns,
        .child_cpu_ns = read_clock(child->cpu) - child_cpu_ns,
        .own_cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID) - own_cpu_ns,
    };
}

static void print(
    int64_t first_ns, int64_t first_cpu_ns, const struct memory *started,
    const struct figures *figures, const struct memory *ended)
{
    printf(
        "{\"first_ms\":%.3f,\"first_cpu_ms\":%.3f,\"start_rss\":%" PRId64 ",\"start_pss\":%" PRId64
        ",\"bytes\":%zu,\"calls\":%" PRId64 ",\"seconds\":%.6f,\"cpu_seconds\":%.6f"
        ",\"own_cpu_seconds\":%.6f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"end_rss\":%" PRId64
        ",\"end_pss\":%" PRId64 "}\n",
        (double)first_ns / 1e6, (double)first_cpu_ns / 1e6, started->rss, started->pss, answer_size,
        figures->calls, (double)figures->elapsed_ns / SECOND_NS,
        (double)figures->child_cpu_ns / SECOND_NS, (double)figures->own_cpu_ns / SECOND_NS,
        (double)histogram_at(&latency, 0.5) / 1000, (double)histogram_at(&latency, 0.99) / 1000,
        ended->rss, ended->pss);
}

/* --- arguments */

static int64_t number_of(const char *text, char **end, int64_t min, int64_t max)
{
    int64_t number = strtoll(text, end, 10);
    if (*end == text || number < min || number > max) {
        fprintf(
            stderr, "mcp_load: \"%s\" is not a number from %" PRId64 " to %" PRId64 "\n", text, min,
            max);
        exit(2);
    }
    return number;
}

static int64_t whole_number_of(const char *text, int64_t min, int64_t max)
{
    char *end;
    int64_t number = number_of(text, &end, min, max);
    if (*end)
        die_of("not a number", text, strlen(text));
    return number;
}

static struct limit limit_of(const char *text)
{
    char *end;
    int64_t number = number_of(text, &end, 0, ID_END);
    if (strcmp(end, "s") == 0)
        return (struct limit){.calls = INT64_MAX, .ns = number * SECOND_NS};
    if (*end)
        die_of("not a limit", text, strlen(text));
    return (struct limit){.calls = number, .ns = INT64_MAX};
}

static void read_members(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        die(path);
    size_t n = fread(members, 1, sizeof members - 1, file);
    if (n == sizeof members - 1)
        die_of("too long", path, strlen(path));
    fclose(file);
    members[n] = '\0';
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        fprintf(stderr, "usage: mcp_load CORE WIDE WARM LOAD REQUEST COMMAND [ARGUMENT...]\n");
        return 2;
    }
    int core = (int)whole_number_of(argv[1], 0, CPU_SETSIZE - 1);
    size_t wide = (size_t)whole_number_of(argv[2], 1, WIDE_MAX);
    struct limit warm = limit_of(argv[3]), limit = limit_of(argv[4]);
    read_members(argv[5]);
    signal(SIGPIPE, SIG_IGN);

    int64_t began_ns = now();
    struct child child = start(argv + 6, core);
    ask(&child, calls);
    take_answer(&child);
    int64_t first_ns = now() - began_ns, first_cpu_ns = read_clock(child.cpu);
    struct memory started = memory_of(child.pid);
    load(&child, wide, &warm);
    struct figures figures = load(&child, wide, &limit);
    struct memory ended = memory_of(child.pid);
    end(&child);
    print(first_ns, first_cpu_ns, &started, &figures, &ended);
    return 0;
}

/* Last words of a process without memory; see no_memory.h. */
#include "base/no_memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    NUMBER_SIZE = 20,
    STATM_SIZE = 128,
    STATM_TOTAL = 0, /* fields of /proc/self/statm, in pages */
    STATM_DATA = 5,
    KIB = 1024,
};

/* malloc maps arenas of this size, and a caller may not know what it failed to get. */
static const uint64_t near_bytes = 64 * 1024 * 1024;

static const struct memory_limit {
    int resource;
    int field; /* what it limits */
    const char *name, *how;
} memory_limits[] = {
    {RLIMIT_AS, STATM_TOTAL, "address space (RLIMIT_AS)", "`ulimit -v` or LimitAS="},
    {RLIMIT_DATA, STATM_DATA, "data (RLIMIT_DATA)", "`ulimit -d` or LimitDATA="},
};

struct text {
    char *p;
    size_t n, size;
};

static void put(struct text *t, const char *s)
{
    for (; *s && t->n + 1 < t->size; s++)
        t->p[t->n++] = *s;
    t->p[t->n] = '\0';
}

static void put_kib(struct text *t, uint64_t bytes)
{
    char digits[NUMBER_SIZE + 1];
    size_t i = NUMBER_SIZE;
    uint64_t kib = bytes / KIB;
    digits[i] = '\0';
    do
        digits[--i] = (char)('0' + kib % 10);
    while ((kib /= 10) != 0 && i > 0);
    put(t, digits + i);
    put(t, " KiB");
}

/* The bytes in use by one field; false: they cannot be read. */
static bool used(int field, uint64_t *ret)
{
    char text[STATM_SIZE];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text);
    close(fd);
    uint64_t pages = 0;
    for (ssize_t i = 0; i < n && field >= 0; i++) {
        if (text[i] < '0' || text[i] > '9')
            field--;
        else if (field == 0)
            pages = pages * 10 + (uint64_t)(text[i] - '0');
    }
    *ret = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return n > 0;
}

/* A limit of which much is left is not the cause. A confined reader of documents cannot look, and
 * its limit is not the operator's. */
static bool is_cause(const struct memory_limit *l, size_t size, uint64_t *ret_limit)
{
    struct rlimit limit;
    uint64_t bytes = 0, more = size > near_bytes ? size : near_bytes;
    if (getrlimit((__rlimit_resource_t)l->resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return false;
    *ret_limit = limit.rlim_cur;
    return used(l->field, &bytes) && (bytes >= limit.rlim_cur || limit.rlim_cur - bytes <= more);
}

void no_memory_cause(char ret[static NO_MEMORY_CAUSE_SIZE], size_t size)
{
    struct text t = {ret, 0, NO_MEMORY_CAUSE_SIZE};
    uint64_t limit = 0;
    ret[0] = '\0';
    for (size_t i = 0; i < sizeof memory_limits / sizeof *memory_limits; i++) {
        const struct memory_limit *l = &memory_limits[i];
        if (!is_cause(l, size, &limit))
            continue;
        put(&t, t.n ? "; the limit of its " : ": the limit of its ");
        put(&t, l->name);
        put(&t, " is ");
        put_kib(&t, limit);
        put(&t, "; raise it with ");
        put(&t, l->how);
    }
}

static void say(const char *what, const char *cause)
{
    char message[NO_MEMORY_CAUSE_SIZE + 32];
    struct text t = {message, 0, sizeof message};
    put(&t, what);
    put(&t, cause);
    put(&t, "\n");
    ssize_t ignored = write(STDERR_FILENO, message, t.n);
    (void)ignored;
}

/* abort() ends the process when this returns. */
static void on_abort(int signal_number)
{
    char cause[NO_MEMORY_CAUSE_SIZE];
    (void)signal_number;
    no_memory_cause(cause, 0);
    if (cause[0])
        say("stockact: aborted", cause);
}

void no_memory_watch(void)
{
    const struct sigaction once = {.sa_handler = on_abort, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGABRT, &once, NULL);
}

void no_memory(size_t size)
{
    char cause[NO_MEMORY_CAUSE_SIZE];
    no_memory_cause(cause, size);
    say("stockact: out of memory", cause);
    signal(SIGABRT, SIG_DFL); /* it is said */
    abort();
}

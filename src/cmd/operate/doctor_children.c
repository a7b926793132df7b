/* Checks of `stockact doctor` in processes of their own; see doctor.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/disk.h"
#include "cmd/operate/doctor.h"

/* One check says a few lines. */
enum { SAID_MAX = 64 * 1024, CHUNK_SIZE = 4096 };

/* --- in the child */

/* The texts have no NUL: they end with one. */
static void put_text(struct buf *b, const char *p, size_t n)
{
    buf_put(b, p, strnlen(p, n));
    buf_char(b, '\0');
}

void doctor_say(
    struct doctor *d, const char *check, enum out_mood mood, struct str found, struct str fix)
{
    BUF_SCOPED(line, SAID_MAX);
    buf_char(&line, (char)('0' + mood));
    put_text(&line, check, strlen(check));
    put_text(&line, found.p, found.n);
    put_text(&line, fix.n ? fix.p : "", fix.n);
    disk_write(d->results, buf_view(&line)); /* unless its parent is gone */
}

struct str doctor_host(struct doctor *d, const char *host)
{
    bool ipv6 = str_find_char(str_from(host), ':') >= 0;
    return arena_fmt(&d->arena, ipv6 ? "[%s]" : "%s", host);
}

static _Noreturn void run(struct doctor *d, doctor_check_fn *check, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1); /* it ended before */
    arena_init(&d->arena);
    check(d);
    _exit(0);
}

/* --- in the parent */

void doctor_start(struct doctor *d, doctor_check_fn *check, struct doctor_child *ret)
{
    int ends[2];
    *ret = (struct doctor_child){.fd = -1};
    buf_init(&ret->said, SAID_MAX);
    if (pipe2(ends, O_CLOEXEC) < 0)
        return;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        d->results = ends[1];
        run(d, check, parent);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return;
    }
    ret->pid = pid;
    ret->fd = ends[0];
}

/* False: it says no more. */
static bool hear(struct doctor_child *child)
{
    char chunk[CHUNK_SIZE];
    ssize_t n = read(child->fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR)
        return true;
    if (n > 0)
        buf_put(&child->said, chunk, (size_t)n);
    return n > 0 && !child->said.overflow;
}

/* Reads from all until they are silent, or time is up. */
static void hear_all(
    struct doctor_child *children, struct pollfd *polls, size_t count, int time_max_ms)
{
    int64_t deadline = clock_mono_ms() + time_max_ms;
    for (;;) {
        size_t open = 0;
        for (size_t i = 0; i < count; i++) {
            polls[i] = (struct pollfd){.fd = children[i].fd, .events = POLLIN};
            open += children[i].fd >= 0;
        }
        int64_t left = deadline - clock_mono_ms();
        if (!open || left <= 0)
            return;
        if (poll(polls, count, (int)left) <= 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            if (!polls[i].revents || hear(&children[i]))
                continue;
            close(children[i].fd);
            children[i].fd = -1;
        }
    }
}

static const char *end_of(struct doctor_child *child)
{
    int status = 0;
    bool late = child->fd >= 0;
    if (!child->pid)
        return "the check could not be started: the machine has no process or descriptor to spare";
    if (late) {
        close(child->fd);
        kill(child->pid, SIGKILL);
    }
    /* A killed process that waits for a dead file server does not end: do not wait for it. */
    while (waitpid(child->pid, &status, late ? WNOHANG : 0) < 0 && errno == EINTR)
        ;
    if (late)
        return "the check did not end in time";
    return status ? "the check crashed" : NULL;
}

void doctor_wait(
    struct doctor_child *children, size_t count, int time_max_ms, const char **ret_ends)
{
    MEM_FREED struct pollfd *polls = mem_alloc(count * sizeof *polls);
    hear_all(children, polls, count, time_max_ms);
    for (size_t i = 0; i < count; i++)
        ret_ends[i] = end_of(&children[i]);
}

static bool take_text(struct str *said, struct str *ret)
{
    ptrdiff_t end = str_find_char(*said, '\0');
    if (end < 0)
        return false;
    *ret = str_slice(*said, 0, (size_t)end);
    *said = str_slice(*said, (size_t)end + 1, said->n);
    return true;
}

bool doctor_next(struct str *said, struct doctor_finding *ret)
{
    if (!said->n || said->p[0] < '0' + OUT_PLAIN || said->p[0] > '0' + OUT_BAD)
        return false;
    ret->mood = (enum out_mood)(said->p[0] - '0');
    *said = str_slice(*said, 1, said->n);
    return take_text(said, &ret->check) && take_text(said, &ret->found) &&
           take_text(said, &ret->fix);
}

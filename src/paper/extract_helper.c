/*
 * The helper. It takes one request at a time from descriptor 0, runs its children, and replies how
 * they ended. A PDF is examined by a child of its own first; its findings decide what the others
 * read. The helper is single-threaded, so that forking is safe, and allocates everything that its
 * children need before it forks the first. It exits when the client closes the socket.
 */
#include "paper/extract_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    CHILDREN_MAX = 2,
    EXAMINER_SHARE = 4, /* its part of the time and CPU time of a document: one in four */
};

/* What the helper has for its children: the filters, and memory for the examiner's findings. */
struct extract_helper {
    struct extract_filters filters;
    struct pdf_facts *facts; /* shared with the examiner while it runs */
};

struct extract_helper_child {
    pid_t pid;
    int pidfd;
    int status; /* valid once the child has ended */
};

struct children {
    struct extract_helper_child items[CHILDREN_MAX];
    size_t count;
};

/* Makes `in` and `out` descriptors 0 and 1. All other descriptors close on exec. */
static void take_descriptors(int in, int out)
{
    if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
        _exit(1);
    closefrom(STDERR_FILENO + 1);
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        _exit(1);
    if (nowhere != STDERR_FILENO)
        close(nowhere);
}

/* Returns 0 in the child, the pid in the helper, -1 if fork failed. */
static pid_t start_child(struct children *children, int in, int out)
{
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        take_descriptors(in, out);
        return 0;
    }
    if (pid < 0)
        return -1;
    children->items[children->count++] =
        (struct extract_helper_child){.pid = pid, .pidfd = (int)syscall(SYS_pidfd_open, pid, 0)};
    return pid;
}

static int start_reader(
    struct children *children, const struct extract_request *request, int in, int out,
    const struct extract_helper *helper)
{
    pid_t pid = start_child(children, in, out);
    if (pid == 0)
        extract_reader_run(request, helper->facts, &helper->filters.reader);
    return pid < 0 ? errno : 0;
}

/* Starts the external program, the last child in the list. */
static int start_tool(
    struct children *children, const struct extract_request *request, int in, int out,
    const struct extract_helper *helper)
{
    pid_t pid = start_child(children, in, out);
    if (pid == 0)
        extract_tool_run(request, &helper->filters.tool);
    return pid < 0 ? errno : 0;
}

/* Starts the reader and pdftotext, with a pipe between them. */
static int start_pair(
    struct children *children, const struct extract_request *request, int in, int out,
    const struct extract_helper *helper)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    int failed = start_reader(children, request, ends[0], out, helper);
    if (!failed)
        failed = start_tool(children, request, in, ends[1], helper);
    close(ends[0]);
    close(ends[1]);
    return failed;
}

static void end_children(struct children *children)
{
    for (size_t i = 0; i < children->count; i++)
        kill(children->items[i].pid, SIGKILL);
}

/* Waits until all children have ended; kills the remaining ones at the deadline. */
static bool wait_children(struct children *children, int time_max_ms)
{
    int64_t deadline = clock_mono_ms() + time_max_ms;
    bool timed_out = false;
    for (size_t i = 0; i < children->count; i++) {
        struct extract_helper_child *child = &children->items[i];
        struct pollfd wait = {.fd = child->pidfd, .events = POLLIN};
        int64_t left = deadline - clock_mono_ms();
        while (!timed_out && child->pidfd >= 0 && left > 0 && poll(&wait, 1, (int)left) < 0 &&
               errno == EINTR)
            left = deadline - clock_mono_ms();
        if (!timed_out && (child->pidfd < 0 || !(wait.revents & POLLIN))) {
            timed_out = true;
            end_children(children);
        }
        while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
            ;
        if (child->pidfd >= 0)
            close(child->pidfd);
    }
    return timed_out;
}

/* --- the examination of a PDF */

/* Starts the examiner; false: no process. */
static bool start_examiner(
    struct children *children, const struct extract_request *request, int document, int copy,
    const struct extract_helper *helper)
{
    int cpu_max_s = (request->cpu_max_s + EXAMINER_SHARE - 1) / EXAMINER_SHARE;
    pid_t pid = start_child(children, document, copy);
    if (pid == 0)
        extract_examiner_run(helper->facts, cpu_max_s, &helper->filters.reader);
    return pid > 0;
}

/* Examines the document. Returns the descriptor of the repaired copy, or -1: there is none. If the
 * examination fails, nothing is known, and the document is read as it is. */
static int examine(
    const struct extract_request *request, int document, const struct extract_helper *helper)
{
    struct children children = {.count = 0};
    struct stat st;
    *helper->facts = PDF_FACTS_NONE;
    int copy = memfd_create("stockact-copy", MFD_CLOEXEC);
    if (copy < 0)
        return -1;
    bool done = start_examiner(&children, request, document, copy, helper) &&
                !wait_children(&children, request->time_max_ms / EXAMINER_SHARE) &&
                children.items[0].status == 0;
    if (!done)
        *helper->facts = PDF_FACTS_NONE;
    pdf_facts_check(helper->facts);
    if (helper->facts->capitals && fstat(copy, &st) == 0 && st.st_size > 0 &&
        lseek(copy, 0, SEEK_SET) == 0)
        return copy;
    helper->facts->capitals = 0;
    close(copy);
    return -1;
}

static int start_pdf(
    struct children *children, const struct extract_request *request, int in, int out,
    const struct extract_helper *helper)
{
    int copy = examine(request, in, helper);
    int failed = start_pair(children, request, copy < 0 ? in : copy, out, helper);
    if (copy >= 0)
        close(copy);
    return failed;
}

static struct extract_reply serve(
    const struct extract_request *request, const int fds[EXTRACT_DESCRIPTORS],
    const struct extract_helper *helper)
{
    struct children children = {.count = 0};
    struct extract_reply reply = {.failed = 0};
    bool alone = request->job >= EXTRACT_JOB_PICTURE;
    int64_t began = clock_mono_ms();
    if (alone)
        reply.failed = start_tool(&children, request, fds[0], fds[1], helper);
    else if (request->job != EXTRACT_JOB_READING)
        reply.failed = start_pair(&children, request, fds[0], fds[1], helper);
    else if (request->paper == PAPER_PDF)
        reply.failed = start_pdf(&children, request, fds[0], fds[1], helper);
    else
        reply.failed = start_reader(&children, request, fds[0], fds[1], helper);
    if (reply.failed)
        end_children(&children);
    int64_t taken = clock_mono_ms() - began;
    reply.timed_out = wait_children(&children, request->time_max_ms - (int)taken);
    size_t readers = alone ? 0 : 1;
    reply.reader = readers && children.count > 0 ? children.items[0].status : 0;
    reply.tool = children.count > readers ? children.items[readers].status : 0;
    return reply;
}

/* Serves one request with its descriptors; false: the client is gone. */
static bool receive(struct extract_request *request, int fds[EXTRACT_DESCRIPTORS])
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * EXTRACT_DESCRIPTORS)];
    } control = {.space = {0}};
    struct iovec bytes = {request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &bytes,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space,
    };
    ssize_t n;
    while ((n = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    const struct cmsghdr *head = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (n != sizeof *request || !head || head->cmsg_type != SCM_RIGHTS ||
        head->cmsg_len != CMSG_LEN(sizeof(int) * EXTRACT_DESCRIPTORS))
        return false;
    memcpy(fds, CMSG_DATA(head), sizeof(int) * EXTRACT_DESCRIPTORS);
    return true;
}

int extract_main(void)
{
    struct extract_helper helper;
    struct extract_request request;
    int fds[EXTRACT_DESCRIPTORS];
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL); /* ends a tool whose output is too large */
    /* Linux ignores the descriptor of an anonymous mapping. */
    helper.facts =
        mmap(NULL, sizeof *helper.facts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, 0, 0);
    if (helper.facts == MAP_FAILED || !extract_filters_make(&helper.filters))
        return 1;
    while (receive(&request, fds)) {
        struct extract_reply reply = serve(&request, fds, &helper);
        close(fds[0]);
        close(fds[1]);
        if (send(STDIN_FILENO, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply)
            break;
    }
    return 0;
}

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
#include "base/memory_file.h"

enum {
    CHILDREN_MAX = 2,
    MORE_MAX = 2,
    EXAMINER_SHARE = 4, /* its part of the time and CPU time of a document: one in four */
    TEXT_PARTS = 4,     /* of the time for a scanned page; tesseract has all but one */
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

/* What a child gets: descriptors 0 and 1, and those behind standard error. */
struct extract_ends {
    int in, out;
    int more[MORE_MAX];
    size_t more_count;
};

/* Takes the descriptors, and closes all others. They are moved out of the way first, since one may
 * be where another has to go. */
static void take_descriptors(const struct extract_ends *ends)
{
    int moved[MORE_MAX];
    for (size_t i = 0; i < ends->more_count; i++)
        moved[i] = fcntl(ends->more[i], F_DUPFD, STDERR_FILENO + 1 + MORE_MAX);
    if (dup2(ends->in, STDIN_FILENO) < 0 || dup2(ends->out, STDOUT_FILENO) < 0)
        _exit(1);
    for (size_t i = 0; i < ends->more_count; i++)
        if (dup2(moved[i], STDERR_FILENO + 1 + (int)i) < 0)
            _exit(1);
    closefrom(STDERR_FILENO + 1 + (int)ends->more_count);
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        _exit(1);
    if (nowhere != STDERR_FILENO)
        close(nowhere);
}

/* Returns 0 in the child, the pid in the helper, -1 if fork failed. */
static pid_t start_child_with(struct children *children, const struct extract_ends *ends)
{
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        take_descriptors(ends);
        return 0;
    }
    if (pid < 0)
        return -1;
    children->items[children->count++] =
        (struct extract_helper_child){.pid = pid, .pidfd = (int)syscall(SYS_pidfd_open, pid, 0)};
    return pid;
}

static pid_t start_child(struct children *children, int in, int out)
{
    return start_child_with(children, &(struct extract_ends){.in = in, .out = out});
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

/* Waits until the child has ended, and kills it at the deadline, which may be over. true: it was
 * still running then. */
static bool wait_child(struct extract_helper_child *child, int64_t deadline)
{
    struct pollfd wait = {.fd = child->pidfd, .events = POLLIN};
    int64_t left = deadline - clock_mono_ms();
    while (child->pidfd >= 0 && left > 0 && poll(&wait, 1, (int)left) < 0 && errno == EINTR)
        left = deadline - clock_mono_ms();
    bool late = child->pidfd < 0 || !(wait.revents & POLLIN);
    if (late)
        kill(child->pid, SIGKILL);
    while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
        ;
    if (child->pidfd >= 0)
        close(child->pidfd);
    return late;
}

/* Waits until all children have ended; kills the remaining ones at the deadline. */
static bool wait_children(struct children *children, int time_max_ms)
{
    int64_t deadline = clock_mono_ms() + time_max_ms;
    bool timed_out = false;
    for (size_t i = 0; i < children->count; i++)
        timed_out |= wait_child(&children->items[i], timed_out ? 0 : deadline);
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
    int copy = memory_file_create("stockact-copy");
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
    memory_file_close(copy);
    return -1;
}

static int start_pdf(
    struct children *children, const struct extract_request *request, int in, int out,
    const struct extract_helper *helper)
{
    int copy = examine(request, in, helper);
    int failed = start_pair(children, request, copy < 0 ? in : copy, out, helper);
    memory_file_close(copy);
    return failed;
}

/* --- a scanned page */

/* Starts the reader and tesseract, if it is installed: from the one to the other goes the sheet,
 * and back its text. */
static int start_scan(
    struct children *children, const struct extract_request *request, const int fds[2],
    const int sheet[2], const int text[2], const struct extract_helper *helper)
{
    const struct extract_ends reader = {fds[0], fds[1], {sheet[1], text[0]}, 2};
    pid_t pid = start_child_with(children, &reader);
    if (pid == 0)
        extract_scan_run(request, &helper->filters.reader);
    if (pid < 0)
        return errno;
    if (access(EXTRACT_TESSERACT, X_OK) != 0)
        return 0;
    pid = start_child(children, sheet[0], text[1]);
    if (pid == 0)
        extract_scan_tool_run(request, &helper->filters.tool);
    return pid < 0 ? errno : 0;
}

static void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/* If tesseract takes too long, it is killed alone: the reader goes on without its text. */
static struct extract_reply serve_scan(
    const struct extract_request *request, const int fds[EXTRACT_DESCRIPTORS],
    const struct extract_helper *helper)
{
    struct children children = {.count = 0};
    struct extract_reply reply = {.failed = 0};
    int sheet[2], text[2];
    if (pipe2(sheet, O_CLOEXEC) < 0)
        return (struct extract_reply){.failed = errno};
    if (pipe2(text, O_CLOEXEC) < 0) {
        reply.failed = errno;
        close_pipe(sheet);
        return reply;
    }
    int64_t began = clock_mono_ms();
    reply.failed = start_scan(&children, request, fds, sheet, text, helper);
    close_pipe(sheet);
    close_pipe(text);
    if (reply.failed)
        end_children(&children);
    if (children.count > 1) {
        int share = request->time_max_ms / TEXT_PARTS;
        wait_child(&children.items[1], began + request->time_max_ms - share);
        reply.tool = children.items[1].status;
    }
    if (children.count > 0) {
        reply.timed_out = wait_child(&children.items[0], began + request->time_max_ms);
        reply.reader = children.items[0].status;
    }
    return reply;
}

static struct extract_reply serve(
    const struct extract_request *request, const int fds[EXTRACT_DESCRIPTORS],
    const struct extract_helper *helper)
{
    struct children children = {.count = 0};
    struct extract_reply reply = {.failed = 0};
    bool alone = request->job >= EXTRACT_JOB_PICTURE;
    if (request->job == EXTRACT_JOB_SCAN)
        return serve_scan(request, fds, helper);
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
    static struct extract_helper helper; /* its filters last as long as the process */
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

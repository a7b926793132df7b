/* The client of the extraction helper; see extract.h. */
#include "paper/extract.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory_file.h"
#include "paper/extract_parts.h"

/* The helper kills its children at their deadline; this is the time it then has to reply. */
enum { ANSWER_TIME_MAX_MS = 5000, STOP_LOOK_MS = 200 };

struct extractor {
    char *self;
    pid_t pid; /* 0: not running */
    int socket;
    int time_max_ms, cpu_max_s; /* of one document */
    struct extract_scan_limits scan;
    const atomic_bool *stop; /* NULL: never */
};

/* --- lifetime of the helper */

static void stop(struct extractor *x)
{
    if (x->pid == 0)
        return;
    close(x->socket);
    kill(x->pid, SIGKILL);
    while (waitpid(x->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    x->pid = 0;
}

/* A thread of the server blocks all signals, and a child would inherit that. */
static void unblock_signals(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

static enum err start(struct extractor *x, struct fail *fail)
{
    char *const arguments[] = {(char[]){"stockact"}, (char[]){"extract"}, NULL};
    char *const environment[] = {(char[]){"LC_ALL=C.UTF-8"}, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return fail_set(
            fail, ERR_IO, "cannot create a socket for the extraction helper: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    unblock_signals(&attributes);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(&x->pid, x->self, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    x->socket = ends[0];
    if (!failed)
        return OK;
    close(ends[0]);
    x->pid = 0;
    return fail_set(fail, ERR_IO, "cannot start the extraction helper: %s", strerror(failed));
}

enum err extractor_create(const char *self, struct extractor **ret, struct fail *fail)
{
    if (access(EXTRACT_PDFTOTEXT, X_OK) != 0)
        return fail_set(
            fail, ERR_NOT_FOUND, "%s is missing: install poppler-utils", EXTRACT_PDFTOTEXT);
    struct extractor *x = MEM_NEW(struct extractor);
    x->self = mem_strdup(str_from(self));
    x->time_max_ms = EXTRACT_TIME_MAX_MS;
    x->cpu_max_s = EXTRACT_CPU_MAX_S;
    x->scan = (struct extract_scan_limits){EXTRACT_SCAN_WHOLE_MAX_MS, EXTRACT_SCAN_ROWS_MAX};
    enum err err = start(x, fail);
    if (err)
        extractor_destroy(x);
    else
        *ret = x;
    return err;
}

void extractor_destroy(struct extractor *x)
{
    if (!x)
        return;
    stop(x);
    mem_free(x->self);
    mem_free(x);
}

void extractor_shorten(struct extractor *x, int time_max_ms, int cpu_max_s)
{
    assert(time_max_ms > 0 && time_max_ms <= EXTRACT_TIME_MAX_MS);
    assert(cpu_max_s > 0 && cpu_max_s <= EXTRACT_CPU_MAX_S);
    x->time_max_ms = time_max_ms;
    x->cpu_max_s = cpu_max_s;
}

void extractor_shorten_scan(struct extractor *x, int whole_max_ms, size_t rows_max)
{
    assert(whole_max_ms >= 0 && whole_max_ms <= EXTRACT_SCAN_WHOLE_MAX_MS);
    assert(rows_max <= EXTRACT_SCAN_ROWS_MAX);
    x->scan = (struct extract_scan_limits){whole_max_ms, rows_max};
}

struct extract_scan_limits extract_scan_limits_of(const struct extractor *x)
{
    return x->scan;
}

void extractor_stop_when(struct extractor *x, const atomic_bool *stop)
{
    x->stop = stop;
}

static bool is_stopped(const struct extractor *x)
{
    return x->stop && atomic_load(x->stop);
}

/* --- one request */

static bool send_request(
    struct extractor *x, struct extract_request *request, int document, int output)
{
    const int fds[EXTRACT_DESCRIPTORS] = {document, output};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof fds)];
    } control = {.space = {0}};
    struct iovec bytes = {request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &bytes,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space,
    };
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fds);
    memcpy(CMSG_DATA(head), fds, sizeof fds);
    ssize_t n;
    while ((n = sendmsg(x->socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return n == sizeof *request;
}

static bool receive_reply(struct extractor *x, int time_max_ms, struct extract_reply *ret)
{
    struct pollfd wait = {.fd = x->socket, .events = POLLIN};
    int64_t until_ms = clock_mono_ms() + time_max_ms + ANSWER_TIME_MAX_MS;
    int ready = 0;
    while (ready == 0 && !is_stopped(x)) {
        int64_t left_ms = until_ms - clock_mono_ms();
        if (left_ms <= 0)
            break;
        ready = poll(&wait, 1, left_ms < STOP_LOOK_MS ? (int)left_ms : STOP_LOOK_MS);
        if (ready < 0 && errno == EINTR)
            ready = 0;
    }
    return ready == 1 && recv(x->socket, ret, sizeof *ret, 0) == sizeof *ret;
}

/* Text is found on a page as slowly as the page is dense: it has more time, unless it was
 * shortened. */
static void set_limits(const struct extractor *x, struct extract_request *request)
{
    bool scan = request->job == EXTRACT_JOB_SCAN;
    request->time_max_ms =
        scan && x->time_max_ms == EXTRACT_TIME_MAX_MS ? EXTRACT_SCAN_TIME_MAX_MS : x->time_max_ms;
    request->cpu_max_s =
        scan && x->cpu_max_s == EXTRACT_CPU_MAX_S ? EXTRACT_SCAN_CPU_MAX_S : x->cpu_max_s;
}

enum err extract_ask(
    struct extractor *x, struct extract_request *request, int document, int output,
    struct extract_reply *ret, bool *ret_ended, struct fail *fail)
{
    TRY(x->pid || is_stopped(x) ? OK : start(x, fail));
    if (is_stopped(x))
        return fail_set(fail, ERR_UNAVAILABLE, "stockact is shutting down");
    set_limits(x, request);
    *ret_ended =
        !send_request(x, request, document, output) || !receive_reply(x, request->time_max_ms, ret);
    if (*ret_ended)
        stop(x);
    return is_stopped(x) ? fail_set(fail, ERR_UNAVAILABLE, "stockact is shutting down") : OK;
}

/* --- a reading */

static void unreadable(struct reading *ret, struct str reason)
{
    *ret = (struct reading){.kind = READING_UNREADABLE, .reason = reason};
}

/* Returns why there is no reading; NULL: there is one. */
static const char *why_not(const struct extract_reply *reply)
{
    if (reply->timed_out)
        return "reading it exceeds the time limit";
    if (reply->failed)
        return "cannot start a process to read it";
    if (WIFSIGNALED(reply->tool) && WTERMSIG(reply->tool) != SIGPIPE)
        return "pdftotext failed or exceeded its limits of time or memory";
    if (WIFSIGNALED(reply->reader) && WTERMSIG(reply->reader) == SIGXCPU)
        return "reading it exceeds the CPU time limit";
    if (WIFSIGNALED(reply->reader))
        return "the reader failed or exceeded its memory limit";
    return WEXITSTATUS(reply->reader)
               ? "the reader could not be confined or its output was too large"
               : NULL;
}

static void take_reading(int output, struct arena *arena, struct reading *ret)
{
    struct stat st;
    struct fail fail;
    if (fstat(output, &st) < 0 || st.st_size <= 0 || st.st_size > READING_INDEX_SIZE_MAX) {
        unreadable(ret, STR("the reader returned nothing"));
        return;
    }
    size_t size = (size_t)st.st_size;
    MEM_FREED char *json = mem_alloc(size);
    if (pread(output, json, size, 0) != (ssize_t)size)
        unreadable(ret, STR("the reader's output cannot be read"));
    else if (reading_parse(str_of(json, size), arena, ret, &fail))
        unreadable(ret, arena_fmt(arena, "the reader returned an invalid reading: %s", fail.text));
}

static enum err read_in_child(
    struct extractor *x, enum extract_job job, enum paper paper, int document, int output,
    struct arena *arena, struct reading *ret, struct fail *fail)
{
    struct extract_request request = {.job = (int)job, .paper = (int)paper};
    struct extract_reply reply;
    bool ended;
    TRY(extract_ask(x, &request, document, output, &reply, &ended, fail));
    if (ended) {
        unreadable(ret, STR("the extraction helper ended while reading it"));
        return OK;
    }
    const char *why = why_not(&reply);
    if (why)
        unreadable(ret, str_from(why));
    else
        take_reading(output, arena, ret);
    return OK;
}

static enum err extract_by(
    struct extractor *x, enum extract_job job, int fd, struct arena *arena, struct reading *ret,
    struct fail *fail)
{
    char head[PAPER_SNIFF_SIZE];
    struct stat st;
    ssize_t n = pread(fd, head, sizeof head, 0);
    if (n < 0 || fstat(fd, &st) < 0 || lseek(fd, 0, SEEK_SET) < 0)
        return fail_set(fail, ERR_IO, "the file cannot be read: %s", strerror(errno));
    if (st.st_size > EXTRACT_FILE_SIZE_MAX) {
        unreadable(ret, STR("the file is larger than 256 MiB"));
        return OK;
    }
    FD_CLOSED int output = memory_file_create("stockact-reading");
    if (output < 0)
        return fail_set(
            fail, ERR_IO, "cannot create a memory file for the reading: %s", strerror(errno));
    enum paper paper = paper_sniff(str_of(head, (size_t)n));
    enum err err = OK;
    if (job == EXTRACT_JOB_PLAIN && paper != PAPER_PDF)
        *ret = (struct reading){.kind = READING_REFUSED, .reason = STR("it is not a PDF")};
    else
        err = read_in_child(x, job, paper, fd, output, arena, ret, fail);
    return err;
}

enum err extract(
    struct extractor *x, int fd, struct arena *arena, struct reading *ret, struct fail *fail)
{
    return extract_by(x, EXTRACT_JOB_READING, fd, arena, ret, fail);
}

enum err extract_plain(
    struct extractor *x, int fd, struct arena *arena, struct reading *ret, struct fail *fail)
{
    return extract_by(x, EXTRACT_JOB_PLAIN, fd, arena, ret, fail);
}

/* --- a picture */

/* Texts for the error messages of a program. */
struct work {
    enum extract_job job;
    const char *act, *program, *result, *unreadable;
    size_t size_max; /* of the result */
};

static enum err check_work(
    const struct work *w, const struct extract_reply *reply, int page, struct fail *fail)
{
    if (reply->timed_out)
        return fail_set(fail, ERR_LIMIT, "%s exceeds the time limit", w->act);
    if (reply->failed)
        return fail_set(fail, ERR_IO, "cannot start a process for %s", w->act);
    if (reply->reader) /* of the places: it ends with 0 whatever it reads */
        return fail_set(fail, ERR_LIMIT, "%s exceeds its limits of time or memory", w->act);
    if (WIFSIGNALED(reply->tool) && WTERMSIG(reply->tool) == SIGXFSZ)
        return fail_set(fail, ERR_LIMIT, "%s is larger than %zu MiB", w->result, w->size_max >> 20);
    if (WIFSIGNALED(reply->tool))
        return fail_set(
            fail, ERR_LIMIT, "%s exceeds its limits of time or memory, or %s failed", w->act,
            w->program);
    switch (WEXITSTATUS(reply->tool)) {
    case 0:
        return OK;
    case EXTRACT_EXIT_NO_PAGE:
        return fail_set(fail, ERR_NOT_FOUND, "the document has no page %d", page);
    case EXTRACT_EXIT_NOT_CONFINED:
        return fail_set(fail, ERR_IO, "cannot confine or start %s", w->program);
    default:
        return fail_set(fail, ERR_INVALID, "%s", w->unreadable);
    }
}

static enum err take_result(const struct work *w, int output, struct buf *to, struct fail *fail)
{
    struct stat st;
    if (fstat(output, &st) < 0 || st.st_size > (off_t)w->size_max)
        return fail_set(fail, ERR_IO, "%s cannot be read", w->result);
    size_t size = (size_t)st.st_size;
    char *room = buf_reserve(to, size);
    if (!room || pread(output, room, size, 0) != (ssize_t)size)
        return fail_set(fail, ERR_IO, "%s cannot be read", w->result);
    buf_commit(to, size);
    return OK;
}

static enum err run_work(
    struct extractor *x, const struct work *w, int fd, const struct extract_part *part,
    struct buf *to, struct fail *fail)
{
    struct extract_request request = {
        .job = (int)w->job,
        .paper = PAPER_PDF,
        .page = part->page,
        .dpi = part->dpi,
        .side = part->side,
        .top = part->top,
        .height = part->height,
    };
    struct extract_reply reply;
    bool ended = false;
    if (lseek(fd, 0, SEEK_SET) < 0)
        return fail_set(fail, ERR_IO, "the document cannot be read: %s", strerror(errno));
    FD_CLOSED int output = memory_file_create("stockact-result");
    if (output < 0)
        return fail_set(
            fail, ERR_IO, "cannot create a memory file for %s: %s", w->result, strerror(errno));
    TRY(extract_ask(x, &request, fd, output, &reply, &ended, fail));
    if (ended)
        return fail_set(fail, ERR_IO, "the extraction helper ended while %s", w->act);
    TRY(check_work(w, &reply, part->page, fail));
    return take_result(w, output, to, fail);
}

/* pdftoppm also exits with 0 if it could not draw the page. If a page needs too much memory, it
 * writes a picture of one dot. */
static enum err check_picture(struct str picture, struct fail *fail)
{
    static const struct str signature = STR_INIT("\x89PNG\r\n\x1a\n"),
                            dot = STR_INIT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1");
    if (!str_starts(picture, signature))
        return fail_set(fail, ERR_INVALID, "the page cannot be drawn");
    return str_starts(picture, dot) ? fail_set(fail, ERR_LIMIT, "the page is too large to draw")
                                    : OK;
}

enum err extract_picture(struct extractor *x, int fd, int page, struct buf *ret, struct fail *fail)
{
    static const struct work drawing = {
        .job = EXTRACT_JOB_PICTURE,
        .act = "drawing the page",
        .program = "pdftoppm",
        .result = "the picture of the page",
        .unreadable = "the document cannot be read as a PDF",
        .size_max = EXTRACT_PICTURE_SIZE_MAX,
    };
    assert(page >= 1 && page <= EXTRACT_PAGE_MAX);
    assert(ret->n == 0);
    const struct extract_part whole = {.page = page};
    enum err err = run_work(x, &drawing, fd, &whole, ret, fail);
    if (!err)
        err = check_picture(buf_view(ret), fail);
    if (err)
        buf_reset(ret);
    return err;
}

enum err extract_gray(
    struct extractor *x, int fd, const struct extract_part *part, struct buf *ret,
    struct fail *fail)
{
    static const struct work drawing = {
        .job = EXTRACT_JOB_GRAY,
        .act = "drawing the page",
        .program = "pdftoppm",
        .result = "the picture of the page",
        .unreadable = "the document cannot be read as a PDF",
        .size_max = EXTRACT_PICTURE_SIZE_MAX,
    };
    assert(part->page >= 1 && part->page <= EXTRACT_PAGE_MAX);
    assert(part->dpi > 0 ? part->dpi <= EXTRACT_DPI_MAX : part->side > 0);
    assert(part->top >= 0 && part->top <= EXTRACT_DOTS_MAX);
    assert(part->height >= 0 && part->height <= EXTRACT_DOTS_MAX);
    assert(ret->n == 0);
    return run_work(x, &drawing, fd, part, ret, fail);
}

/* --- the places of rows */

static bool is_place(const struct house_place *place, int after_row)
{
    return place->row > after_row && place->row <= READING_ROWS_MAX && place->page >= 1 &&
           place->page <= EXTRACT_PAGE_MAX && place->top >= 0 && place->bottom > place->top &&
           place->bottom <= EXTRACT_POINTS_MAX;
}

static enum err take_places(
    struct str bytes, struct arena *arena, struct house_place **ret, size_t *ret_count,
    struct fail *fail)
{
    size_t count = bytes.n / sizeof **ret;
    if (!count || bytes.n % sizeof **ret)
        return fail_set(fail, ERR_INVALID, "the document is not a House report");
    struct house_place *places = ARENA_ARRAY(arena, struct house_place, count);
    memcpy(places, bytes.p, bytes.n);
    for (size_t i = 0; i < count; i++)
        if (!is_place(&places[i], i ? places[i - 1].row : 0))
            return fail_set(fail, ERR_INVALID, "the places of the rows are not valid");
    *ret = places;
    *ret_count = count;
    return OK;
}

enum err extract_places(
    struct extractor *x, int fd, struct arena *arena, struct house_place **ret, size_t *ret_count,
    struct fail *fail)
{
    static const struct work finding = {
        .job = EXTRACT_JOB_PLACES,
        .act = "finding the rows",
        .program = "pdftotext",
        .result = "the list of rows",
        .unreadable = "the document cannot be read as a PDF",
        .size_max = READING_ROWS_MAX * sizeof **ret,
    };
    static const struct extract_part whole;
    BUF_SCOPED(bytes, finding.size_max);
    TRY(run_work(x, &finding, fd, &whole, &bytes, fail));
    return take_places(buf_view(&bytes), arena, ret, ret_count, fail);
}

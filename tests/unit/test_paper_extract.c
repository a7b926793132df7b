/*
 * Limits of a child that reads a document. This program is its own extraction helper: it starts
 * itself, and hostile_child.c's senate_page_read replaces the reader in the confined child. After
 * every attack the next document is read.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile_child.h"
#include "paper/extract_parts.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

enum { LONG_MS = EXTRACT_TIME_MAX_MS, SHORT_MS = 300, SHORT_CPU_S = 1, GIGABYTE = 1 << 30 };

/* --- documents */

struct run {
    struct arena arena;
    struct extractor *extractor;
    struct fail fail;
};

static int setup(void **state)
{
    struct run *r = MEM_NEW(struct run);
    arena_init(&r->arena);
    if (extractor_create("/proc/self/exe", &r->extractor, &r->fail))
        fail_msg("%s", r->fail.text);
    extractor_shorten(r->extractor, LONG_MS, SHORT_CPU_S);
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    struct run *r = *state;
    extractor_destroy(r->extractor);
    arena_finish(&r->arena);
    mem_free(r);
    return 0;
}

static struct reading read_bytes(struct run *r, struct str bytes)
{
    struct reading reading;
    int fd = memfd_create("document", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK), 0);
    if (extract(r->extractor, fd, &r->arena, &reading, &r->fail))
        fail_msg("%s", r->fail.text);
    close(fd);
    return reading;
}

static struct reading ask(struct run *r, const char *act)
{
    return read_bytes(r, arena_fmt(&r->arena, "<html>%s", act));
}

static void assert_goes_on(struct run *r)
{
    struct reading next = ask(r, "nothing-special");
    assert_int_equal(next.kind, READING_REFUSED);
    assert_str(next.reason, "read");
}

static void assert_answers(struct run *r, const char *act, const char *answer)
{
    struct reading reading = ask(r, act);
    assert_str(reading.reason, answer);
    assert_int_equal(reading.kind, READING_REFUSED);
    assert_goes_on(r);
}

static void assert_ended(struct run *r, const char *act)
{
    struct reading reading = ask(r, act);
    if (reading.kind != READING_UNREADABLE || reading.reason.n == 0)
        fail_msg("%s: kind %d: %.*s", act, (int)reading.kind, STR_ARG(reading.reason));
    assert_goes_on(r);
}

static void make_canary(void)
{
    snprintf(hostile_canary, sizeof hostile_canary, "/tmp/stockact-canary.XXXXXX");
    int fd = mkstemp(hostile_canary);
    assert_true(fd >= 0 && write(fd, "alive", 5) == 5);
    close(fd);
}

static void assert_canary_untouched(void)
{
    char text[16];
    int fd = open(hostile_canary, O_RDONLY);
    assert_true(fd >= 0 && read(fd, text, sizeof text) == 5 && memcmp(text, "alive", 5) == 0);
    close(fd);
    unlink(hostile_canary);
}

/* --- the reader */

static void reader_cannot_reach_anything_outside(void **state)
{
    char act[96];
    make_canary();
    snprintf(act, sizeof act, "calls %s", hostile_canary);
    assert_answers(*state, act, "all refused");
    assert_canary_untouched();
}

static void reader_has_only_its_document_open(void **state)
{
    assert_answers(*state, "descriptors", "only its own");
}

static void reader_in_an_endless_loop_is_killed(void **state)
{
    assert_ended(*state, "loop");
}

static void reader_that_hangs_is_killed(void **state)
{
    struct run *r = *state;
    extractor_shorten(r->extractor, SHORT_MS, SHORT_CPU_S);
    struct reading reading = ask(r, "hang");
    assert_int_equal(reading.kind, READING_UNREADABLE);
    assert_str(reading.reason, "reading it exceeds the time limit");
    extractor_shorten(r->extractor, LONG_MS, SHORT_CPU_S);
    assert_goes_on(r);
}

static void reader_over_the_memory_limit_is_killed(void **state)
{
    if (INSTRUMENTED) {
        print_message("# readers built with a sanitizer are bounded by time alone\n");
        skip();
    }
    assert_answers(*state, "memory", "no memory");
    assert_ended(*state, "all-memory");
}

static void reader_over_the_output_limit_is_killed(void **state)
{
    assert_ended(*state, "output");
}

static void invalid_reading_is_rejected(void **state)
{
    assert_ended(*state, "nonsense");
    assert_ended(*state, "nothing");
}

static void crash_of_a_reader_leaves_the_helper_running(void **state)
{
    assert_ended(*state, "abort");
    assert_ended(*state, "null");
    assert_ended(*state, "stack");
}

/* --- the tool */

/* The fault that `attempt` finds (NULL: none) in a child confined like the job's tool, with this
 * filter of system calls. */
static void in_child(
    enum extract_job job, const struct sock_fprog *filter, const char *(*attempt)(void))
{
    char said[128];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        extract_tool_confine(job, SHORT_CPU_S, filter);
        const char *wrong = attempt();
        _exit(wrong && write(ends[1], wrong, strlen(wrong)) > 0);
    }
    int status = 0;
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    close(ends[1]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        ssize_t n = read(ends[0], said, sizeof said);
        fail_msg("status %x: %.*s", (unsigned)status, (int)(n > 0 ? n : 0), said);
    }
    close(ends[0]);
}

static void in_tool_child(enum extract_job job, const char *(*attempt)(void))
{
    struct extract_filters filters;
    assert_true(extract_filters_make(&filters));
    in_child(job, &filters.tool, attempt);
    mem_free(filters.reader.filter);
    mem_free(filters.tool.filter);
}

static void tool_cannot_reach_anything_outside(void **state)
{
    make_canary();
    in_tool_child(EXTRACT_JOB_READING, hostile_tool_call);
    in_tool_child(EXTRACT_JOB_PICTURE, hostile_tool_call);
    in_tool_child(EXTRACT_JOB_SCAN, hostile_tool_call);
    assert_canary_untouched();
}

static const char *try_files(void)
{
    const char *const outside[] = {hostile_canary, "/etc/passwd", "/proc/self/environ",
                                   "/dev/null",    "/",           "/usr/bin/env"};
    char *const arguments[] = {(char[]){"sh"}, NULL};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        if (open(outside[i], O_RDONLY) != -1)
            return outside[i];
    execve("/bin/sh", arguments, NULL);
    if (errno != EACCES)
        return "sh";
    return NULL;
}

static const char *try_files_as_pdftotext(void)
{
    if (open(EXTRACT_PDFTOPPM, O_RDONLY) != -1)
        return "pdftoppm";
    return open(EXTRACT_PDFTOTEXT, O_RDONLY) < 0 ? "pdftotext itself" : try_files();
}

static const char *try_files_as_tesseract(void)
{
    return open(EXTRACT_PDFTOPPM, O_RDONLY) != -1 ? "pdftoppm" : try_files();
}

static const char *try_files_as_pdftoppm(void)
{
    if (open(EXTRACT_PDFTOTEXT, O_RDONLY) != -1)
        return "pdftotext";
    return open(EXTRACT_PDFTOPPM, O_RDONLY) < 0 ? "pdftoppm itself" : try_files();
}

static void tool_reads_only_its_own_files(void **state)
{
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 1) {
        print_message("# this kernel has no Landlock\n");
        skip();
    }
    make_canary();
    in_tool_child(EXTRACT_JOB_READING, try_files_as_pdftotext);
    in_tool_child(EXTRACT_JOB_PICTURE, try_files_as_pdftoppm);
    in_tool_child(EXTRACT_JOB_SCAN, try_files_as_tesseract);
    assert_canary_untouched();
}

/* --- Landlock alone: the filter of system calls lets everything pass */

static int landlock_version;

/* Connects or binds to a TCP port; true if Landlock denied it. */
static bool tcp_is_denied(int (*call)(int, const struct sockaddr *, socklen_t))
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    bool denied = call(fd, (const struct sockaddr *)&to, sizeof to) == -1 && errno == EACCES;
    close(fd);
    return denied;
}

static int connect_to(int fd, const struct sockaddr *to, socklen_t size)
{
    return connect(fd, to, size);
}

static int bind_to(int fd, const struct sockaddr *to, socklen_t size)
{
    return bind(fd, to, size);
}

static const char *try_without_filter(void)
{
    if (open("/etc/passwd", O_RDONLY) != -1 || open(hostile_canary, O_WRONLY) != -1)
        return "a file";
    if (unlink(hostile_canary) == 0)
        return "unlink";
    if (landlock_version >= 3 && (truncate(hostile_canary, 0) == 0 || errno != EACCES))
        return "truncate";
    if (landlock_version >= 4 && !tcp_is_denied(connect_to))
        return "connect";
    if (landlock_version >= 4 && !tcp_is_denied(bind_to))
        return "bind";
    if (landlock_version >= 6 && (kill(getppid(), SIGCONT) == 0 || errno != EPERM))
        return "a signal to the parent";
    return NULL;
}

static void compromised_tool_is_held_by_landlock_alone(void **state)
{
    struct sock_filter pass = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog filter = {.len = 1, .filter = &pass};
    landlock_version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (landlock_version < 1) {
        print_message("# this kernel has no Landlock\n");
        skip();
    }
    if (landlock_version < 6)
        print_message("# Landlock %d: truncation needs 3, TCP 4, signals 6\n", landlock_version);
    make_canary();
    in_child(EXTRACT_JOB_READING, &filter, try_without_filter);
    assert_canary_untouched();
}

static const char *try_memory(void)
{
    const int how = MAP_PRIVATE | MAP_ANONYMOUS;
    void *p = mmap(NULL, GIGABYTE, PROT_READ | PROT_WRITE, how, -1, 0);
    return p == MAP_FAILED && errno == ENOMEM ? NULL : "a gigabyte was had";
}

static void tool_memory_is_limited_in_every_build(void **state)
{
    in_tool_child(EXTRACT_JOB_READING, try_memory);
    in_tool_child(EXTRACT_JOB_PICTURE, try_memory);
    in_tool_child(EXTRACT_JOB_SCAN, try_memory);
}

/* --- the helper */

static pid_t only_child(void)
{
    char path[64], text[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);
    int64_t pid = 0;
    close(fd);
    assert_true(n > 0 && str_to_i64(str_trim(str_of(text, (size_t)n)), &pid));
    return (pid_t)pid;
}

static void killed_helper_is_restarted(void **state)
{
    assert_goes_on(*state);
    assert_int_equal(kill(only_child(), SIGKILL), 0);
    struct reading reading = ask(*state, "whatever");
    assert_int_equal(reading.kind, READING_UNREADABLE);
    assert_str(reading.reason, "the extraction helper ended while reading it");
    assert_goes_on(*state);
}

static void file_over_the_size_limit_is_not_read(void **state)
{
    struct run *r = *state;
    struct reading reading;
    int fd = memfd_create("document", MFD_CLOEXEC);
    assert_int_equal(ftruncate(fd, (off_t)EXTRACT_FILE_SIZE_MAX + 1), 0);
    assert_int_equal(extract(r->extractor, fd, &r->arena, &reading, &r->fail), OK);
    assert_int_equal(reading.kind, READING_UNREADABLE);
    assert_str(reading.reason, "the file is larger than 256 MiB");
    close(fd);
}

static void missing_program_is_an_error_of_the_machine(void **state)
{
    struct extractor *x = NULL;
    struct fail fail;
    assert_int_equal(extractor_create("/nowhere", &x, &fail), ERR_IO);
    assert_null(x);
    extractor_destroy(x);
}

#define EXTRACT_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "extract") == 0)
        return extract_main();
    const struct CMUnitTest tests[] = {
        EXTRACT_TEST(reader_cannot_reach_anything_outside),
        EXTRACT_TEST(reader_has_only_its_document_open),
        EXTRACT_TEST(reader_in_an_endless_loop_is_killed),
        EXTRACT_TEST(reader_that_hangs_is_killed),
        EXTRACT_TEST(reader_over_the_memory_limit_is_killed),
        EXTRACT_TEST(reader_over_the_output_limit_is_killed),
        EXTRACT_TEST(invalid_reading_is_rejected),
        EXTRACT_TEST(crash_of_a_reader_leaves_the_helper_running),
        EXTRACT_TEST(tool_cannot_reach_anything_outside),
        EXTRACT_TEST(tool_reads_only_its_own_files),
        EXTRACT_TEST(compromised_tool_is_held_by_landlock_alone),
        EXTRACT_TEST(tool_memory_is_limited_in_every_build),
        EXTRACT_TEST(killed_helper_is_restarted),
        EXTRACT_TEST(file_over_the_size_limit_is_not_read),
        cmocka_unit_test(missing_program_is_an_error_of_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

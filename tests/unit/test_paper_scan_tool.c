/*
 * A page of a scan when tesseract hangs, crashes or writes anything: its marks are read all the
 * same, within the limits of time. This program is its own extraction helper, and in a mount
 * namespace of its own also tesseract: a copy whose last bytes name the act. Skips where there are
 * no such namespaces, and under sanitizers, whose memory no tool may have.
 */
#include "base/disk.h"
#include "unit.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
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

enum {
    SHORT_MS = 16000, /* of which tesseract has three quarters */
    SHORT_CPU_S = 1,
    ACT_SIZE = 8, /* of the last bytes of the copy */
    PROGRAM_SIZE_MAX = 64 * 1024 * 1024,
    CHUNK = 64 * 1024,
    WIDTH = 2200,
    HEIGHT = 1700,
    LEFT = 120,
    TOP = 500,
    HEAD = 280,
    LINE = 76,
    LINES = 6,
    THICK = 3,
    COLUMNS = 17,
};

/* --- what tesseract does instead */

static void say(const char *text)
{
    size_t n = strlen(text);
    if (write(STDOUT_FILENO, text, n) != (ssize_t)n)
        _exit(1);
}

static void read_all(void)
{
    static char chunk[CHUNK];
    while (read(STDIN_FILENO, chunk, sizeof chunk) > 0)
        ;
}

static void hang(void)
{
    for (;;)
        poll(NULL, 0, -1);
}

static void spin(void)
{
    for (volatile int i = 0;; i++)
        ;
}

static void crash(void)
{
    read_all();
    __builtin_trap();
}

static void crash_early(void)
{
    __builtin_trap();
}

static void say_nothing(void)
{
    read_all();
}

/* Words of the table's shape at places and of sizes that no sheet has. */
static void say_anything(void)
{
    read_all();
    say("level\tpage_num\n5\t1\t1\t1\t1\t1\t-9\t-9\t2147483647\t9\t96\tEvil\n");
    say("5\t1\t1\t1\t1\t1\t99999999999999999999\t30\t50\t20\t96\tEvil\n");
    say("5\t1\t1\t1\t1\t1\t30\t30\t50\t20\t9e99\tEvil\n5\t5\t5\n\t\t\t\t\t\t\t\t\t\t\t\t\n");
    say("5\t1\t1\t1\t1\t1\t30\t30\t50\t20\t96\t\x1b[2J\xff\xfe\n");
}

static void say_megabytes(void)
{
    read_all();
    for (;;)
        say("5\t1\t1\t1\t1\t1\t99999\t99999\t1\t1\t96\tEvil\n");
}

/* Before the page is taken, so that both sides wait. */
static void say_megabytes_early(void)
{
    for (;;)
        say("5\t1\t1\t1\t1\t1\t99999\t99999\t1\t1\t96\tEvil\n");
}

static void eat_memory(void)
{
    for (size_t size = 0; size < (size_t)EXTRACT_MEMORY_MAX; size += PROGRAM_SIZE_MAX) {
        char *some = mmap(
            NULL, PROGRAM_SIZE_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (some == MAP_FAILED)
            _exit(1);
        memset(some, 1, PROGRAM_SIZE_MAX);
    }
    hang();
}

static const struct act {
    const char *name;
    void (*fn)(void);
    bool fails; /* and the page says so */
} acts[] = {
    {"hang", hang, true},
    {"spin", spin, true},
    {"crash", crash, true},
    {"early", crash_early, true},
    {"nothing", say_nothing, false},
    {"garbage", say_anything, false},
    {"flood", say_megabytes, true},
    {"jam", say_megabytes_early, true},
    {"memory", eat_memory, true},
};

/* The act named by the last bytes of the program. */
static int act_as_tesseract(void)
{
    char name[ACT_SIZE] = "";
    int fd = open(EXTRACT_TESSERACT, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || lseek(fd, -ACT_SIZE, SEEK_END) < 0 || read(fd, name, ACT_SIZE) != ACT_SIZE)
        return 1;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strncmp(acts[i].name, name, ACT_SIZE) == 0)
            acts[i].fn();
    return 0;
}

/* --- a page with two rows */

static void fill(uint8_t *dots, int left, int top, int width, int height)
{
    for (int y = top; y < top + height; y++)
        memset(dots + (size_t)y * WIDTH + (size_t)left, 0, (size_t)width);
}

static void cross(uint8_t *dots, int left, int top, int side)
{
    for (int i = 0; i < side; i++) {
        fill(dots, left + i, top + i, THICK, THICK);
        fill(dots, left + side - i, top + i, THICK, THICK);
    }
}

static void letters(uint8_t *dots, int left, int top, int width)
{
    for (int x = left; x < left + width; x += 12) {
        fill(dots, x, top, THICK, 18);
        fill(dots, x, top + 8, 9, THICK);
    }
}

/* The ruled form as a graymap in memory: purchases of the lowest amount on the first two lines. */
static int ruled_page(void)
{
    static const int widths[COLUMNS] = {105, 575, 53, 53, 53, 137, 138, 75, 75,
                                        74,  74,  74, 74, 74, 74,  74,  74};
    static const char head[] = "P5\n2200 1700\n255\n";
    static uint8_t dots[WIDTH * HEIGHT];
    int at[COLUMNS + 1] = {LEFT}, bottom = TOP + HEAD + LINES * LINE;
    memset(dots, 255, sizeof dots);
    for (int i = 0; i < COLUMNS; i++)
        at[i + 1] = at[i] + widths[i];
    for (int i = 0; i <= COLUMNS; i++)
        fill(dots, at[i], TOP, THICK, bottom - TOP);
    fill(dots, LEFT, TOP, at[COLUMNS] - LEFT, THICK);
    for (int i = 0; i <= LINES; i++)
        fill(dots, LEFT, TOP + HEAD + i * LINE, at[COLUMNS] - LEFT, THICK);
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < 4; k++)
            letters(dots, at[i] + 14, TOP + 60 + 40 * k, widths[i] - 24);
    for (int row = 0; row < 2; row++) {
        int top = TOP + HEAD + row * LINE + 25;
        letters(dots, at[1] + 10, top, 300);
        letters(dots, at[5] + 10, top, 100);
        cross(dots, at[2] + 12, top, 30);
        cross(dots, at[7] + 22, top, 30);
    }
    int fd = memfd_create("page", MFD_CLOEXEC);
    assert_true(write(fd, head, sizeof head - 1) == (ssize_t)sizeof head - 1);
    assert_true(write(fd, dots, sizeof dots) == (ssize_t)sizeof dots);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* --- the page is read */

/* Puts the file in tesseract's place, in this process and those it starts. */
static bool be_tesseract(const char *path)
{
    return mount(path, EXTRACT_TESSERACT, NULL, MS_BIND, NULL) == 0;
}

static void copy_of_self(const char *path, const char *act)
{
    struct buf b;
    char name[ACT_SIZE] = "";
    int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    buf_init(&b, PROGRAM_SIZE_MAX);
    assert_true(self >= 0 && extract_read(self, &b));
    close(self);
    snprintf(name, sizeof name, "%s", act);
    buf_str(&b, str_of(name, ACT_SIZE));
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
    assert_true(to >= 0 && fchmod(to, 0755) == 0 && disk_write(to, buf_view(&b)));
    close(to);
    buf_finish(&b);
}

static void read_page(const struct act *act)
{
    struct extractor *x = NULL;
    struct extract_request request = {.job = EXTRACT_JOB_SCAN, .page = 1};
    struct extract_reply reply;
    struct reading reading;
    struct arena arena;
    struct buf b;
    struct fail fail;
    bool ended = true;
    int page = ruled_page(), output = memfd_create("reading", MFD_CLOEXEC);
    arena_init(&arena);
    buf_init(&b, READING_SIZE_MAX);
    if (extractor_create("/proc/self/exe", &x, &fail))
        fail_msg("%s", fail.text);
    extractor_shorten(x, SHORT_MS, SHORT_CPU_S);
    int64_t began = clock_mono_ms();
    assert_int_equal(extract_ask(x, &request, page, output, &reply, &ended, &fail), OK);
    print_message("%s: %lld ms\n", act->name, (long long)(clock_mono_ms() - began));
    assert_false(ended);
    assert_int_equal(reply.timed_out, 0);
    assert_int_equal(reply.reader, 0);
    assert_int_equal(reply.tool != 0, act->fails);
    assert_int_equal(lseek(output, 0, SEEK_SET), 0);
    assert_true(extract_read(output, &b));
    assert_int_equal(reading_parse(buf_view(&b), &arena, &reading, &fail), OK);
    assert_int_equal(reading.row_count, 2);
    for (size_t i = 0; i < reading.row_count; i++) {
        const struct reading_row *row = &reading.rows[i];
        assert_str(row->cell[CELL_TYPE], "P");
        assert_str(row->cell[CELL_AMOUNT], "$1,001 - $15,000");
        assert_true(str_is_null(row->cell[CELL_ASSET]) && str_is_null(row->cell[CELL_DATE]));
        assert_int_equal(row->source[CELL_ASSET].how, CELL_NOT_READ);
        assert_true(row->source[CELL_ASSET].reason.n > 0);
    }
    extractor_destroy(x);
    buf_finish(&b);
    arena_finish(&arena);
    close(page);
    close(output);
}

static void marks_are_read_whatever_tesseract_does(void **state)
{
    char path[] = "/tmp/stockact-tesseract.XXXXXX";
    if (INSTRUMENTED || access(EXTRACT_TESSERACT, X_OK) != 0 ||
        unshare(geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) < 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
        print_message("skipped: no tesseract that another program could replace\n");
        skip();
    }
    close(mkstemp(path));
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        copy_of_self(path, acts[i].name);
        assert_true(be_tesseract(path));
        read_page(&acts[i]);
        assert_int_equal(umount2(EXTRACT_TESSERACT, MNT_DETACH), 0);
        unlink(path);
    }
}

int main(int argc, char **argv)
{
    if (argc > 0 && strcmp(argv[0], "tesseract") == 0)
        return act_as_tesseract();
    if (argc == 2 && strcmp(argv[1], "extract") == 0)
        return extract_main();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_read_whatever_tesseract_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

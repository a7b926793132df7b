#include "unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"

enum { THREADS = 4, LINES = 2000 };

/* Redirects standard error to a file while fn runs; returns the file's content. */
static struct str captured(void (*fn)(void))
{
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    assert_non_null(file);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    fn();
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    off_t size = lseek(fileno(file), 0, SEEK_END);
    char *text = mem_alloc((size_t)size + 1);
    assert_int_equal(pread(fileno(file), text, (size_t)size, 0), size);
    fclose(file);
    return str_of(text, (size_t)size);
}

static void *filler(void *ctx)
{
    const int *number = ctx;
    for (int i = 0; i < LINES; i++) {
        char line[64];
        int n = snprintf(line, sizeof line, "thread=%d line=%d\n", *number, i);
        log_lane_put(str_of(line, (size_t)n));
    }
    return NULL;
}

static void fill_from_threads(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    log_start(LOG_LOGFMT);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, filler, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    log_line(LOG_INFO, "last");
    log_stop();
}

static void lines_of_each_thread_are_complete_and_in_order(void **state)
{
    struct str text = captured(fill_from_threads), rest = text, line;
    int next[THREADS] = {0};
    bool last = false;
    while (str_split(&rest, '\n', &line)) {
        int thread, number;
        char copy[128];
        if (line.n == 0)
            continue;
        if (str_find(line, STR("event=last")) >= 0) {
            last = true;
            continue;
        }
        assert_true(line.n < sizeof copy);
        memcpy(copy, line.p, line.n);
        copy[line.n] = '\0';
        thread = copy[strlen("thread=")] - '0';
        assert_in_range(thread, 0, THREADS - 1);
        int64_t value;
        assert_true(str_to_i64(str_slice(line, strlen("thread=0 line="), line.n), &value));
        number = (int)value;
        assert_int_equal(number, next[thread]);
        next[thread]++;
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(next[i], LINES);
    assert_true(last);
    assert_int_equal(log_dropped(), 0);
    mem_free((void *)(uintptr_t)text.p);
}

static void put_without_a_log(void)
{
    log_lane_put(STR("direct=1\n"));
}

static void line_is_written_at_once_without_log_thread(void **state)
{
    struct str text = captured(put_without_a_log);
    assert_str(text, "direct=1\n");
    mem_free((void *)(uintptr_t)text.p);
}

/* A full pipe. Its ends stay open: the log thread blocks on it until the process ends. */
static int full_pipe(void)
{
    int ends[2];
    char bytes[4096] = {0};
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    while (write(ends[1], bytes, sizeof bytes) > 0) {
    }
    assert_int_equal(fcntl(ends[1], F_SETFL, 0), 0);
    return ends[1];
}

static void stopped_log_reader_does_not_block_exit(void **state)
{
    char line[1024];
    int saved = dup(STDERR_FILENO);
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\n';
    assert_true(dup2(full_pipe(), STDERR_FILENO) >= 0);
    log_start(LOG_LOGFMT);
    log_line(LOG_INFO, "nobody reads this");
    for (int i = 0; i < 3000; i++)
        log_lane_put(str_of(line, sizeof line));
    uint64_t dropped = log_dropped();
    log_stop_within(10);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
    assert_in_range(dropped, 1900, 3000); /* a lane has 1 MiB */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_is_written_at_once_without_log_thread),
        cmocka_unit_test(lines_of_each_thread_are_complete_and_in_order),
        cmocka_unit_test(stopped_log_reader_does_not_block_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The wall clock, which tests can set, and the monotonic clock; see clock.h. */
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/instant.h"

enum { CLOCK_FILE_REREAD_MS = 25 };

/* The clock that the process uses: the state of this file, set before threads start. */
static struct clock_file {
    const char *path; /* NULL: not used */
    pthread_mutex_t lock;
    _Atomic int64_t ms, read_at_ms;
} wall = {.lock = PTHREAD_MUTEX_INITIALIZER}, database = {.lock = PTHREAD_MUTEX_INITIALIZER};
static bool checked;
static int64_t overruled_ahead_ms;    /* of the monotonic clock; 0: not overruled */
static _Atomic int64_t mono_ahead_ms; /* the exception: tests set it at any time */

int64_t clock_mono_ahead_ms(void)
{
    return atomic_load_explicit(&mono_ahead_ms, memory_order_relaxed);
}

void clock_mono_advance(int64_t ms)
{
    atomic_fetch_add(&mono_ahead_ms, ms);
}

int64_t clock_mono_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return ((int64_t)t.tv_sec * 1000 + clock_mono_ahead_ms()) * 1000000 + t.tv_nsec;
}

struct timespec clock_mono_timespec(int64_t at_ms)
{
    int64_t ms = at_ms - clock_mono_ahead_ms();
    return (struct timespec){.tv_sec = ms / SECOND_MS, .tv_nsec = ms % SECOND_MS * 1000000};
}

int64_t clock_mono_ms(void)
{
    return clock_mono_ns() / 1000000;
}

static enum err read_clock_file(const char *path, int64_t *ret_ms, struct fail *fail)
{
    char text[64];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_set(
            fail, ERR_IO, "cannot open the test clock \"%s\": %s", path, strerror(errno));
    ssize_t n = read(fd, text, sizeof text);
    close(fd);
    if (n < 0 || !instant_parse(str_trim(str_of(text, (size_t)n)), ret_ms))
        return fail_set(
            fail, ERR_INVALID, "the test clock \"%s\" does not contain an ISO 8601 instant", path);
    return OK;
}

static enum err use_file(struct clock_file *file, const char *path, struct fail *fail)
{
    int64_t ms;
    TRY(read_clock_file(path, &ms, fail));
    atomic_store(&file->ms, ms);
    atomic_store(&file->read_at_ms, clock_mono_ms());
    file->path = path;
    return OK;
}

enum err clock_use_file(const char *path, struct fail *fail)
{
    return use_file(&wall, path, fail);
}

enum err clock_use_database_file(const char *path, struct fail *fail)
{
    return use_file(&database, path, fail);
}

static int64_t file_ms(struct clock_file *file)
{
    int64_t mono = clock_mono_ms();
    if (mono - atomic_load(&file->read_at_ms) >= CLOCK_FILE_REREAD_MS &&
        pthread_mutex_trylock(&file->lock) == 0) {
        int64_t ms;
        if (!read_clock_file(file->path, &ms, NULL))
            atomic_store(&file->ms, ms);
        atomic_store(&file->read_at_ms, mono);
        pthread_mutex_unlock(&file->lock);
    }
    return atomic_load(&file->ms);
}

bool clock_database_file_ms(int64_t *ret)
{
    struct clock_file *file = database.path ? &database : &wall;
    if (!file->path)
        return false;
    *ret = file_ms(file);
    return true;
}

bool clock_database_follows(void)
{
    return wall.path && !database.path;
}

void clock_check(void)
{
    checked = true;
}

void clock_overrule(int64_t at_ms)
{
    checked = false;
    overruled_ahead_ms = at_ms - clock_mono_ms();
}

int64_t clock_unwitnessed_ms(void)
{
    enum { DAYS = 31, TEST_DAYS = 366 };
    return checked ? (wall.path ? TEST_DAYS : DAYS) * (int64_t)DAY_MS : 0;
}

int64_t clock_wall_ms(void)
{
    if (overruled_ahead_ms)
        return overruled_ahead_ms + clock_mono_ms();
    if (wall.path)
        return file_ms(&wall);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * SECOND_MS + t.tv_nsec / 1000000;
}

/* Loaded before the C library of a test's Redis: adds the seconds in the file REDIS_CLOCK_FILE to
 * its wall clock, so that a test can set it. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

static const volatile int64_t *added_s;
static int (*real)(struct timeval *restrict, void *restrict);

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("REDIS_CLOCK_FILE");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *added_s, PROT_READ, MAP_SHARED, fd, 0);
    *(void **)&real = dlsym(RTLD_NEXT, "gettimeofday");
    if (page == MAP_FAILED || !real)
        abort();
    added_s = page;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    int error = real(now, zone);
    now->tv_sec += *added_s;
    return error;
}

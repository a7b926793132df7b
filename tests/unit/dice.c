/* The dice of unit tests; see dice.h. */
#include "dice.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>

#include "base/hash.h"

static _Atomic uint64_t rolled;
static uint64_t children, child; /* forks of this process; which of its parent's it is */

static void before_fork(void)
{
    children++;
}

static void in_child(void)
{
    child = child * 1000 + children;
    children = 0;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(before_fork, NULL, in_child);
}

void dice_begin(void)
{
    atomic_store(&rolled, 0);
}

/* In place of libc's. */
ssize_t getrandom(void *to, size_t n, unsigned flags)
{
    for (size_t at = 0; at < n; at += sizeof(uint64_t)) {
        uint64_t roll = atomic_fetch_add(&rolled, 1);
        uint64_t number = hash_seeded(str_of((const char *)&roll, sizeof roll), child);
        memcpy((char *)to + at, &number, n - at < sizeof number ? n - at : sizeof number);
    }
    return (ssize_t)n;
}

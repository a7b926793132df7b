/* Starting threads; see thread.h. */
#include "base/thread.h"

#include <string.h>

#include "base/mem.h"

/* Each thread maps its stack, so an address-space limit is met here first. */
enum err thread_start(
    pthread_t *ret, void *(*run)(void *arg), void *arg, const char *what, struct fail *fail)
{
    char cause[NO_MEMORY_CAUSE_SIZE];
    int error = pthread_create(ret, NULL, run, arg);
    if (error == 0)
        return OK;
    no_memory_cause(cause, 0);
    return fail_set(
        fail, ERR_UNAVAILABLE, "cannot start a thread for %s: %s%s", what, strerror(error), cause);
}

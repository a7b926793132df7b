/* Starts threads. */
#pragma once

#include <pthread.h>

#include "base/err.h"

/* `what` says for people what the thread is for. ERR_UNAVAILABLE: no memory or a limit, which the
 * reason names. */
enum err thread_start(
    pthread_t *ret, void *(*run)(void *arg), void *arg, const char *what, struct fail *fail);

/* Holds the mutex until its block ends. */
#define LOCKED(mutex)                                                                              \
    pthread_mutex_t *locked_ __attribute__((cleanup(thread_unlock_at), unused)) = thread_lock(mutex)
static inline pthread_mutex_t *thread_lock(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    return mutex;
}
static inline void thread_unlock_at(pthread_mutex_t **mutex)
{
    pthread_mutex_unlock(*mutex);
}

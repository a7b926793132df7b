/* Starts threads. */
#pragma once

#include <pthread.h>

#include "base/err.h"
#include "base/mem.h"

/* `what` says for people what the thread is for. ERR_UNAVAILABLE: no memory or a limit, which the
 * reason names. */
enum err thread_start(
    pthread_t *ret, void *(*run)(void *arg), void *arg, const char *what, struct fail *fail);

/* Holds the mutex until its block ends. */
#define LOCKED(mutex) SCOPED(thread_unlock_at) pthread_mutex_t *locked_ = thread_lock(mutex)
static inline pthread_mutex_t *thread_lock(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    return mutex;
}
static inline void thread_unlock_at(pthread_mutex_t **mutex)
{
    pthread_mutex_unlock(*mutex);
}

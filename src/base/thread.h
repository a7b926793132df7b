/* Starts threads. */
#pragma once

#include <pthread.h>

#include "base/err.h"

/* `what` says for people what the thread is for. ERR_UNAVAILABLE: no memory or a limit, which the
 * reason names. */
enum err thread_start(
    pthread_t *ret, void *(*run)(void *arg), void *arg, const char *what, struct fail *fail);

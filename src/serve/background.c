/* A thread of low priority; see background.h. */
#include "serve/background.h"

#include <pthread.h>
#include <unistd.h>

#include "base/rcu.h"

struct background_call {
    void (*fn)(void *ctx);
    void *ctx;
};

static void *run(void *arg)
{
    const struct background_call *call = arg;
    int unused = nice(BACKGROUND_NICE); /* on Linux: of this thread only */
    (void)unused;                       /* after a failure, run at normal priority */
    rcu_thread_start();
    call->fn(call->ctx);
    rcu_thread_stop();
    return NULL;
}

void background_call(void (*fn)(void *ctx), void *ctx)
{
    struct background_call call = {fn, ctx};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, &call) == 0)
        pthread_join(thread, NULL);
    else
        fn(ctx);
}

/* Waiting for an answer that comes on Redis's thread; see limits_wait.h. */
#include "limits/limits_wait.h"

#include "base/thread.h"

struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    bool answered;
    struct limits_answer answer;
};

typedef bool ask_fn(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret, limits_later *later, void *ctx);

static void take_answer(void *ctx, const struct limits_answer *answer)
{
    struct waiter *waiter = ctx;
    LOCKED(&waiter->lock);
    waiter->answer = *answer;
    waiter->answered = true;
    pthread_cond_signal(&waiter->cond);
}

static struct limits_answer wait_for(
    ask_fn *ask, struct limits *limits, const struct limits_caller *caller, int64_t now_ms)
{
    struct waiter waiter = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, {0}};
    struct limits_answer answer;
    if (ask(limits, caller, now_ms, &answer, take_answer, &waiter))
        return answer;
    LOCKED(&waiter.lock);
    while (!waiter.answered)
        pthread_cond_wait(&waiter.cond, &waiter.lock);
    return waiter.answer;
}

struct limits_answer limits_draw_wait(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms)
{
    return wait_for(limits_draw, limits, caller, now_ms);
}

struct limits_answer limits_look_wait(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms)
{
    return wait_for(limits_look, limits, caller, now_ms);
}

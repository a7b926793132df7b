/* A wrapper of liburcu-qsbr; see rcu.h. */
#include "base/rcu.h"

#include <stdbool.h>
#include <urcu-qsbr.h>

#include "base/mem.h"

/* ThreadSanitizer does not see liburcu's barriers. These annotations give it the same order: a read
 * happens before the writer's work after waiting. */
#if defined(__SANITIZE_THREAD__)
#define RCU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RCU_TSAN 1
#endif
#endif

#ifdef RCU_TSAN
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
static char rcu_tsan_reads_ended;
#define RCU_READ_ENDED() __tsan_release(&rcu_tsan_reads_ended)
#define RCU_WAITED() __tsan_acquire(&rcu_tsan_reads_ended)
#else
#define RCU_READ_ENDED() ((void)0)
#define RCU_WAITED() ((void)0)
#endif

static _Thread_local struct {
    bool in_bursts;
    bool online;
} own;

void rcu_thread_start(void)
{
    urcu_qsbr_register_thread();
    urcu_qsbr_thread_offline();
}

void rcu_thread_stop(void)
{
    rcu_idle();
    own.in_bursts = false;
    urcu_qsbr_unregister_thread();
}

void rcu_thread_in_bursts(void)
{
    own.in_bursts = true;
}

static void go_offline(void)
{
    RCU_READ_ENDED();
    urcu_qsbr_thread_offline();
    own.online = false;
}

void rcu_idle(void)
{
    if (own.online)
        go_offline();
}

void rcu_read_begin(void)
{
    if (!own.online)
        urcu_qsbr_thread_online();
    own.online = true;
}

void rcu_read_end(void)
{
    if (!own.in_bursts)
        go_offline();
}

void rcu_wait_readers(void)
{
    urcu_qsbr_synchronize_rcu();
    RCU_WAITED();
}

void rcu_free_later(struct rcu_retired *list, void *p)
{
    if (!p)
        return;
    list->items = mem_grow(list->items, list->n, &list->cap, sizeof *list->items);
    list->items[list->n++] = p;
}

void rcu_retired_free(struct rcu_retired *list)
{
    if (list->n)
        rcu_wait_readers();
    for (size_t i = 0; i < list->n; i++)
        mem_free(list->items[i]);
    mem_free(list->items);
    *list = (struct rcu_retired){0};
}

/*
 * Readers that never wait: a thin wrapper of liburcu's qsbr flavour, used by the feed and the key
 * table. A reader thread registers once and brackets each read; pointers found in a read stay valid
 * until rcu_read_end. A writer unlinks memory and then passes it to rcu_free_later.
 */
#pragma once

#include <stddef.h>

void rcu_thread_start(void); /* once at the start of each reader thread; begins offline */
void rcu_thread_stop(void);

void rcu_read_begin(void); /* not nested */
void rcu_read_end(void);

/* For a thread that reads often and then waits: from now on its reads end only at rcu_idle, which
 * it must call before it waits for anything. A read then needs no memory barrier, which would wait
 * until the processor's store buffer is empty. */
void rcu_thread_in_bursts(void);
void rcu_idle(void);

/* Waits until all reads that have begun have ended. Do not call inside a read. */
void rcu_wait_readers(void);

/* Memory that readers may still use: freed together after the next wait. One writer owns a list.  A
 * list entry is pushed after its memory was unlinked. rcu_retired_free waits once and frees all
 * entries. */
struct rcu_retired {
    void **items;
    size_t n, cap;
};

void rcu_free_later(
    struct rcu_retired *list, void *p);          /* memory from base/mem.h; NULL is ignored */
void rcu_retired_free(struct rcu_retired *list); /* waits only if there is memory to free */

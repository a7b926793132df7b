/*
 * Readers that never wait: a thin cover over liburcu's qsbr flavour, used by the feed and the key
 * table. A reader thread registers once, and brackets each read; what it finds stays valid until
 * rcu_read_end. A writer unlinks, then hands the old memory to rcu_free_later.
 */
#pragma once

#include <stddef.h>

void rcu_thread_start(void); /* once at the start of each reading thread; begins offline */
void rcu_thread_stop(void);

void rcu_read_begin(void); /* not nested */
void rcu_read_end(void);

/* For a thread that reads again and again and then waits: from now on its reads end only when it
 * says rcu_idle, which it must say before it waits for anything. A read then costs no barrier,
 * which would wait for all that was written before it to leave the processor's store buffer. */
void rcu_thread_in_bursts(void);
void rcu_idle(void);

/* Waits until every read that had begun has ended. Not inside a read. */
void rcu_wait_readers(void);

/* Memory that readers may still hold: freed together after the next wait. One writer owns a list.
 *
 * A list entry's life: pushed when its memory is unlinked; freed by rcu_retired_free, which waits
 * once for all of them. */
struct rcu_retired {
    void **items;
    size_t n, cap;
};

void rcu_free_later(struct rcu_retired *list, void *p); /* memory from base/mem.h; NULL is fine */
void rcu_retired_free(struct rcu_retired *list);        /* waits when there is anything to free */

/*
 * The body of an upload: kept in a memory file while it arrives, and mapped when it is whole. It
 * has no name, so nothing is left of it when the process ends. Private to src/http.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/str.h"
#include "http/bounds.h"

/* All spools of a server. */
struct spools {
    pthread_mutex_t lock;
    atomic_size_t bytes; /* what they may have: at most HTTP_SPOOLS_MAX; written under lock */
    size_t arriving;     /* how many are not whole yet */
    uint64_t holders[HTTP_SPOOLS_ARRIVING_MAX]; /* of those */
};

enum spool_answer {
    SPOOL_BEGUN,
    SPOOL_FULL, /* too many bytes or spools, or no descriptor is free */
    SPOOL_HELD, /* another one of its holder is still arriving */
};

struct spool {
    bool open;
    bool arriving;   /* its holder is counted */
    int drop_status; /* not 0: the body is only read, and answered with this */
    const char *drop_why;
    bool failed; /* the memory file could not take it */
    int fd;
    uint64_t holder;
    int64_t began_ms; /* the loop's clock */
    size_t counted;   /* in the sum of all */
    size_t n;         /* bytes that arrived */
    size_t seen;      /* of them, at the last look of spool_keeps_up */
    struct str mapped;
};

void spools_init(struct spools *all);
void spools_finish(struct spools *all);
size_t spools_bytes(const struct spools *all);

/* Opens a spool for `size` bytes. Holder 0 may have any number. If the answer is not SPOOL_BEGUN,
 * nothing is open. */
enum spool_answer spool_begin(
    struct spool *spool, size_t size, uint64_t holder, int64_t now_ms, struct spools *all);

/* Makes an open spool, or one that is not, drop what it gets. */
void spool_drop(struct spool *spool, int64_t now_ms, int status, const char *why);

void spool_put(struct spool *spool, const char *p, size_t n);

/* Whether, since the last look `ms` ago, HTTP_SPOOL_FLOOR bytes a second arrived. */
bool spool_keeps_up(struct spool *spool, int64_t ms);

/* The body is whole: its holder may send another one. */
void spool_arrived(struct spool *spool, struct spools *all);

/* The body, until spool_finish. False: no memory. */
bool spool_end(struct spool *spool, struct str *ret_body);

/* Frees it, if it is open. */
void spool_finish(struct spool *spool, struct spools *all);

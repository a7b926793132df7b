/*
 * The memory that a reply is made in: what the handler allocates, its header lines, its body.
 * Pooled per loop. An exchange has one from when its request is whole, or refused, until the reply
 * has left: a client that is slow to ask holds none, and there are as many as there are replies
 * under way.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

enum {
    REPLY_SPACE_FRONT = 2048,          /* before the body: a head of usual size */
    REPLY_SPACE_BODY_KEEP = 64 * 1024, /* a body's buffer that grew further is not kept */
    REPLY_SPACES_MAX = 64,             /* more than that is not kept for later */
};

struct reply_space {
    struct reply_space *next_free;
    struct arena arena;
    struct buf lines; /* the application's header lines */
    struct buf body;
};

/* A loop's spaces that wait for the next reply. */
struct reply_space_pool {
    struct reply_space *first; /* last used first: its memory is warm */
    size_t count;
};

/* Empty; given back by reply_space_give, whatever is in it by then. */
struct reply_space *reply_space_take(struct reply_space_pool *pool);
void reply_space_give(struct reply_space_pool *pool, struct reply_space *space);

/* Frees those that were given back. */
void reply_space_free_all(struct reply_space_pool *pool);

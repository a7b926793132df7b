/*
 * The memory of a reply: the handler's allocations, its header lines, its body. Pooled per loop. An
 * exchange has one from the time its request is complete, or rejected, until the reply was sent. A
 * client that is slow to send a request uses none, so there are as many as replies in progress.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

enum {
    REPLY_SPACE_FRONT = 2048,          /* in front of the body: a head of usual size */
    REPLY_SPACE_BODY_KEEP = 64 * 1024, /* a larger body buffer is freed, not kept */
    REPLY_SPACES_MAX = 64,             /* the most that are kept for later */
    REPLY_SPACE_KEEP = 112 * 1024,     /* all that one of them keeps */
};

struct reply_space {
    struct reply_space *next_free;
    struct arena arena;
    struct buf lines; /* the application's header lines */
    struct buf body;
};

/* A loop's unused spaces. */
struct reply_space_pool {
    struct reply_space *first; /* last used first: its memory is warm */
    size_t count;
};

/* Empty; reply_space_give returns it, with any content. */
struct reply_space *reply_space_take(struct reply_space_pool *pool);
void reply_space_give(struct reply_space_pool *pool, struct reply_space *space);

/* A stream keeps the arena only. */
void reply_space_trim(struct reply_space *space);

/* Frees the returned ones. */
void reply_space_free_all(struct reply_space_pool *pool);

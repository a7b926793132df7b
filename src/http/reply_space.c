/* The pool of reply memory; see reply_space.h. */
#include "http/reply_space.h"

#include "http/bounds.h"

static struct reply_space *create(void)
{
    struct reply_space *space = MEM_NEW(struct reply_space);
    arena_init(&space->arena);
    buf_init(&space->lines, HTTP_REPLY_HEAD_MAX + 2); /* and the final CRLF of the head */
    buf_init_front(&space->body, HTTP_REPLY_MAX, REPLY_SPACE_FRONT);
    return space;
}

static void destroy(struct reply_space *space)
{
    arena_finish(&space->arena);
    buf_finish(&space->lines);
    buf_finish(&space->body);
    mem_free(space);
}

struct reply_space *reply_space_take(struct reply_space_pool *pool)
{
    struct reply_space *space = pool->first;
    if (!space)
        return create();
    pool->first = space->next_free;
    pool->count--;
    return space;
}

void reply_space_give(struct reply_space_pool *pool, struct reply_space *space)
{
    if (pool->count == REPLY_SPACES_MAX) {
        destroy(space);
        return;
    }
    arena_reset(&space->arena);
    buf_reset(&space->lines);
    if (space->body.cap > REPLY_SPACE_BODY_KEEP)
        buf_finish(&space->body);
    buf_reset(&space->body);
    space->next_free = pool->first;
    pool->first = space;
    pool->count++;
}

void reply_space_trim(struct reply_space *space)
{
    buf_finish(&space->lines);
    buf_finish(&space->body);
}

void reply_space_free_all(struct reply_space_pool *pool)
{
    while (pool->first) {
        struct reply_space *space = pool->first;
        pool->first = space->next_free;
        destroy(space);
    }
}

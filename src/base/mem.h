/*
 * Memory. The process aborts when memory runs out (CONTRIBUTING.md, "Code"), so callers need no
 * check. Check a size that comes from outside against a maximum first.
 *
 * An arena holds many small pieces that are freed together: for one request, one document, one
 * import.
 */
#pragma once

#include <stddef.h>

#include "base/str.h"

void *mem_alloc(size_t size) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *mem_zalloc(size_t size) __attribute__((malloc, alloc_size(1), returns_nonnull));
/* align: a power of two. */
void *mem_zalloc_aligned(size_t align, size_t size)
    __attribute__((malloc, alloc_size(2), returns_nonnull));
void *mem_realloc(void *p, size_t size) __attribute__((alloc_size(2), returns_nonnull));
/* count * size, checked for overflow, zeroed. */
void *mem_array(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
/* Makes room for one more item: doubles *room, which is in items, if all n are used. */
void *mem_grow(void *items, size_t n, size_t *room, size_t item_size)
    __attribute__((returns_nonnull));
void mem_free(void *p);
/* Before the declaration of a variable: FINISH(&variable) runs where its block ends. */
#define SCOPED(finish) __attribute__((cleanup(finish), unused))
/* Before the declaration of a pointer, to memory or NULL, that is freed where its block ends. */
#define MEM_FREED SCOPED(mem_free_at)
static inline void mem_free_at(void *pointer)
{
    mem_free(*(void **)pointer);
}
/* Gives freed memory back to the kernel: after the end of work that took much. Other threads that
 * allocate wait for some milliseconds. */
void mem_trim(void);
/* Whole pages, zeroed, straight from the kernel, which gets them back at once when they are
 * unmapped: for memory whose amount clients decide, since the heap keeps what it once had. NULL if
 * there is none. `size` is that of the call in both functions. */
void *mem_map(size_t size) __attribute__((malloc, alloc_size(1)));
void mem_unmap(void *p, size_t size);
/* A power of two, aligned to itself; aborts like mem_alloc. Large pages make long scans faster. */
void *mem_map_aligned(size_t size, bool large_pages)
    __attribute__((malloc, alloc_size(1), returns_nonnull));
size_t mem_mapped(size_t size); /* the bytes that a mapping of this size takes */
char *mem_strdup(struct str s) __attribute__((malloc, returns_nonnull)); /* NUL-terminated copy */
void mem_wipe(void *p, size_t n); /* clears a secret; never optimised away */

/* For a large local variable that is written before it is read. The build zeroes all other locals
 * (-ftrivial-auto-var-init). Use it only where a profile shows the cost. */
#define MEM_UNFILLED __attribute__((uninitialized))

#define MEM_NEW(type) ((type *)mem_zalloc(sizeof(type)))

enum { ARENA_BLOCK_SIZE = 16 * 1024 }; /* of an arena with small pieces */

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first; the newest is being filled */
    char *next;
    char *end;
};

void arena_init(struct arena *a);
void arena_finish(struct arena *a); /* frees everything; the arena is empty and usable */
/* Declares an empty arena that is freed where its block ends. */
#define ARENA_SCOPED(name) struct arena name __attribute__((cleanup(arena_finish))) = {NULL}
void arena_reset(struct arena *a); /* like arena_finish, but keeps one ordinary block for reuse */
void *arena_alloc(struct arena *a, size_t size)
    __attribute__((alloc_size(2), returns_nonnull)); /* zeroed, aligned for any type */
struct str arena_str(struct arena *a, struct str s); /* copy, NUL after it; null stays null */
struct str arena_fmt(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3), nonnull));

/* mem_grow for items in the arena, which keeps the old ones too. */
void *arena_grow(struct arena *a, void *items, size_t n, size_t *room, size_t item_size)
    __attribute__((returns_nonnull));

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))

/*
 * The end of a process that has no memory left. The message names the limit that is the cause: the
 * address space (RLIMIT_AS, `ulimit -v`) or the data (RLIMIT_DATA, `ulimit -d`). The functions
 * allocate nothing and may be called in a signal handler.
 */

enum { NO_MEMORY_CAUSE_SIZE = 256 };

/* Writes the message to standard error and aborts. `size` could not be allocated; 0: unknown. */
_Noreturn void no_memory(size_t size);

/* From now on an abort by a library, such as libuv without memory for its threads, names the limit
 * too. Call it when the program starts. */
void no_memory_watch(void);

/* The limit that leaves no room for `size` more bytes, its value and how to raise it, as the end of
 * a sentence that begins with a colon. Empty: no such limit. */
void no_memory_cause(char ret[static NO_MEMORY_CAUSE_SIZE], size_t size);

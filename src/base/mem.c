/* Memory that aborts the process on failure, and arenas; see mem.h. */
#include "base/mem.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ARENA_ALIGN = 16, GROW_FIRST = 32 };

struct arena_block {
    struct arena_block *next;
    size_t size; /* bytes in data */
    _Alignas(ARENA_ALIGN) char data[];
};

static void *mem_check(void *p, size_t size)
{
    if (!p)
        no_memory(size);
    return p;
}

void *mem_alloc(size_t size)
{
    return mem_check(malloc(size ? size : 1), size);
}

void *mem_zalloc(size_t size)
{
    return mem_check(calloc(1, size ? size : 1), size);
}

void *mem_zalloc_aligned(size_t align, size_t size)
{
    size_t rounded = (size + align - 1) & ~(align - 1); /* aligned_alloc requires this */
    return memset(mem_check(aligned_alloc(align, rounded), rounded), 0, rounded);
}

void *mem_realloc(void *p, size_t size)
{
    return mem_check(realloc(p, size ? size : 1), size);
}

void *mem_array(size_t count, size_t size)
{
    return mem_check(calloc(count ? count : 1, size ? size : 1), count * size);
}

void *mem_grow(void *items, size_t n, size_t *room, size_t item_size)
{
    if (n < *room)
        return items;
    *room = *room ? 2 * *room : GROW_FIRST;
    return mem_check(reallocarray(items, *room, item_size), *room * item_size);
}

void mem_free(void *p)
{
    free(p);
}

void mem_trim(void)
{
    malloc_trim(0);
}

size_t mem_mapped(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) & ~(page - 1);
}

void *mem_map(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    return p;
}

void *mem_map_aligned(size_t size, bool large_pages)
{
    char *p = mem_map(2 * size);
    if (!p)
        no_memory(size);
    char *at = (char *)(((uintptr_t)p + size - 1) & ~(uintptr_t)(size - 1));
    if (at != p)
        mem_unmap(p, (size_t)(at - p));
    if (at != p + size)
        mem_unmap(at + size, (size_t)(p + size - at));
    if (large_pages)
        madvise(at, size, MADV_HUGEPAGE); /* without them it is slower, no more */
    return at;
}

/* munmap fails if it would leave more mappings than vm.max_map_count. The pages go back anyway, and
 * only addresses are lost. */
void mem_unmap(void *p, size_t size)
{
    if (munmap(p, size) != 0)
        madvise(p, size, MADV_DONTNEED);
}

char *mem_strdup(struct str s)
{
    char *copy = mem_alloc(s.n + 1);
    if (s.n)
        memcpy(copy, s.p, s.n);
    copy[s.n] = '\0';
    return copy;
}

void mem_wipe(void *p, size_t n)
{
    explicit_bzero(p, n);
}

void arena_init(struct arena *a)
{
    *a = (struct arena){0};
}

void arena_finish(struct arena *a)
{
    for (struct arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    arena_init(a);
}

void arena_reset(struct arena *a)
{
    struct arena_block *kept = NULL;
    for (struct arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        if (!kept && b->size == ARENA_BLOCK_SIZE)
            kept = b;
        else
            free(b);
    }
    arena_init(a);
    if (kept) {
        kept->next = NULL;
        a->blocks = kept;
        a->next = kept->data;
        a->end = kept->data + kept->size;
    }
}

void *arena_alloc(struct arena *a, size_t size)
{
    /* An empty piece has an address too. */
    size_t rounded = ((size ? size : 1) + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if (rounded < size)
        abort();
    if ((size_t)(a->end - a->next) < rounded) {
        bool large = rounded > ARENA_BLOCK_SIZE / 4;
        size_t block_size = large ? rounded : ARENA_BLOCK_SIZE;
        struct arena_block *b = mem_alloc(sizeof *b + block_size);
        b->size = block_size;
        if (large && a->blocks) {
            /* A large piece gets its own block, after the block being filled. */
            b->next = a->blocks->next;
            a->blocks->next = b;
            memset(b->data, 0, rounded);
            return b->data;
        }
        b->next = a->blocks;
        a->blocks = b;
        a->next = b->data;
        a->end = b->data + block_size;
    }
    void *p = a->next;
    a->next += rounded;
    memset(p, 0, rounded);
    return p;
}

void *arena_grow(struct arena *a, void *items, size_t n, size_t *room, size_t item_size)
{
    if (n < *room)
        return items;
    *room = *room ? 2 * *room : GROW_FIRST;
    void *grown = arena_alloc(a, *room * item_size);
    if (n)
        memcpy(grown, items, n * item_size);
    return grown;
}

struct str arena_str(struct arena *a, struct str s)
{
    if (str_is_null(s))
        return s;
    char *copy = arena_alloc(a, s.n + 1);
    memcpy(copy, s.p, s.n);
    return str_of(copy, s.n);
}

struct str arena_fmt(struct arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        abort();
    char *text = arena_alloc(a, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return str_of(text, (size_t)n);
}

/* Last words of a process without memory. */

enum {
    NUMBER_SIZE = 20,
    STATM_SIZE = 128,
    STATM_TOTAL = 0, /* fields of /proc/self/statm, in pages */
    STATM_DATA = 5,
    KIB = 1024,
};

/* malloc maps arenas of this size, and a caller may not know what it failed to get. */
static const uint64_t near_bytes = 64 * 1024 * 1024;

static const struct memory_limit {
    int resource;
    int field; /* what it limits */
    const char *name, *how;
} memory_limits[] = {
    {RLIMIT_AS, STATM_TOTAL, "address space (RLIMIT_AS)", "`ulimit -v` or LimitAS="},
    {RLIMIT_DATA, STATM_DATA, "data (RLIMIT_DATA)", "`ulimit -d` or LimitDATA="},
};

struct text {
    char *p;
    size_t n, size;
};

static void put(struct text *t, const char *s)
{
    for (; *s && t->n + 1 < t->size; s++)
        t->p[t->n++] = *s;
    t->p[t->n] = '\0';
}

static void put_kib(struct text *t, uint64_t bytes)
{
    char digits[NUMBER_SIZE + 1];
    size_t i = NUMBER_SIZE;
    uint64_t kib = bytes / KIB;
    digits[i] = '\0';
    do
        digits[--i] = (char)('0' + kib % 10);
    while ((kib /= 10) != 0 && i > 0);
    put(t, digits + i);
    put(t, " KiB");
}

/* The bytes in use by one field; false: they cannot be read. */
static bool used(int field, uint64_t *ret)
{
    char text[STATM_SIZE];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text);
    close(fd);
    uint64_t pages = 0;
    for (ssize_t i = 0; i < n && field >= 0; i++) {
        if (text[i] < '0' || text[i] > '9')
            field--;
        else if (field == 0)
            pages = pages * 10 + (uint64_t)(text[i] - '0');
    }
    *ret = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return n > 0;
}

/* A limit of which much is left is not the cause. A confined reader of documents cannot look, and
 * its limit is not the operator's. */
static bool is_cause(const struct memory_limit *l, size_t size, uint64_t *ret_limit)
{
    struct rlimit limit;
    uint64_t bytes = 0, more = size > near_bytes ? size : near_bytes;
    if (getrlimit((__rlimit_resource_t)l->resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return false;
    *ret_limit = limit.rlim_cur;
    return used(l->field, &bytes) && (bytes >= limit.rlim_cur || limit.rlim_cur - bytes <= more);
}

void no_memory_cause(char ret[static NO_MEMORY_CAUSE_SIZE], size_t size)
{
    struct text t = {ret, 0, NO_MEMORY_CAUSE_SIZE};
    uint64_t limit = 0;
    ret[0] = '\0';
    for (size_t i = 0; i < sizeof memory_limits / sizeof *memory_limits; i++) {
        const struct memory_limit *l = &memory_limits[i];
        if (!is_cause(l, size, &limit))
            continue;
        put(&t, t.n ? "; the limit of its " : ": the limit of its ");
        put(&t, l->name);
        put(&t, " is ");
        put_kib(&t, limit);
        put(&t, "; raise it with ");
        put(&t, l->how);
    }
}

static void say(const char *what, const char *cause)
{
    char message[NO_MEMORY_CAUSE_SIZE + 32];
    struct text t = {message, 0, sizeof message};
    put(&t, what);
    put(&t, cause);
    put(&t, "\n");
    ssize_t ignored = write(STDERR_FILENO, message, t.n);
    (void)ignored;
}

/* abort() ends the process when this returns. */
static void on_abort(int signal_number)
{
    char cause[NO_MEMORY_CAUSE_SIZE];
    (void)signal_number;
    no_memory_cause(cause, 0);
    if (cause[0])
        say("stockact: aborted", cause);
}

void no_memory_watch(void)
{
    const struct sigaction once = {.sa_handler = on_abort, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGABRT, &once, NULL);
}

void no_memory(size_t size)
{
    char cause[NO_MEMORY_CAUSE_SIZE];
    no_memory_cause(cause, size);
    say("stockact: out of memory", cause);
    signal(SIGABRT, SIG_DFL); /* it is said */
    abort();
}

/* Bodies of uploads; see spool.h. */
#include "http/spool.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory_file.h"

void spools_init(struct spools *all)
{
    *all = (struct spools){0};
    pthread_mutex_init(&all->lock, NULL);
}

void spools_finish(struct spools *all)
{
    pthread_mutex_destroy(&all->lock);
}

size_t spools_bytes(const struct spools *all)
{
    return atomic_load(&all->bytes);
}

static enum spool_answer count(struct spools *all, size_t size, uint64_t holder)
{
    if (all->arriving == HTTP_SPOOLS_ARRIVING_MAX || size > HTTP_SPOOLS_MAX - all->bytes)
        return SPOOL_FULL;
    for (size_t i = 0; holder && i < all->arriving; i++)
        if (all->holders[i] == holder)
            return SPOOL_HELD;
    all->holders[all->arriving++] = holder;
    all->bytes += size;
    return SPOOL_BEGUN;
}

static void uncount_holder(struct spools *all, uint64_t holder)
{
    size_t i = 0;
    while (all->holders[i] != holder)
        i++;
    all->holders[i] = all->holders[--all->arriving];
}

enum spool_answer spool_begin(
    struct spool *spool, size_t size, uint64_t holder, int64_t now_ms, struct spools *all)
{
    pthread_mutex_lock(&all->lock);
    enum spool_answer answer = count(all, size, holder);
    pthread_mutex_unlock(&all->lock);
    if (answer != SPOOL_BEGUN)
        return answer;
    *spool = (struct spool){
        .open = true,
        .arriving = true,
        .fd = memory_file_create("stockact-upload"),
        .holder = holder,
        .began_ms = now_ms,
        .counted = size,
    };
    if (spool->fd >= 0)
        return SPOOL_BEGUN;
    spool_finish(spool, all);
    return SPOOL_FULL;
}

void spool_drop(struct spool *spool, int64_t now_ms, int status, const char *why)
{
    if (!spool->open)
        *spool = (struct spool){.open = true, .fd = -1, .began_ms = now_ms};
    spool->drop_status = status;
    spool->drop_why = why;
}

void spool_put(struct spool *spool, const char *p, size_t n)
{
    spool->n += n;
    if (!spool->drop_status && !spool->failed)
        spool->failed = !disk_write(spool->fd, str_of(p, n));
}

bool spool_keeps_up(struct spool *spool, int64_t ms)
{
    size_t since = spool->n - spool->seen;
    spool->seen = spool->n;
    return since >= (size_t)(HTTP_SPOOL_FLOOR * ms / 1000);
}

void spool_arrived(struct spool *spool, struct spools *all)
{
    if (!spool->arriving)
        return;
    pthread_mutex_lock(&all->lock);
    uncount_holder(all, spool->holder);
    pthread_mutex_unlock(&all->lock);
    spool->arriving = false;
}

bool spool_end(struct spool *spool, struct str *ret_body)
{
    void *bytes = MAP_FAILED;
    if (!spool->failed)
        bytes = mmap(NULL, spool->n, PROT_READ, MAP_PRIVATE, spool->fd, 0);
    if (bytes == MAP_FAILED)
        return false;
    spool->mapped = str_of(bytes, spool->n);
    *ret_body = spool->mapped;
    return true;
}

void spool_finish(struct spool *spool, struct spools *all)
{
    if (!spool->open)
        return;
    if (spool->mapped.n > 0)
        munmap((void *)(uintptr_t)spool->mapped.p, spool->mapped.n);
    memory_file_close(spool->fd);
    spool_arrived(spool, all);
    pthread_mutex_lock(&all->lock);
    all->bytes -= spool->counted;
    pthread_mutex_unlock(&all->lock);
    *spool = (struct spool){0};
}

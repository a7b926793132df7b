/* Whole replies for a lost store; see page_kept.h. */
#include "site/page_kept.h"

#include <pthread.h>

#include "base/mem.h"
#include "site/page_call_parts.h"

struct page_kept {
    pthread_mutex_t lock;
    size_t count;
    struct str bodies[]; /* owned, by the number of the page; null: none yet */
};

struct page_kept *page_kept_create(size_t page_count)
{
    struct page_kept *kept =
        mem_zalloc(sizeof(struct page_kept) + page_count * sizeof *kept->bodies);
    pthread_mutex_init(&kept->lock, NULL);
    kept->count = page_count;
    return kept;
}

void page_kept_destroy(struct page_kept *kept)
{
    if (!kept)
        return;
    for (size_t i = 0; i < kept->count; i++)
        mem_free((char *)(uintptr_t)kept->bodies[i].p);
    pthread_mutex_destroy(&kept->lock);
    mem_free(kept);
}

static struct str *place_of(const struct page_call *call)
{
    const struct site *site = call->reply->site;
    return &site->kept->bodies[call->page - site->pages];
}

/* Every visitor without a query gets the same. */
static bool is_plain(const struct page_call *call)
{
    return call->page && call->page->kept && !call->form && !call->query.count;
}

bool page_kept_wants(const struct page_call *call)
{
    return is_plain(call) && !call->reply->lacking && call->reply->anonymous &&
           http_reply_status(call->x) == 200;
}

void page_kept_put(const struct page_call *call, struct str body)
{
    struct page_kept *kept = call->reply->site->kept;
    struct str *place = place_of(call), copy = {mem_strdup(body), body.n};
    pthread_mutex_lock(&kept->lock);
    struct str before = *place;
    *place = copy;
    pthread_mutex_unlock(&kept->lock);
    mem_free((char *)(uintptr_t)before.p);
}

bool page_kept_get(struct page_call *call)
{
    struct page_kept *kept = call->reply->site->kept;
    if (!is_plain(call) || !call->reply->lacking || http_reply_status(call->x) != 200)
        return false;
    pthread_mutex_lock(&kept->lock);
    struct str body = *place_of(call);
    if (body.p) {
        buf_reset(http_body(call->x));
        buf_str(http_body(call->x), body);
    }
    pthread_mutex_unlock(&kept->lock);
    return body.p;
}

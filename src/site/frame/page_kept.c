/* Whole replies for a lost store; see page_kept.h. */
#include "site/frame/page_kept.h"

#include "base/thread.h"
#include "site/frame/page_call_parts.h"

/* By the number of the page. */
struct page_kept {
    pthread_mutex_t lock;
    size_t count;
    struct {
        struct str body; /* owned; null: none yet */
        int64_t at_ms;   /* since then */
    } pages[];
};

struct page_kept *page_kept_create(size_t page_count)
{
    struct page_kept *kept =
        mem_zalloc(sizeof(struct page_kept) + page_count * sizeof *kept->pages);
    pthread_mutex_init(&kept->lock, NULL);
    kept->count = page_count;
    return kept;
}

void page_kept_destroy(struct page_kept *kept)
{
    if (!kept)
        return;
    for (size_t i = 0; i < kept->count; i++)
        mem_free((char *)(uintptr_t)kept->pages[i].body.p);
    pthread_mutex_destroy(&kept->lock);
    mem_free(kept);
}

static size_t place_of(const struct page_call *call)
{
    return (size_t)(call->page - call->reply->site->pages);
}

/* Every visitor without a query gets the same. */
static bool is_plain(const struct page_call *call)
{
    return call->page && call->page->kept && !call->form && !call->query.count;
}

bool page_kept_wants(const struct page_call *call)
{
    if (!is_plain(call) || call->reply->lacking || !call->reply->anonymous ||
        http_reply_status(call->x) != 200)
        return false;
    struct page_kept *kept = call->reply->site->kept;
    LOCKED(&kept->lock);
    int64_t age_ms = call->now_ms - kept->pages[place_of(call)].at_ms;
    bool fresh = kept->pages[place_of(call)].body.p && age_ms >= 0 && age_ms < PAGE_KEPT_MS;
    return !fresh;
}

void page_kept_put(const struct page_call *call, struct str body)
{
    struct page_kept *kept = call->reply->site->kept;
    struct str copy = {mem_strdup(body), body.n};
    pthread_mutex_lock(&kept->lock);
    struct str before = kept->pages[place_of(call)].body;
    kept->pages[place_of(call)].body = copy;
    kept->pages[place_of(call)].at_ms = call->now_ms;
    pthread_mutex_unlock(&kept->lock);
    mem_free((char *)(uintptr_t)before.p);
}

bool page_kept_get(struct page_call *call)
{
    struct page_kept *kept = call->reply->site->kept;
    if (!is_plain(call) || !call->reply->lacking || http_reply_status(call->x) != 200)
        return false;
    LOCKED(&kept->lock);
    struct str body = kept->pages[place_of(call)].body;
    if (body.p) {
        buf_reset(http_body(call->x));
        buf_str(http_body(call->x), body);
    }
    return body.p;
}

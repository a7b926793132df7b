/* Fixed texts; see fixed_text.h. */
#include "edge/fixed_text.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "edge/representation.h"
#include "http/gzip.h"

struct fixed_gzip {
    pthread_mutex_t lock;
    atomic_bool made; /* and immutable from then on */
    struct buf text;
};

void fixed_text_seal(struct fixed_text *text)
{
    text->hash = hash_str(buf_view(&text->plain));
    text->gzip = MEM_NEW(struct fixed_gzip);
    pthread_mutex_init(&text->gzip->lock, NULL);
    buf_init(&text->gzip->text, text->plain.max);
}

void fixed_text_finish(struct fixed_text *text)
{
    buf_finish(&text->plain);
    if (!text->gzip)
        return;
    buf_finish(&text->gzip->text);
    pthread_mutex_destroy(&text->gzip->lock);
    mem_free(text->gzip);
}

static struct str compressed(const struct fixed_text *text)
{
    struct fixed_gzip *gzip = text->gzip;
    if (!atomic_load_explicit(&gzip->made, memory_order_acquire)) {
        pthread_mutex_lock(&gzip->lock);
        if (!atomic_load_explicit(&gzip->made, memory_order_relaxed))
            gzip_put_small(&gzip->text, buf_view(&text->plain), GZIP_ONCE);
        atomic_store_explicit(&gzip->made, true, memory_order_release);
        pthread_mutex_unlock(&gzip->lock);
    }
    return buf_view(&gzip->text);
}

void fixed_text_reply(struct http_exchange *x, const struct fixed_text *text)
{
    struct representation r = representation_choose(x, text->media, text->hash, text->plain.n);
    if (text->page)
        headers_page(x, r.unchanged ? MEDIA_NONE : text->media, text->cache);
    else
        http_head_raw(x, headers_common(r.unchanged ? MEDIA_NONE : text->media));
    if (text->headers.n)
        http_head_raw(x, text->headers);
    representation_put(x, &r);
    if (!r.unchanged)
        http_body_const(x, r.gzip ? compressed(text) : buf_view(&text->plain));
}

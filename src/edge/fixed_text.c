/* Fixed texts; see fixed_text.h. */
#include "edge/fixed_text.h"

#include "base/hash.h"
#include "edge/representation.h"
#include "http/gzip.h"

void fixed_text_seal(struct fixed_text *text)
{
    text->hash = hash_str(buf_view(&text->plain));
    buf_init(&text->gzip, text->plain.max);
    if (text->plain.n >= GZIP_BODY_MIN)
        gzip_put_small(&text->gzip, buf_view(&text->plain));
}

void fixed_text_finish(struct fixed_text *text)
{
    buf_finish(&text->plain);
    buf_finish(&text->gzip);
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
        http_body_const(x, buf_view(r.gzip ? &text->gzip : &text->plain));
}

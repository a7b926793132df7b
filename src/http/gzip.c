/* Whole bodies to gzip; see gzip.h. */
#include "http/gzip.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/mem.h"

/* A page of 25 trades that resemble each other (17.8 KB): 29 us and 1,886 bytes at level 1, 78 us
 * and 1,773 at level 6. Pages of all sorts one after the other: some 90 us at level 1
 * (bench/README.md). */
enum { LEVEL = 1, WINDOW_BITS_GZIP = 15 + 16, MEM_LEVEL = 8 };

static pthread_key_t stream_key;

static void stream_free(void *stream)
{
    deflateEnd(stream);
    mem_free(stream);
}

static void make_key(void)
{
    int error = pthread_key_create(&stream_key, stream_free);
    assert(error == 0);
}

/* The thread's deflate state, reset: making one costs more than compressing a page. */
static z_stream *thread_stream(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    z_stream *stream = pthread_getspecific(stream_key);
    if (stream) {
        deflateReset(stream);
        return stream;
    }
    stream = MEM_NEW(z_stream);
    int error =
        deflateInit2(stream, LEVEL, Z_DEFLATED, WINDOW_BITS_GZIP, MEM_LEVEL, Z_DEFAULT_STRATEGY);
    if (error) /* only for lack of memory */
        abort();
    pthread_setspecific(stream_key, stream);
    return stream;
}

bool gzip_put(struct buf *b, struct str body)
{
    assert(body.n <= UINT32_MAX);
    z_stream *stream = thread_stream();
    size_t bound = deflateBound(stream, body.n);
    char *room = buf_reserve(b, bound);
    if (!room)
        return false;
    union {
        const char *from;
        Bytef *to; /* zlib's type; it is only read */
    } in = {.from = body.p};
    stream->next_in = in.to;
    stream->avail_in = (uInt)body.n;
    stream->next_out = (Bytef *)room;
    stream->avail_out = (uInt)bound;
    int result = deflate(stream, Z_FINISH);
    assert(result == Z_STREAM_END);
    buf_commit(b, bound - stream->avail_out);
    return true;
}

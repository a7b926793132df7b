/* Texts that are compressed once, large pages and streams, with zlib; see gzip.h and ADR 11. */
#include <assert.h>
#include <zlib.h>

#include "base/mem.h"
#include "http/gzip.h"

enum { WINDOW_BITS = 15, AS_GZIP = 16, MEMORY_LEVEL = 9 };

/* zlib's pointer lacks const. */
static Bytef *bytes_of(struct str text)
{
    union {
        const char *text;
        Bytef *bytes;
    } in = {.text = text.p};
    return in.bytes;
}

bool gzip_put_small(struct buf *b, struct str body, enum gzip_effort effort)
{
    z_stream stream = {0};
    assert(body.n <= UINT32_MAX / 2);
    int result = deflateInit2(
        &stream, (int)effort, Z_DEFLATED, WINDOW_BITS + AS_GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    assert(result == Z_OK);
    size_t size_max = deflateBound(&stream, body.n);
    char *room = buf_reserve(b, size_max);
    if (room) {
        stream.next_in = bytes_of(body);
        stream.avail_in = (uInt)body.n;
        stream.next_out = (Bytef *)room;
        stream.avail_out = (uInt)size_max;
        result = deflate(&stream, Z_FINISH);
        assert(result == Z_STREAM_END);
        buf_commit(b, stream.total_out);
    }
    deflateEnd(&stream);
    return room;
}

/* 130 KB. */
enum { STREAM_WINDOW_BITS = 14, STREAM_MEMORY_LEVEL = 7 };

struct gzip_stream {
    z_stream z;
};

struct gzip_stream *gzip_stream_create(void)
{
    struct gzip_stream *stream = MEM_NEW(struct gzip_stream);
    int result = deflateInit2(
        &stream->z, Z_BEST_SPEED, Z_DEFLATED, STREAM_WINDOW_BITS + AS_GZIP, STREAM_MEMORY_LEVEL,
        Z_DEFAULT_STRATEGY);
    assert(result == Z_OK);
    return stream;
}

void gzip_stream_destroy(struct gzip_stream *stream)
{
    if (!stream)
        return;
    deflateEnd(&stream->z);
    mem_free(stream);
}

void gzip_stream_put(struct gzip_stream *stream, struct str piece, bool last, struct buf *b)
{
    enum { STEP = 16 * 1024 };
    z_stream *z = &stream->z;
    assert(piece.n <= UINT32_MAX);
    z->next_in = bytes_of(piece);
    z->avail_in = (uInt)piece.n;
    do {
        char *room = buf_reserve(b, STEP);
        if (!room)
            return;
        z->next_out = (Bytef *)room;
        z->avail_out = STEP;
        (void)deflate(z, last ? Z_FINISH : Z_NO_FLUSH); /* Z_BUF_ERROR: nothing to say yet */
        buf_commit(b, STEP - z->avail_out);
    } while (!z->avail_out);
}

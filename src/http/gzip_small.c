/* Texts that are compressed once, and large pages, with zlib; see gzip.h and ADR 11. */
#include <assert.h>
#include <zlib.h>

#include "http/gzip.h"

enum { WINDOW_BITS = 15, AS_GZIP = 16, MEMORY_LEVEL = 9 };

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
        union {
            const char *text;
            Bytef *bytes;
        } in = {.text = body.p}; /* zlib's pointer lacks const */
        stream.next_in = in.bytes;
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

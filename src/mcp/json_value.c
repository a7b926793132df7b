/* jansson values; see json_value.h. */
#include "mcp/json_value.h"

static int put_dumped(const char *text, size_t n, void *ctx)
{
    buf_put(ctx, text, n);
    return 0;
}

void json_put(struct buf *b, const json_t *value)
{
    json_dump_callback(value, put_dumped, b, JSON_ENCODE_ANY | JSON_COMPACT);
}

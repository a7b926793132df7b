/* The protocol on hostile lines: the same lines and answers however the bytes are split. Each
 * answer is one line of JSON-RPC, and no request gets two answers. */
#include "fuzz.h"

#include <stdlib.h>

#include "base/buf.h"
#include "mcp/streams.h"
#include "mcp/rpc.h"
#include "mcp/server.h"

static void write_line(void *ctx, struct str line)
{
    buf_str(ctx, line);
}

/* Feeds all bytes in pieces of the given size; 0: at once. */
static void feed(struct server *server, struct str bytes, size_t piece)
{
    struct line_reader lines;
    struct str line;
    line_reader_init(&lines);
    while (bytes.n > 0) {
        struct str part = str_slice(bytes, 0, piece ? piece : bytes.n);
        bytes = str_slice(bytes, part.n, bytes.n);
        while (line_reader_next(&lines, &part, &line))
            server_take_line(server, line);
        assert(part.n == 0);
    }
    if (line_reader_end(&lines, &line))
        server_take_line(server, line);
    assert(!line_reader_end(&lines, &line) || line.n > 0 || !line.p);
    line_reader_finish(&lines);
}

static void check_answer(const json_t *answer)
{
    json_t *id = json_object_get(answer, "id");
    assert(str_eq(json_text(json_object_get(answer, "jsonrpc")), STR("2.0")));
    assert(!id || json_is_string(id) || json_is_integer(id));
    assert(!json_object_get(answer, "result") == !!json_object_get(answer, "error"));
    assert(id || json_object_get(answer, "error"));
}

static void check_lines(struct str out)
{
    struct str line;
    while (str_split(&out, '\n', &line)) {
        struct fail fail;
        size_t i;
        json_t *value, *one;
        if (line.n == 0) {
            assert(str_is_null(out)); /* after the last newline */
            continue;
        }
        value = rpc_message_parse(line, &fail);
        assert(value);
        if (json_is_array(value)) {
            json_array_foreach(value, i, one) check_answer(one);
        } else if (!json_object_get(value, "method")) {
            check_answer(value);
        }
        json_decref(value);
    }
}

/* A client without answers: calls stay in flight until they are cancelled or the session ends. */
static struct client *dead_client(void)
{
    static struct client *client;
    const struct client_config config = {
        .plain_http = true,
        .base_url = STR("http://127.0.0.1:1"),
        .user_agent = STR("fuzz"),
        .connections_max = 1,
        .body_max = 1};
    if (!client && client_create(&config, &client, NULL))
        abort();
    return client;
}

static void run(struct str bytes, size_t piece, struct buf *out)
{
    struct server server;
    server_init(&server, dead_client(), true, write_line, out);
    feed(&server, bytes, piece);
    server_finish(&server);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = fuzz_text(data, size);
    size_t piece = fuzz_byte(&bytes) % 16 + 1;
    struct buf whole, split;
    buf_init(&whole, SIZE_MAX);
    buf_init(&split, SIZE_MAX);
    run(bytes, 0, &whole);
    run(bytes, piece, &split);
    assert(str_eq(buf_view(&whole), buf_view(&split)));
    check_lines(buf_view(&whole));
    buf_finish(&whole);
    buf_finish(&split);
    return 0;
}

/* POST /mcp on hostile headers and bodies, with any response of the API to what the tools ask. A
 * request gets one line of JSON at most, with a status of the protocol, and no call is left. */
#include "fuzz.h"

#include "mcp/server.h"

enum { ASKED_MAX = 64 * POST_BATCH_MAX };

static void write_line(void *ctx, struct str line)
{
    buf_str(ctx, line);
}

/* Lines of the input; one that begins with "-" is a header that is absent. */
static struct str take_header(struct str *rest)
{
    struct str line = fuzz_line(rest);
    return str_starts(line, STR("-")) ? STR_NULL : line;
}

static void check_answer(const struct server *server, struct str out)
{
    struct fail fail;
    int status = server->rpc.status;
    assert(status == 200 || status == 400 || status == 404);
    if (out.n == 0)
        return;
    assert(str_find_char(out, '\n') == (ptrdiff_t)out.n - 1);
    json_t *value = rpc_message_parse(out, &fail);
    assert(json_is_object(value) || json_is_array(value));
    assert(json_array_size(value) <= POST_BATCH_MAX);
    if (status != 200)
        assert(json_object_get(value, "error"));
    json_decref(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    const struct client_answer from = {
        .reason = "",
        .status = fuzz_byte(&rest) % 2 ? 200 : 404,
        .content_type = STR("application/json"),
        .head = take_header(&rest),
        .body = fuzz_line(&rest),
    };
    const struct post post = {
        .version = take_header(&rest),
        .method = take_header(&rest),
        .name = take_header(&rest),
        .session = take_header(&rest),
        .body = rest,
    };
    struct server server;
    struct call *asked;
    BUF_SCOPED(out, SIZE_MAX);
    size_t count = 0;
    server_init(&server, NULL, true, write_line, &out);
    server_take_post(&server, &post);
    while ((asked = calls_next_asked(&server.calls))) {
        assert(++count <= ASKED_MAX);
        calls_answer(asked, &from);
    }
    assert(server.calls.count == 0);
    check_answer(&server, buf_view(&out));
    server_finish(&server);
    return 0;
}

/* Writes responses and notifications; see rpc.h. */
#include "mcp/rpc.h"

#include <inttypes.h>

#include "base/hidden.h"

/* Reads JSON-RPC messages. */

json_t *rpc_message_parse(struct str line, struct fail *fail)
{
    json_error_t error;
    json_t *value = json_loadb(
        line.p, line.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
    if (!value)
        (void)fail_set(fail, ERR_INVALID, "invalid JSON: %s", error.text);
    return value;
}

static struct rpc_message invalid(const json_t *id, enum rpc_code code, const char *reason)
{
    return (struct rpc_message){
        .kind = RPC_MESSAGE_INVALID, .id = id, .code = code, .reason = reason};
}

static bool is_request_id(const json_t *id)
{
    return json_is_string(id) || json_is_integer(id);
}

static struct rpc_message read_call(const json_t *value, const json_t *id)
{
    const json_t *method = json_object_get(value, "method");
    const json_t *params = json_object_get(value, "params");
    if (!json_is_string(method))
        return invalid(id, RPC_INVALID_REQUEST, "method is missing or not a string");
    if (params && !json_is_object(params))
        return invalid(id, RPC_INVALID_PARAMS, "params is not an object");
    return (struct rpc_message){
        .kind = id ? RPC_MESSAGE_REQUEST : RPC_MESSAGE_NOTIFICATION,
        .id = id,
        .method = json_text(method),
        .params = params,
    };
}

static bool is_response(const json_t *value)
{
    return !json_object_get(value, "method") &&
           (json_object_get(value, "result") || json_object_get(value, "error"));
}

void rpc_message_read(const json_t *value, struct rpc_message *ret)
{
    if (!json_is_object(value)) {
        *ret = invalid(NULL, RPC_INVALID_REQUEST, "a message must be a JSON object");
        return;
    }
    const json_t *id = json_object_get(value, "id");
    bool id_readable = is_request_id(id);
    const json_t *readable = id_readable ? id : NULL;
    struct str version = json_text(json_object_get(value, "jsonrpc"));
    if (is_response(value)) /* even an invalid one gets no response: that could begin a loop */
        *ret = (struct rpc_message){.kind = RPC_MESSAGE_RESPONSE, .id = readable};
    else if (!str_eq(version, STR("2.0")))
        *ret = invalid(readable, RPC_INVALID_REQUEST, "jsonrpc is not \"2.0\"");
    else if (id && !id_readable)
        *ret = invalid(NULL, RPC_INVALID_REQUEST, "id is neither a string nor an integer");
    else
        *ret = read_call(value, id);
}

struct rpc_batch {
    struct buf answers; /* separated by commas */
    size_t holders;     /* open requests, plus one until rpc_batch_close */
};

void rpc_init(struct rpc *rpc, rpc_write *write, void *ctx)
{
    *rpc = (struct rpc){.write = write, .ctx = ctx, .status = 200};
    buf_init(&rpc->line, SIZE_MAX);
}

void rpc_finish(struct rpc *rpc)
{
    buf_finish(&rpc->line);
}

/* --- batches */

struct rpc_batch *rpc_batch_open(void)
{
    struct rpc_batch *batch = MEM_NEW(struct rpc_batch);
    buf_init(&batch->answers, SIZE_MAX);
    batch->holders = 1;
    return batch;
}

/* Escapes hidden characters: U+2028 and U+2029 end a line in the languages of some hosts. */
static void escape_hidden(struct buf *line)
{
    struct buf escaped;
    if (hidden_in(buf_view(line)) == HIDDEN_NONE)
        return;
    buf_init(&escaped, SIZE_MAX);
    hidden_json(&escaped, buf_view(line));
    buf_finish(line);
    *line = escaped;
}

static void write_line(struct rpc *rpc)
{
    enum { KEPT_MAX = 256 * 1024 };
    escape_hidden(&rpc->line);
    buf_char(&rpc->line, '\n');
    rpc->write(rpc->ctx, buf_view(&rpc->line));
    if (rpc->line.cap > KEPT_MAX) {
        buf_finish(&rpc->line);
        buf_init(&rpc->line, SIZE_MAX);
    }
    buf_reset(&rpc->line);
}

void rpc_batch_close(struct rpc *rpc, struct rpc_batch *batch)
{
    if (--batch->holders > 0)
        return;
    if (batch->answers.n > 0) {
        buf_char(&rpc->line, '[');
        buf_str(&rpc->line, buf_view(&batch->answers));
        buf_char(&rpc->line, ']');
        write_line(rpc);
    }
    buf_finish(&batch->answers);
    mem_free(batch);
}

/* --- requests */

void request_init(
    struct rpc_request *r, enum era era, const json_t *id, const json_t *progress_token,
    struct rpc_batch *batch)
{
    *r = (struct rpc_request){
        .era = era,
        .id = json_keep(id),
        .progress_token = json_keep(progress_token),
        .batch = batch,
    };
    if (batch)
        batch->holders++;
}

void rpc_no_answer(struct rpc *rpc, struct rpc_request *r)
{
    json_decref(r->id);
    json_decref(r->progress_token);
    if (r->batch)
        rpc_batch_close(rpc, r->batch);
    *r = (struct rpc_request){0};
}

/* Begins the next response and returns its buffer. */
static struct buf *begin_answer(struct rpc *rpc, struct rpc_batch *batch, const json_t *id)
{
    struct buf *b = batch ? &batch->answers : &rpc->line;
    if (b->n > 0)
        buf_char(b, ',');
    buf_str(b, STR("{\"jsonrpc\":\"2.0\","));
    if (id) {
        buf_str(b, STR("\"id\":"));
        json_put(b, id);
        buf_char(b, ',');
    }
    return b;
}

static void end_answer(struct rpc *rpc, struct rpc_batch *batch)
{
    buf_char(batch ? &batch->answers : &rpc->line, '}');
    if (!batch)
        write_line(rpc);
}

static void put_stateless_members(struct buf *b, bool more)
{
    struct json_out j;
    buf_str(
        b, STR("\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"));
    json_init(&j, b);
    protocol_server_info_json(&j);
    buf_char(b, '}');
    if (more)
        buf_char(b, ',');
}

void rpc_result(struct rpc *rpc, struct rpc_request *r, struct str members)
{
    struct buf *b = begin_answer(rpc, r->batch, r->id);
    buf_str(b, STR("\"result\":{"));
    if (r->era == ERA_STATELESS)
        put_stateless_members(b, members.n > 0);
    buf_str(b, members);
    buf_char(b, '}');
    end_answer(rpc, r->batch);
    rpc_no_answer(rpc, r);
}

/* A model reads errors as well: what they quote is shown. */
static void put_error(struct buf *b, enum rpc_code code, const char *reason, struct str data)
{
    struct json_out j;
    BUF_SCOPED(shown, SIZE_MAX);
    hidden_show_lines(&shown, str_from(reason));
    buf_str(b, STR("\"error\":"));
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_I64(&j, "code", code);
    JSON_KEY_STR(&j, "message", buf_view(&shown));
    if (!str_is_null(data)) {
        buf_reset(&shown);
        hidden_json_show(&shown, data);
        JSON_KEY_RAW(&j, "data", buf_view(&shown));
    }
    json_object_end(&j);
}

/* A session's client reads the response of a request that was understood whatever it says. */
static int status_of(enum era era, enum rpc_code code)
{
    switch (code) {
    case RPC_SESSION_UNKNOWN:
        return 404;
    case RPC_METHOD_NOT_FOUND:
        return era == ERA_SESSION ? 200 : 404;
    case RPC_INVALID_PARAMS:
        return era == ERA_SESSION ? 200 : 400;
    case RPC_PARSE_ERROR:
    case RPC_INVALID_REQUEST:
    case RPC_HEADER_MISMATCH:
    case RPC_UNSUPPORTED_VERSION:
        break;
    }
    return 400;
}

void rpc_error(
    struct rpc *rpc, struct rpc_request *r, enum rpc_code code, const char *reason, struct str data)
{
    rpc->status = r->batch ? 200 : status_of(r->era, code);
    put_error(begin_answer(rpc, r->batch, r->id), code, reason, data);
    end_answer(rpc, r->batch);
    rpc_no_answer(rpc, r);
}

void rpc_stray_error(
    struct rpc *rpc, struct rpc_batch *batch, enum rpc_code code, const char *reason)
{
    rpc->status = batch ? 200 : status_of(ERA_STATELESS, code);
    put_error(begin_answer(rpc, batch, NULL), code, reason, STR_NULL);
    end_answer(rpc, batch);
}

void rpc_progress(
    struct rpc *rpc, const struct rpc_request *r, int64_t done, int64_t total, const char *text)
{
    struct json_out j;
    if (!r->progress_token || rpc->quiet)
        return;
    struct buf *b = &rpc->line;
    buf_str(
        b, STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
               "{\"progressToken\":"));
    json_put(b, r->progress_token);
    buf_char(b, ',');
    buf_fmt(b, "\"progress\":%" PRId64 ",", done);
    if (total > 0)
        buf_fmt(b, "\"total\":%" PRId64 ",", total);
    buf_str(b, STR("\"message\":"));
    json_init(&j, b);
    json_str(&j, str_from(text));
    buf_str(b, STR("}}"));
    write_line(rpc);
}

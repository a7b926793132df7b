/* Reads JSON-RPC messages; see rpc_message.h. */
#include "mcp/rpc_message.h"

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

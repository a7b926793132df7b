/*
 * One message of JSON-RPC 2.0 as the protocol has it: taken apart and judged, not yet understood.
 */
#pragma once

#include "base/err.h"
#include "mcp/protocol.h"

enum rpc_message_kind {
    RPC_MESSAGE_REQUEST,
    RPC_MESSAGE_NOTIFICATION,
    RPC_MESSAGE_RESPONSE, /* to nobody here: no request is ever sent */
    RPC_MESSAGE_WRONG,
};

struct rpc_message {
    enum rpc_message_kind kind;
    const json_t *id; /* a string or an integer; NULL: none that can be read */
    struct str method;
    const json_t *params; /* an object; NULL: none */
    enum rpc_code code;   /* of RPC_MESSAGE_WRONG, and: */
    const char *reason;
};

/* A line as JSON, to be given back by json_decref; NULL: it is none, and *fail says where. Strict:
 * UTF-8, no key twice in an object, bounded depth. */
json_t *rpc_message_parse(struct str line, struct fail *fail);

/* Everything in *ret is borrowed from value. */
void rpc_message_read(const json_t *value, struct rpc_message *ret);

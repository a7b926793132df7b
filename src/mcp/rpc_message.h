/*
 * Parses messages of JSON-RPC 2.0 and checks their form. Methods are checked by the caller.
 */
#pragma once

#include "base/err.h"
#include "mcp/protocol.h"

enum rpc_message_kind {
    RPC_MESSAGE_REQUEST,
    RPC_MESSAGE_NOTIFICATION,
    RPC_MESSAGE_RESPONSE, /* ignored: this server sends no requests */
    RPC_MESSAGE_INVALID,
};

struct rpc_message {
    enum rpc_message_kind kind;
    const json_t *id; /* a string or an integer; NULL: missing or unreadable */
    struct str method;
    const json_t *params; /* an object; NULL: none */
    enum rpc_code code;   /* of RPC_MESSAGE_INVALID, like reason */
    const char *reason;
};

/* Parses a line strictly: valid UTF-8, unique keys, limited depth. The caller releases the value
 * with json_decref. NULL: the line is not JSON, and *fail has the reason. */
json_t *rpc_message_parse(struct str line, struct fail *fail);

/* Reads one message. *ret borrows from `value`. */
void rpc_message_read(const json_t *value, struct rpc_message *ret);

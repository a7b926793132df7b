/*
 * The two eras of the Model Context Protocol.
 *
 * Stateless (revision 2026-07-28): every request names its version and the client's capabilities in
 * params._meta, and the server keeps no state between requests. Session (2024-11-05 to 2025-11-25):
 * `initialize` agrees on a version once. One process serves both and decides for each request.
 */
#pragma once

#include "base/json_out.h"
#include "mcp/json_value.h"

enum era { ERA_SESSION, ERA_STATELESS };
enum { ERA_COUNT = ERA_STATELESS + 1 };

/* Error codes of JSON-RPC 2.0, and the last three of the protocol. */
enum rpc_code {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_SESSION_UNKNOWN = -32001,
    RPC_HEADER_MISMATCH = -32020,
    RPC_UNSUPPORTED_VERSION = -32022,
};

/* The version for a session: the one that the client asked for, or the newest. */
struct str protocol_session_version(struct str requested);
bool protocol_is_session_version(struct str version);
bool protocol_has_batches(struct str session_version);

bool protocol_is_stateless_version(struct str version);
void protocol_stateless_versions_json(struct json_out *j); /* an array */

/* The content of params._meta, borrowed from params. */
struct request_meta {
    bool is_stateless;            /* it has a key of the stateless era */
    struct str version;           /* null: missing or not a string */
    bool has_capabilities;        /* clientCapabilities is an object */
    const json_t *progress_token; /* a string or an integer; NULL: none */
};

/* `params` is an object or NULL. */
void request_meta_read(const json_t *params, struct request_meta *ret);

void protocol_server_info_json(struct json_out *j); /* name, title, version */

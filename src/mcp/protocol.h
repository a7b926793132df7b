/*
 * The two eras of the Model Context Protocol, and how a request says which one it is of.
 *
 * Stateless (revision 2026-07-28): every request names its version and what its client can do in
 * params._meta; nothing is remembered between requests. Session (2024-11-05 to 2025-11-25): the
 * version is agreed on once, by `initialize`. One process serves both, request by request.
 */
#pragma once

#include "base/json_out.h"
#include "mcp/json_value.h"

enum era { ERA_SESSION, ERA_STATELESS };
enum { ERA_COUNT = ERA_STATELESS + 1 };

/* Error codes of JSON-RPC 2.0, and the one of the protocol that is needed here. */
enum rpc_code {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_UNSUPPORTED_VERSION = -32022,
};

/* The version of a session when the client asked for this one: the same, or the newest. */
struct str protocol_session_version(struct str asked);
bool protocol_has_batches(struct str session_version);

bool protocol_is_stateless_version(struct str version);
void protocol_stateless_versions_json(struct json_out *j); /* all of them, an array */

/* What params._meta says. Values are borrowed from params. */
struct request_meta {
    bool named;                   /* it has a key of the stateless era */
    struct str version;           /* null: none, or not a string */
    bool has_capabilities;        /* of the client; as an object */
    const json_t *progress_token; /* a string or an integer; NULL: none */
};

/* params: an object, or NULL. */
void request_meta_read(const json_t *params, struct request_meta *ret);

void protocol_server_info_json(struct json_out *j); /* name, title, version */

/*
 * Writes responses, in the form of the request's era and with its id, and notifications. Each is
 * one line. The responses to a batch are one line, written when the last one is ready.
 */
#pragma once

#include "base/err.h"
#include "mcp/protocol.h"

typedef void rpc_write(void *ctx, struct str line); /* with its newline; valid during the call */

struct rpc {
    rpc_write *write;
    void *ctx;
    struct buf line; /* the current line */
    bool quiet;      /* no notifications: the caller takes responses only */
    int status;      /* of HTTP, for the last response that was no part of a batch */
};

struct rpc_batch;

/* A request that awaits its response. Owns its references. */
struct rpc_request {
    enum era era;
    json_t *id;
    json_t *progress_token;  /* NULL: no progress was requested */
    struct rpc_batch *batch; /* NULL: not part of a batch */
};

void rpc_init(struct rpc *rpc, rpc_write *write, void *ctx);
void rpc_finish(struct rpc *rpc);

void request_init(
    struct rpc_request *r, enum era era, const json_t *id, const json_t *progress_token,
    struct rpc_batch *batch);

/* Each of these ends the request; rpc_no_answer ends it without a response. */
void rpc_result(struct rpc *rpc, struct rpc_request *r, struct str members); /* without braces */
void rpc_error(
    struct rpc *rpc, struct rpc_request *r, enum rpc_code code, const char *reason,
    struct str data);
void rpc_no_answer(struct rpc *rpc, struct rpc_request *r);

/* Writes an error for a message without a readable id. */
void rpc_stray_error(
    struct rpc *rpc, struct rpc_batch *batch, enum rpc_code code, const char *reason);

/* Writes a progress notification if the request has a token. total: 0 if unknown. */
void rpc_progress(
    struct rpc *rpc, const struct rpc_request *r, int64_t done, int64_t total, const char *text);

/* A batch is written when it is closed and all its requests have ended. */
struct rpc_batch *rpc_batch_open(void);
void rpc_batch_close(struct rpc *rpc, struct rpc_batch *batch);

/*
 * Parses messages of JSON-RPC 2.0 and checks their form. Methods are checked by the caller.
 */

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

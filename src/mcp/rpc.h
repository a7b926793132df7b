/*
 * Writes responses, in the form of the request's era and with its id, and notifications. Each is
 * one line. The responses to a batch are one line, written when the last one is ready.
 */
#pragma once

#include "mcp/protocol.h"

typedef void rpc_write(void *ctx, struct str line); /* with its newline; valid during the call */

struct rpc {
    rpc_write *write;
    void *ctx;
    struct buf line; /* the current line */
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

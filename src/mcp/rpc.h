/*
 * What is written: answers to requests, in the form of their era and with their id, and
 * notifications. One line each. The answers to a batch are gathered until the last one is there.
 */
#pragma once

#include "mcp/protocol.h"

typedef void rpc_write(void *ctx, struct str line); /* with its newline; it is gone after */

struct rpc {
    rpc_write *write;
    void *ctx;
    struct buf line; /* the one being made */
};

struct rpc_batch;

/* Whom an answer is for. Owns its references. */
struct rpc_request {
    enum era era;
    json_t *id;
    json_t *progress_token;  /* NULL: nobody wants to hear of progress */
    struct rpc_batch *batch; /* NULL: it came alone */
};

void rpc_init(struct rpc *rpc, rpc_write *write, void *ctx);
void rpc_finish(struct rpc *rpc);

void request_init(
    struct rpc_request *r, enum era era, const json_t *id, const json_t *progress_token,
    struct rpc_batch *batch);

/* Each ends the request: it is answered, or, with rpc_no_answer, never will be. */
void rpc_result(struct rpc *rpc, struct rpc_request *r, struct str members); /* without braces */
void rpc_error(
    struct rpc *rpc, struct rpc_request *r, enum rpc_code code, const char *reason,
    struct str data);
void rpc_no_answer(struct rpc *rpc, struct rpc_request *r);

/* An error without a request whose id could be read. */
void rpc_stray_error(
    struct rpc *rpc, struct rpc_batch *batch, enum rpc_code code, const char *reason);

/* total: 0 when it is not known. Nothing is written unless the request has a token. */
void rpc_progress(
    struct rpc *rpc, const struct rpc_request *r, int64_t done, int64_t total, const char *text);

/* A batch is written when all requests that were made with it have ended and it was closed. */
struct rpc_batch *rpc_batch_open(void);
void rpc_batch_close(struct rpc *rpc, struct rpc_batch *batch);

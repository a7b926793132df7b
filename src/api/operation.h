/*
 * What the service answers, as one table: the operations of the API and the few pages beside it.
 * The router, the gate, metrics, OpenAPI and the docs read it; another resource is another row.
 */
#pragma once

#include "api/params.h"
#include "http/route.h"

struct api_call;
struct db;

enum operation_id {
    OPERATION_TRADES,
    OPERATION_TRADE,
    OPERATION_POLITICIANS,
    OPERATION_POLITICIAN,
    OPERATION_TICKER,
    OPERATION_FILINGS,
    OPERATION_CORRECTIONS,
    OPERATION_COVERAGE,
    OPERATION_OPENAPI,
    OPERATION_HOME,
    OPERATION_DOCS,
    OPERATION_CONFLICT,
    OPERATION_WEBHOOKS,
    OPERATION_MCP,
    OPERATION_LLMS,
    OPERATION_LLMS_FULL,
    OPERATION_HEALTHZ,
    OPERATION_READYZ,
    OPERATION_METRICS,
    OPERATION_COUNT
};

/* A parameter in the path. */
struct operation_segment {
    struct str name; /* null: the path has none */
    struct str description;
    struct str example;
};

/* The shape of a 200: what OpenAPI refers to. */
enum operation_shape {
    SHAPE_PAGE,   /* {"data": [schema], "nextCursor"} */
    SHAPE_SINGLE, /* {"data": schema} */
    SHAPE_OTHER,  /* not described by a schema of ours */
};

struct operation {
    const char *path;
    bool metered; /* of the API: behind the gate, drawing from windows; others look at no key */
    void (*answer)(struct api_call *call);
    /* Instead of `answer`: reads the store on a worker (deferred.h). Writes JSON into the body, or
     * answers with an error itself. */
    enum err (*fetch)(struct api_call *call, struct db *db, struct fail *fail);
    struct param_set params; /* a metered operation refuses all others */
    enum cursor_resource resource;
    bool withdrawable; /* what it names can be gone (410) */

    /* For the reference; null for operations beside the API. */
    struct str name;    /* operationId */
    struct str summary; /* a few words */
    struct str description;
    struct operation_segment segment;
    enum operation_shape shape;
    struct str schema;
};

const struct operation *operation_info(enum operation_id id);
enum operation_id operation_id_of(const struct operation *operation); /* a row of the table */

/* decision 20 */
#define OPERATION_METHODS                                                                          \
    (ROUTE_METHOD(HTTP_GET) | ROUTE_METHOD(HTTP_HEAD) | ROUTE_METHOD(HTTP_OPTIONS))

/* Rows for router_create; the target of each is its operation. */
void operation_routes(struct route ret[static OPERATION_COUNT]);

/* Whether an error is documented for (and can be answered by) a metered operation. */
bool operation_has_error(const struct operation *operation, enum error_code error);

/*
 * The table of all operations of the API and the texts for programs. The router, the gate, metrics,
 * OpenAPI and the docs read it. To add a resource, add a row.
 */
#pragma once

#include "api/params.h"
#include "http/route.h"

struct api_call;
struct db;

enum operation_id {
    OPERATION_TRADES,
    OPERATION_TRADE_STREAM,
    OPERATION_EXPORT,
    OPERATION_TRADE,
    OPERATION_STATS,
    OPERATION_POLITICIANS,
    OPERATION_POLITICIAN,
    OPERATION_TICKERS,
    OPERATION_TICKER,
    OPERATION_COMMITTEES,
    OPERATION_COMMITTEE,
    OPERATION_INDUSTRIES,
    OPERATION_INDUSTRY,
    OPERATION_FILINGS,
    OPERATION_FILING,
    OPERATION_CORRECTIONS,
    OPERATION_CHANGES,
    OPERATION_EVENTS,
    OPERATION_COVERAGE,
    OPERATION_USAGE,
    OPERATION_OPENAPI,
    OPERATION_LLMS,
    OPERATION_LLMS_FULL,
    OPERATION_REGISTRY,
    OPERATION_HEALTHZ,
    OPERATION_READYZ,
    OPERATION_METRICS,
    OPERATION_MCP,
    OPERATION_COUNT
};

/* A parameter in the path. */
struct operation_segment {
    struct str name; /* null: the path has no parameter */
    struct str description;
    struct str example;
};

/* The form of the body of a 200, for OpenAPI. */
enum operation_shape {
    SHAPE_PAGE,     /* {"data": [schema], "nextCursor"} */
    SHAPE_SEQUENCE, /* {"data": [schema], "nextCursor", "lastSeq", "lastCursor"} */
    SHAPE_EVENTS,   /* {"data": [schema], "nextCursor", "lastCursor"} */
    SHAPE_GROUPS,   /* {"data": [schema], "totals": other_schema, "overlaps", "nextCursor"} */
    SHAPE_STREAM,   /* server-sent events whose data is the schema; takes Last-Event-ID */
    SHAPE_EXPORT,   /* the schema as lines of CSV or JSON, as many as there are */
    SHAPE_SINGLE,   /* {"data": schema} */
    SHAPE_OTHER,    /* not described by a schema */
};

struct operation {
    const char *path;
    bool metered; /* part of the API: needs a draw; other operations ignore keys */
    bool keyed;   /* a caller without a key gets 401 */
    /* Describes the key of the request: draws nothing from it, is not counted, and has a bound of
     * its own (decision 43). */
    bool about_key;
    bool watched; /* asked every few seconds by what watches the server: a 200 is not logged */
    bool is_text; /* the same for all callers: one of api_texts (texts.h), and neither below */
    void (*answer)(struct api_call *call);
    /* Instead of `answer`: runs on a worker and reads the store (deferred.h). Writes JSON into the
     * body, or replies with an error itself. */
    enum err (*fetch)(struct api_call *call, struct db *db, struct fail *fail);
    /* Instead of both, of an operation that is posted: runs on a worker (a struct db_reader), and
     * writes the whole reply. */
    void (*run)(struct api_call *call, void *worker);
    struct param_set params; /* other parameters are errors */
    enum cursor_resource resource;
    bool withdrawable;  /* can return 410 */
    bool small;         /* its largest reply is far below the limit of a reply */
    bool tells_waiting; /* its replies can have X-Reports-Waiting */

    /* For the reference; null: not a part of it. */
    struct str name;    /* operationId */
    struct str summary; /* a few words */
    struct str description;
    struct operation_segment segment;
    enum operation_shape shape;
    struct str schema;
    struct str other_schema; /* of SHAPE_SINGLE: what `data` may be instead; of SHAPE_GROUPS;
                                 null: none */
};

/* Its reply is sent in pieces. */
static inline bool operation_is_streamed(const struct operation *operation)
{
    return operation->shape == SHAPE_STREAM || operation->shape == SHAPE_EXPORT;
}

const struct operation *operation_info(enum operation_id id);
enum operation_id operation_id_of(
    const struct operation *operation); /* `operation` must be a row of the table */

/* decision 20 */
#define OPERATION_METHODS                                                                          \
    (ROUTE_METHOD(HTTP_GET) | ROUTE_METHOD(HTTP_HEAD) | ROUTE_METHOD(HTTP_OPTIONS))

static inline unsigned operation_methods(const struct operation *operation)
{
    return operation->run ? ROUTE_METHOD(HTTP_POST) | ROUTE_METHOD(HTTP_OPTIONS)
                          : OPERATION_METHODS;
}

/* Fills in the routes for router_create. The target of each is its operation. */
void operation_routes(struct route ret[static OPERATION_COUNT]);

/* True if a metered operation can return the error, and so documents it. */
bool operation_has_error(const struct operation *operation, enum error_code error);

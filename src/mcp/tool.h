/*
 * A tool, as a table has it: what a model is told of it, what it takes, which address of the API it
 * asks, and what it makes of the answers. The table is tool_table.c.
 */
#pragma once

#include "mcp/argument.h"
#include "shape/schema.h"

struct api_answer;
struct call;

/* The API answers a tool of TOOL_ANSWER_ONE with one resource, and every other with a page. */
enum tool_answer {
    TOOL_ANSWER_ONE,     /* {data: SCHEMA} */
    TOOL_ANSWER_PAGE,    /* {data: [SCHEMA], nextCursor} */
    TOOL_ANSWER_STRETCH, /* of several pages: the same, and cutShort where it was */
    TOOL_ANSWER_MATCHES, /* of several pages: {data: [SCHEMA], scan: OWN_SCAN_SCHEMA} */
};

struct tool {
    struct str name;
    struct str title;
    struct str description;
    const struct argument *arguments; /* ends with a null name */

    struct str path;     /* of the API; what `in_path` names follows it */
    struct str in_path;  /* an argument; null: none, and all of them go into the query */
    const char *unknown; /* what an answer of 404 means; NULL: nothing of this tool's own */

    enum tool_answer answers;
    const char *schema;                   /* by its name in shape/schema.h; NULL: */
    const struct schema *own_schema;      /* this tool's own */
    const struct schema *own_scan_schema; /* of TOOL_ANSWER_MATCHES */

    void (*start)(struct call *call);
    void (*answered)(struct call *call, const struct api_answer *answer); /* a success */
    /* An answer behind the first one is no success, and the sentence says why: ends with what has
     * been found so far. NULL: the tool asks once. */
    void (*cut_short)(struct call *call, struct str sentence);
    void (*finish)(void *state); /* frees what the tool keeps with a call; NULL: it keeps nothing */
};

const struct tool *tool_at(size_t i); /* NULL behind the last */
const struct tool *tool_named(struct str name);

/* The member `tools` of tools/list: an array. */
void tool_list_json(struct json_out *j);

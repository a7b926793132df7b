/*
 * A tool, as a table has it: what a model is told of it, what it takes, which address of the API it
 * asks, and what it makes of the answers. The table is tool_table.c.
 */
#pragma once

#include "mcp/argument.h"
#include "wire/schema.h"

struct api_answer;
struct call;

enum tool_answer {
    TOOL_ANSWER_ONE,  /* {data: SCHEMA} */
    TOOL_ANSWER_PAGE, /* {data: [SCHEMA], nextCursor} */
    TOOL_ANSWER_SCAN, /* {data: [SCHEMA], scan: PoliticianScan}; see find_politician.c */
};

struct tool {
    struct str name;
    struct str title;
    struct str description;
    const struct argument *arguments; /* ends with a null name */

    struct str path;     /* of the API; what `in_path` names follows it */
    struct str in_path;  /* an argument; null: none, and all of them go into the query */
    const char *unknown; /* what an answer of 404 means; NULL: nothing of this tool's own */

    enum tool_answer reads;               /* what the API answers, and: */
    enum tool_answer answers;             /* what the tool does */
    const char *schema;                   /* by its name in wire/schema.h; NULL: */
    const struct schema *own_schema;      /* this tool's own */
    const struct schema *own_scan_schema; /* of TOOL_ANSWER_SCAN */

    void (*start)(struct call *call);
    void (*answered)(struct call *call, const struct api_answer *answer); /* a success */
    /* Anything else: a sentence for the caller. NULL: the call fails with it. */
    void (*failed)(struct call *call, struct str sentence);
    void (*finish)(void *state); /* frees what the tool keeps with a call; NULL: it keeps nothing */
};

const struct tool *tool_at(size_t i); /* NULL behind the last */
const struct tool *tool_named(struct str name);

/* The member `tools` of tools/list: an array. */
void tool_list_json(struct json_out *j);

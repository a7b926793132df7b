/*
 * A row of the table of tools (tool_table.c): the description for models, the arguments, the
 * address in the API, and the functions that handle the responses.
 */
#pragma once

#include "mcp/argument.h"

struct api_answer;
struct call;

/* The form of a tool's result. For TOOL_ANSWER_ONE the API returns one resource, otherwise pages.
 */
enum tool_answer {
    TOOL_ANSWER_ONE,     /* {data: OBJECT} */
    TOOL_ANSWER_PAGE,    /* {data: [OBJECT], nextCursor} */
    TOOL_ANSWER_GROUPS,  /* {data: [OBJECT], totals, overlaps, nextCursor} */
    TOOL_ANSWER_SCAN,    /* several pages: the same, and cutShort if it was cut short */
    TOOL_ANSWER_MATCHES, /* several pages: {data: [OBJECT], scan: OBJECT} */
};

struct tool {
    struct str name;
    struct str title;
    struct str description;
    const struct argument *arguments; /* ends with a null name */

    struct str path;     /* of the API; the value of `in_path` follows it */
    struct str in_path;  /* name of an argument; null: all arguments go into the query */
    const char *unknown; /* the sentence for a 404; NULL: a general one */
    const char *nothing; /* the sentence for an empty list, if a filter was given (note.h), or for
                          * one resource without trades */

    enum tool_answer answers;
    void (*start)(struct call *call);
    void (*answered)(struct call *call, const struct api_answer *answer); /* a success */
    /* A request after the first one failed, with the reason in `sentence`: ends the call with the
     * results so far. NULL: the tool makes one request. */
    void (*cut_short)(struct call *call, struct str sentence);
    void (*finish)(void *state); /* frees the state of a call; NULL: there is none */
};

const struct tool *tool_at(size_t i); /* NULL after the last */
const struct tool *tool_named(struct str name);

/* Writes the member `tools` of tools/list, an array. */
void tool_list_json(struct json_out *j);

/*
 * Answers of the HTTP API as a tool needs them: the JSON of a success, or one sentence that tells a
 * model, or the person behind it, what to do (spec 4.6, 7).
 */
#pragma once

#include <jansson.h>

#include "mcp/tool.h"
#include "net/client.h"

/* The caller's minute window (spec 8.3). */
struct api_rate {
    int64_t limit, remaining; /* -1: not told */
    int64_t reset_s;          /* unix seconds; -1: not told */
};

struct api_answer {
    json_t *object;      /* to be given back by json_decref; NULL: no success, but: */
    bool worth_retrying; /* nobody answered, or 503 */
    struct api_rate rate;
};

/* A success puts the JSON into *text, without line breaks; else the sentence is put there. */
void api_answer_read(
    const struct client_answer *from, const struct tool *tool, struct buf *text,
    struct api_answer *ret);

/* A warning when 3 requests or fewer are left; nothing is put otherwise. */
void api_rate_warning(struct buf *b, const struct api_rate *rate);

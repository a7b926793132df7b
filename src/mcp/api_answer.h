/*
 * Answers of the HTTP API as a tool needs them: the JSON of a success, or one sentence that tells a
 * model, or the person behind it, what to do (spec 4.6, 7).
 */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "net/client.h"

/* The caller's minute window (spec 8.3). */
struct api_rate {
    int64_t limit, remaining; /* -1: not told */
    int64_t reset_s;          /* unix seconds; -1: not told */
};

struct tool;

struct api_answer {
    bool success;
    json_t *object;      /* the body, of a success or not; NULL: it is none */
    struct str text;     /* the same, without line breaks; no success: the sentence */
    bool worth_retrying; /* no success: nobody answered, or 503 */
    struct api_rate rate;
};

/* The text is in *space; the object is given back by api_answer_finish. */
void api_answer_read(
    const struct client_answer *from, const struct tool *tool, struct buf *space,
    struct api_answer *ret);
void api_answer_finish(struct api_answer *answer);

/* A warning when 3 requests or fewer are left; nothing is put otherwise. */
void api_rate_warning(struct buf *b, const struct api_rate *rate);

/*
 * Responses of the HTTP API in the form that tools need: the JSON of a success, or one sentence
 * that tells a model or its user what to do (spec 4.6, 7).
 */
#pragma once

#include "mcp/api_page.h"
#include "net/client.h"

/* The caller's minute window (spec 8.3). */
struct api_rate {
    int64_t limit, remaining; /* -1: unknown */
    int64_t reset_s;          /* Unix seconds; -1: unknown */
};

struct tool;

struct api_answer {
    bool success;
    struct api_page page; /* success: what the body holds */
    struct str text;      /* success: the body without line breaks; failure: the sentence */
    bool worth_retrying;  /* failure: no connection, or status 503 */
    bool invented;        /* the server says that its data is invented (rule/invented.h) */
    struct api_rate rate;
    int64_t waiting; /* X-Reports-Waiting; -1: absent */
};

/* Fills *ret, whose text is in *space. api_answer_finish frees the page, whose trades are in the
 * body. */
void api_answer_read(
    const struct client_answer *from, const struct tool *tool, struct buf *space,
    struct api_answer *ret);
void api_answer_finish(struct api_answer *answer);

/* Whether the response says so in its header. */
bool api_answer_is_invented(const struct client_answer *from);

/* Appends JSON as one line. */
void api_answer_put_line(struct buf *b, struct str json);

/* Appends a warning if 3 or fewer requests are left. */
void api_rate_warning(struct buf *b, const struct api_rate *rate);

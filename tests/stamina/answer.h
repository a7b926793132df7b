/*
 * One HTTP answer as it comes in, piece by piece. Strict about what this server promises: a status
 * line, exactly one Content-Length where there may be a body, and that many bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ANSWER_HEAD_MAX = 1536 };

enum answer_state {
    ANSWER_HEAD, /* its head is not whole; head_n == 0: nothing of it has come */
    ANSWER_BODY,
    ANSWER_WHOLE,
    ANSWER_BAD, /* not an answer of this server */
};

/* What every body must be, byte by byte; n == 0: anything will do. Not owned. */
struct answer_body {
    const char *p;
    size_t n;
};

struct answer {
    enum answer_state state;
    int status;
    bool close;   /* Connection: close */
    bool differs; /* from the expected body */
    size_t body_n, body_got;
    size_t head_n;
    char head[ANSWER_HEAD_MAX];
};

void answer_init(struct answer *a);

/* Takes what belongs to this answer and returns how many bytes that was. */
size_t answer_take(struct answer *a, const struct answer_body *expected, const char *p, size_t n);

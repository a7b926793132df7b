/*
 * Incremental parser of one HTTP answer. It requires the server's promises: a status line, exactly
 * one Content-Length if a body is allowed, and that many bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ANSWER_HEAD_MAX = 1536 };

enum answer_state {
    ANSWER_HEAD, /* the head is incomplete; head_n == 0: nothing received */
    ANSWER_BODY,
    ANSWER_WHOLE,
    ANSWER_BAD, /* not a valid answer of this server */
};

/* The expected body; n == 0: any. Not owned. */
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

/* Consumes the bytes of this answer and returns their number. */
size_t answer_take(struct answer *a, const struct answer_body *expected, const char *p, size_t n);

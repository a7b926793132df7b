/* One command to Redis, mostly a run of a script: its formatted text, and the callback for its
 * answer. */
#pragma once

#include "base/str.h"

enum {
    REDIS_SHA1_HEX = 40,
    REDIS_CALL_ARGUMENTS_MAX = 32,
    REDIS_CALL_NUMBERS_MAX = 16, /* in an answer */
    REDIS_VERSION_SIZE = 32,     /* with the NUL */
};

struct redis_script {
    const char *text;
    char sha1[REDIS_SHA1_HEX];
};

void redis_script_init(struct redis_script *script, const char *text); /* text is constant */

/* Called exactly once: with the integers that the script returned, or with n == 0 if there is no
 * answer. Must not block. */
typedef void redis_answered(void *ctx, const int64_t *numbers, size_t n);

enum redis_call_kind {
    REDIS_CALL_SCRIPT,
    REDIS_CALL_GREETING, /* a part of the login */
    REDIS_CALL_ASKING,   /* sent before a call for a slot that is being moved to this node */
    REDIS_CALL_CLOCK,    /* TIME */
    REDIS_CALL_VERSION,  /* INFO */
};

/* Queued by its caller, then waiting for an answer in sending order. */
struct redis_call {
    enum redis_call_kind kind;
    char *command; /* formatted by hiredis */
    size_t command_n;
    redis_answered *answered; /* NULL: the answer is ignored */
    void *ctx;
    uint16_t slot;    /* of the keys, in a cluster */
    int64_t asked_ms; /* monotonic */
    int64_t sent_ms;  /* the last time */
    int redirects;    /* by nodes of a cluster */
    bool asking;      /* send ASKING first */
    struct redis_call *next;
};

/* EVALSHA sha key_count arguments... is_new until_ms. `is_new` and `until_ms` are set by
 * redis_call_stamp. At least one argument is a key, the first. */
struct redis_call *redis_call_create(
    const struct redis_script *script, size_t key_count, const struct str *arguments, size_t n);
/* Sets the last two arguments, before each sending. is_new: the connection is. */
void redis_call_stamp(struct redis_call *call, bool is_new, int64_t until_ms);
/* A command of other kinds, of at most REDIS_CALL_ARGUMENTS_MAX words. */
struct redis_call *redis_call_of_words(
    enum redis_call_kind kind, const char *const *words, size_t n);
void redis_call_finish(
    struct redis_call *call, const int64_t *numbers, size_t n); /* and frees the call */

struct redis_call_list {
    struct redis_call *first, **end;
};

void redis_call_list_init(struct redis_call_list *list);
void redis_call_add(struct redis_call_list *list, struct redis_call *call);
struct redis_call *redis_call_take(struct redis_call_list *list); /* the first; NULL: empty */
/* Moves all calls of `from`; *to need not be initialised. */
void redis_call_take_all(struct redis_call_list *from, struct redis_call_list *to);

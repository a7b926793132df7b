/*
 * Checks the Redis for rate limits, for `stockact doctor`: connects and logs in like the server,
 * sends a few queries, and runs a script that writes one key with a lifetime of ten seconds.
 */
#pragma once

#include "limits/redis_url.h"

enum { REDIS_LOOK_TIMES = 9, REDIS_LOOK_WORD_SIZE = 32, REDIS_LOOK_REASON_SIZE = 160 };

struct redis_look {
    int64_t ns[REDIS_LOOK_TIMES];         /* of each question for its clock */
    int64_t clock_ms, mono_ms;            /* its clock, and our monotonic clock at the same time */
    char refused[REDIS_LOOK_REASON_SIZE]; /* why it refused the key; "": it accepted it */
    bool informed; /* its user may call INFO; otherwise the rest is empty, or -1 */
    char version[REDIS_LOOK_WORD_SIZE];
    char mode[REDIS_LOOK_WORD_SIZE];    /* "standalone", "cluster" */
    char cluster[REDIS_LOOK_WORD_SIZE]; /* state of its cluster: "ok", "fail" */
    char role[REDIS_LOOK_WORD_SIZE];    /* "master", "slave" */
    char policy[REDIS_LOOK_WORD_SIZE];  /* eviction policy, such as "noeviction" */
    int64_t memory, memory_max;         /* bytes; 0: no maximum */
    int64_t evicted;                    /* keys evicted since its start */
};

/* Checks one of the hosts of the URL. Blocks for at most `time_max_ms`, plus the look-up of the
 * name. ERR_INVALID: the CA file, or this build has no Redis. ERR_UNAVAILABLE: no connection.
 * ERR_REFUSED: it refused the login. ERR_TIMEOUT: it is silent. */
enum err redis_look(
    const struct redis_url *url, const struct redis_place *place, struct str ca_file,
    int64_t time_max_ms, struct redis_look *ret, struct fail *fail);

/* The lines of an answer to INFO that `ret` has members for; others are ignored. */
void redis_look_read(struct str info, struct redis_look *ret);

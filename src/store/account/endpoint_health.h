/* How the deliveries to an endpoint go: attempts of the last day by hour, the queue, and the last
 * attempt. Tests are not counted. */
#pragma once

#include "db/db.h"
#include "rule/delivery.h"

enum { ENDPOINT_HEALTH_HOURS = 24 };

struct endpoint_health {
    /* Whole hours of UTC, the last of which is the current one. */
    struct endpoint_hour {
        int64_t from_ms;
        int64_t delivered, failed; /* attempts that began in it, by their outcome */
    } hours[ENDPOINT_HEALTH_HOURS];
    int64_t delivered, failed; /* in all */
    int64_t waiting;           /* deliveries in the queue: due, held, in flight, or to be retried */
    int64_t next_at;           /* when the next is due; INSTANT_NONE: none waits. A held one is due
                                * in the past */
    struct {
        int64_t at;        /* INSTANT_NONE: none in the log */
        int status;        /* 0: no response */
        struct str error;  /* null: it was delivered */
        struct str detail; /* the reason in words; null: none */
    } last;
};

/* Strings live in the arena. */
enum err endpoint_health(
    struct db *db, int64_t endpoint_no, int64_t now_ms, struct arena *arena,
    struct endpoint_health *ret, struct fail *fail);

/* How many endpoints there are, paused and deleted ones aside, and how many of them fail. */
enum err endpoint_health_count(
    struct db *db, int64_t *ret_count, int64_t *ret_failing, struct fail *fail);

/* The state of a delivery and its endpoint as it is stored, for the steps of rule/delivery.h.
 * Private to src/store/account. */
#pragma once

#include "base/mem.h"
#include "db/db.h"
#include "rule/delivery.h"
#include "store/account/endpoint_open.h"

struct delivery_stored {
    int64_t no, endpoint_no;
    int64_t attempts;
    bool leased;
    int64_t replayed_at;    /* INSTANT_NONE: never */
    struct str endpoint_id; /* in the arena */
    bool erased;            /* the account of its endpoint was deleted: no URL, request or answer */
    struct delivery_is delivery;
    struct endpoint_is endpoint;
};

#define DELIVERY_SELECT_STORED                                                                     \
    "SELECT d.no, d.endpoint_no, d.attempts, d.state, d.tries, d.counted_in, d.due_at,"            \
    " d.lease_node, e.id, d.cause, d.replayed_at, e.url, " ENDPOINT_IS                             \
    " FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"

/* The current row of a query that begins with DELIVERY_SELECT_STORED. */
struct delivery_stored delivery_stored_read(const struct query *q, struct arena *arena);

/* Finds it, also if its endpoint is deleted. ERR_NOT_FOUND: no such delivery. */
enum err delivery_stored_find_no(
    struct db *db, int64_t no, struct arena *arena, struct delivery_stored *ret, struct fail *fail);

/* Writes the state and ends the lease. ERR_BUSY: another server claimed or ended it after it was
 * read in the state `before`. */
enum err delivery_stored_write(
    struct db *db, const struct delivery_stored *stored, const struct delivery_is *before,
    int64_t ended_at, struct fail *fail);

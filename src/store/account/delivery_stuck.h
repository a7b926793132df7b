/*
 * Endpoints with late or held deliveries: due for too long, or waiting for a disabled or paused
 * endpoint or a disabled owner. For admins.
 */
#pragma once

#include "db/db.h"
#include "rule/delivery.h"

enum {
    DELIVERY_LATE_MS = 5 * MINUTE_MS, /* a delivery that is due for longer is late */
    DELIVERY_STUCK_COUNTED_MAX = 1000,
    DELIVERY_STUCK_ENDPOINTS_MAX = 2000, /* endpoints with a queue that one call visits */
};

enum stuck_reason {
    STUCK_LATE, /* the endpoint is enabled, and its oldest delivery is late */
    STUCK_DISABLED,
    STUCK_PAUSED,
    STUCK_OWNER, /* the account is disabled */
    STUCK_REASON_COUNT
};

struct str stuck_reason_name(enum stuck_reason reason);

struct delivery_stuck {
    int64_t endpoint_no;
    struct str endpoint_id, url;
    struct str account_id, email;
    enum stuck_reason reason;
    int64_t queued;     /* pending deliveries; at most DELIVERY_STUCK_COUNTED_MAX are counted */
    bool more;          /* there are more than that */
    int64_t oldest_due; /* when the oldest of them became due */
    int64_t failures;   /* of the endpoint since its last 2xx */
    struct str error;   /* of the newest attempt of the oldest delivery; null: none was made */
};

struct delivery_stuck_list {
    struct delivery_stuck *items;
    size_t count;
    bool more; /* there are further ones: continue after the last endpoint_no */
};

/* In the order of their endpoints' numbers, those with a number above `after`, at most `limit`.
 * Strings live in the arena. */
enum err delivery_stuck_list(
    struct db *db, int64_t after, size_t limit, int64_t now_ms, struct arena *arena,
    struct delivery_stuck_list *ret, struct fail *fail);

/* Filters of GET /trades that have no posting list (decision 41; narrow.h). */
#pragma once

#include "core/model.h"

struct feed_narrow {
    int32_t traded_from, traded_to; /* inclusive; DAY_NONE: open. No date, no match */
    enum side side;                 /* the _NONE of each: any */
    enum owner owner;
    enum asset_type asset_type;
    struct str party;   /* as printed, exactly; null: any */
    struct str state;   /* two letters; null: any */
    int64_t amount_min; /* the range begins here or above; 0: any */
    bool without_conflict;
};

#define FEED_NARROW_NONE                                                                           \
    ((struct feed_narrow){                                                                         \
        .traded_from = DAY_NONE, .traded_to = DAY_NONE, .party = STR_NULL, .state = STR_NULL})

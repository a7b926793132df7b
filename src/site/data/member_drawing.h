/* A member's seats and trades as a drawing (html/timeline.h). Private to src/site/data. */
#pragma once

#include "site/data/member_trades.h"
#include "site/frame/known_view.h"

/* The days to show; DAY_NONE: from the first, or to the last. */
struct member_period {
    int32_t from, to;
};

struct member_drawn {
    struct str name, slug;
    bool in_office;
    int32_t today;
    const struct member_seats *seats;
    const struct member_trades *trades;
    const struct missing *missing; /* the axis is hatched where they may have trades */
    struct member_period period;
};

/* Adds the object `drawing`, `drawingHidden`: the number of trades without a day in it (null:
 * none), and `seatsHidden`: not all seats are drawn. Without seats and trades `drawing` is null. */
void member_drawing_put(struct page_call *call, const struct member_drawn *drawn);

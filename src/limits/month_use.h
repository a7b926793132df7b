/* What one caller has drawn in one month, the same for keys and addresses, and the list of those
 * whose draws are not in the database yet. Changed under the shard's lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct month_use {
    uint32_t used;
    int32_t unwritten; /* drawn (less than 0: given back) since it was last written */
    int32_t month;
    bool of_key; /* a struct key_month, otherwise a struct month_entry */
    bool ipv4;   /* whose table a struct month_entry is in */
    bool listed; /* in the list of unwritten ones */
    bool stored; /* the database has a row of it, or is about to */
};

/* Pointers stay valid: what they point to is never freed before the list. An entry that was given
 * to another caller in between may be in it with nothing to write. */
struct month_list {
    struct month_use **items;
    size_t n, cap;
};

void month_list_finish(struct month_list *list);
void month_use_list(struct month_use *use, struct month_list *list); /* unless it is listed */
/* Counts `n` draws (or gives back -n, never below 0) and lists it. */
void month_use_add(struct month_use *use, int32_t n, struct month_list *list);
/* Raises it to what Redis says; `drawn`: the database is to hear of one more draw. */
void month_use_mirror(struct month_use *use, uint32_t used, bool drawn, struct month_list *list);

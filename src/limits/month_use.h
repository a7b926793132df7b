/* One caller's draws in one month, for keys and addresses alike, and the list of months with draws
 * that are not in the database yet. Protected by the shard's lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct month_use {
    uint32_t used;
    int32_t unwritten; /* drawn since the last write (negative: refunded) */
    int32_t month;
    bool of_key; /* part of a struct key_month, otherwise of a struct month_entry */
    bool ipv4;   /* family of the table that holds the struct month_entry */
    bool listed; /* in the list of unwritten months */
    bool stored; /* the database has a row, or will after this flush */
};

/* Pointers stay valid, because entries are never freed before the list. A listed entry that was
 * given to another caller may have nothing to write. */
struct month_list {
    struct month_use **items;
    size_t n, cap;
};

void month_list_finish(struct month_list *list);
void month_use_list(struct month_use *use, struct month_list *list); /* no-op if it is listed */
/* Counts `n` draws (or refunds -n, never below 0) and lists the month. */
void month_use_add(struct month_use *use, int32_t n, struct month_list *list);
/* Raises the count to Redis's value. `drawn`: one more draw must be written to the database. */
void month_use_mirror(struct month_use *use, uint32_t used, bool drawn, struct month_list *list);

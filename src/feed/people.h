/*
 * Members of Congress in the feed: found by slug or id, with their current profile and the counts
 * of their trades and filings. A person has an index from 1, which posting keys use.
 */
#pragma once

#include "base/rcu.h"
#include "feed/name_order.h"
#include "feed/tally.h"
#include "market/member_term.h"
#include "rule/cursor.h"

/* A member's profile from an import; strings are copied. */
struct people_profile {
    struct str id;
    struct str slug;
    struct str name;
    enum chamber chamber; /* current, like party, state and district */
    struct str party;
    struct str state;
    int district;                         /* -1: null */
    const struct member_service *service; /* the newest first */
    size_t service_count;
    struct str committees_json; /* null: none, printed as [] */
    struct str other_names;     /* one on each line, for searches; null: none */
    struct str folded;          /* its line of name_order.h; set by people_put, like name_n */
    size_t name_n;              /* the part of it that is `name` */
};

struct person {
    uint32_t index;
    struct str id, slug;                      /* never change */
    _Atomic(struct people_profile *) profile; /* one block with its strings; const */
    struct tally tally;
    _Atomic int32_t indexed, waiting; /* known reports (store/public/known.h); see load_known */
};

struct people {
    struct rcumap *by_slug;
    struct rcumap *by_id;
    struct person **by_index; /* writer only; [0] is unused */
    uint32_t n, capacity;
    _Atomic(struct name_order *) order; /* all people by slug, bytewise, as of the last
                                           people_sort; items are const struct person */
    bool unsorted;                      /* writer only: a person was added or changed since */
    struct rcu_retired *retired;
};

void people_init(struct people *p, struct rcu_retired *retired);
void people_finish(struct people *p);

/* Readers and writer. */
struct person *people_find(const struct people *p, struct str slug_or_id); /* NULL: unknown */

const struct name_order *people_order(const struct people *p);

/* Converts between a position and a cursor: people_order_cursor gives the cursor of an item,
 * people_order_after the first place after a cursor. A slug that is too long for a cursor is stored
 * as its beginning and the number of earlier slugs with the same beginning. */
struct cursor people_order_cursor(const struct name_order *order, uint32_t i, enum name_rank rank);
uint32_t people_order_after(
    const struct name_order *order, const struct cursor *cursor, enum name_rank *ret_rank);

/* Writer only. Adds the member, or replaces the profile of the member with this id. */
struct person *people_put(struct people *p, const struct people_profile *profile);

/* Rebuilds the order if it is out of date. */
void people_sort(struct people *p);

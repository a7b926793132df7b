/*
 * Members of Congress as the feed knows them: found by slug or id, with today's profile and the
 * counts of their trades and filings. A person has an index, which posting keys use, from 1.
 */
#pragma once

#include "base/mem.h"
#include "base/rcumap.h"
#include "core/cursor.h"
#include "feed/tally.h"

/* What an import says of a member; strings are copied. */
struct people_profile {
    struct str id;
    struct str slug;
    struct str name;
    enum chamber chamber; /* today's, as party, state and district are */
    struct str party;
    struct str state;
    int district;               /* -1: null */
    int32_t office_until;       /* last day of the latest term; DAY_NONE: not known */
    struct str committees_json; /* null: none, printed as [] */
    struct str folded;          /* the name's words (base/fold.h); set by people_put */
};

struct person {
    uint32_t index;
    struct str id, slug;                      /* never change */
    _Atomic(struct people_profile *) profile; /* one block with its strings; const */
    struct tally tally;
    _Atomic uint32_t filings;
};

/* Everybody by slug, bytewise, and their folded names one after the other, so that a search runs
 * over one text. One block, const once readers see it. */
struct people_order {
    uint32_t n;
    const struct person **items;
    uint32_t *name_at; /* n + 1 places in `names`; each name ends with a line feed */
    char *names;
};

struct people {
    struct rcumap *by_slug;
    struct rcumap *by_id;
    struct person **by_index; /* the writer's; [0] is not used */
    uint32_t n, capacity;
    _Atomic(struct people_order *) order; /* as of the last people_sort */
    bool unsorted;                        /* somebody came or changed since; the writer's */
    struct rcu_retired *retired;
};

void people_init(struct people *p, struct rcu_retired *retired);
void people_finish(struct people *p);

/* Readers and writer. */
struct person *people_find(const struct people *p, struct str slug_or_id); /* NULL: unknown */

const struct people_order *people_order(const struct people *p);

/* The first place from `from` on whose name holds each of the words, which have a space between
 * them (null: every name does); n: none. */
uint32_t people_order_find(const struct people_order *order, uint32_t from, struct str words);

/* The position of an item as a cursor, and the first place behind a cursor. A slug that is too long
 * for a cursor is found by its beginning and the count of those before it that begin the same. */
struct cursor people_order_cursor(const struct people_order *order, uint32_t i);
uint32_t people_order_after(const struct people_order *order, const struct cursor *cursor);

/* The writer. Adds the member or takes over the new profile; found by id. */
struct person *people_put(struct people *p, const struct people_profile *profile);

/* Brings the order up to date. */
void people_sort(struct people *p);

/* Counts of flagged trades; see conflict_counts.h. */
#include "site/conflict_counts.h"

#include <string.h>

#include "core/industry.h"

/* A reason and a politician: most reasons name one. */
struct pair {
    const struct signal_topic *topic;
    uint32_t politician;
    int64_t trades;
    struct pair *next; /* of the same reason */
};

struct reason {
    bool is_known, is_chosen;
    const struct signal_topic *topic; /* NULL: newer than the page's view of the database */
    struct pair *pairs;
};

/* By number, while the page reads the feed. */
struct conflict_reasons {
    struct reason *items;
    uint32_t count;
};

/* Members as bits, by number. */
struct members {
    uint64_t *words;
};

struct conflict_tally {
    struct conflict_choice *choice;
    struct conflict_counts *counts;
    struct arena *arena;
    uint32_t politicians;    /* above each number */
    struct members *members; /* of each cell, and of the chosen ones at the end */
};

static bool is_chosen(const struct conflict_choice *choice, const struct signal_topic *topic)
{
    bool found = choice->any_committee;
    if (choice->industry && topic->industry != choice->industry)
        return false;
    for (uint32_t i = 0; i < topic->committee_count && !found; i++)
        found = topic->committees[i] == choice->committee ||
                topics_committee(choice->topics, topic->committees[i])->parent == choice->committee;
    return found;
}

static void grow(struct conflict_reasons *reasons, struct arena *arena, uint32_t number)
{
    uint32_t count = reasons->count ? reasons->count : 1024;
    while (count <= number)
        count *= 2;
    struct reason *items = ARENA_ARRAY(arena, struct reason, count);
    memset(items, 0, count * sizeof *items);
    if (reasons->count)
        memcpy(items, reasons->items, reasons->count * sizeof *items);
    *reasons = (struct conflict_reasons){items, count};
}

static struct reason *reason_of(
    const struct conflict_choice *choice, struct reason *reason, struct feed_signal signal)
{
    if (reason->is_known)
        return reason;
    reason->is_known = true;
    reason->topic = topics_find(choice->topics, signal.tag);
    reason->is_chosen = reason->topic && is_chosen(choice, reason->topic);
    return reason;
}

bool conflict_choice_keeps(void *ctx, struct feed_signal signal)
{
    const struct conflict_choice *choice = ctx;
    struct conflict_reasons *reasons = choice->reasons;
    return signal.number < reasons->count &&
           reason_of(choice, &reasons->items[signal.number], signal)->is_chosen;
}

static void add_signal(void *ctx, struct feed_signal signal, uint32_t politician)
{
    struct conflict_tally *c = ctx;
    struct conflict_reasons *reasons = c->choice->reasons;
    if (signal.number >= reasons->count)
        grow(reasons, c->arena, signal.number);
    struct reason *reason = reason_of(c->choice, &reasons->items[signal.number], signal);
    struct pair *pair = reason->pairs;
    if (!reason->topic)
        return;
    while (pair && pair->politician != politician)
        pair = pair->next;
    if (!pair) {
        pair = ARENA_NEW(c->arena, struct pair);
        *pair = (struct pair){reason->topic, politician, 0, reason->pairs};
        reason->pairs = pair;
        if (politician >= c->politicians)
            c->politicians = politician + 1;
    }
    pair->trades++;
}

static void add_to(
    struct conflict_tally *c, struct conflict_cell *cell, struct members *members,
    const struct pair *pair)
{
    size_t words = c->politicians / 64 + 1;
    uint64_t bit = UINT64_C(1) << pair->politician % 64;
    cell->trades += pair->trades;
    if (!members->words) {
        members->words = ARENA_ARRAY(c->arena, uint64_t, words);
        memset(members->words, 0, words * sizeof *members->words);
    }
    if (members->words[pair->politician / 64] & bit)
        return;
    members->words[pair->politician / 64] |= bit;
    cell->members++;
}

static void add_pair(struct conflict_tally *c, const struct pair *pair)
{
    const struct topics *topics = c->choice->topics;
    const struct signal_topic *topic = pair->topic;
    struct conflict_counts *counts = c->counts;
    for (uint32_t i = 0; i <= topic->committee_count; i++) {
        int64_t committee =
            i ? (int64_t)topics_committee(topics, topic->committees[i - 1])->parent : CONFLICT_ALL;
        bool again = false;
        for (uint32_t k = 1; k < i; k++)
            again |= topics_committee(topics, topic->committees[k - 1])->parent == committee;
        struct conflict_cell *all = conflict_counts_of(counts, committee, 0), *own = all;
        own += topic->industry;
        if (again)
            continue;
        add_to(c, all, &c->members[all - counts->cells], pair);
        if (own != all)
            add_to(c, own, &c->members[own - counts->cells], pair);
    }
}

void conflict_counts_make(
    const struct feed *feed, const struct feed_filter *filter, struct conflict_choice *choice,
    struct arena *arena, struct conflict_counts *ret)
{
    struct conflict_tally c = {.choice = choice, .counts = ret, .arena = arena};
    *ret = (struct conflict_counts){.industries = industry_count()};
    size_t cells =
        ((size_t)topics_committee_count(choice->topics) + 1) * ((size_t)ret->industries + 1);
    ret->cells = ARENA_ARRAY(arena, struct conflict_cell, cells);
    memset(ret->cells, 0, cells * sizeof *ret->cells);
    c.members = ARENA_ARRAY(arena, struct members, cells + 1);
    memset(c.members, 0, (cells + 1) * sizeof *c.members);
    choice->reasons = ARENA_NEW(arena, struct conflict_reasons);
    *choice->reasons = (struct conflict_reasons){.count = 0};
    grow(choice->reasons, arena, topics_count(choice->topics));
    feed_each_signal(feed, filter, add_signal, &c);
    for (uint32_t i = 0; i < choice->reasons->count; i++) {
        const struct reason *reason = &choice->reasons->items[i];
        for (const struct pair *pair = reason->pairs; pair; pair = pair->next) {
            add_pair(&c, pair);
            if (reason->is_chosen)
                add_to(&c, &ret->chosen, &c.members[cells], pair);
        }
    }
}

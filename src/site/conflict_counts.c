/* Counts of flagged trades; see conflict_counts.h. */
#include "site/conflict_counts.h"

#include <string.h>

/* A reason and a politician: most reasons name one. */
struct pair {
    const struct signal_topic *topic;
    uint32_t politician;
    int64_t trades;
    struct pair *next; /* of the same reason */
};

/* The pairs of each reason, by its number. */
struct reason_pairs {
    struct pair **items;
    uint32_t count;
};

/* Members as bits, by number. */
struct members {
    uint64_t *words;
};

struct conflict_tally {
    const struct topics *topics;
    struct topic_choice choice;
    struct conflict_counts *counts;
    struct arena *arena;
    struct reason_pairs reasons;
    uint32_t politicians;    /* above each number */
    struct members *members; /* of each cell, and of the chosen ones at the end */
};

static void grow(struct reason_pairs *reasons, struct arena *arena, uint32_t number)
{
    uint32_t count = reasons->count ? reasons->count : 1024;
    while (count <= number)
        count *= 2;
    struct pair **items = ARENA_ARRAY(arena, struct pair *, count);
    memset(items, 0, count * sizeof(struct pair *));
    if (reasons->count)
        memcpy(items, reasons->items, reasons->count * sizeof(struct pair *));
    *reasons = (struct reason_pairs){items, count};
}

static void add_signal(void *ctx, struct feed_signal signal, uint32_t politician)
{
    struct conflict_tally *c = ctx;
    if (!signal.topic)
        return;
    if (signal.number >= c->reasons.count)
        grow(&c->reasons, c->arena, signal.number);
    struct pair **first = &c->reasons.items[signal.number], *pair = *first;
    while (pair && pair->politician != politician)
        pair = pair->next;
    if (!pair) {
        pair = ARENA_NEW(c->arena, struct pair);
        *pair = (struct pair){signal.topic, politician, 0, *first};
        *first = pair;
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

/* The committee that a seat counts for; CONFLICT_ALL for seat 0. */
static int64_t committee_of(
    const struct conflict_tally *c, const struct signal_topic *topic, uint32_t seat)
{
    return seat ? (int64_t)topics_committee(c->topics, topic->committees[seat - 1])->parent
                : CONFLICT_ALL;
}

static void add_pair(struct conflict_tally *c, const struct pair *pair)
{
    const struct signal_topic *topic = pair->topic;
    struct conflict_counts *counts = c->counts;
    for (uint32_t i = 0; i <= topic->committee_count; i++) {
        int64_t committee = committee_of(c, topic, i);
        bool left_out = committee >= (int64_t)counts->committees;
        for (uint32_t k = 1; k < i; k++)
            left_out |= committee_of(c, topic, k) == committee;
        if (left_out)
            continue;
        struct conflict_cell *all = conflict_counts_of(counts, committee, 0), *own = all;
        own += topic->industry;
        add_to(c, all, &c->members[all - counts->cells], pair);
        if (own != all)
            add_to(c, own, &c->members[own - counts->cells], pair);
    }
}

void conflict_counts_make(
    const struct feed *feed, const struct feed_filter *filter, const struct topic_choice *choice,
    struct arena *arena, struct conflict_counts *ret)
{
    struct conflict_tally c = {
        .topics = feed_topics(feed), .choice = *choice, .counts = ret, .arena = arena};
    *ret = (struct conflict_counts){.committees = topics_committee_count(c.topics)};
    size_t cells = ((size_t)ret->committees + 1) * (INDUSTRY_COUNT + 1);
    ret->cells = ARENA_ARRAY(arena, struct conflict_cell, cells);
    memset(ret->cells, 0, cells * sizeof *ret->cells);
    c.members = ARENA_ARRAY(arena, struct members, cells + 1);
    memset(c.members, 0, (cells + 1) * sizeof *c.members);
    feed_each_signal(feed, filter, add_signal, &c);
    for (uint32_t i = 0; i < c.reasons.count; i++) {
        for (const struct pair *pair = c.reasons.items[i]; pair; pair = pair->next) {
            add_pair(&c, pair);
            if (topics_keep(c.topics, choice, pair->topic))
                add_to(&c, &ret->chosen, &c.members[cells], pair);
        }
    }
}

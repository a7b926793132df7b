/* Counts of flagged trades; see conflict_counts.h. */
#include "site/data/conflict_counts.h"

#include <string.h>

/* A signal, and its trades. */
struct signal_sum {
    struct feed_signal is;
    int64_t trades;
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
    struct signal_sum *sums; /* by the signal's number */
    size_t sum_room;
    uint32_t politicians;    /* above each number */
    struct members *members; /* of each cell, and of the chosen ones at the end */
};

static void add_signal(void *ctx, const struct feed_signal *signal, int64_t trades)
{
    struct conflict_tally *c = ctx;
    if (!signal->topic)
        return;
    while (signal->number >= c->sum_room)
        c->sums = arena_grow(c->arena, c->sums, c->sum_room, &c->sum_room, sizeof *c->sums);
    c->sums[signal->number].is = *signal;
    c->sums[signal->number].trades += trades;
    if (signal->politician >= c->politicians)
        c->politicians = signal->politician + 1;
}

static void add_to(
    struct conflict_tally *c, struct conflict_cell *cell, struct members *members,
    const struct signal_sum *sum)
{
    size_t words = c->politicians / 64 + 1;
    uint64_t bit = UINT64_C(1) << sum->is.politician % 64;
    cell->trades += sum->trades;
    if (sum->is.topic->basis == CONFLICT_LATER_LIST)
        cell->later += sum->trades;
    if (!members->words) {
        members->words = ARENA_ARRAY(c->arena, uint64_t, words);
        memset(members->words, 0, words * sizeof *members->words);
    }
    if (members->words[sum->is.politician / 64] & bit)
        return;
    members->words[sum->is.politician / 64] |= bit;
    cell->members++;
}

/* The committee that a seat counts for; CONFLICT_ALL for seat 0. */
static int64_t committee_of(
    const struct conflict_tally *c, const struct signal_topic *topic, uint32_t seat)
{
    return seat ? (int64_t)topics_committee(c->topics, topic->committees[seat - 1])->parent
                : CONFLICT_ALL;
}

static void add_sum(struct conflict_tally *c, const struct signal_sum *sum)
{
    const struct signal_topic *topic = sum->is.topic;
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
        add_to(c, all, &c->members[all - counts->cells], sum);
        if (own != all)
            add_to(c, own, &c->members[own - counts->cells], sum);
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
    for (size_t i = 0; i < c.sum_room; i++) {
        const struct signal_sum *sum = &c.sums[i];
        if (sum->trades <= 0) /* less than none after a change between two visits */
            continue;
        add_sum(&c, sum);
        if (topics_keep(c.topics, choice, sum->is.topic))
            add_to(&c, &ret->chosen, &c.members[cells], sum);
    }
}

/* Spans of seats by Congress; see seat_span.h. */
#include "market/seat_span.h"

#include <stdlib.h>

#include "base/search.h"
#include "market/congress.h"

/* Committees of one chamber and level, which are renewed together. */
enum span_peers {
    PEERS_HOUSE,
    PEERS_HOUSE_PANEL,
    PEERS_SENATE,
    PEERS_SENATE_PANEL,
    PEERS_JOINT,
    PEERS_COUNT
};

struct span_body {
    size_t first, after; /* its spans */
    int32_t begins;      /* first day of its list in the Congress; DAY_NONE: not yet known */
};

struct span_split {
    const struct seat_span *spans;
    struct span_body *bodies;
    size_t body_count;
    int32_t *days;         /* room for one day of each body */
    int32_t opens, closes; /* first days of the Congress and of the next */
    struct seat_span *made;
    size_t made_count;
};

static int by_committee(const void *a, const void *b)
{
    const struct seat_span *x = a, *y = b;
    int order = str_cmp(x->committee, y->committee);
    order = order ? order : str_cmp(x->member, y->member);
    return order ? order : (x->from > y->from) - (x->from < y->from);
}

static int by_member(const void *a, const void *b)
{
    const struct seat_span *x = a, *y = b;
    int order = str_cmp(x->member, y->member);
    order = order ? order : str_cmp(x->committee, y->committee);
    return order ? order : (x->from > y->from) - (x->from < y->from);
}

static int by_day(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static enum span_peers peers_of(struct str committee)
{
    bool panel = committee_id_is_panel(committee);
    switch (committee_id_chamber(committee)) {
    case CHAMBER_HOUSE:
        return panel ? PEERS_HOUSE_PANEL : PEERS_HOUSE;
    case CHAMBER_SENATE:
        return panel ? PEERS_SENATE_PANEL : PEERS_SENATE;
    default:
        return PEERS_JOINT;
    }
}

static void find_bodies(struct span_split *s, size_t count, struct arena *arena)
{
    s->bodies = ARENA_ARRAY(arena, struct span_body, count);
    s->days = ARENA_ARRAY(arena, int32_t, count);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !str_eq(s->spans[i].committee, s->spans[i - 1].committee))
            s->bodies[s->body_count++].first = i;
        s->bodies[s->body_count - 1].after = i + 1;
    }
}

static bool in_congress(const struct span_split *s, const struct seat_span *span)
{
    return span->from < s->closes && (span->to == DAY_NONE || span->to > s->opens);
}

/* The first day of the Congress on which a seat or title of the body begins. */
static int32_t first_beginning(const struct span_split *s, const struct span_body *body)
{
    int32_t first = DAY_NONE;
    for (size_t i = body->first; i < body->after; i++) {
        const struct seat_span *span = &s->spans[i];
        if (span->from >= s->opens && span->from < s->closes &&
            (first == DAY_NONE || span->from < first))
            first = span->from;
    }
    return first;
}

/* The day by which half of the bodies of that kind have begun; DAY_NONE: none has. */
static int32_t day_of_peers(struct span_split *s, enum span_peers peers)
{
    size_t n = 0;
    for (size_t i = 0; i < s->body_count; i++)
        if (s->bodies[i].begins != DAY_NONE &&
            peers_of(s->spans[s->bodies[i].first].committee) == peers)
            s->days[n++] = s->bodies[i].begins;
    qsort(s->days, n, sizeof *s->days, by_day);
    return n ? s->days[(n - 1) / 2] : DAY_NONE;
}

static void find_beginnings(struct span_split *s)
{
    int32_t peers_begin[PEERS_COUNT];
    for (size_t i = 0; i < s->body_count; i++)
        s->bodies[i].begins = first_beginning(s, &s->bodies[i]);
    for (int p = 0; p < PEERS_COUNT; p++)
        peers_begin[p] = day_of_peers(s, (enum span_peers)p);
    peers_begin[PEERS_HOUSE] = peers_begin[PEERS_HOUSE_PANEL] = DAY_NONE;
    if (peers_begin[PEERS_JOINT] == DAY_NONE)
        peers_begin[PEERS_JOINT] = peers_begin[PEERS_SENATE];
    for (size_t i = 0; i < s->body_count; i++)
        if (s->bodies[i].begins == DAY_NONE)
            s->bodies[i].begins = peers_begin[peers_of(s->spans[s->bodies[i].first].committee)];
}

static void split_body(struct span_split *s, const struct span_body *body, int32_t newest)
{
    for (size_t i = body->first; i < body->after && body->begins != DAY_NONE; i++) {
        struct seat_span span = s->spans[i];
        if (!in_congress(s, &span))
            continue;
        if (span.from < body->begins)
            span.from = body->begins;
        if (span.to == DAY_NONE ? newest >= s->closes : span.to > s->closes)
            span.to = s->closes;
        if (span.to == DAY_NONE || span.from < span.to)
            s->made[s->made_count++] = span;
    }
}

struct seat_span *seat_spans_split(
    struct seat_span *spans, size_t count, int32_t newest, struct arena *arena, size_t *ret_count)
{
    struct span_split s = {.spans = spans};
    int first = congress_of(newest), last = first;
    qsort(spans, count, sizeof *spans, by_committee);
    find_bodies(&s, count, arena);
    size_t room = 0;
    for (size_t i = 0; i < count; i++) {
        int from = congress_of(spans[i].from);
        int to = spans[i].to == DAY_NONE ? last : congress_of(spans[i].to);
        first = from < first ? from : first;
        room += to < from ? 0 : (size_t)(to - from) + 1;
    }
    s.made = ARENA_ARRAY(arena, struct seat_span, room);
    for (int congress = first; congress <= last; congress++) {
        s.opens = congress_first_day(congress);
        s.closes = congress_first_day(congress + 1);
        find_beginnings(&s);
        for (size_t i = 0; i < s.body_count; i++)
            split_body(&s, &s.bodies[i], newest);
    }
    qsort(s.made, s.made_count, sizeof *s.made, by_member);
    *ret_count = s.made_count;
    return s.made;
}

size_t seat_spans_find(const struct seat_span *spans, size_t count, struct str member)
{
    return FIRST_NOT(i, count, str_cmp(spans[i].member, member) < 0);
}

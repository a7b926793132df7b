/* Invents seats; see seats.h. */
#include "demo/seats.h"

#include <assert.h>

#include "base/crypto.h"
#include "demo/dice.h"
#include "market/congress.h"
#include "market/industry.h"
#include "market/seats_shipped.h"

enum {
    WHOLE_ID_SIZE = 4,
    SEATS_STREAM = 5, /* of the dice; other files use the lower ones */
    SENATE_COMMITTEES = 3,
    HOUSE_COMMITTEES = 2,
    SECOND_PANEL_PERMILLE = 200, /* on one of the member's committees */
};

/* A committee and its panels, which follow it in the list. */
struct seats_committee {
    size_t first;
    size_t panels;
    enum chamber chamber;
};

struct maker {
    struct dice dice;
    struct demo_seats made;
    struct seats_committee *bodies;
    size_t body_count;
    struct str majority[CHAMBER_COUNT]; /* party */
    size_t begun;                       /* first seat of the current member */
};

static enum chamber chamber_of(struct str id)
{
    return id.p[0] == 'H' ? CHAMBER_HOUSE : id.p[0] == 'S' ? CHAMBER_SENATE : CHAMBER_NONE;
}

/* The map has the committees since 2012. */
static bool exists_today(struct str committee)
{
    size_t count;
    const struct seat_span *spans = seats_shipped_all(&count);
    for (size_t i = 0; i < count; i++)
        if (spans[i].to == DAY_NONE && str_eq(spans[i].committee, committee))
            return true;
    return false;
}

/* The committees of each chamber from the map, which has one line per industry and lists a
 * committee before its panels. If the id of a panel was reused, takes the first name. Leaves out
 * joint committees. */
static void list_committees(struct maker *m, struct arena *arena)
{
    size_t n;
    const struct committee_entry *entries = industry_committees(&n);
    m->made.committees = ARENA_ARRAY(arena, struct committee, n);
    m->bodies = ARENA_ARRAY(arena, struct seats_committee, n);
    for (size_t i = 0; i < n; i++) {
        struct str id = entries[i].committee;
        enum chamber chamber = chamber_of(id);
        bool whole = id.n == WHOLE_ID_SIZE;
        if (chamber == CHAMBER_NONE || (i > 0 && str_eq(entries[i - 1].committee, id)) ||
            !exists_today(id))
            continue;
        assert(whole || m->body_count > 0);
        if (whole)
            m->bodies[m->body_count++] =
                (struct seats_committee){.first = m->made.committee_count, .chamber = chamber};
        struct seats_committee *body = &m->bodies[m->body_count - 1];
        body->panels += !whole;
        m->made.committees[m->made.committee_count++] = (struct committee){
            .id = id,
            .name = entries[i].name,
            .chamber = chamber,
            .parent = whole ? STR_NULL : m->made.committees[body->first].id,
        };
    }
}

static bool serves(const struct member *person, int32_t day)
{
    return person->terms[0].start <= day && day <= person->terms[0].end;
}

static void find_majorities(struct maker *m, const struct member *people, size_t count)
{
    static const struct str parties[] = {STR_INIT("Democrat"), STR_INIT("Republican")};
    size_t members[CHAMBER_COUNT][2] = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 2; k++)
            members[people[i].terms[0].chamber][k] += str_eq(people[i].terms[0].party, parties[k]);
    for (int c = 0; c < CHAMBER_COUNT; c++)
        m->majority[c] = parties[members[c][1] > members[c][0]];
}

static bool has_seat(const struct maker *m, struct str committee)
{
    for (size_t i = m->begun; i < m->made.seat_count; i++)
        if (str_eq(m->made.seats[i].committee, committee))
            return true;
    return false;
}

static void add_seat(struct maker *m, const struct member *person, size_t committee)
{
    const struct member_term *term = &person->terms[0];
    bool majority = str_eq(term->party, m->majority[term->chamber]);
    struct str id = m->made.committees[committee].id;
    if (m->made.seat_count - m->begun == DEMO_SEATS_MAX || has_seat(m, id))
        return;
    m->made.seats[m->made.seat_count++] = (struct committee_seat_new){
        .committee = id,
        .member = person->id,
        .chamber = term->chamber,
        .role = SEAT_MEMBER,
        .side = majority ? STR("majority") : STR("minority"),
    };
}

/* A full committee of the chamber on which the member has no seat yet, and some of its panels. */
static void join_committee(struct maker *m, const struct member *person)
{
    const struct seats_committee *body;
    do
        body = &m->bodies[dice_below(&m->dice, (uint32_t)m->body_count)];
    while (body->chamber != person->terms[0].chamber ||
           has_seat(m, m->made.committees[body->first].id));
    add_seat(m, person, body->first);
    if (body->panels == 0)
        return;
    size_t panel = dice_below(&m->dice, (uint32_t)body->panels);
    size_t joined = dice_permille(&m->dice, SECOND_PANEL_PERMILLE) ? 2 : 1;
    for (size_t i = 0; i < joined; i++)
        add_seat(m, person, body->first + 1 + (panel + i) % body->panels);
}

static void seat_person(struct maker *m, const struct member *person)
{
    int wanted = person->terms[0].chamber == CHAMBER_SENATE ? SENATE_COMMITTEES : HOUSE_COMMITTEES;
    m->begun = m->made.seat_count;
    for (int i = 0; i < wanted || m->made.seat_count - m->begun < DEMO_SEATS_MIN; i++)
        join_committee(m, person);
}

/* One side of one committee: a random head first, then the rest in list order. */
static void rank_side(struct maker *m, struct str committee, struct str side, enum seat_role head)
{
    uint32_t count = 0, index = 0;
    int rank = 1;
    for (size_t i = 0; i < m->made.seat_count; i++)
        count +=
            str_eq(m->made.seats[i].committee, committee) && str_eq(m->made.seats[i].side, side);
    if (count == 0)
        return;
    uint32_t first = dice_below(&m->dice, count);
    for (size_t i = 0; i < m->made.seat_count; i++) {
        struct committee_seat_new *seat = &m->made.seats[i];
        if (!str_eq(seat->committee, committee) || !str_eq(seat->side, side))
            continue;
        if (index == first)
            seat->role = head;
        seat->rank = index++ == first ? 1 : ++rank;
    }
}

struct demo_seats demo_seats_make(
    struct arena *arena, const struct member *people, size_t count, int32_t day)
{
    struct maker m = {.made.day = day};
    dice_init(&m.dice, (uint64_t)day, SEATS_STREAM);
    list_committees(&m, arena);
    find_majorities(&m, people, count);
    m.made.seats = ARENA_ARRAY(arena, struct committee_seat_new, count * DEMO_SEATS_MAX);
    for (size_t i = 0; i < count; i++)
        if (serves(&people[i], m.made.day))
            seat_person(&m, &people[i]);
    for (size_t i = 0; i < m.made.committee_count; i++) {
        rank_side(&m, m.made.committees[i].id, STR("majority"), SEAT_CHAIR);
        rank_side(&m, m.made.committees[i].id, STR("minority"), SEAT_RANKING_MEMBER);
    }
    return m.made;
}

static enum err put_list(
    struct db *db, const struct demo_seats *seats, int64_t now_ms, struct fail *fail)
{
    uint8_t digest[SHA256_SIZE];
    int64_t version;
    sha256(STR("invented for demonstration"), digest);
    enum err err = committee_version_begin(db, seats->day, digest, now_ms, &version, fail);
    for (size_t i = 0; i < seats->committee_count && !err; i++)
        err = committee_list(db, version, &seats->committees[i], fail);
    for (size_t i = 0; i < seats->seat_count && !err; i++)
        err = committee_seat_add(db, version, &seats->seats[i], fail);
    return err;
}

enum err demo_seats_put(
    struct db *db, const struct member *people, size_t count, int32_t first, int32_t last,
    int64_t now_ms, struct fail *fail)
{
    enum err err = OK;
    for (int congress = congress_of(first); congress <= congress_of(last) && !err; congress++) {
        struct arena arena;
        int32_t day = congress_first_day(congress) + DEMO_SEATS_LATE_DAYS;
        arena_init(&arena);
        const struct demo_seats seats =
            demo_seats_make(&arena, people, count, day < last ? day : last);
        err = put_list(db, &seats, now_ms, fail);
        arena_finish(&arena);
    }
    return err;
}

/*
 * Fills an empty database; see demo.h. Filings are made in the order of their instants and freed
 * once written, so that memory does not grow with their number.
 */
#include "demo/fill.h"

#include <assert.h>

#include "base/progress_hook.h"
#include "db/row_digest.h"
#include "demo/demo.h"
#include "demo/dice.h"
#include "demo/maker.h"
#include "market/congress.h"
#include "market/industry.h"
#include "market/seats_shipped.h"
#include "review/publish_bulk.h"

/* Invents seats. */

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
    TRY(committee_version_begin(db, seats->day, digest, now_ms, &version, fail));
    for (size_t i = 0; i < seats->committee_count; i++)
        TRY(committee_list(db, version, &seats->committees[i], fail));
    for (size_t i = 0; i < seats->seat_count; i++)
        TRY(committee_seat_add(db, version, &seats->seats[i], fail));
    return OK;
}

/* Writes the lists for trades of the days first..last into an open transaction; the people must be
 * in the store. No list is later than `last`. */
static enum err demo_seats_put(
    struct db *db, const struct member *people, size_t count, int32_t first, int32_t last,
    int64_t now_ms, struct fail *fail)
{
    for (int congress = congress_of(first); congress <= congress_of(last); congress++) {
        ARENA_SCOPED(arena);
        int32_t day = congress_first_day(congress) + DEMO_SEATS_LATE_DAYS;
        const struct demo_seats seats =
            demo_seats_make(&arena, people, count, day < last ? day : last);
        TRY(put_list(db, &seats, now_ms, fail));
    }
    return row_seal_all(db, ROW_DIGEST_COMMITTEE, ROW_DIGEST_COMMITTEE_SEAT, fail);
}

enum { SPAN_DAYS = 3 * 365, NUMBER_SIZE = 8, AS_OF_MIN = 15706 /* 2013-01-01 */ };

#define BY STR("demo@example.org")

/* Draws the sizes of all filings first, from a separate stream, because the interval between
 * filings depends on their number. */
static int64_t count_filings(int64_t trades, int32_t as_of)
{
    struct dice d;
    int64_t filings = 0;
    dice_init(&d, (uint64_t)as_of, 3);
    for (int64_t left = trades; left > 0; filings++)
        left -= demo_filing_rows(&d);
    return filings;
}

/* Whole seconds, strictly increasing, the last one before the day `as_of` begins. */
static int64_t filing_instant(struct dice *d, int32_t as_of, int64_t index, int64_t filings)
{
    int64_t start = ((int64_t)as_of - SPAN_DAYS) * DAY_MS, span = (int64_t)SPAN_DAYS * DAY_MS;
    int64_t thousandths = index * 1000 + dice_below(d, 900);
    /* computed in seconds: span * thousandths would overflow for millions of filings */
    int64_t seconds = span / 1000 * thousandths / (filings * 1000);
    return start + seconds * 1000;
}

static enum err put_members(
    struct db *db, const struct member *people, size_t count, struct fail *fail)
{
    for (size_t i = 0; i < count; i++) {
        enum member_outcome outcome;
        TRY(member_put(db, &people[i], &outcome, fail));
    }
    return row_seal_all(db, ROW_DIGEST_MEMBER, ROW_DIGEST_MEMBER_TERM, fail);
}

static enum err put_companies(
    struct db *db, const struct demo_companies *companies, struct fail *fail)
{
    for (size_t i = 0; i < companies->count; i++)
        TRY(ticker_put(db, &companies->items[i], fail));
    return row_seal_all(db, ROW_DIGEST_TICKER, ROW_DIGEST_TICKER, fail);
}

static enum err add_filings(
    struct publish_bulk *bulk, struct demo_maker *maker, int64_t trades, int32_t as_of,
    const struct progress_hook *progress, struct fail *fail)
{
    int64_t filings = count_filings(trades, as_of), left = trades;
    struct dice sizes, times;
    dice_init(&sizes, (uint64_t)as_of, 3);
    dice_init(&times, (uint64_t)as_of, 4);
    for (int64_t i = 0; i < filings; i++) {
        char number[NUMBER_SIZE];
        struct draft_filing filing;
        int rows = demo_filing_rows(&sizes);
        if (rows > left)
            rows = (int)left;
        left -= rows;
        int64_t n = i + 1;
        for (int k = NUMBER_SIZE; k-- > 0; n /= 10)
            number[k] = (char)('0' + n % 10);
        demo_maker_make(
            maker, str_of(number, NUMBER_SIZE), filing_instant(&times, as_of, i, filings), rows,
            &filing);
        TRY(publish_bulk_add(bulk, &filing, fail));
        progress_tell(progress, trades - left, trades);
    }
    return OK;
}

static enum err not_empty(struct fail *fail)
{
    return fail_set(
        fail, ERR_REFUSED,
        "the database is not empty: `demo` needs a new one, such as `--database "
        "sqlite:var/demo.db`");
}

static enum err expect_no_members(struct db *db, struct fail *fail)
{
    int64_t members = 0;
    enum err err = member_count(db, &members, fail);
    return !err && members ? not_empty(fail) : err;
}

static enum err check_request(
    struct db *db, int64_t trades, int32_t as_of, int64_t now_ms, struct fail *fail)
{
    enum meta_data data;
    if (trades < 1 || trades > DEMO_TRADES_MAX)
        return fail_set(fail, ERR_INVALID, "the number of trades must be 1 to %d", DEMO_TRADES_MAX);
    if (as_of < AS_OF_MIN || as_of > instant_day_utc(now_ms))
        return fail_set(
            fail, ERR_INVALID, "the day of the demonstration data must be from 2013 to today");
    TRY(meta_data_get(db, &data, fail));
    if (data != META_DATA_NONE)
        TRY(not_empty(fail));
    return expect_no_members(db, fail);
}

enum err demo_fill(
    struct db *db, int64_t trades, int32_t as_of, int64_t now_ms,
    const struct progress_hook *progress, struct demo_report *ret, struct fail *fail)
{
    struct publish_bulk *bulk;
    struct publish_result result;
    struct demo_companies companies;
    struct demo_maker maker;
    ARENA_SCOPED(arena);
    TRY(check_request(db, trades, as_of, now_ms, fail));
    TRY(publish_bulk_open(db, META_DATA_DEMO, BY, now_ms, &bulk, fail));
    const struct member *people = demo_people(&arena, as_of);
    demo_companies_read(&arena, &companies);
    demo_maker_init(&maker, (uint64_t)as_of, people, DEMO_MEMBERS, &companies);
    enum err err = expect_no_members(db, fail); /* another `demo` may have been faster */
    if (!err)
        err = publish_bulk_expect(bulk, count_filings(trades, as_of), fail);
    if (!err)
        err = put_members(db, people, DEMO_MEMBERS, fail);
    if (!err)
        err = demo_seats_put(db, people, DEMO_MEMBERS, as_of - SPAN_DAYS, as_of, now_ms, fail);
    if (!err)
        err = put_companies(db, &companies, fail);
    if (!err)
        err = add_filings(bulk, &maker, trades, as_of, progress, fail);
    err = publish_bulk_close(bulk, err, &result, fail);
    if (!err)
        *ret = (struct demo_report){DEMO_MEMBERS, (int64_t)result.filings, (int64_t)result.trades};
    demo_maker_finish(&maker);
    return err;
}

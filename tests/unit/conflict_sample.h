/* Companies and lists of seats for tests of what signals rest on, in a few words. Members are those
 * of store_sample.h; committees are of the curated map, and companies in no curated list. */
#pragma once

#include "day_from.h"
#include "store_sample.h"

#include "store/public/committee.h"
#include "store/public/ticker.h"

struct sample_seat {
    const char *member, *committee, *name;
    const char *parent; /* id; NULL: a whole committee */
    enum chamber chamber;
    enum seat_role role;
};

#define SAMPLE_COMMERCE "HSIF", "House Committee on Energy and Commerce", NULL
#define SAMPLE_ENERGY "SSEG", "Senate Committee on Energy and Natural Resources", NULL
#define SAMPLE_AGRICULTURE "HSAG", "House Committee on Agriculture", NULL

/* An imported symbol; industry NULL: its list tells none. */
static inline void sample_company(
    struct store_fixture *f, const char *symbol, const char *company, const char *industry)
{
    const struct ticker ticker = {
        .symbol = str_from(symbol),
        .company = str_from(company),
        .industry = industry ? str_from(industry) : STR_NULL,
        .source = STR("invented"),
    };
    assert_ok(f, ticker_put(f->db, &ticker, &f->fail));
}

static inline void sample_list(
    struct store_fixture *f, int64_t version, const struct sample_seat *seat)
{
    const struct committee committee = {
        .id = str_from(seat->committee),
        .name = str_from(seat->name),
        .chamber = seat->chamber,
        .parent = seat->parent ? str_from(seat->parent) : STR_NULL,
    };
    assert_ok(f, committee_list(f->db, version, &committee, &f->fail));
}

/* The list of that day; a committee is listed with its first seat, a parent before its panels. */
static inline void sample_version(
    struct store_fixture *f, const char *day, const struct sample_seat *seats, size_t n)
{
    uint8_t sha256[SHA256_SIZE] = {(uint8_t)n};
    int64_t version = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, committee_version_begin(f->db, day_from(day), sha256, 1000, &version, &f->fail));
    for (size_t i = 0; i < n; i++) {
        bool listed = false;
        for (size_t k = 0; k < i; k++)
            listed |= strcmp(seats[k].committee, seats[i].committee) == 0;
        if (!listed)
            sample_list(f, version, &seats[i]);
        const struct committee_seat_new seat = {
            .committee = str_from(seats[i].committee),
            .member = str_from(seats[i].member),
            .chamber = seats[i].chamber,
            .role = seats[i].role,
        };
        assert_ok(f, committee_seat_add(f->db, version, &seat, &f->fail));
    }
    assert_ok(f, db_commit(f->db, &f->fail));
}

#define SAMPLE_VERSION(f, day, ...)                                                                \
    do {                                                                                           \
        const struct sample_seat sample_seats[] = {__VA_ARGS__};                                   \
        sample_version(f, day, sample_seats, sizeof sample_seats / sizeof *sample_seats);          \
    } while (0)

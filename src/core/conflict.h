/*
 * The conflict rule (spec 2.1, decision 32, docs/conflict.md): a trade is flagged when its asset
 * belongs to an industry that a committee of the member oversees. Pure: seats, companies and days
 * are arguments. Nothing is guessed: without a known company there is no signal.
 *
 * Seats are judged as they stood on the day of the trade: by the newest version up to that day, or,
 * for a trade before the first version, by the first. A seat counts only in the chamber in which
 * the member filed.
 */
#pragma once

#include "base/buf.h"
#include "core/committee.h"
#include "core/industry.h"

struct conflict_trade {
    enum chamber chamber; /* the filing's */
    enum asset_type asset_type;
    struct str ticker; /* as filed, normal form; null: none */
    struct str asset_name;
    int32_t day; /* of the trade; of the filing where that is not stated */
};

/* Whose industry counts. */
struct conflict_asset {
    int industry;        /* 0: not known, or none that counts */
    struct str symbol;   /* null: the asset itself counts, not a company */
    struct str company;  /* name of company or asset */
    struct str business; /* null: from a base map */
    struct str source;
};

/* What an imported base map says of a symbol; fields may be null. */
struct conflict_base {
    struct str company;
    struct str industry; /* name of one of the project's */
    struct str source;
};

/* How an asset class is judged. */
enum conflict_class {
    CONFLICT_NEVER,   /* no company and no single industry stands behind it */
    CONFLICT_COMPANY, /* the company that the symbol stands for: issuer or underlying */
    CONFLICT_ITSELF,  /* the asset is its own industry: cryptocurrency */
};

struct conflict_class_info {
    enum conflict_class judged;
    int industry;   /* of CONFLICT_ITSELF */
    struct str why; /* one line for the documentation */
};

struct conflict_class_info conflict_class_of(enum asset_type type);

/* The curated map wins over the base map (NULL: the symbol is in none), which says what a symbol
 * means today: before a day on which the curated map gives it to another company it is not asked.
 */
struct conflict_asset conflict_asset_of(
    const struct conflict_trade *trade, const struct conflict_base *base);

struct conflict_seat {
    const struct seat *seat; /* in the version that was used */
    const struct committee_entry *entry;
    int32_t from; /* day of the first version of an unbroken run that has the seat */
    int32_t to;   /* day of the first later version without it; DAY_NONE: none yet */
};

enum { CONFLICT_SEATS_MAX = 32 };

struct conflict {
    struct conflict_asset asset;
    int32_t as_of;    /* day of the version that was used */
    bool after_trade; /* the trade is older than every version */
    size_t seat_count;
    struct conflict_seat seats[CONFLICT_SEATS_MAX]; /* whole committees first, then by role, id */
};

/* Whether the map's entry is about that committee. Ids of subcommittees are given again to others,
 * so that of a subcommittee the name must be the one that was mapped. */
bool conflict_entry_is_of(const struct committee_entry *entry, const struct seat *seat);

/* The days of the versions, ascending, and one member's seats in all of them, by version and id. */
struct conflict_seats {
    const int32_t *days;
    size_t day_count;
    const struct seat *items;
    size_t count;
};

/* The version by which a day is judged; -1: there is none. */
int conflict_version_of(const struct conflict_seats *seats, int32_t day);

/* False: no signal. Of more than CONFLICT_SEATS_MAX seats the first are kept. */
bool conflict_find(
    const struct conflict_trade *trade, const struct conflict_asset *asset,
    const struct conflict_seats *seats, struct conflict *ret);

/* conflictReason: one sentence. */
void conflict_put_reason(struct buf *b, const struct conflict *conflict, struct str member);
/* {industry, committees, mapEntry} of decision 40. */
void conflict_put_evidence(struct buf *b, const struct conflict *conflict);

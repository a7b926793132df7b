/*
 * The conflict rule (spec 2.1, decision 32, docs/conflict.md): a trade is flagged if its asset
 * belongs to an industry that a committee of the member oversees. Pure: seats, companies and days
 * are arguments. A trade without a known company has no signal.
 *
 * The rule uses the seats of the day of the trade: the newest version up to that day, or the first
 * version for an earlier trade. A seat counts only in the chamber in which the member filed.
 */
#pragma once

#include "base/buf.h"
#include "core/committee.h"
#include "core/company.h"
#include "core/industry.h"

struct conflict_trade {
    enum chamber chamber; /* the filing's */
    enum asset_type asset_type;
    struct str ticker; /* as filed, normal form; null: none */
    struct str asset_name;
    int32_t day; /* of the trade, or of the filing if the trade has none */
};

/* The company or asset whose industry counts. */
struct conflict_asset {
    int industry;        /* 0: unknown, or none that counts */
    struct str symbol;   /* null: the asset itself counts, not a company */
    struct str company;  /* name of company or asset */
    struct str business; /* null: not from a line of the project's */
    struct str source;
};

/* How the rule treats an asset class. */
enum conflict_class {
    CONFLICT_NEVER,   /* no signal: no single company or industry is behind it */
    CONFLICT_COMPANY, /* the symbol's company counts: issuer or underlying */
    CONFLICT_ITSELF,  /* the asset is its own industry: cryptocurrency */
};

struct conflict_class_info {
    enum conflict_class judged;
    int industry;   /* of CONFLICT_ITSELF */
    struct str why; /* one line for the documentation */
};

struct conflict_class_info conflict_class_of(enum asset_type type);

/* The symbol's company on the day of the trade (core/company.h). `imported` is the symbol's entry
 * in imported lists, or NULL. */
struct conflict_asset conflict_asset_of(
    const struct conflict_trade *trade, const struct company_import *imported);

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

/* True if the map's entry is about that committee. Ids of subcommittees are reused, so the name of
 * a subcommittee must match too. */
bool conflict_entry_is_of(const struct committee_entry *entry, const struct seat *seat);

/* The days of the versions, ascending, and one member's seats in all of them, by version and id. */
struct conflict_seats {
    const int32_t *days;
    size_t day_count;
    const struct seat *items;
    size_t count;
};

/* The version used for a day; -1: there is none. */
int conflict_version_of(const struct conflict_seats *seats, int32_t day);

/* False: no signal. Keeps the first CONFLICT_SEATS_MAX seats. */
bool conflict_find(
    const struct conflict_trade *trade, const struct conflict_asset *asset,
    const struct conflict_seats *seats, struct conflict *ret);

/* conflictReason: one sentence. */
void conflict_put_reason(struct buf *b, const struct conflict *conflict, struct str member);
/* {industry, committees, mapEntry} of decision 40. */
void conflict_put_evidence(struct buf *b, const struct conflict *conflict);

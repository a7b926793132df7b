/*
 * The conflict rule (spec 2.1, decision 32, docs/conflict.md): a trade is flagged if its asset
 * belongs to an industry that a committee of the member oversees. Pure: seats, companies and days
 * are arguments. A trade without a known company has no signal.
 *
 * The rule uses one list of the Congress of the trade: the newest one up to the day of the trade
 * that has the member, or else the first later one that has the member. A list of another Congress
 * never counts. A seat counts only in the chamber in which the member filed.
 */
#pragma once

#include "market/business.h"
#include "market/committee.h"
#include "market/company.h"
#include "market/industry.h"

struct conflict_trade {
    enum chamber chamber; /* the filing's */
    enum asset_type asset_type;
    struct str ticker; /* as filed, normal form; null: none */
    struct str asset_name;
    int32_t day;    /* of the trade, or of the filing if the trade has none */
    bool confirmed; /* `ticker` is not filed: a reviewer confirmed the company of the name */
};

enum { CONFLICT_ITEMS_MAX = BUSINESSES_MAX + 1 };

/* The company or asset whose industries count. */
struct conflict_asset {
    int industry;        /* the first item's; 0: unknown, or none that counts */
    struct str symbol;   /* null: the asset itself counts, not a company */
    bool confirmed;      /* by a reviewer, who read the company's name: it is not filed */
    struct str company;  /* name of company or asset */
    struct str business; /* null: not from a line of the project's */
    struct str source;
    struct business items[CONFLICT_ITEMS_MAX]; /* the primary industry first; minor ones last */
    size_t item_count;
    const struct committee_entry *acts; /* of oversight, on the day of the trade */
    size_t act_count;
    struct str why_not; /* null: nothing more to say than that no committee oversees it */
};

/* True if the rule judges a business of the asset in that industry. */
bool conflict_judges(const struct conflict_asset *asset, int industry);

/* How the rule treats an asset class. */
enum conflict_class {
    CONFLICT_NEVER,   /* no signal: no single company or industry is behind it */
    CONFLICT_COMPANY, /* the symbol's company counts: issuer or underlying */
    CONFLICT_FUND,    /* what the symbol's fund holds, if that is one industry or one sector */
    CONFLICT_ITSELF,  /* the asset is its own industry: cryptocurrency */
    CONFLICT_NAMED,   /* the commodity that the name tells (market/commodity.h) */
};

struct conflict_class_info {
    enum conflict_class judged;
    int industry;   /* of CONFLICT_ITSELF */
    struct str why; /* one line for the documentation */
};

struct conflict_class_info conflict_class_of(enum asset_type type);

/* True if the rule reads the asset's name: what judges itself, commodities, and futures that are
 * filed as something else, without a symbol. */
bool conflict_is_by_name(const struct conflict_trade *trade);

/* The symbol's company on the day of the trade (market/company.h). `imported` is the symbol's entry
 * in imported lists, or NULL. */
struct conflict_asset conflict_asset_of(
    const struct conflict_trade *trade, const struct company_import *imported);

/* How the list that was used relates to the day of the trade. */
enum conflict_basis {
    CONFLICT_NO_LIST,
    CONFLICT_IN_FORCE,   /* dated on or before the trade */
    CONFLICT_LATER_LIST, /* dated after the trade: no earlier list of the Congress has the member */
    CONFLICT_BASIS_COUNT
};

/* What kind of seat a signal rests on, strongest first. Appropriations: a seat that decides on
 * money only, on the full committee or a subcommittee. */
enum conflict_strength {
    CONFLICT_FULL_COMMITTEE,
    CONFLICT_SUBCOMMITTEE,
    CONFLICT_APPROPRIATIONS,
    CONFLICT_STRENGTH_COUNT
};

/* How directly a signal's public lists meet, best first. A: the primary business, by a rule of the
 * chamber, a subcommittee's own jurisdiction or a dated act of the committee. B: a secondary
 * business, or the whole committee by a subcommittee's jurisdiction. C: by a later list, a fund of
 * a sector, a part of the industry, or Appropriations. */
enum conflict_grade {
    CONFLICT_NO_GRADE,
    CONFLICT_GRADE_A,
    CONFLICT_GRADE_B,
    CONFLICT_GRADE_C,
    CONFLICT_GRADE_COUNT
};

struct str conflict_grade_name(enum conflict_grade grade);     /* null: CONFLICT_NO_GRADE */
enum conflict_grade conflict_grade_from_name(struct str name); /* CONFLICT_NO_GRADE: another */
struct str conflict_basis_name(enum conflict_basis basis);     /* as the API prints it */
enum conflict_basis conflict_basis_from_name(struct str name); /* CONFLICT_IN_FORCE: another name */
struct str conflict_strength_name(enum conflict_strength strength);
enum conflict_strength conflict_strength_of(struct str committee); /* id */

struct conflict_seat {
    const struct seat *seat;
    const struct committee_entry *entry;
    const struct business *item; /* that the committee oversees, of the asset */
    bool is_named;               /* in the sentence: its item and grade are the conflict's */
    enum conflict_strength strength;
    enum conflict_grade grade;
    int32_t from; /* day of the first list of an unbroken run in the Congress that has the seat, in
                     whatever role */
    int32_t to;   /* day of the first later list without it, or of the next Congress; DAY_NONE */
};

enum { CONFLICT_SEATS_MAX = 32 };

struct conflict {
    const struct conflict_asset *asset;
    enum conflict_basis basis;
    int32_t as_of;                   /* day of the list that was used */
    bool is_past;                    /* there is a newer list, of any Congress */
    enum conflict_strength strength; /* of the strongest seat */
    enum conflict_grade grade;       /* of the best seat */
    const struct business *item;     /* of that seat: what the sentence is about */
    size_t seat_count;
    size_t named_count; /* of the seats with that item and grade, which come first */
    struct conflict_seat seats[CONFLICT_SEATS_MAX]; /* whole committees first, then by role, id */
};

/* True if the map's entry is about that committee on the day of the list that was used. Ids of
 * subcommittees are reused, so the name of a subcommittee must match too. */
bool conflict_entry_is_of(
    const struct committee_entry *entry, const struct seat *seat, int32_t as_of);

/* The days of the lists, ascending, and one member's seats in them. No seat reaches from one
 * Congress into the next. */
struct conflict_seats {
    const int32_t *days;
    size_t day_count;
    int32_t newest; /* day of the newest of all lists; others can be left out for a member */
    const struct seat *items;
    size_t count;
};

struct conflict_list {
    enum conflict_basis basis;
    int index; /* -1: none */
};

/* The list by which a trade of that day is judged. */
struct conflict_list conflict_list_of(
    const struct conflict_seats *seats, enum chamber chamber, int32_t day);

/* True if the list has the seat, for a filing in that chamber. */
bool conflict_seat_counts(
    const struct seat *seat, const struct conflict_list *list, enum chamber chamber);

/* The days of a conflict_seat. */
int32_t conflict_seat_from(const struct conflict_seats *seats, const struct seat *seat);
int32_t conflict_seat_to(const struct conflict_seats *seats, const struct seat *seat);

/* False: no signal. Keeps the first CONFLICT_SEATS_MAX seats. `ret` points into the asset. */
bool conflict_find(
    const struct conflict_trade *trade, const struct conflict_asset *asset,
    const struct conflict_seats *seats, struct conflict *ret);

enum { CONFLICT_REASON_MAX = 299 }; /* bytes of a conflictReason */

/* conflictReason: one sentence of at most CONFLICT_REASON_MAX bytes. Long names are cut between
 * words. */
void conflict_put_reason(struct buf *b, const struct conflict *conflict, struct str member);
/* {industry, industries, basis, strength, grade, committees, mapEntry} of decision 40. */
void conflict_put_evidence(struct buf *b, const struct conflict *conflict);
/* [{code, share, kind, source}]: the items, `first` before the others; NULL: in their order. */
struct json_out;
void conflict_put_industries(
    struct json_out *j, const struct conflict_asset *asset, const struct business *first);

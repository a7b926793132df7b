/*
 * The project's industries, and the curated maps from symbols and committees to them: the lists of
 * data/, embedded at build time and parsed at the first call. docs/conflict.md explains how they
 * are made; a unit test checks that they are consistent. All strings live as long as the process.
 *
 * An industry is a number from 1; 0 means "none" everywhere.
 */
#pragma once

#include "rule/model.h"

struct industry {
    struct str code;       /* in the lists: oil_gas */
    struct str name;       /* as the API prints it: Oil and gas */
    struct str definition; /* one line */
};

enum { INDUSTRY_COUNT = 46 };

const struct industry *industry_get(int industry); /* 1 .. INDUSTRY_COUNT */
int industry_from_code(struct str code);
int industry_from_name(struct str name);

/* True if the days from..to have the day; DAY_NONE, which is before every day, leaves an end open.
 */
static inline bool days_include(int32_t from, int32_t to, int32_t day)
{
    return from <= day && (to == DAY_NONE || day <= to);
}

/* The company of a symbol on the days from..to (DAY_NONE: open). */
struct symbol_entry {
    struct str symbol; /* normal form; the key of equal_range */
    int32_t from, to;
    struct str company;
    int industry;
    struct str business; /* what it does, in a few words */
    struct str source;   /* the source to check the line against */
};

/* The curated entry of a symbol (in normal form) on a day; NULL: none. For tests: market/company.h
 * answers for the program. */
const struct symbol_entry *industry_of_symbol(struct str symbol, int32_t day);
/* All entries of a symbol, in order of time; market/company.h reads them. */
const struct symbol_entry *industry_lines_of(struct str symbol, size_t *ret_count);
/* All entries, by symbol and days; for tests. */
const struct symbol_entry *industry_symbols(size_t *ret_count);

/* What an entry of the committee map rests on. */
enum committee_ground {
    GROUND_RULE,  /* a rule of the chamber, a resolution or a statute names the industry as a whole
                   */
    GROUND_PANEL, /* the jurisdiction of a subcommittee: its own, or one of the whole committee's */
    GROUND_PART,  /* such a text names a part of the industry only: its taxes, pipelines */
    GROUND_APPROPRIATIONS, /* money only */
    GROUND_ACT,            /* a dated act about the company (market/oversight.h) */
    GROUND_COUNT
};

struct str committee_ground_name(enum committee_ground ground);

/* An industry that a committee oversees on the days from..to (DAY_NONE: open), or an entry that it
 * oversees none. The days begin and end with a Congress. */
struct committee_entry {
    struct str committee; /* id; the key of equal_range */
    struct str name;      /* of a subcommittee it must match too, because ids are reused; null: any
                           */
    int industry;         /* 0: none */
    struct str jurisdiction;
    struct str source;
    enum committee_ground ground;
    int32_t from, to;
};

/* The entries of a committee; *ret_count is 0 if the map lacks it. */
const struct committee_entry *industry_of_committee(struct str committee, size_t *ret_count);
const struct committee_entry *industry_committees(size_t *ret_count);

/* The industry of a GICS sub-industry, for base maps; 0: unknown, or too mixed. */
int industry_of_gics(struct str sub_industry);

/* The version of the rule and its maps: "1.0123abcd", the rule's number and the first digits of the
 * SHA-256 of the lists and of the shipped seats. */
struct str industry_rule_version(void);

/*
 * One build of the feed: rows, posting lists, people, symbols and conflict tails that belong
 * together, and the only functions that change them. A fresh edition is filled aside, then made the
 * feed's by feed_swap; from there on the same functions change it under its readers, each change
 * seen whole by those who begin later.
 *
 * One thread at a time writes. Readers use feed.h.
 */
#pragma once

#include "feed/parties.h"
#include "feed/people.h"
#include "feed/postings.h"
#include "feed/renames.h"
#include "feed/series.h"
#include "feed/symbols.h"
#include "feed/tails.h"

struct edition {
    struct rcu_retired retired;
    bool shared; /* readers may hold it: what is replaced must wait for them */
    struct series trades;
    struct series filings;
    struct postings trade_lists;
    struct postings filing_lists; /* by chamber */
    struct people people;
    struct symbols symbols;
    struct parties parties;
    struct tails tails;
    struct renames renames;
    struct buf json; /* scratch */
};

struct edition *edition_create(void); /* with the curated renames */
void edition_destroy(struct edition *e);

/* Adds the member or takes over the profile. False, and nothing was done: trades print another name
 * of this member, so that only a new edition can take it. */
bool edition_put_member(struct edition *e, const struct people_profile *profile);
void edition_put_ticker(struct edition *e, struct str symbol, struct symbol_company company);

enum edition_push {
    EDITION_PUSHED,
    EDITION_PRESENT,  /* there already: nothing was done */
    EDITION_DISORDER, /* belongs before what is there: only a new edition can take it */
};

/* Rows that become visible together at edition_show. A politician that no import brought gets a
 * profile from the trade. filed_day stands in for an unknown trade date. */
enum edition_push edition_push_trade(
    struct edition *e, const struct trade *trade, int32_t filed_day);
enum edition_push edition_push_filing(struct edition *e, const struct filing *filing);
void edition_show(struct edition *e);

/* All false when there is no such visible row. disclosed_at and id say which. */
bool edition_withdraw_trade(struct edition *e, int64_t disclosed_at, struct str id);
bool edition_withdraw_filing(struct edition *e, int64_t published_at, struct str id);
bool edition_correct_trade(struct edition *e, const struct trade *trade, int32_t filed_day);

struct edition_conflict {
    int64_t disclosed_at;
    struct str id;
    struct str reason; /* null: no signal */
};

/* What a sweep found, in one go: each list is written anew once for all of them. Unknown and
 * withdrawn trades are passed over. Returns how many rows changed. */
size_t edition_set_conflicts(struct edition *e, const struct edition_conflict *conflicts, size_t n);

size_t edition_bytes(const struct edition *e);

/*
 * One build of the feed: rows, posting lists, people, symbols and conflict tails that belong
 * together, and the only functions that change them. The writer fills a fresh edition that no
 * reader can see, and publishes it with feed_swap. Afterwards the same functions change it in
 * place. A read sees each change either completely or not at all.
 *
 * One thread at a time writes. Readers use feed.h.
 */
#pragma once

#include "feed/committees.h"
#include "feed/filing_index.h"
#include "feed/parties.h"
#include "feed/people.h"
#include "feed/postings.h"
#include "feed/renames.h"
#include "feed/series.h"
#include "feed/listed.h"
#include "feed/symbols.h"
#include "feed/tails.h"
#include "feed/topics.h"
#include "rule/lateness.h"

struct edition {
    struct rcu_retired retired;
    bool shared; /* readers may hold it: free replaced memory only after they have finished */
    struct series trades;
    struct group_answers *answers; /* group_answers.h */
    struct series filings;
    struct postings trade_lists;
    struct postings filing_lists;     /* by chamber, by member, and by both */
    struct filing_index filing_index; /* filings by id, with their trades */
    struct people people;
    _Atomic(struct committee_book *) committees; /* NULL: none yet */
    struct symbols symbols;
    struct parties parties;
    struct tails tails;
    struct topics topics; /* add the findings of trades before the trades */
    struct listed listed;
    struct renames renames;
    struct tally tally;        /* of all trades */
    _Atomic int64_t waiting;   /* known reports that are not public, also of nobody */
    int64_t waiting_of_nobody; /* writer only */
    _Atomic int index_first[CHAMBER_COUNT], index_last[CHAMBER_COUNT]; /* years; 0: no index */
    struct buf json;                                                   /* scratch */
    _Atomic int64_t withheld; /* trades and filings that are left out because of damage */
};

struct edition *edition_create(void); /* with the built-in renames */
void edition_destroy(struct edition *e);

/* Adds the member or updates its profile. Trades keep the name that they print. */
void edition_put_member(struct edition *e, const struct people_profile *profile);
/* Replaces the committees, and frees those before when no reader has them. */
void edition_put_committees(struct edition *e, struct committee_book *book);
void edition_put_ticker(struct edition *e, struct str symbol, struct symbol_company company);
/* Of a member who was put before. The seats live in e->listed.arena. */
void edition_put_seats(struct edition *e, struct str id, const struct conflict_seats *seats);
/* Seats or symbols were put anew: lets the trades follow. */
void edition_relist(struct edition *e);

enum edition_push {
    EDITION_PUSHED,
    EDITION_PRESENT,  /* exists already: nothing changed */
    EDITION_DISORDER, /* older than the newest row: a rebuild is needed */
};

/* A trade with the values that it is to show. */
struct edition_trade {
    struct trade is;
    struct trade_report report; /* its day of filing replaces an unknown trade date */
};

/* Pushes rows that become visible together at edition_show. A politician without an imported member
 * gets a profile from the trade. */
enum edition_push edition_push_trade(struct edition *e, const struct edition_trade *trade);
enum edition_push edition_push_filing(struct edition *e, const struct filing *filing);
void edition_show(struct edition *e);

/* These return false if there is no visible row with this instant and id. */
bool edition_has_trade(const struct edition *e, int64_t disclosed_at, struct str id);
bool edition_withdraw_trade(struct edition *e, int64_t disclosed_at, struct str id);
bool edition_withdraw_filing(struct edition *e, int64_t published_at, struct str id);

/* Gives the trades, each named once, these values, and shows withdrawn ones again at their old
 * places. Each list that gains or loses rows is rewritten once, and no other. While that happens, a
 * trade that changes its member or symbol is in the feed, and for a moment in no list of either.
 * False, and no row changed: one of them has no row, because the feed was built while it was
 * withdrawn. */
bool edition_put_trades(struct edition *e, const struct edition_trade *trades, size_t n);

/* Gives the filing these values, and shows it again if it was withdrawn. False: there is no row
 * with this published_at and id. */
bool edition_put_filing(struct edition *e, const struct filing *filing);

struct edition_conflict {
    int64_t disclosed_at;
    struct str id;
    struct str reason; /* null: no signal */
};

/* Applies all changes of a sweep together: each list is rewritten once. Unknown and withdrawn
 * trades are skipped. Returns the number of changed rows. */
size_t edition_set_conflicts(struct edition *e, const struct edition_conflict *conflicts, size_t n);

size_t edition_bytes(const struct edition *e);

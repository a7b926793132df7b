/*
 * The read model: every published trade and filing in memory, with its JSON written, in feed order,
 * and a posting list for every combination of filters (docs/architecture.md, "The feed").
 * Everything in the feed was on disk first. The feed reads no clock and no socket.
 *
 * Readers call between rcu_read_begin and rcu_read_end. Results point into the feed and are valid
 * until rcu_read_end. Readers take no lock and never wait. A publication is visible completely or
 * not at all.
 *
 * One thread at a time writes: feed_load, feed_apply and the functions of feed/edition.h. Do not
 * write inside a read.
 */
#pragma once

#include "base/rcu.h"
#include "feed/filter.h"
#include "market/company.h"
#include "market/conflict.h"
#include "noun/committee.h"
#include "noun/extra.h"
#include "noun/feed_rows.h"
#include "rule/cursor.h"
#include "rule/lateness.h"
#include "rule/model.h"

struct db;
struct feed;
struct signal_topic;
struct topics;

enum {
    FEED_PAGE_MAX = 100,
    FEED_RECENT = 25,
};

struct feed *feed_create(void);       /* empty */
void feed_destroy(struct feed *feed); /* no reader may be left */

/* A published row that the feed leaves out, because the database changed outside this program
 * (db/row_digest.h). */
struct feed_damage {
    const char *what;       /* constant: what is wrong */
    struct str id;          /* of the trade or filing; null: `count` trades are missing */
    int64_t publication_no; /* 0: not known */
    int64_t count;
};

/* Called by the writing thread for each such row of a load. Set it before the first load. */
typedef void feed_damage_fn(void *ctx, const struct feed_damage *damage);
void feed_on_damage(struct feed *feed, feed_damage_fn *found, void *ctx);

/* feed_load calls it now and then with the number of trades read. NULL: nobody asks. */
typedef void feed_load_fn(void *ctx, int64_t trades);
void feed_on_load(struct feed *feed, feed_load_fn *read, void *ctx);

/* Builds a new feed from one snapshot of the store and swaps it in. *ret_seq is the last change
 * that it includes: the caller continues with feed_apply. On error the old feed stays. */
enum err feed_load(struct feed *feed, struct db *db, int64_t *ret_seq, struct fail *fail);

/* Applies one change notice. It knows the nouns trades, trade, filing, findings, feed, member and
 * ticker, and ignores others. A notice that is already included changes nothing. */
enum err feed_apply(
    struct feed *feed, struct db *db, struct str noun, struct str key, struct fail *fail);

/* A Trade: head followed by tail is its JSON (noun/trade.h); shape_trade_csv reads the head. */
struct feed_row {
    struct str head;
    struct str details; /* object of noun/details.h, beside the Trade; empty: none but the next */
    enum cap_gains cap_gains;
    struct str tail;
    uint64_t tag;   /* hash of head and tail: equal content has an equal tag on every node
                       (decision 28) */
    int32_t traded; /* DAY_NONE: not stated */
    struct trade_report report;
    const struct signal_topic *topic; /* what its signal is about; NULL: none, or not known */
};

/* Borrows from the row. */
static inline struct shape_extra feed_row_extra(const struct feed_row *row, int64_t fields)
{
    return (struct shape_extra){fields, row->details, row->cap_gains, row->traded, &row->report};
}

static inline struct lateness feed_row_lateness(const struct feed_row *row)
{
    return lateness_of(row->traded, &row->report);
}

struct feed_page {
    size_t count;
    bool more;          /* there are rows after these: hand out `next` */
    struct cursor next; /* the last row's position; set when count > 0 */
    struct feed_row rows[FEED_PAGE_MAX];
};

/* Newest first. `after`: NULL, or the position of the last row already returned; 1 <= limit <=
 * FEED_PAGE_MAX. An unknown ticker or politician gives an empty page (decision 16). */
void feed_trades(
    const struct feed *feed, const struct feed_filter *filter, const struct cursor *after,
    size_t limit, struct feed_page *ret);

enum feed_order { FEED_NEWEST, FEED_OLDEST, FEED_NEWEST_TRADED, FEED_OLDEST_TRADED };

/* The same in another order: by disclosure, or by the day of the trade, those without one last. The
 * cursor is of CURSOR_TRADES_SORTED and the next ones. Up to 8 ms of CPU for a million trades. */
void feed_trades_sorted(
    const struct feed *feed, const struct feed_filter *filter, enum feed_order order,
    const struct cursor *after, size_t limit, struct feed_page *ret);

/* The trade with this id. False: unknown, or withdrawn. */
bool feed_trade(const struct feed *feed, struct str id, struct feed_row *ret);

/* Flagged by a list that was in force. */
static inline int64_t feed_conflicts_firm(const struct feed_counts *counts)
{
    return counts->conflicts - counts->conflicts_later;
}

/* Of how many trades it is known whether they were reported late. */
static inline int64_t feed_late_known(const struct feed_counts *counts)
{
    return counts->trades - counts->late_unknown;
}

#define FEED_COUNTS_NONE                                                                           \
    ((struct feed_counts){.first_activity = INSTANT_NONE, .last_activity = INSTANT_NONE})

/* How many trades a filter has; cheaper than feed_counts. */
int64_t feed_trade_count(const struct feed *feed, const struct feed_filter *filter);

/* Counts of the trades of a filter. A filter that is a politician, a ticker or nothing, with or
 * without an end in time, costs the same at any size, and the trades from that end on one by one;
 * any other up to 4 ms of CPU for a million trades. */
void feed_counts(
    const struct feed *feed, const struct feed_filter *filter, struct feed_counts *ret);

/* The number of trades of a filter in each bracket: a count for each of them. */
void feed_bracket_counts(
    const struct feed *feed, const struct feed_filter *filter, int64_t ret[static BRACKET_COUNT]);

/* What signals are about (feed/topics.h), for feed_each_signal in the same read. */
const struct topics *feed_topics(const struct feed *feed);

/* A reason of a politician. Both have the same small numbers during a read of the feed. */
struct feed_signal {
    uint32_t number;
    uint32_t politician;
    const struct signal_topic *topic; /* NULL: its evidence cannot be read */
};

/* Visits the signals of the trades that a filter with conflicts_only chooses, of any industry and
 * committee. A signal's number of trades is the sum over its visits; one visit may be negative.
 * Without another filter than an end in time, each signal and each trade from that end on is one
 * visit; else each trade. */
typedef void feed_signal_visit(void *ctx, const struct feed_signal *signal, int64_t trades);
void feed_each_signal(
    const struct feed *feed, const struct feed_filter *filter, feed_signal_visit *visit, void *ctx);

/* What is known of a trade without reading its JSON. */
struct feed_facts {
    uint32_t politician,
        ticker; /* small numbers, the same during a read of the feed; ticker 0: none */
    enum side side;
    enum bracket bracket;
    int32_t traded;            /* DAY_NONE: not stated */
    enum conflict_basis basis; /* of its signal; CONFLICT_NO_LIST: it has none */
    enum conflict_grade grade;
    struct str id;
};

/* Visits the trades of a filter with a ticker or a politician, newest first. About 50 ns of CPU for
 * each, so that pages can look at all of them. */
typedef void feed_trade_visit(
    void *ctx, const struct feed_facts *facts, const struct feed_row *row);
void feed_each_trade(
    const struct feed *feed, const struct feed_filter *filter, feed_trade_visit *visit, void *ctx);

struct feed_filings_filter {
    struct str politician; /* slug or id; null: all */
    enum chamber chamber;  /* that received them; CHAMBER_NONE: both */
    int64_t until_ms;      /* published before; INSTANT_NONE: all */
};

#define FEED_FILINGS_FILTER_NONE                                                                   \
    ((struct feed_filings_filter){.politician = STR_NULL, .until_ms = INSTANT_NONE})

/* GET /filings: newest publication first (decision 6). A row's head is the whole Filing; its tail
 * is empty. An unknown politician has no filings. */
void feed_filings(
    const struct feed *feed, const struct feed_filings_filter *filter, const struct cursor *after,
    size_t limit, struct feed_page *ret);

/* A published filing. Its trades are those of the filter `filing`, its counts feed_counts of it. */
struct feed_filing {
    struct str id;
    struct feed_row row; /* as in feed_filings */
    int64_t published_at;
};

/* One published before until_ms; INSTANT_NONE: any. False: unknown, or withdrawn. */
bool feed_filing(const struct feed *feed, struct str id, int64_t until_ms, struct feed_filing *ret);

/* The years of the indexes of a chamber. False: there is none. */
bool feed_index_years(const struct feed *feed, enum chamber chamber, int *ret_first, int *ret_last);

/* How many known reports are not public, also of filers whom nobody matches: each may have trades
 * in any symbol. */
int64_t feed_waiting(const struct feed *feed);

/* Every imported member, by slug or id; false: unknown. `today` decides in_office. Counts are of
 * what was disclosed before until_ms; INSTANT_NONE: everything. */
bool feed_politician(
    const struct feed *feed, struct str slug_or_id, int32_t today, int64_t until_ms,
    struct feed_politician *ret);

/* A condition that is asked for, with the values of `true` and `false` as parameters
 * (noun/lists.h). */
enum feed_asked { FEED_ANY, FEED_YES, FEED_NO };

/* An order of members or symbols other than by name. */
struct feed_rank {
    int by; /* SHAPE_RANK_*; 0: by name */
    bool ascending;
};

/* Whether the cursor (NULL: none) is one of this order. The lists take no other. */
bool feed_rank_fits(struct feed_rank rank, const struct cursor *after);

/* The parameters of the lists, and the filters of parsed ones; absent values are all zero. Texts
 * are in the arena. */
struct feed_people_filter;
struct feed_tickers_filter;
extern const struct param_table feed_people_params, feed_tickers_params;
void feed_people_read(
    const struct param_value *values, struct arena *arena, struct feed_people_filter *ret);
void feed_tickers_read(
    const struct param_value *values, struct arena *arena, struct feed_tickers_filter *ret);

/* Members whose names fit `q` (decision 40). Without `q` by slug. With it, by rank
 * (feed/name_order.h) and then by slug. Names that are only alike are in the list if no name has
 * the words as parts. */
struct feed_people_filter {
    struct str q;         /* from fold_words; null: all */
    enum chamber chamber; /* current chamber; CHAMBER_NONE: all */
    struct str party;     /* current party, in any letter case; null: all */
    struct str state;     /* two letters; null: all */
    enum feed_asked in_office, has_trades;
    int64_t until_ms; /* counts, as for feed_politician */
    struct feed_rank rank;
    bool total; /* say how many there are */
};

#define FEED_PEOPLE_FILTER_NONE                                                                    \
    ((struct feed_people_filter){                                                                  \
        .q = STR_NULL, .party = STR_NULL, .state = STR_NULL, .until_ms = INSTANT_NONE})

/* Whether a member has this party today, in any letter case. Looks at all members. */
bool feed_has_member_party(const struct feed *feed, struct str party);

struct feed_people_page {
    size_t count;
    bool more;
    struct cursor next; /* set with `more` */
    int64_t total;      /* if asked for: of all pages */
    struct feed_politician rows[FEED_PAGE_MAX];
};

void feed_people(
    const struct feed *feed, const struct feed_people_filter *filter, const struct cursor *after,
    size_t limit, int32_t today, struct feed_people_page *ret);

/* The facts that GET /tickers/{symbol} adds to recent trades (decision 10), including
 * predecessors. */
struct feed_ticker {
    struct str symbol;
    size_t company_count;
    struct company companies[COMPANIES_MAX]; /* in order of time */
    /* Points into companies: the one that had the symbol on the day of its newest trade, without
     * predecessors; without a trade the one that has it now. NULL: none is known. */
    const struct company *company;
    struct feed_counts counts;
    int64_t politicians; /* how many disclosed these trades */
};

/* Every symbol in the lists of the program, in imported lists or in a trade; `symbol` from
 * ticker_normalize, and *ret can borrow it. False: unknown. Counts, and the newest trade, are of
 * what was disclosed before until_ms; INSTANT_NONE: everything. A symbol without a company whose
 * trades were all disclosed later is unknown, and not in lists. */
bool feed_ticker(
    const struct feed *feed, struct str symbol, int64_t until_ms, struct feed_ticker *ret);

/* What lists say of a trade's asset on its day: its company, and what that does. */
struct conflict_asset feed_asset(
    const struct feed *feed, const struct feed_row *row, const struct trade *trade);

/* A symbol that became another one, which finds its trades of the days before `until` too. */
struct feed_former {
    struct str symbol;
    int32_t until;
};

enum { FEED_FORMER_MAX = 8 };

/* The symbols that became this one, in order of the day; returns their number. */
size_t feed_former_symbols(
    const struct feed *feed, struct str symbol, struct feed_former ret[static FEED_FORMER_MAX]);

/* The symbols that this one became, also those that these became later; returns their number. They
 * find its trades of the days before `until`, which is when it ceased to be this company's. */
size_t feed_later_symbols(
    const struct feed *feed, struct str symbol, struct feed_former ret[static FEED_FORMER_MAX]);

/* Symbols in imported lists or in a trade: without `q` bytewise by symbol, with it by rank and then
 * by symbol, as people are. A symbol's own name is the symbol; its other names are companies. */
struct feed_tickers_filter {
    struct str q; /* from fold_words; null: all */
    enum feed_asked has_trades;
    int64_t until_ms; /* as for feed_ticker */
    struct feed_rank rank;
    bool total; /* say how many there are */
};

#define FEED_TICKERS_FILTER_NONE                                                                   \
    ((struct feed_tickers_filter){.q = STR_NULL, .until_ms = INSTANT_NONE})

struct feed_tickers_page {
    size_t count;
    bool more;
    struct cursor next; /* set with `more` */
    int64_t total;      /* if asked for: of all pages */
    struct feed_ticker_row rows[FEED_PAGE_MAX];
};

void feed_tickers(
    const struct feed *feed, const struct feed_tickers_filter *filter, const struct cursor *after,
    size_t limit, struct feed_tickers_page *ret);

/* Committees and industries on a day: the newest list of seats up to it counts, or else the first
 * later one of its Congress that has the committee, as conflict_list_of chooses for a member.
 * Counts are of what was disclosed before until_ms; INSTANT_NONE: everything. Lists are in the
 * arena. */
struct committee_query {
    const struct feed *feed;
    int32_t on;
    int64_t until_ms;
    struct arena *arena;
};

/* The days of which something can be known: from the first list to the last day of the newest
 * list's Congress. False: there is no list. */
bool feed_committee_days(const struct feed *feed, int32_t *ret_first, int32_t *ret_last);

bool feed_has_committee(const struct feed *feed, struct str id);

/* Whether there is the party or committee that a parsed filter names: a party of a trade or, with
 * of_members, of a member; a committee of any Congress. If not, appends those that
 * there are: "Parties of trades: A, B". */
bool feed_value_exists(
    const struct feed *feed, const struct param *param, const struct param_value *value,
    bool of_members, struct buf *fits);

/* False: no list has the committee. With basis CONFLICT_NO_LIST *ret has no more than its names and
 * congresses, because no list of that Congress has it on the day or later. */
bool feed_committee(
    const struct committee_query *query, struct str id, struct committee_detail *ret);

/* The committees with members on that day, by id, after that id (null: from the first one), at most
 * `limit`; returns their number. CHAMBER_NONE: of all chambers. */
size_t feed_committee_list(
    const struct committee_query *query, enum chamber chamber, struct str after, size_t limit,
    struct committee_summary *ret);

/* All industries, in order of their codes. */
void feed_industries(
    const struct committee_query *query, struct industry_summary ret[static INDUSTRY_COUNT]);
void feed_industry(const struct committee_query *query, int industry, struct industry_detail *ret);

/* Another number after each change of the feed, for those who keep what they made of it. Ask before
 * reading. */
uint64_t feed_version(const struct feed *feed);

struct feed_stats {
    int64_t trades;  /* visible trades */
    int64_t signals; /* of these, trades with a conflict signal */
    int64_t filings;
    int64_t bytes;             /* memory held */
    int64_t last_disclosed_at; /* INSTANT_NONE: empty */
    int64_t loads;             /* number of builds from the store */
    int64_t withheld;          /* trades and filings left out because of damage */
};

struct feed_stats feed_stats(const struct feed *feed);

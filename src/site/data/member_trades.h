/*
 * All trades of a member that a visitor may see, from the feed and valid during its read. Their
 * JSON is read only of those that are shown: a member may have ten thousand. Private to
 * src/site/data.
 */
#pragma once

#include "feed/feed.h"
#include "rule/model.h"
#include "site/data/member_seats.h"
#include "site/frame/page_call.h"

struct member_trade {
    struct str id;
    struct str head, tail; /* its JSON */
    int32_t traded;        /* DAY_NONE: not stated */
    int32_t filed;         /* day of the filing, in Washington */
    struct lateness lateness;
    enum side side;
    enum bracket bracket;
    enum conflict_basis basis; /* of its signal; CONFLICT_NO_LIST: it has none */
    enum conflict_grade grade;
    uint32_t filing; /* place in the filings */
    uint64_t seats;  /* rows of member_seats that its signal rests on */
};

/* The sums of lower and of upper bounds of some amounts. */
struct member_band {
    int64_t min, max;
    bool open; /* an amount has no upper bound */
};

struct member_trades {
    struct member_trade *items; /* by day and publication; those without a day first */
    size_t count;
    struct str *filings; /* their ids */
    size_t filing_count;
    bool cut;                  /* the oldest publications are left out */
    struct feed_counts counts; /* of all, as is the band */
    struct member_band band;
};

enum { MEMBER_TRADES_MAX = 20000 };

/* In the call's arena; at most MEMBER_TRADES_MAX. Call it inside a read of the feed. */
void member_trades_load(
    struct page_call *call, struct str member_id, const struct member_seats *seats,
    struct member_trades *ret);

/* Whether one of them is of that filing. */
bool member_trades_have(const struct member_trades *trades, struct str filing);

/* Days after the due day; 0: in time, or not known. */
int32_t member_trade_late(const struct member_trade *trade);

void member_band_add(struct member_band *band, enum bracket bracket, int64_t count);
/* "$1.1M – $3.4M": the lower bound rounded down and the upper one up; "over $1.1M". */
struct str member_band_text(const struct member_band *band, struct arena *arena);

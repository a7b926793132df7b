/* Invented trades for tests of the feed: number n always gives the same trade. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/rcu.h"
#include "feed/feed_internal.h"
#include "market/industry.h"

enum { MAKER_PEOPLE = 12, MAKER_TICKERS = 10, MAKER_REASONS = 8, MAKER_FIRST_DAY = 17000 };

/* Includes two chains of renames; one trade in ten has no symbol. */
static const char *const maker_tickers[MAKER_TICKERS] = {
    "FB", "META", "VIAB", "VIAC", "PARA", "EXMP", "BRK.B", "XLE", "QQ", NULL,
};

static inline uint64_t maker_random(uint64_t n, uint64_t salt)
{
    return hash_seeded(str_of((const char *)&n, sizeof n), salt);
}

static const int32_t maker_odd_days[] = {-719162, -644500, -644000, 387000, 387600};

enum { MAKER_PARTIES = 19, MAKER_STATES = 4 };

/* More than the filter's code tells apart; so do years of a misread date. */
static const char *const maker_parties[MAKER_PARTIES] = {
    "Democrat", "Republican", "Independent", NULL,       "Party 4",  "Party 5",  "Party 6",
    "Party 7",  "Party 8",    "Party 9",     "Party 10", "Party 11", "Party 12", "Party 13",
    "Party 14", "Party 15",   "Party 16",    "Party 17", "Party 18",
};
static const char *const maker_states[MAKER_STATES] = {"CA", "TX", "VT", NULL};

struct maker_trade {
    struct trade trade; /* its strings point into this struct */
    int32_t filed_day, notified_day;
    enum first_report first;
    char id[24], slug[24], name[24], asset[32], reason[40];
};

static inline struct str maker_print(char *to, size_t size, const char *format, uint64_t n)
{
    int length = snprintf(to, size, format, (unsigned long long)n);
    return str_of(to, (size_t)length);
}

static inline struct str maker_reason(struct maker_trade *t, uint64_t number)
{
    return number ? maker_print(t->reason, sizeof t->reason, "Reason %llu.", number) : STR_NULL;
}

static inline int maker_reason_number(struct str reason)
{
    return reason.n > 7 ? reason.p[7] - '0' : 0;
}

/* Reason 0: no signal. */
static inline enum conflict_grade maker_grade(struct str reason)
{
    return (enum conflict_grade)(maker_reason_number(reason) % CONFLICT_GRADE_COUNT);
}

static inline bool maker_is_later(struct str reason)
{
    return maker_reason_number(reason) >= 3 && maker_reason_number(reason) <= 4;
}

/* Reason n is about industry n, of the grade n % 4. Its seats are on subcommittee QQQQ0n and, if n
 * is even, on RRRR; those of 3 and 4 are of a later list. */
static inline void maker_add_topics(struct topics *topics)
{
    for (int n = 1; n < MAKER_REASONS; n++) {
        char text[40], evidence[256];
        struct str industry = industry_get(n)->name;
        struct str reason = maker_print(text, sizeof text, "Reason %llu.", (uint64_t)n);
        int size = snprintf(
            evidence, sizeof evidence,
            "{\"industry\":\"%.*s\",\"basis\":\"%s\",\"grade\":\"%.*s\","
            "\"committees\":[{\"id\":\"QQQQ%02d\",\"name\":\"Q\"}%s]}",
            STR_ARG(industry), maker_is_later(reason) ? "later_list" : "in_force",
            STR_ARG(conflict_grade_name(maker_grade(reason))), n,
            n % 2 ? "" : ",{\"id\":\"RRRR\",\"name\":\"R\"}");
        const struct finding finding = {
            .no = n, .reason = reason, .evidence = str_of(evidence, (size_t)size)};
        topics_add(topics, &finding);
    }
}

/* Whether a reason is about the industry (0: any) and the committee (null: any). */
static inline bool maker_is_about(struct str reason, int industry, struct str committee)
{
    if (!industry && str_is_null(committee))
        return true;
    int n = maker_reason_number(reason);
    bool seat = str_is_null(committee) || str_eq(committee, STR("QQQQ")) ||
                (str_eq(committee, STR("RRRR")) && n % 2 == 0) ||
                (str_starts(committee, STR("QQQQ0")) && committee.p[5] - '0' == n);
    return n && seat && (!industry || industry == n);
}

enum { MAKER_LISTS = 6, MAKER_SEATS = 3 };

/* Lists some of which are of one Congress, from one that is later than the first trades. */
static const int32_t maker_list_days[MAKER_LISTS] = {17040, 17300, 17600, 18100, 18650, 19800};

/* Person n has a seat on QQQQ and on RRRR07, by turns, and none if n % 5 is 4. */
static inline struct conflict_seats maker_seats(uint64_t n, struct seat ret[static MAKER_SEATS])
{
    for (int i = 0; i < MAKER_SEATS; i++)
        ret[i] = (struct seat){
            .first = (int)(n % 3) + i,
            .after = (int)(n % 3) + 2 * i + 1,
            .id = i % 2   ? STR("RRRR07")
                  : n % 2 ? STR("QQQQ")
                          : STR("QQQQ01"),
            .chamber = i == 2  ? CHAMBER_NONE
                       : n % 2 ? CHAMBER_HOUSE
                               : CHAMBER_SENATE,
        };
    return (struct conflict_seats){
        maker_list_days, MAKER_LISTS, maker_list_days[MAKER_LISTS - 1], ret,
        n % 5 == 4 ? 0 : MAKER_SEATS};
}

/* Also of those who have no trades yet. */
static inline void maker_add_seats(struct edition *e)
{
    listed_reset(&e->listed);
    for (uint64_t n = 0; n < MAKER_PEOPLE; n++) {
        char slug[24], name[24];
        struct people_profile profile = {
            .name = maker_print(name, sizeof name, "Person %llu", n), .district = -1};
        profile.id = profile.slug = maker_print(slug, sizeof slug, "person-%llu", n);
        edition_put_member(e, &profile);
        struct seat *seats = ARENA_ARRAY(&e->listed.arena, struct seat, MAKER_SEATS);
        const struct conflict_seats all = maker_seats(n, seats);
        edition_put_seats(e, profile.id, &all);
    }
    people_sort(&e->people);
}

static inline void maker_set_ticker(struct maker_trade *t, uint64_t choice)
{
    t->trade.values.ticker = str_from(maker_tickers[choice % MAKER_TICKERS]);
}

static inline void maker_make(struct maker_trade *t, uint64_t n, int64_t disclosed_at)
{
    uint64_t person = maker_random(n, 1) % MAKER_PEOPLE;
    *t = (struct maker_trade){.filed_day = MAKER_FIRST_DAY + (int32_t)(maker_random(n, 2) % 3500)};
    t->notified_day = maker_random(n, 12) % 3 ? DAY_NONE : t->filed_day - 40 + (int32_t)(n % 20);
    t->first = maker_random(n, 14) % 8 ? FIRST_REPORT_KNOWN : FIRST_REPORT_MISSING;
    t->trade = (struct trade){
        .id = maker_print(t->id, sizeof t->id, "house-1-%010llu", n),
        .politician =
            {
                .slug = maker_print(t->slug, sizeof t->slug, "person-%llu", person),
                .name = maker_print(t->name, sizeof t->name, "Person %llu", person),
                /* some sat in both chambers */
                .chamber =
                    (person + (person % 4 == 0 && n % 3 == 0)) % 2 ? CHAMBER_HOUSE : CHAMBER_SENATE,
                .party = str_from(maker_parties[maker_random(n, 8) % MAKER_PARTIES]),
                .state = str_from(maker_states[maker_random(n, 9) % MAKER_STATES]),
            },
        .values.asset_name = maker_print(t->asset, sizeof t->asset, "Asset \"%llu\"", n),
        .values.asset_type = (enum asset_type)(maker_random(n, 10) % ASSET_COUNT),
        .values.side = (enum side)(1 + maker_random(n, 3) % (SIDE_COUNT - 1)),
        .values.bracket = (enum bracket)(1 + maker_random(n, 4) % (BRACKET_COUNT - 1)),
        .values.trade_date = maker_random(n, 5) % 8 ? t->filed_day - 30 : DAY_NONE,
        .disclosed_at = disclosed_at,
        .values.owner = (enum owner)(maker_random(n, 11) % OWNER_COUNT),
    };
    if (maker_random(n, 13) % 16 == 0)
        t->trade.values.trade_date = maker_odd_days[n % 5];
    maker_set_ticker(t, maker_random(n, 6));
    uint64_t reason = maker_random(n, 7) % (2 * MAKER_REASONS);
    t->trade.conflict_reason = maker_reason(t, reason < MAKER_REASONS ? reason : 0);
}

static inline struct trade_report maker_report(const struct maker_trade *t)
{
    return (struct trade_report){
        .filed_at = instant_from_new_york(t->filed_day, 0),
        .first_published_at = t->trade.disclosed_at,
        .filed = t->filed_day,
        .first_filed = t->filed_day,
        .notified = t->notified_day,
        .first = (uint8_t)t->first,
    };
}

static inline struct edition_trade maker_edition(const struct maker_trade *t)
{
    return (struct edition_trade){t->trade, maker_report(t)};
}

static inline enum late_status maker_late(const struct maker_trade *t)
{
    const struct trade_report report = maker_report(t);
    const struct lateness lateness = lateness_of(t->trade.values.trade_date, &report);
    return lateness_status(&lateness);
}

/* The day that selects the ticker's dated predecessors. */
static inline int32_t maker_day(const struct maker_trade *t)
{
    return t->trade.values.trade_date == DAY_NONE ? t->filed_day : t->trade.values.trade_date;
}

static inline void maker_push(struct edition *e, uint64_t n, int64_t disclosed_at)
{
    struct maker_trade t;
    maker_make(&t, n, disclosed_at);
    const struct edition_trade is = maker_edition(&t);
    enum edition_push push = edition_push_trade(e, &is);
    assert_int_equal(push, EDITION_PUSHED);
}

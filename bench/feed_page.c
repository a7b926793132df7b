/*
 * What a page costs inside the process: feed_trades and the copy of its bytes, by filter and by
 * place, at several sizes; what a publication costs when so much is there; and memory per trade.
 *
 *     ninja -C build bench-programs && build/bench/feed_page [--groups] [trades...]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/hash.h"
#include "feed/feed_internal.h"
#include "feed/groups.h"
#include "feed/trade_filter.h"
#include "market/industry.h"
#include "noun/lists.h"

enum {
    PEOPLE = 540,
    SYMBOLS = 4000,
    COMMITTEES = 40,
    INDUSTRIES = 30,
    PAGE = 25,
    COPY_SIZE = 1 << 20,
    PAGE_RUNS = 20000,
    PUBLICATION = 6,
    ONLY_OF_STATE = 7, /* the one trade of Vermont: old, so that a walk meets it late */
    FEW_STEP = 100000, /* trades for each one in crypto */
    SIFTED_RUNS = 20
};

/* The place of VT in shape_states. */
enum { VERMONT = 50 };

#define FIRST_AT 1325376000000 /* 2012-01-01 */

struct text {
    char p[128];
};

static uint64_t mix(uint64_t n, uint64_t salt)
{
    return hash_seeded(str_of((const char *)&n, sizeof n), salt);
}

static struct str print(struct text *text, const char *format, uint64_t a, uint64_t b)
{
    int n = snprintf(text->p, sizeof text->p, format, (unsigned long long)a, (unsigned long long)b);
    return str_of(text->p, (size_t)n);
}

/* A few hold most of it, as in real filings. */
static uint64_t skewed(uint64_t random, uint64_t below)
{
    uint64_t x = random % 1000000;
    return x * x / 1000000 * x / 1000000 * below / 1000000;
}

static int64_t instant_of(uint64_t n)
{
    return FIRST_AT + (int64_t)(n / PUBLICATION) * 90000;
}

static struct str id_of(struct text *text, uint64_t n)
{
    return print(text, "house-%08llu-%04llu", 20000000 + n / PUBLICATION, n % PUBLICATION + 1);
}

static struct str reason_of(struct text *text, uint64_t committee, uint64_t industry)
{
    return print(text, "Sits on invented committee %llu over industry %llu.", committee, industry);
}

/* What the reasons are about. */
static void add_topics(struct edition *e)
{
    for (int64_t no = 0; no < COMMITTEES * INDUSTRIES; no++) {
        uint64_t committee = (uint64_t)no % COMMITTEES;
        int industry = 1 + (int)(no / COMMITTEES);
        struct text reason;
        char evidence[256];
        struct buf b = buf_over(evidence, sizeof evidence);
        buf_fmt(
            &b,
            "{\"industry\":\"%.*s\",\"committees\":[{\"id\":\"QQ%c%c\",\"name\":\"One\"},"
            "{\"id\":\"RR%c%c01\",\"name\":\"Two\"}]}",
            STR_ARG(industry_get(industry)->name), (char)('A' + committee / 10),
            (char)('A' + committee % 10), (char)('A' + committee / 10),
            (char)('A' + committee % 10));
        const struct finding finding = {
            .no = no + 1,
            .reason = reason_of(&reason, committee, (uint64_t)industry),
            .evidence = buf_view(&b)};
        topics_add(&e->topics, &finding);
    }
}

static void push(struct edition *e, uint64_t n)
{
    struct text id, slug, name, ticker, asset, url, reason;
    uint64_t filing = n / PUBLICATION, person = skewed(mix(filing, 1), PEOPLE);
    uint64_t symbol = skewed(mix(n, 2), SYMBOLS);
    struct trade trade = {
        .id = id_of(&id, n),
        .politician =
            {print(&slug, "invented-member-%llu", person, 0),
             print(&name, "Invented Member %llu", person, 0),
             person % 5 ? CHAMBER_HOUSE : CHAMBER_SENATE,
             person % 3 ? STR("Republican") : STR("Democrat"),
             n == ONLY_OF_STATE ? STR("VT") : STR("CA")},
        .values.ticker = mix(n, 3) % 11 ? print(&ticker, "Q%llu", symbol, 0) : STR_NULL,
        .values.asset_name =
            print(&asset, "Invented Holdings %llu, Inc. - Common Stock", symbol, 0),
        .values.asset_type = n % FEW_STEP == ONLY_OF_STATE ? ASSET_CRYPTO : ASSET_STOCK,
        .values.side = (enum side)(1 + mix(n, 4) % 4),
        .values.bracket = (enum bracket)(1 + mix(n, 5) % 4),
        .values.trade_date = (int32_t)(instant_of(n) / DAY_MS) - 1 - (int32_t)(mix(n, 8) % 60),
        .disclosed_at = instant_of(n),
        .filing_url = print(
            &url, "https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/%llu/%llu.pdf",
            2012 + filing % 14, 20000000 + filing),
        .values.owner = (enum owner)(mix(n, 6) % 4),
    };
    if (mix(n, 7) % 10 == 0)
        trade.conflict_reason = reason_of(&reason, person % COMMITTEES, 1 + symbol % INDUSTRIES);
    const struct trade_report report = {
        .filed = (int32_t)(instant_of(n) / DAY_MS),
        .first_filed = (int32_t)(instant_of(n) / DAY_MS),
        .notified = DAY_NONE};
    if (edition_push_trade(e, &(struct edition_trade){trade, report}) != EDITION_PUSHED)
        abort();
}

struct page_case {
    const char *name;
    struct feed_filter filter;
    bool random_cursor;
};

static char copy[COPY_SIZE];

static void page_once(
    const struct feed *feed, const struct page_case *c, const struct cursor *after)
{
    static struct feed_page page;
    size_t at = 0;
    rcu_read_begin();
    feed_trades(feed, &c->filter, after, PAGE, &page);
    for (size_t i = 0; i < page.count; i++) {
        memcpy(copy + at, page.rows[i].head.p, page.rows[i].head.n);
        at += page.rows[i].head.n;
        memcpy(copy + at, page.rows[i].tail.p, page.rows[i].tail.n);
        at += page.rows[i].tail.n;
    }
    rcu_read_end();
}

/* CPU time of this thread: other programs on the machine count less. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int64_t measure_case(
    const struct feed *feed, const struct page_case *c, const struct cursor *cursors)
{
    int64_t begin = cpu_ns();
    for (int run = 0; run < PAGE_RUNS; run++)
        page_once(feed, c, c->random_cursor ? &cursors[run] : NULL);
    return (cpu_ns() - begin) / PAGE_RUNS;
}

static void add_test(
    struct feed_filter *filter, struct feed_test tests[static PARAM_TABLE_MAX], const char *name,
    int64_t number)
{
    const struct param_value value = {STR_NULL, number};
    trade_filter_add(trade_filter_named(str_from(name)), &value, filter, tests);
}

static void measure_pages(const struct feed *feed, uint64_t trades)
{
    const struct feed_filter none = FEED_FILTER_NONE;
    struct page_case cases[] = {
        {"first page", none, false},
        {"chamber", none, false},
        {"ticker", none, false},
        {"politician", none, false},
        {"politician, ticker, chamber", none, false},
        {"since, the last half", none, false},
        {"random cursor", none, true},
        {"random cursor, chamber", none, true},
        {"random cursor, ticker", none, true},
        {"until, the first half", none, false},
        {"side, one in four", none, false},
        {"amount_min, none at all", none, false},
    };
    cases[1].filter.chamber = cases[4].filter.chamber = cases[7].filter.chamber = CHAMBER_HOUSE;
    cases[2].filter.ticker = cases[4].filter.ticker = cases[8].filter.ticker = STR("Q3");
    cases[3].filter.politician = cases[4].filter.politician = STR("invented-member-4");
    cases[5].filter.since_ms = cases[9].filter.until_ms = instant_of(trades / 2);
    struct feed_test buys[PARAM_TABLE_MAX], largest[PARAM_TABLE_MAX];
    add_test(&cases[10].filter, buys, "side", SIDE_BUY);
    add_test(&cases[11].filter, largest, "amount_min", bracket_info(BRACKET_OVER_50M)->min);
    struct cursor *cursors = mem_array(PAGE_RUNS, sizeof *cursors);
    for (uint64_t run = 0; run < PAGE_RUNS; run++) {
        struct text id;
        uint64_t n = mix(run, 8) % trades;
        cursors[run] = cursor_at(CURSOR_TRADES, instant_of(n), id_of(&id, n));
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        printf(
            "  %-28s %6lld ns\n", cases[i].name, (long long)measure_case(feed, &cases[i], cursors));
    mem_free(cursors);
}

/* Filters without a list, with few matches or none. */
static const struct sifted_case {
    const char *name;
    const char *tests[8]; /* names of filters */
    int64_t values[8];
    const char *ticker, *politician;
    enum chamber chamber;
    bool conflicts_only;
    const char *committee;
} sifted_cases[] = {
    {"amount_min, none match", {"amount_min"}, {50000001}},
    {"state, one matches", {"state"}, {VERMONT}},
    {"asset_type, few match", {"asset_type"}, {ASSET_CRYPTO}},
    {"traded_to, none match", {"traded_to"}, {10000}},
    {"traded_from, traded_to, none match", {"traded_from", "traded_to"}, {10000, 10001}},
    {"eight filters",
     {"traded_from", "traded_to", "side", "asset_type", "party", "amount_min", "conflict", "state"},
     {10000, 40000, SHAPE_SIDE_SELL, ASSET_STOCK, 2, 1001, SHAPE_FALSE, VERMONT}},
    {"side, owner: first page", {"side", "owner"}, {SIDE_BUY, OWNER_SPOUSE}},
    {"chamber, state, one matches", {"state"}, {VERMONT}, .chamber = CHAMBER_HOUSE},
    {"conflict, asset_type, few match", {"asset_type"}, {ASSET_CRYPTO}, .conflicts_only = true},
    {"industry, none match", {"industry"}, {INDUSTRIES + 1}},
    {"industry, committee, asset_type, none",
     {"industry", "asset_type"},
     {1, ASSET_CRYPTO},
     .committee = "RRAB"},
    {"ticker, state, none match", {"state"}, {VERMONT}, .ticker = "Q1"},
    {"politician, amount_min, none match",
     {"amount_min"},
     {50000001},
     .politician = "invented-member-0"},
    {"senate, eight filters",
     {"traded_from", "traded_to", "side", "asset_type", "party", "amount_min", "conflict", "state"},
     {10000, 40000, SHAPE_SIDE_SELL, ASSET_STOCK, 2, 1001, SHAPE_FALSE, VERMONT},
     .chamber = CHAMBER_SENATE},
};

/* Walks pages until 25 rows are found or none is left, as a caller has to. */
static void sift_once(
    const struct feed *feed, const struct feed_filter *filter, size_t *ret_rows, size_t *ret_pages)
{
    static struct feed_page page;
    struct cursor cursor, *after = NULL;
    *ret_rows = *ret_pages = 0;
    rcu_read_begin();
    do {
        feed_trades(feed, filter, after, PAGE, &page);
        *ret_rows += page.count;
        ++*ret_pages;
        cursor = page.next;
        after = &cursor;
    } while (page.more && *ret_rows < PAGE);
    rcu_read_end();
}

static void measure_sifted(const struct feed *feed)
{
    for (size_t i = 0; i < sizeof sifted_cases / sizeof sifted_cases[0]; i++) {
        const struct sifted_case *c = &sifted_cases[i];
        struct feed_filter filter = FEED_FILTER_NONE;
        struct feed_test tests[PARAM_TABLE_MAX];
        size_t rows, pages;
        filter.chamber = c->chamber;
        filter.conflicts_only = c->conflicts_only;
        if (c->ticker)
            filter.ticker = str_from(c->ticker);
        if (c->politician)
            filter.politician = str_from(c->politician);
        for (int test = 0; test < 8 && c->tests[test]; test++)
            add_test(&filter, tests, c->tests[test], c->values[test]);
        if (c->committee)
            filter.committee = str_from(c->committee);
        int64_t begin = cpu_ns();
        for (int run = 0; run < SIFTED_RUNS; run++)
            sift_once(feed, &filter, &rows, &pages);
        printf(
            "  %-36s %8lld us, %zu rows, %zu requests\n", c->name,
            (long long)(cpu_ns() - begin) / SIFTED_RUNS / 1000, rows, pages);
    }
}

/* What pages of people need: counts, with and without an end in time, and searched lists. */

static void count_once(const struct feed *feed, const struct feed_filter *filter)
{
    struct feed_counts counts;
    feed_counts(feed, filter, &counts);
}

static void measure_counts(const struct feed *feed, uint64_t trades)
{
    const struct feed_filter none = FEED_FILTER_NONE;
    struct page_case cases[] = {
        {"counts of all", none, false},
        {"counts of a politician", none, false},
        {"counts of a politician, until", none, false},
        {"counts of the house", none, false},
        {"counts of a side", none, false},
    };
    struct feed_test buys[PARAM_TABLE_MAX];
    cases[1].filter.politician = cases[2].filter.politician = STR("invented-member-4");
    cases[2].filter.until_ms = instant_of(trades - trades / 200);
    cases[3].filter.chamber = CHAMBER_HOUSE;
    add_test(&cases[4].filter, buys, "side", SIDE_BUY);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t begin = cpu_ns();
        rcu_read_begin();
        for (int run = 0; run < SIFTED_RUNS; run++)
            count_once(feed, &cases[i].filter);
        rcu_read_end();
        printf("  %-36s %8lld ns\n", cases[i].name, (long long)(cpu_ns() - begin) / SIFTED_RUNS);
    }
}

static void measure_group(
    const struct feed *feed, const char *name, const struct feed_filter *filter,
    const enum group_dimension by[static GROUP_BY_MAX])
{
    static struct feed_groups groups;
    struct feed_group_by query = {{by[0], by[1]}, 1, false, 0, PAGE};
    struct arena arena;
    arena_init(&arena);
    rcu_read_begin();
    int64_t begin = cpu_ns();
    bool fits = true;
    for (int run = 0; run < SIFTED_RUNS; run++) {
        query.limit = (size_t)(PAGE + SIFTED_RUNS - 1 - run); /* not asked before */
        fits = feed_group(feed, filter, &query, &arena, &groups);
    }
    int64_t taken = cpu_ns() - begin;
    for (int run = 0; run < SIFTED_RUNS; run++)
        fits = feed_group(feed, filter, &query, &arena, &groups);
    int64_t again = cpu_ns() - begin - taken;
    rcu_read_end();
    arena_finish(&arena);
    printf("  groups of %s by", name);
    for (int i = 0; i < GROUP_BY_MAX && by[i]; i++)
        printf(" %.*s", STR_ARG(shape_group_dimensions.name_of((int)by[i])));
    printf(
        "%s: %lld us, %lld us again, %lld trades, %zu rows\n", fits ? "" : ", too many",
        (long long)taken / SIFTED_RUNS / 1000, (long long)again / SIFTED_RUNS / 1000,
        (long long)(fits ? groups.totals.trades : 0), groups.count);
}

static void measure_groups(const struct feed *feed)
{
    static const enum group_dimension cases[][GROUP_BY_MAX] = {
        {GROUP_NONE},
        {GROUP_POLITICIAN},
        {GROUP_TICKER},
        {GROUP_MONTH},
        {GROUP_YEAR},
        {GROUP_PARTY},
        {GROUP_SIDE},
        {GROUP_FLAG_INDUSTRY},
        {GROUP_FLAG_COMMITTEE},
        {GROUP_YEAR, GROUP_PARTY},
        {GROUP_YEAR, GROUP_TICKER},
        {GROUP_POLITICIAN, GROUP_SIDE},
        {GROUP_POLITICIAN, GROUP_TICKER},
    };
    enum { ALL, HOUSE, BUYS, FILTERS };
    static const char *const names[FILTERS] = {"all", "the house", "buys"};
    struct feed_test tests[PARAM_TABLE_MAX];
    struct feed_filter filters[FILTERS] = {FEED_FILTER_NONE, FEED_FILTER_NONE, FEED_FILTER_NONE};
    filters[HOUSE].chamber = CHAMBER_HOUSE;
    add_test(&filters[BUYS], tests, "side", SIDE_BUY);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int filter = 0; filter < FILTERS; filter++)
            measure_group(feed, names[filter], &filters[filter], cases[i]);
}

static void measure_lists(const struct feed *feed)
{
    static const char *const searches[] = {NULL, "q3", "invented", "holdnigs", "zzzzzzzz"};
    static struct feed_people_page people;
    static struct feed_tickers_page tickers;
    struct feed_people_filter of_people = FEED_PEOPLE_FILTER_NONE;
    struct feed_tickers_filter of_tickers = FEED_TICKERS_FILTER_NONE;
    for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++) {
        of_people.q = of_tickers.q = str_from(searches[i]);
        rcu_read_begin();
        int64_t begin = cpu_ns();
        for (int run = 0; run < SIFTED_RUNS; run++)
            feed_people(feed, &of_people, NULL, PAGE, 0, &people);
        int64_t middle = cpu_ns();
        for (int run = 0; run < SIFTED_RUNS; run++)
            feed_tickers(feed, &of_tickers, NULL, PAGE, &tickers);
        printf(
            "  list, q=%-9s members %6lld us, %zu rows; tickers %6lld us, %zu rows\n",
            searches[i] ? searches[i] : "none", (long long)(middle - begin) / SIFTED_RUNS / 1000,
            people.count, (long long)(cpu_ns() - middle) / SIFTED_RUNS / 1000, tickers.count);
        rcu_read_end();
    }
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void measure_publications(struct feed *feed, uint64_t trades)
{
    enum { RUNS = 5000 };
    static int64_t taken[RUNS];
    uint64_t n = trades - trades % PUBLICATION + PUBLICATION;
    for (int run = 0; run < RUNS; run++) {
        int64_t begin = clock_mono_ns();
        for (int i = 0; i < PUBLICATION; i++)
            push(feed_edition(feed), n++);
        edition_show(feed_edition(feed));
        taken[run] = clock_mono_ns() - begin;
    }
    qsort(taken, RUNS, sizeof taken[0], compare);
    printf(
        "  publication of %d            p50 %lld us, p99 %lld us, worst %lld us\n", PUBLICATION,
        (long long)taken[RUNS / 2] / 1000, (long long)taken[RUNS * 99 / 100] / 1000,
        (long long)taken[RUNS - 1] / 1000);
}

/* Resident memory of the process. */
static int64_t resident_bytes(void)
{
    long long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (fscanf(file, "%lld %lld", &pages, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return resident * 4096;
}

static void measure(uint64_t trades, bool only_groups)
{
    struct feed *feed = feed_create();
    int64_t before = resident_bytes(), begin = cpu_ns();
    struct edition *e = edition_create();
    add_topics(e);
    for (uint64_t n = 0; n < trades; n++)
        push(e, n);
    edition_show(e);
    feed_swap(feed, e);
    int64_t taken = cpu_ns() - begin;
    printf(
        "%llu trades: built in %lld ms, %lld bytes a trade counted, %lld resident\n",
        (unsigned long long)trades, (long long)taken / 1000000,
        (long long)(feed_stats(feed).bytes / (int64_t)trades),
        (long long)((resident_bytes() - before) / (int64_t)trades));
    if (!only_groups) {
        measure_pages(feed, trades);
        measure_sifted(feed);
        measure_counts(feed, trades);
    }
    measure_groups(feed);
    if (!only_groups) {
        measure_lists(feed);
        measure_publications(feed, trades);
    }
    feed_destroy(feed);
}

int main(int argc, char **argv)
{
    static const uint64_t sizes[] = {10000, 100000, 1000000};
    rcu_thread_start();
    bool only_groups = argc > 1 && strcmp(argv[1], "--groups") == 0;
    for (int i = 1 + only_groups; i < argc; i++)
        measure(strtoull(argv[i], NULL, 10), only_groups);
    for (size_t i = 0; argc == 1 && i < sizeof sizes / sizeof sizes[0]; i++)
        measure(sizes[i], false);
    rcu_thread_stop();
    return 0;
}

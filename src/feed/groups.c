/* Groups of trades; see groups.h. */
#include "feed/groups.h"

#include <assert.h>
#include <stdlib.h>

#include "feed/feed_internal.h"
#include "feed/group_answers.h"
#include "feed/group_pairs.h"
#include "feed/group_sheets.h"
#include "feed/sieve.h"
#include "feed/walk.h"

struct cursor feed_groups_cursor(size_t offset)
{
    char space[12];
    struct buf b = buf_over(space, sizeof space);
    buf_i64(&b, (int64_t)offset);
    return cursor_at(CURSOR_STATS, (int64_t)offset, buf_view(&b));
}

size_t feed_groups_offset(const struct cursor *after)
{
    bool known = after && after->at_ms >= 0 && after->at_ms < FEED_GROUPS_MAX;
    return known ? (size_t)after->at_ms : after ? FEED_GROUPS_MAX : 0;
}

enum group_pass {
    PASS_SHEETS, /* each group has a sheet */
    PASS_SUMS,   /* only the column that groups are ordered by is summed */
    PASS_PAGE,   /* the groups of the page have sheets */
};

enum ordered_by { BY_SUM, BY_FIRST, BY_LAST };

enum { ROWS = SERIES_CHUNK_ROWS, AHEAD = 8 * ROWS };

struct grouping {
    const struct edition *e;
    const struct walk *w;
    const struct sieve *sieve;
    size_t dimensions;
    struct group_values values[GROUP_BY_MAX]; /* numbers of one dimension are those of groups */
    struct group_pairs pairs;
    enum group_pass pass;
    uint32_t max; /* groups */
    bool full;
    struct group_sheets sheets;
    size_t room; /* of what follows, by the number of a group */
    uint8_t *sheet_of;
    int64_t *sums;
    enum ordered_by ordered_by;
    int64_t weights[GROUP_CELLS]; /* what a trade of a cell adds to its group's sum */
    /* of one chunk */
    uint32_t first, n;
    uint8_t at[ROWS]; /* rows, the newest first */
};

static uint32_t count_of(const struct grouping *g)
{
    return g->dimensions == GROUP_BY_MAX ? g->pairs.count : g->values[0].count;
}

static void make_room(struct grouping *g)
{
    size_t room = g->room ? g->room : ROWS;
    while (room <= count_of(g))
        room *= 2;
    if (room == g->room)
        return;
    g->sheet_of = mem_realloc(g->sheet_of, room);
    g->sums = mem_realloc(g->sums, room * sizeof *g->sums);
    memset(g->sheet_of + g->room, 0, room - g->room);
    memset(g->sums + g->room, 0, (room - g->room) * sizeof *g->sums);
    g->room = room;
}

static uint32_t day_of(uint64_t code)
{
    uint32_t day = group_day_code(code);
    return day ? day + SLICE_DAYS_SKIPPED : 0;
}

static void add_day(const struct grouping *g, uint32_t number, uint32_t day)
{
    uint32_t value = g->ordered_by == BY_LAST ? day : 0 - day;
    g->sums[number] = value > g->sums[number] ? value : g->sums[number];
}

/* A row of which the arrays do not tell all. */
static __attribute__((noinline)) void add_odd(
    struct grouping *g, uint64_t code, uint64_t who, uint32_t ordinal)
{
    MEM_UNFILLED uint32_t numbers[GROUP_BY_MAX][GROUP_VALUES_MAX];
    bool lists = g->values[0].of_listed || g->values[1].of_listed;
    uint32_t listed = lists ? series_listed(series_chunk(&g->w->view, ordinal), ordinal) : 0;
    struct group_row row = {listed, code, who, ordinal, day_of(code)};
    size_t n[GROUP_BY_MAX] = {1, 1};
    uint32_t known = count_of(g);
    if (!(code & slices_code(SLICE_LIVE, 1)))
        return;
    if (who & SERIES_ODD)
        group_row_read(&row, g->w);
    for (size_t d = 0; d == 0 || d < g->dimensions; d++)
        n[d] = group_values_of(&g->values[d], g->e, g->w, &row, numbers[d]);
    for (size_t i = 0; i < n[0] * n[1] && !g->full; i++) {
        uint32_t number = numbers[0][i / n[1]];
        if (g->dimensions == GROUP_BY_MAX)
            number =
                group_pairs_number(&g->pairs, group_pair(number, numbers[1][i % n[1]]), ordinal);
        make_room(g);
        if (count_of(g) > g->max && g->pass != PASS_PAGE) {
            g->full = true;
            return;
        }
        for (; g->pass == PASS_SHEETS && known < count_of(g); known++)
            g->sheet_of[known + 1] = (uint8_t)(known + 1);
        if (g->pass != PASS_SUMS) {
            group_sheets_open(&g->sheets, g->pass == PASS_SHEETS ? count_of(g) + 1 : 1, who);
            group_sheet_add_odd(&g->sheets.sheets[g->sheet_of[number]], &row);
        } else if (g->ordered_by == BY_SUM) {
            g->sums[number] += g->weights[group_cell(row.code)];
        } else {
            add_day(g, number, row.day);
        }
    }
    if (g->pass != PASS_SUMS)
        group_sheets_repeat(&g->sheets, &row, (uint32_t)(n[0] * n[1] - 1));
}

/* The loops over all rows: one for each kind of pass and number of dimensions. Odd rows and new
 * values wait until their places in memory were fetched. */
static inline __attribute__((always_inline)) void add_rows_of(
    struct grouping *g, bool paired, enum group_pass pass)
{
    const struct series_key *keys = series_keys(&g->w->view, g->first);
    const struct series_chunk *chunk = series_chunk(&g->w->view, g->first);
    const struct group_values a = g->values[0], b = g->values[1];
    const bool lists = a.of_listed || b.of_listed;
    struct group_sheet *sheets = g->sheets.sheets;
    const uint8_t *sheet_of = g->sheet_of;
    const uint64_t who_end = pass == PASS_SUMS ? UINT64_MAX : g->sheets.who_end;
    int64_t *sums = g->sums;
    uint32_t waiting = 0;
    for (uint32_t i = 0, n = g->n; i < n; i++) {
        uint8_t at = g->at[i];
        uint64_t code = atomic_load_explicit(&keys[at].code, memory_order_relaxed);
        uint64_t who = atomic_load_explicit(&keys[at].who, memory_order_relaxed);
        uint32_t listed = lists ? series_listed(chunk, at) : 0;
        uint32_t number = group_values_at(&a, code, who, listed);
        if (paired && number) {
            uint32_t second = group_values_at(&b, code, who, listed);
            number = second ? group_pairs_at(&g->pairs, group_pair(number, second)) : 0;
        }
        if (!number || who & SERIES_ODD || who >= who_end) {
            __builtin_prefetch(&chunk->rows[at]);
            g->at[waiting++] = at;
        } else if (pass == PASS_PAGE) {
            group_sheet_add(&sheets[sheet_of[number]], code, who);
        } else if (g->ordered_by == BY_SUM) {
            sums[number] += g->weights[group_cell(code)];
        } else {
            add_day(g, number, day_of(code));
        }
    }
    for (uint32_t i = 0; i < waiting; i++)
        add_odd(
            g, atomic_load_explicit(&keys[g->at[i]].code, memory_order_relaxed),
            atomic_load_explicit(&keys[g->at[i]].who, memory_order_relaxed), g->first + g->at[i]);
}

static void add_rows(struct grouping *g)
{
    bool paired = g->dimensions == GROUP_BY_MAX;
    if (g->pass == PASS_SUMS && paired)
        add_rows_of(g, true, PASS_SUMS);
    else if (g->pass == PASS_SUMS)
        add_rows_of(g, false, PASS_SUMS);
    else if (paired)
        add_rows_of(g, true, PASS_PAGE);
    else
        add_rows_of(g, false, PASS_PAGE);
}

static bool keeps(const struct grouping *g, uint32_t ordinal)
{
    const struct series_view *v = &g->w->view;
    uint32_t tail = series_tail(v, ordinal);
    return walk_keeps_tail(g->w, g->e, tail) && series_is_live(v, ordinal) &&
           sieve_keeps(
               g->sieve, series_record(v, ordinal), tail,
               series_listed(series_chunk(v, ordinal), ordinal));
}

/* Leaves out rows of which the slices do not tell. */
static void sift(struct grouping *g, bool all)
{
    const struct series_key *keys = series_keys(&g->w->view, g->first);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        uint64_t who = atomic_load_explicit(&keys[g->at[i]].who, memory_order_relaxed);
        if ((!all && !(who & SERIES_ODD)) || keeps(g, g->first + g->at[i]))
            g->at[kept++] = g->at[i];
    }
    g->n = kept;
}

static uint32_t put_places(uint8_t *at, uint32_t n, uint64_t left, uint32_t first)
{
    if (left == UINT64_MAX)
        for (uint32_t bit = 0; bit < 64; bit++)
            at[n++] = (uint8_t)(first + 63 - bit);
    else
        for (uint32_t bit; left; left ^= UINT64_C(1) << bit) {
            bit = 63 - (uint32_t)__builtin_clzll(left);
            at[n++] = (uint8_t)(first + bit);
        }
    return n;
}

/* Leaves out rows that fail. False: a code changed meanwhile. */
static bool read_slices(const struct grouping *g, uint32_t first, struct slice_mask *rows)
{
    MEM_UNFILLED struct slice_mask passed;
    if (!slices_read(
            &series_chunk(&g->w->view, first)->slices, g->sieve->tests, g->sieve->n, &passed))
        return false;
    for (int word = 0; word < SLICE_WORDS; word++)
        rows->words[word] &= passed.words[word];
    if (g->sieve->by_lists)
        sieve_lists(g->sieve, series_chunk(&g->w->view, first), rows);
    return true;
}

static void read_chunk(void *ctx, uint32_t first, const struct slice_mask *chosen)
{
    struct grouping *g = ctx;
    struct slice_mask rows = *chosen;
    if (g->full)
        return;
    if (g->sieve->n > 1 && first >= AHEAD)
        sieve_prefetch(g->sieve, series_chunk(&g->w->view, first - AHEAD));
    /* The keys tell whether a row is live, which is the only test without a filter. */
    bool known = (g->sieve->n == 1 && !g->sieve->by_lists) || read_slices(g, first, &rows);
    g->first = first;
    g->n = 0;
    for (uint32_t word = SLICE_WORDS; word-- > 0;)
        g->n = put_places(g->at, g->n, rows.words[word], 64 * word);
    if (!known || g->w->by_topic || g->sieve->needs_records)
        sift(g, !known || g->w->by_topic);
    add_rows(g);
}

static void run_pass(struct grouping *g, enum group_pass pass)
{
    g->pass = pass;
    walk_chunks(g->w, read_chunk, g);
}

/* --- order */

static void prepare_sums(struct grouping *g, int sort)
{
    const struct group_columns days = {.first = BY_FIRST, .last = BY_LAST};
    g->ordered_by = (enum ordered_by)group_sort_value(&days, sort);
    for (uint32_t cell = 0; cell < GROUP_CELLS; cell++) {
        struct group_columns columns = {0};
        group_cell_add(&columns, cell, 1);
        g->weights[cell] = group_sort_value(&columns, sort);
    }
}

/* DAY_NONE: none, of a day. */
static int64_t value_of(const struct grouping *g, uint32_t number, int sort)
{
    if (g->pass == PASS_SHEETS) {
        struct group_columns columns = group_sheet_columns(&g->sheets, number);
        return group_sort_value(&columns, sort);
    }
    int64_t sum = g->sums[number];
    if (g->ordered_by == BY_SUM)
        return sum;
    return group_day(g->ordered_by == BY_LAST ? (uint32_t)sum : 0 - (uint32_t)sum);
}

/* A group in the order of the query. */
struct group_rank {
    int64_t value; /* the greater, the earlier */
    uint32_t newest, number;
};

static int rank_order(const void *a, const void *b)
{
    const struct group_rank *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    if (x->newest != y->newest)
        return x->newest < y->newest ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Moves the first n of the order to the front, in any order. */
static void select_first(struct group_rank *items, size_t count, size_t n)
{
    size_t low = 0, high = count;
    while (high - low > 1 && n > low && n < high) {
        struct group_rank middle = items[low + (high - low - 1) / 2], swap;
        size_t i = low, j = high - 1;
        for (;;) {
            while (rank_order(&items[i], &middle) < 0)
                i++;
            while (rank_order(&middle, &items[j]) < 0)
                j--;
            if (i >= j)
                break;
            swap = items[i];
            items[i++] = items[j];
            items[j--] = swap;
        }
        if (n <= j + 1)
            high = j + 1;
        else
            low = j + 1;
    }
}

static struct group_rank *rank(const struct grouping *g, const struct feed_group_by *query)
{
    uint32_t count = g->dimensions ? count_of(g) : 0;
    const uint32_t *newest = g->dimensions < GROUP_BY_MAX ? g->values[0].newest : g->pairs.newest;
    struct group_rank *ranked = mem_array(count + 1, sizeof *ranked);
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = value_of(g, i + 1, query->sort);
        bool none = value == DAY_NONE; /* always at the end */
        ranked[i] = (struct group_rank){
            none               ? INT64_MIN
            : query->ascending ? -value
                               : value,
            newest[i + 1], i + 1};
    }
    size_t end = query->offset + query->limit;
    if (end < count)
        select_first(ranked, count, end);
    qsort(ranked, end < count ? end : count, sizeof *ranked, rank_order);
    return ranked;
}

/* --- the page */

/* The groups of the page get sheets of their own. */
static void read_page(struct grouping *g, const struct group_rank *page, size_t n)
{
    for (size_t i = 0; i < n; i++)
        g->sheet_of[page[i].number] = (uint8_t)(1 + i);
    group_sheets_open(&g->sheets, (uint32_t)n + 1, 0);
    run_pass(g, PASS_PAGE);
}

static void fill_group(
    const struct grouping *g, const struct group_rank *r, struct arena *arena,
    struct trade_group *ret)
{
    bool paired = g->dimensions == GROUP_BY_MAX;
    *ret = (struct trade_group){.columns = group_sheet_columns(&g->sheets, g->sheet_of[r->number])};
    for (size_t d = 0; d < g->dimensions; d++)
        group_values_text(
            &g->values[d], g->e, g->w,
            paired ? (uint32_t)(g->pairs.pairs[r->number] >> 32 * d) : r->number, r->newest, arena,
            &ret->values[d]);
}

static void fill(
    struct grouping *g, const struct feed_group_by *query, struct arena *arena,
    struct feed_groups *ret)
{
    MEM_FREED struct group_rank *ranked = rank(g, query);
    size_t count = g->dimensions ? count_of(g) : 0;
    size_t offset = query->offset < count ? query->offset : count;
    ret->count = count - offset < query->limit ? count - offset : query->limit;
    ret->more = offset + ret->count < count;
    if (g->pass == PASS_SUMS)
        read_page(g, ranked + offset, ret->count);
    for (size_t i = 0; i < ret->count; i++)
        fill_group(g, &ranked[offset + i], arena, &ret->groups[i]);
    ret->totals = group_sheets_total(&g->sheets);
}

static void start(struct grouping *g, const struct feed_group_by *query)
{
    for (size_t d = 0; d < GROUP_BY_MAX; d++)
        group_values_init(&g->values[d], query->by[d]);
    group_pairs_init(&g->pairs);
    group_sheets_init(&g->sheets);
    group_sheets_open(&g->sheets, 1, 0);
}

static void finish(struct grouping *g)
{
    for (size_t d = 0; d < GROUP_BY_MAX; d++)
        group_values_finish(&g->values[d]);
    group_pairs_finish(&g->pairs);
    group_sheets_finish(&g->sheets);
}

/* False: too many. */
static bool read_groups(struct grouping *g, const struct feed_group_by *query)
{
    start(g, query);
    g->max = GROUP_SHEETS - 1;
    g->full = g->values[0].of_who || g->values[1].of_who; /* many, as a rule */
    run_pass(g, PASS_SHEETS);
    if (!g->full)
        return true;
    finish(g);
    start(g, query);
    if (g->room)
        memset(g->sheet_of, 0, g->room);
    g->max = FEED_GROUPS_MAX;
    g->full = false;
    prepare_sums(g, query->sort);
    run_pass(g, PASS_SUMS);
    return !g->full;
}

static bool count_groups(
    const struct edition *e, const struct feed_filter *filter, const struct feed_group_by *query,
    struct arena *arena, struct feed_groups *ret)
{
    MEM_UNFILLED struct sieve sieve;
    SCOPED(walk_finish) struct walk w;
    bool some = walk_trades(e, filter, &w) && sieve_init(&sieve, e, filter);
    walk_between(&w, NULL, filter->since_ms, filter_until(filter));
    if (!some)
        w.high = w.low;
    else if (w.conflicts_only)
        sieve.tests[sieve.n++] = (struct slice_test){SLICE_SIGNAL, SLICE_AT_LEAST, 1};
    MEM_FREED struct grouping *g = mem_zalloc(sizeof *g);
    g->e = e;
    g->w = &w;
    g->sieve = &sieve;
    while (g->dimensions < GROUP_BY_MAX && query->by[g->dimensions])
        g->dimensions++;
    bool fits = read_groups(g, query);
    ret->count = 0;
    if (fits)
        fill(g, query, arena, ret);
    finish(g);
    mem_free(g->sheet_of);
    mem_free(g->sums);
    return fits;
}

/* --- answers that are kept (group_answers.h) */

static void put_number(struct buf *b, int64_t number)
{
    buf_str(b, str_of((const char *)&number, sizeof number));
}

static void put_text(struct buf *b, struct str text)
{
    put_number(b, str_is_null(text) ? -1 : (int64_t)text.n);
    buf_str(b, text);
}

/* All that the answer depends on beside the rows. A reader's line matters by the trades before it,
 * unless readers know lateness at different times. */
static void put_key(
    struct buf *b, const struct edition *e, const struct feed_filter *filter,
    const struct feed_group_by *query)
{
    const struct str texts[] = {filter->ticker,      filter->politician, filter->tickers,
                                filter->politicians, filter->filing,     filter->committee};
    const struct series_view v = series_view(&e->trades);
    bool by_reader = tally_read(&e->tally.late[LATE_BY_READER]) > 0;
    const int64_t numbers[] = {
        query->by[0],
        query->by[1],
        query->sort,
        query->ascending,
        (int64_t)query->offset,
        (int64_t)query->limit,
        filter->chamber,
        filter->conflicts_only,
        filter->industry,
        filter->since_ms,
        filter->until_ms,
        by_reader ? filter->line_ms : INSTANT_NONE,
        walk_high(&v, filter->line_ms)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put_number(b, numbers[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        put_text(b, texts[i]);
    for (size_t i = 0; i < filter->test_count; i++) {
        put_number(b, (int64_t)(intptr_t)filter->tests[i].filter);
        put_number(b, filter->tests[i].value.number);
        put_text(b, filter->tests[i].value.text);
    }
}

bool feed_group(
    const struct feed *feed, const struct feed_filter *filter, const struct feed_group_by *query,
    struct arena *arena, struct feed_groups *ret)
{
    const struct edition *e = feed_read(feed);
    uint64_t changes = atomic_load_explicit(&e->trades.changes, memory_order_acquire);
    struct group_answer answer = {.groups = ret->groups};
    BUF_SCOPED(key, SIZE_MAX);
    put_key(&key, e, filter, query);
    bool kept = group_answers_find(e->answers, buf_view(&key), changes, arena, &answer);
    if (!kept) {
        ret->more = false;
        ret->totals = (struct group_columns){0};
        answer.fits = count_groups(e, filter, query, arena, ret);
        answer.count = ret->count;
        answer.more = ret->more;
        answer.totals = ret->totals;
        group_answers_keep(e->answers, buf_view(&key), changes, &answer);
    }
    ret->count = answer.count;
    ret->more = answer.more;
    ret->totals = answer.totals;
    return answer.fits;
}

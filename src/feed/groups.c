/* Groups of trades; see groups.h. */
#include "feed/groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "feed/feed_internal.h"
#include "feed/sieve.h"
#include "feed/walk.h"
#include "noun/lists.h"
#include "noun/trade_read.h"

/* Counts of a sum, which one addition changes together. */
enum {
    BUYS,
    SELLS,
    EXCHANGES,
    CONFLICTS,
    CONFLICTS_LATER,
    LATE,
    LATE_NOT_KNOWN,
    TRADES,
    GRADES, /* and after it one for each grade */
    COUNTS = 16
};

typedef uint32_t counts __attribute__((vector_size(COUNTS * sizeof(uint32_t))));

/* Two cache lines. */
struct group_sum {
    _Alignas(64) counts n;
    int64_t min, max;
    uint32_t open, newest; /* ordinal of the newest trade */
    int32_t first, last;   /* INT32_MAX, DAY_NONE: no day */
};

static const struct group_sum sum_none = {.first = INT32_MAX, .last = DAY_NONE};

enum {
    SIDE_SIGNAL_BITS = 6, /* neighbours in a code */
    LATE_BITS = 3,
    DAYS_SHOWN_MAX = 4095,
    KEYS_MAX = 32, /* groups that a trade can be in */
    TOTALS = FEED_PAGE_MAX,
    NOT_SHOWN = UINT8_MAX,
    FIRST_BITS = 10,
};

/* What a dimension's key is made of: bits of a word of series_key, or a function. */
struct group_part {
    bool of_who;
    struct slice_place place;
    enum group_dimension dimension;
    bool made; /* by make_key */
};

/* What only the groups of the page have. */
struct group_shown {
    uint32_t days[DAYS_SHOWN_MAX + 1]; /* how many trades were reported after so many */
    uint64_t *people;                  /* bits */
};

struct grouping {
    const struct edition *e;
    const struct walk *w;
    const struct sieve *sieve;
    struct group_part parts[GROUP_BY_MAX];
    size_t part_count;
    bool any_made, overlaps;
    struct slice_place side, late, bracket, day;
    int64_t day_zero; /* code of 1970-01-01 */
    uint32_t *months; /* keys of days by their codes, as far as they were needed */
    counts steps[1 << (SIDE_SIGNAL_BITS + LATE_BITS)];
    struct {
        int64_t min, max;
        uint32_t open;
    } bounds[BRACKET_COUNT];
    /* groups by key: `slots` has their numbers from 1, 0 is free */
    uint64_t *keys;
    uint32_t *slots;
    uint32_t mask, bits, count;
    uint64_t *key_of; /* of a group */
    struct group_sum *sums;
    struct group_sum total;
    uint32_t person_max;
    bool full;
    /* the second pass */
    uint8_t *place_of; /* of a group on the page, or NOT_SHOWN; NULL in the first pass */
    struct group_shown *shown;
};

static uint64_t take(uint64_t word, struct slice_place place)
{
    return word >> place.shift & place.mask;
}

static uint32_t slot_of(const struct grouping *g, uint64_t key)
{
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - g->bits));
    while (g->slots[at] && g->keys[at] != key)
        at = (at + 1) & g->mask;
    return at;
}

static void resize(struct grouping *g, uint32_t bits)
{
    uint32_t room = UINT32_C(1) << bits;
    mem_free(g->keys);
    mem_free(g->slots);
    g->bits = bits;
    g->mask = room - 1;
    g->keys = mem_array(room, sizeof *g->keys);
    g->slots = mem_array(room, sizeof *g->slots);
    g->key_of = mem_realloc(g->key_of, room / 2 * sizeof *g->key_of);
    struct group_sum *sums = mem_zalloc_aligned(64, room / 2 * sizeof *sums);
    if (g->count)
        memcpy(sums, g->sums, g->count * sizeof *sums);
    mem_free(g->sums);
    g->sums = sums;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t at = slot_of(g, g->key_of[i]);
        g->keys[at] = g->key_of[i];
        g->slots[at] = i + 1;
    }
}

/* The number of the group, which is made if it is new; UINT32_MAX: none. */
static uint32_t group_of(struct grouping *g, uint64_t key, uint32_t ordinal)
{
    uint32_t at = slot_of(g, key);
    if (g->slots[at])
        return g->slots[at] - 1;
    if (g->place_of || g->count == FEED_GROUPS_MAX) {
        g->full |= !g->place_of;
        return UINT32_MAX;
    }
    if (2 * (g->count + 1) > g->mask) {
        resize(g, g->bits + 1);
        at = slot_of(g, key);
    }
    g->keys[at] = key;
    g->slots[at] = g->count + 1;
    g->key_of[g->count] = key;
    g->sums[g->count] = sum_none;
    g->sums[g->count].newest = ordinal; /* rows come newest first */
    return g->count++;
}

/* --- keys */

/* The key of a committee is its id: four letters, and 0 or 1 and two digits. */
static uint32_t committee_key(struct str id)
{
    uint32_t key = 0;
    for (size_t i = 0; i < 4; i++)
        key = key * 26 + (uint32_t)(id.p[i] - 'A');
    uint32_t sub = id.n > 4 ? 1 + (uint32_t)(id.p[4] - '0') * 10 + (uint32_t)(id.p[5] - '0') : 0;
    return 1 + key * 101 + sub;
}

static struct str committee_text(uint32_t key, struct arena *arena)
{
    uint32_t sub = (key - 1) % 101, letters = (key - 1) / 101;
    char text[4];
    for (int i = 3; i >= 0; i--, letters /= 26)
        text[i] = (char)('A' + letters % 26);
    return sub ? arena_fmt(arena, "%.4s%02u", text, sub - 1) : arena_fmt(arena, "%.4s", text);
}

static void add_key(uint32_t *keys, size_t *n, uint32_t key)
{
    for (size_t i = 0; i < *n; i++)
        if (keys[i] == key)
            return;
    if (*n < KEYS_MAX)
        keys[(*n)++] = key;
}

static size_t committee_keys(const struct grouping *g, uint32_t tail, uint32_t keys[KEYS_MAX])
{
    const struct signal_topic *topic =
        tail == TAILS_NONE ? NULL : tails_get(&g->e->tails, tail)->topic;
    size_t n = 0;
    for (size_t i = 0; topic && i < topic->committee_count; i++) {
        const struct topic_committee *c = topics_committee(&g->e->topics, topic->committees[i]);
        add_key(keys, &n, committee_key(c->id));
        add_key(keys, &n, committee_key(topics_committee(&g->e->topics, c->parent)->id));
    }
    if (!n)
        keys[n++] = 0;
    return n;
}

/* One row, as it is read. */
struct group_trade {
    uint64_t code, who;
    uint32_t ordinal, tail;
    int32_t day; /* DAY_NONE: not stated */
};

/* Remembers the months of days: a division for each row would take most of the time. */
static uint32_t month_key(const struct grouping *g, const struct group_trade *row, bool of_year)
{
    int year, month, unused;
    uint64_t code = take(row->code, g->day);
    uint32_t *known = &g->months[code];
    if (row->day == DAY_NONE)
        return 0;
    if (!*known || code == 1 || code == g->day.mask) {
        day_to_civil(row->day, &year, &month, &unused);
        *known = (uint32_t)(year * 12 + month);
    }
    return of_year ? (*known - 1) / 12 : *known;
}

/* Fills in the keys of the row in a dimension; returns their number. */
static size_t make_keys(
    const struct grouping *g, const struct group_part *part, const struct group_trade *row,
    uint32_t keys[KEYS_MAX])
{
    const struct signal_topic *topic;
    switch (part->dimension) {
    case GROUP_FLAG_COMMITTEE:
        return committee_keys(g, row->tail, keys);
    case GROUP_FLAG_INDUSTRY:
        topic = row->tail == TAILS_NONE ? NULL : tails_get(&g->e->tails, row->tail)->topic;
        keys[0] = topic ? (uint32_t)topic->industry : 0;
        return 1;
    case GROUP_MONTH:
    case GROUP_YEAR:
        keys[0] = month_key(g, row, part->dimension == GROUP_YEAR);
        return 1;
    default:
        keys[0] = (uint32_t)take(part->of_who ? row->who : row->code, part->place);
        return 1;
    }
}

/* The end of a key as a text, which reads the newest trade of the group for what only its JSON
 * says. */
static void value_of(
    const struct grouping *g, enum group_dimension dimension, uint32_t key, uint32_t newest,
    struct arena *arena, struct group_value *ret)
{
    const struct series_record *record = series_record(&g->w->view, newest);
    const struct shape_list *list = group_dimension_field(dimension)->list;
    struct str became[RENAMES_CHAIN_MAX];
    struct trade trade;
    *ret = (struct group_value){.text = STR_NULL};
    if (!key)
        return;
    if (list) {
        ret->text = list->name_of((int)key);
        return;
    }
    shape_trade_read(
        series_record_json(record), tails_get(&g->e->tails, TAILS_NONE)->json, arena, &trade);
    switch (dimension) {
    case GROUP_POLITICIAN:
        ret->politician = trade.politician;
        ret->text = trade.politician.slug;
        break;
    case GROUP_TICKER:
        if (!str_is_null(trade.values.ticker))
            ret->text = arena_str(
                arena, became
                           [renames_successors(
                                &g->e->renames, trade.values.ticker, record->facts.day, became) -
                            1]);
        break;
    case GROUP_PARTY:
        ret->text = trade.politician.party;
        break;
    case GROUP_STATE:
        ret->text = trade.politician.state;
        break;
    case GROUP_MONTH:
        ret->text = arena_fmt(arena, "%04u-%02u", (key - 1) / 12, (key - 1) % 12 + 1);
        break;
    case GROUP_YEAR:
        ret->text = arena_fmt(arena, "%04u", key);
        break;
    case GROUP_FLAG_COMMITTEE:
        ret->text = committee_text(key, arena);
        break;
    default:
        break;
    }
}

/* --- rows */

static inline void sum_row(
    const struct grouping *g, struct group_sum *sum, const struct group_trade *row)
{
    uint64_t bracket = take(row->code, g->bracket);
    uint64_t step = take(row->code, g->side) | take(row->code, g->late) << SIDE_SIGNAL_BITS;
    sum->n += g->steps[step];
    sum->min += g->bounds[bracket].min;
    sum->max += g->bounds[bracket].max;
    sum->open += g->bounds[bracket].open;
    if (row->day != DAY_NONE) {
        sum->first = row->day < sum->first ? row->day : sum->first;
        sum->last = row->day > sum->last ? row->day : sum->last;
    }
}

static void show_row(const struct grouping *g, size_t place, const struct group_trade *row)
{
    uint64_t days = row->who & SERIES_DAYS_NONE, person = row->who >> SERIES_PERSON_SHIFT;
    if (days != SERIES_DAYS_NONE)
        g->shown[place].days[days < DAYS_SHOWN_MAX ? days : DAYS_SHOWN_MAX]++;
    if (person <= g->person_max)
        g->shown[place].people[person / 64] |= UINT64_C(1) << person % 64;
}

static inline void put_row(struct grouping *g, uint64_t key, const struct group_trade *row)
{
    uint32_t group = group_of(g, key, row->ordinal);
    if (group == UINT32_MAX)
        return;
    if (!g->place_of)
        sum_row(g, &g->sums[group], row);
    else if (g->place_of[group] != NOT_SHOWN)
        show_row(g, g->place_of[group], row);
}

static void put_all(struct grouping *g, const struct group_trade *row)
{
    MEM_UNFILLED uint32_t keys[GROUP_BY_MAX][KEYS_MAX];
    size_t n[GROUP_BY_MAX] = {1, 1};
    keys[0][0] = keys[1][0] = 0;
    for (size_t i = 0; i < g->part_count; i++)
        n[i] = make_keys(g, &g->parts[i], row, keys[i]);
    for (size_t a = 0; a < n[0]; a++)
        for (size_t b = 0; b < n[1]; b++)
            put_row(g, (uint64_t)keys[0][a] << 32 | keys[1][b], row);
}

/* What the words cannot tell: days that share a code, and lateness that some readers know later. */
static void look_at_record(const struct grouping *g, struct group_trade *row)
{
    const struct series_facts *facts = &series_record(&g->w->view, row->ordinal)->facts;
    uint64_t late = series_late(facts, g->w->line_ms);
    row->day = series_traded(facts);
    row->code = (row->code & ~(g->late.mask << g->late.shift)) | late << g->late.shift;
    row->who = (row->who & ~(uint64_t)SERIES_DAYS_NONE) | series_days(facts, g->w->line_ms);
}

static inline void read_row(struct grouping *g, uint32_t ordinal)
{
    const struct series_chunk *chunk = series_chunk(&g->w->view, ordinal);
    const struct series_key *key = &chunk->keys[ordinal % SERIES_CHUNK_ROWS];
    struct group_trade row = {
        .code = atomic_load_explicit(&key->code, memory_order_relaxed),
        .who = atomic_load_explicit(&key->who, memory_order_relaxed),
        .ordinal = ordinal,
        .day = DAY_NONE,
    };
    uint64_t day = take(row.code, g->day);
    if (day)
        row.day = (int32_t)((int64_t)day - g->day_zero);
    if (day == 1 || day == g->day.mask || take(row.code, g->late) == LATE_BY_READER)
        look_at_record(g, &row);
    if (!g->place_of) {
        uint32_t person = (uint32_t)(row.who >> SERIES_PERSON_SHIFT);
        g->person_max = person > g->person_max ? person : g->person_max;
        if (!g->part_count || g->overlaps)
            sum_row(g, &g->total, &row);
    } else {
        show_row(g, TOTALS, &row);
    }
    if (!g->part_count)
        return;
    if (g->any_made) {
        row.tail = series_tail(&g->w->view, ordinal);
        put_all(g, &row);
        return;
    }
    uint64_t group = 0;
    for (size_t i = 0; i < g->part_count; i++)
        group = group << 32 | take(g->parts[i].of_who ? row.who : row.code, g->parts[i].place);
    put_row(g, g->part_count == 1 ? group << 32 : group, &row);
}

static bool keeps(const struct grouping *g, uint32_t ordinal)
{
    const struct series_view *v = &g->w->view;
    uint32_t tail = series_tail(v, ordinal);
    return walk_keeps_tail(g->w, g->e, tail) && series_is_live(v, ordinal) &&
           sieve_keeps(g->sieve, series_record(v, ordinal), tail);
}

static void read_chunk(void *ctx, uint32_t first, const struct slice_mask *rows)
{
    static const struct slice_test signal = {SLICE_SIGNAL, SLICE_AT_LEAST, 1};
    struct grouping *g = ctx;
    const struct slices *slices = &series_chunk(&g->w->view, first)->slices;
    MEM_UNFILLED struct slice_mask passed, flagged;
    bool by_record = g->w->by_topic || g->sieve->needs_records ||
                     !slices_read(slices, g->sieve->tests, g->sieve->n, &passed) ||
                     (g->w->conflicts_only && !slices_read(slices, &signal, 1, &flagged));
    for (int word = SLICE_WORDS; word-- > 0;) {
        uint64_t left = rows->words[word];
        if (!by_record)
            left &= passed.words[word];
        if (!by_record && g->w->conflicts_only)
            left &= flagged.words[word];
        while (left) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(left),
                     ordinal = first + (uint32_t)word * 64 + bit;
            left ^= UINT64_C(1) << bit;
            if (!by_record || keeps(g, ordinal))
                read_row(g, ordinal);
        }
    }
}

/* --- before and after */

_Static_assert(
    PARTIES_MAX >> (SERIES_SENATE - SERIES_PARTY_SHIFT) == 0, "a party fits beside the code");

static struct group_part part_of(enum group_dimension dimension)
{
    static const struct {
        enum group_dimension dimension;
        enum slice_field field;
    } sliced[] = {
        {GROUP_SIDE, SLICE_SIDE},       {GROUP_OWNER, SLICE_OWNER},
        {GROUP_BRACKET, SLICE_BRACKET}, {GROUP_ASSET_TYPE, SLICE_ASSET_TYPE},
        {GROUP_STATE, SLICE_STATE},     {GROUP_LATE_STATUS, SLICE_LATE},
    };
    enum { INDEX_MASK = (1 << POSTING_INDEX_BITS) - 1 };
    struct group_part part = {.dimension = dimension};
    for (size_t i = 0; i < sizeof sliced / sizeof *sliced; i++)
        if (sliced[i].dimension == dimension)
            part.place = slices_place(sliced[i].field);
    if (dimension == GROUP_PARTY)
        part.place = (struct slice_place){SERIES_PARTY_SHIFT, PARTIES_MAX};
    else if (dimension == GROUP_CHAMBER)
        part.place = (struct slice_place){SERIES_SENATE, 1};
    else if (dimension == GROUP_POLITICIAN || dimension == GROUP_TICKER)
        part.place = (struct slice_place){
            dimension == GROUP_TICKER ? SERIES_COMPANY_SHIFT : SERIES_PERSON_SHIFT, INDEX_MASK};
    part.of_who = dimension == GROUP_POLITICIAN || dimension == GROUP_TICKER;
    part.made = !part.place.mask;
    return part;
}

static void add_step(struct grouping *g, uint32_t signal, uint32_t side, uint32_t late)
{
    uint32_t at = signal | side << 3 | late << SIDE_SIGNAL_BITS;
    g->steps[at][TRADES] = 1;
    g->steps[at][BUYS] = side == SIDE_BUY;
    g->steps[at][SELLS] = side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL;
    g->steps[at][EXCHANGES] = side == SIDE_EXCHANGE;
    g->steps[at][CONFLICTS] = signal != MARK_NONE;
    g->steps[at][CONFLICTS_LATER] = MARKS_LATER >> signal & 1;
    g->steps[at][GRADES + (int)mark_grade((enum signal_mark)signal)] = 1;
    g->steps[at][LATE] = late == LATE_LATE;
    g->steps[at][LATE_NOT_KNOWN] = late == LATE_UNKNOWN;
}

static void prepare(struct grouping *g, const struct feed_group_by *query)
{
    struct slice_place signal = slices_place(SLICE_SIGNAL), side = slices_place(SLICE_SIDE);
    assert(side.shift == signal.shift + 3);
    g->side = (struct slice_place){signal.shift, (1 << SIDE_SIGNAL_BITS) - 1};
    g->late = slices_place(SLICE_LATE);
    g->bracket = slices_place(SLICE_BRACKET);
    g->day = slices_place(SLICE_DAY);
    g->day_zero = (int64_t)take(slices_code(SLICE_DAY, slices_day(0)), g->day);
    for (uint32_t at = 0; at < 1 << (SIDE_SIGNAL_BITS + LATE_BITS); at++)
        add_step(g, at & 7, at >> 3 & 7, at >> SIDE_SIGNAL_BITS);
    for (int bracket = 1; bracket < BRACKET_COUNT; bracket++) {
        const struct bracket_info *info = bracket_info((enum bracket)bracket);
        bool open = info->max == BRACKET_OPEN;
        g->bounds[bracket].min = info->min;
        g->bounds[bracket].max = open ? 0 : info->max;
        g->bounds[bracket].open = open;
    }
    g->total = sum_none;
    for (size_t i = 0; i < GROUP_BY_MAX && query->by[i]; i++) {
        g->parts[g->part_count++] = part_of(query->by[i]);
        g->any_made |= g->parts[i].made;
        g->overlaps |= group_overlaps(query->by[i]);
    }
    g->months = mem_array(g->day.mask + 1, sizeof *g->months);
    resize(g, FIRST_BITS);
}

static void add_sum(struct group_sum *to, const struct group_sum *sum)
{
    to->n += sum->n;
    to->min += sum->min;
    to->max += sum->max;
    to->open += sum->open;
    to->first = sum->first < to->first ? sum->first : to->first;
    to->last = sum->last > to->last ? sum->last : to->last;
}

static struct group_columns columns_of(const struct group_sum *sum)
{
    return (struct group_columns){
        .trades = sum->n[TRADES],
        .buys = sum->n[BUYS],
        .sells = sum->n[SELLS],
        .exchanges = sum->n[EXCHANGES],
        .conflicts = sum->n[CONFLICTS],
        .conflicts_later = sum->n[CONFLICTS_LATER],
        .conflicts_a = sum->n[GRADES + CONFLICT_GRADE_A],
        .conflicts_b = sum->n[GRADES + CONFLICT_GRADE_B],
        .conflicts_c = sum->n[GRADES + CONFLICT_GRADE_C],
        .late = sum->n[LATE],
        .late_unknown = sum->n[LATE_NOT_KNOWN],
        .amount_min = sum->min,
        .amount_max = sum->max,
        .amount_open = sum->open,
        .median_days = LATE_DAYS_NONE,
        .p90_days = LATE_DAYS_NONE,
        .first = sum->last == DAY_NONE ? DAY_NONE : sum->first,
        .last = sum->last,
    };
}

/* The least number of days that `tenths` of the trades did not exceed. */
static int64_t days_at(const struct group_shown *shown, uint64_t n, uint64_t tenths)
{
    uint64_t rank = (n * tenths + 9) / 10, seen = 0;
    for (int64_t days = 0; n && days <= DAYS_SHOWN_MAX; days++) {
        seen += shown->days[days];
        if (seen >= rank)
            return days;
    }
    return LATE_DAYS_NONE;
}

static void add_shown(const struct grouping *g, size_t place, struct group_columns *columns)
{
    const struct group_shown *shown = &g->shown[place];
    uint64_t n = 0;
    for (int days = 0; days <= DAYS_SHOWN_MAX; days++)
        n += shown->days[days];
    columns->median_days = days_at(shown, n, 5);
    columns->p90_days = days_at(shown, n, 9);
    for (uint32_t word = 0; word <= g->person_max / 64; word++)
        columns->people += __builtin_popcountll(shown->people[word]);
}

/* A group in the order of the query. */
struct group_rank {
    int64_t value; /* the greater, the earlier */
    uint32_t newest, group;
    uint64_t key;
};

static int rank_order(const void *a, const void *b)
{
    const struct group_rank *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    if (x->newest != y->newest)
        return x->newest < y->newest ? 1 : -1;
    return (x->key > y->key) - (x->key < y->key);
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
    struct group_rank *ranked = mem_array(g->count + 1, sizeof *ranked);
    for (uint32_t i = 0; i < g->count; i++) {
        struct group_columns columns = columns_of(&g->sums[i]);
        int64_t value = group_sort_value(&columns, query->sort);
        bool none = value == DAY_NONE; /* always at the end */
        ranked[i] = (struct group_rank){
            none               ? INT64_MIN
            : query->ascending ? -value
                               : value,
            g->sums[i].newest, i, g->key_of[i]};
    }
    size_t end = query->offset + query->limit;
    if (end < g->count)
        select_first(ranked, g->count, end);
    qsort(ranked, end < g->count ? end : g->count, sizeof *ranked, rank_order);
    return ranked;
}

static void fill(
    struct grouping *g, const struct feed_group_by *query, struct arena *arena,
    struct feed_groups *ret)
{
    struct group_rank *ranked = rank(g, query);
    size_t offset = query->offset < g->count ? query->offset : g->count;
    ret->count = g->count - offset < query->limit ? g->count - offset : query->limit;
    ret->more = offset + ret->count < g->count;
    size_t words = g->person_max / 64 + 1;
    uint64_t *people = mem_array((FEED_PAGE_MAX + 1) * words, sizeof *people);
    g->shown = mem_array(FEED_PAGE_MAX + 1, sizeof *g->shown);
    g->place_of = mem_alloc(g->count + 1);
    memset(g->place_of, NOT_SHOWN, g->count + 1);
    for (size_t i = 0; i <= FEED_PAGE_MAX; i++)
        g->shown[i].people = people + i * words;
    for (size_t i = 0; i < ret->count; i++)
        g->place_of[ranked[offset + i].group] = (uint8_t)i;
    walk_chunks(g->w, read_chunk, g);
    for (uint32_t i = 0; i < g->count && !g->overlaps; i++)
        add_sum(&g->total, &g->sums[i]);
    ret->totals = columns_of(&g->total);
    add_shown(g, TOTALS, &ret->totals);
    for (size_t i = 0; i < ret->count; i++) {
        const struct group_rank *r = &ranked[offset + i];
        struct trade_group *group = &ret->groups[i];
        *group = (struct trade_group){.columns = columns_of(&g->sums[r->group])};
        add_shown(g, i, &group->columns);
        for (size_t d = 0; d < g->part_count; d++) {
            uint32_t key = (uint32_t)(r->key >> (d ? 0 : 32));
            if (query->by[d] == GROUP_CHAMBER)
                key = key ? CHAMBER_SENATE : CHAMBER_HOUSE;
            value_of(g, query->by[d], key, r->newest, arena, &group->values[d]);
        }
    }
    mem_free(people);
    mem_free(ranked);
}

bool feed_group(
    const struct feed *feed, const struct feed_filter *filter, const struct feed_group_by *query,
    struct arena *arena, struct feed_groups *ret)
{
    const struct edition *e = feed_read(feed);
    MEM_UNFILLED struct sieve sieve;
    struct walk w;
    bool some = walk_trades(e, filter, &w) && sieve_init(&sieve, e, filter);
    struct grouping *g = mem_zalloc_aligned(64, sizeof *g);
    *g = (struct grouping){.e = e, .w = &w, .sieve = &sieve};
    prepare(g, query);
    walk_between(&w, NULL, filter->since_ms, filter_until(filter));
    if (!some)
        w.high = w.low;
    walk_chunks(&w, read_chunk, g);
    bool fits = !g->full;
    ret->count = 0;
    if (fits)
        fill(g, query, arena, ret);
    mem_free(g->months);
    mem_free(g->keys);
    mem_free(g->slots);
    mem_free(g->key_of);
    mem_free(g->sums);
    mem_free(g->place_of);
    mem_free(g->shown);
    mem_free(g);
    return fits;
}

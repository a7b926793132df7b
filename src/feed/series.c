/* Rows in feed order; see series.h. */
#include "feed/series.h"

#include <assert.h>

#include "base/hash.h"
#include "base/search.h"
#include "feed/tails.h"
#include "feed/tally.h"

enum {
    KEYS_SIZE = SERIES_CHUNK_ROWS * sizeof(struct series_key),
    SLAB_SIZE = SERIES_SLAB_CHUNKS * KEYS_SIZE,
    DIRECTORY_FIRST_CAPACITY = 16,
    ID_OFFSET = sizeof "{\"id\":\"" - 1,
    CACHE_LINE = 64,
};

static size_t directory_size(uint32_t capacity)
{
    return sizeof(struct series_directory) +
           capacity *
               (sizeof(int64_t) + sizeof(struct series_chunk *) + sizeof(struct series_key *));
}

static struct series_directory *directory_create(uint32_t capacity)
{
    struct series_directory *d = mem_zalloc(directory_size(capacity));
    d->capacity = capacity;
    d->chunks = (struct series_chunk **)(void *)(d->first_at + capacity);
    d->keys = (struct series_key **)(void *)(d->chunks + capacity);
    return d;
}

void series_init(struct series *s, struct rcu_retired *retired)
{
    *s = (struct series){.retired = retired};
    arena_init(&s->arena);
    atomic_init(&s->directory, directory_create(DIRECTORY_FIRST_CAPACITY));
    atomic_init(&s->bytes, directory_size(DIRECTORY_FIRST_CAPACITY));
}

void series_finish(struct series *s)
{
    struct series_directory *d = atomic_load(&s->directory);
    for (uint32_t i = 0; i < s->pushed; i += SERIES_CHUNK_ROWS)
        mem_free(d->chunks[i / SERIES_CHUNK_ROWS]);
    for (uint32_t i = 0; i < s->pushed; i += SERIES_CHUNK_ROWS * SERIES_SLAB_CHUNKS)
        mem_unmap(d->keys[i / SERIES_CHUNK_ROWS], SLAB_SIZE);
    mem_free(d);
    arena_finish(&s->arena);
}

enum late_status series_late(const struct series_facts *facts, int64_t line_ms)
{
    struct trade_report known = lateness_known(&facts->report, line_ms);
    if (facts->late != LATE_BY_READER)
        return (enum late_status)facts->late;
    struct lateness lateness = lateness_of(series_traded(facts), &known);
    return lateness_status(&lateness);
}

uint64_t series_days(const struct series_facts *facts, int64_t line_ms)
{
    struct trade_report known = lateness_known(&facts->report, line_ms);
    int32_t days = lateness_of(series_traded(facts), &known).days_to_report;
    return days < 0 ? SERIES_DAYS_NONE
                    : (uint64_t)(days < SERIES_DAYS_MAX ? days : SERIES_DAYS_MAX);
}

uint64_t series_value(
    const struct series_facts *facts, uint32_t tail, bool live, enum slice_field field)
{
    switch (field) {
    case SLICE_LIVE:
        return live;
    case SLICE_SIGNAL:
        return tails_mark(tail);
    case SLICE_SIDE:
        return facts->side;
    case SLICE_OWNER:
        return facts->owner;
    case SLICE_ASSET_TYPE:
        return facts->asset_type;
    case SLICE_BRACKET:
        return facts->bracket;
    case SLICE_PARTY:
        return facts->party;
    case SLICE_STATE:
        return slices_state(facts->state);
    case SLICE_DAY:
        return facts->dated ? slices_day(facts->day) : 0;
    case SLICE_LATE:
        return facts->late;
    case SLICE_FIELD_COUNT:
        break;
    }
    return 0;
}

static uint64_t series_code(const struct series_facts *facts, uint32_t tail, bool live)
{
    uint64_t code = 0;
    for (int field = 0; field < SLICE_FIELD_COUNT; field++)
        code |= slices_code(
            (enum slice_field)field, series_value(facts, tail, live, (enum slice_field)field));
    return code;
}

struct series_view series_view(const struct series *s)
{
    /* Load the count first: the directory is then at least as new. */
    uint32_t count = atomic_load_explicit(&s->shown, memory_order_acquire);
    return (struct series_view){atomic_load_explicit(&s->directory, memory_order_acquire), count};
}

struct series_view series_writer_view(const struct series *s)
{
    return (struct series_view){atomic_load(&s->directory), s->pushed};
}

static void put_key(struct series *s, uint32_t ordinal, uint64_t code)
{
    struct series_view v = series_writer_view(s);
    const struct series_facts *facts = &series_record(&v, ordinal)->facts;
    struct series_key *key =
        &v.directory->keys[ordinal / SERIES_CHUNK_ROWS][ordinal % SERIES_CHUNK_ROWS];
    uint64_t who = (uint64_t)facts->politician << SERIES_PERSON_SHIFT |
                   (uint64_t)facts->company << SERIES_COMPANY_SHIFT |
                   series_days(facts, INSTANT_NONE);
    if (!series_is_live(&v, ordinal) || facts->late == LATE_BY_READER ||
        slices_code_is_shared(code))
        who |= SERIES_ODD;
    code |= (uint64_t)facts->party << SERIES_PARTY_SHIFT |
            (uint64_t)(facts->chamber == CHAMBER_SENATE) << SERIES_SENATE;
    atomic_store_explicit(&key->who, who, memory_order_relaxed);
    atomic_store_explicit(&key->code, code, memory_order_relaxed);
}

struct str series_record_id(const struct series_record *record)
{
    return str_of(record->json + ID_OFFSET, record->id_n);
}

/* The number of ascending items below the value. */
static uint32_t count_below(const int64_t *items, uint32_t n, int64_t value)
{
    const int64_t *base = items;
    while (n > 1) {
        uint32_t half = n / 2;
        base += base[half - 1] < value ? half : 0;
        n -= half;
    }
    return (uint32_t)(base - items) + (n && *base < value);
}

/* The number of leading items equal to the value: a linear search, because there are rarely more
 * than a few. */
static uint32_t count_equal(const int64_t *items, uint32_t n, int64_t value)
{
    uint32_t equal = 0;
    while (equal < n && items[equal] == value)
        equal++;
    return equal;
}

static int id_order(const struct series_view *v, uint32_t ordinal, struct str id)
{
    return str_cmp(series_record_id(series_record(v, ordinal)), id);
}

/* Among the rows low, low + step, ... below high, which share one instant: the number of ids
 * below. */
static uint32_t count_ids_below(
    const struct series_view *v, uint32_t low, uint32_t n, uint32_t step, struct str id)
{
    return (uint32_t)FIRST_NOT(i, n, id_order(v, low + i * step, id) < 0);
}

static uint32_t chunk_count(const struct series_view *v)
{
    return (v->count + SERIES_CHUNK_ROWS - 1) / SERIES_CHUNK_ROWS;
}

static uint32_t rows_in_chunk(const struct series_view *v, uint32_t chunk)
{
    uint32_t left = v->count - chunk * SERIES_CHUNK_ROWS;
    return left < SERIES_CHUNK_ROWS ? left : SERIES_CHUNK_ROWS;
}

static uint32_t id_mark(struct str id)
{
    return (uint32_t)hash_str(id) & ~(uint32_t)SERIES_LIVE;
}

/* Among the n rows from `first`, which share one instant: the number of ids below. A cursor's row
 * nearly always exists: its hash finds it without reading the records, and the full comparison of
 * the id overlaps with the caller's work. */
static uint32_t count_rows_below(
    const struct series_view *v, const struct series_chunk *chunk, uint32_t first, uint32_t n,
    struct str id)
{
    const struct series_row *rows = chunk->rows + first % SERIES_CHUNK_ROWS;
    uint32_t wanted = id_mark(id);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mark = atomic_load_explicit(&rows[i].mark, memory_order_relaxed);
        if ((mark & ~(uint32_t)SERIES_LIVE) == wanted && id_order(v, first + i, id) == 0)
            return i;
    }
    return count_ids_below(v, first, n, 1, id);
}

static void fetch_row(const struct series_chunk *chunk, uint32_t row)
{
    __builtin_prefetch(&chunk->at[row]);
    __builtin_prefetch(&chunk->rows[row]);
}

/* The first row of the chunk at or after at_ms; the chunk begins no later than at_ms. Rows are
 * spread evenly in time, so that the expected place is prefetched together with group_at. */
static uint32_t row_not_before(
    const struct series_chunk *chunk, uint32_t rows, int64_t at_ms, uint32_t guess)
{
    uint32_t groups = (rows + SERIES_GROUP_ROWS - 1) / SERIES_GROUP_ROWS;
    __builtin_prefetch(&chunk->group_at[SERIES_CHUNK_ROWS / SERIES_GROUP_ROWS / 2]);
    fetch_row(chunk, guess);
    uint32_t group = count_below(chunk->group_at, groups, at_ms);
    group -= group > 0;
    uint32_t first = group * SERIES_GROUP_ROWS;
    uint32_t n = rows - first < SERIES_GROUP_ROWS ? rows - first : SERIES_GROUP_ROWS;
    for (uint32_t i = 0; i < SERIES_GROUP_ROWS; i += CACHE_LINE / sizeof(struct series_row))
        fetch_row(chunk, first + i);
    return first + count_below(chunk->at + first, n, at_ms);
}

/* The expected row in the chunk. */
static uint32_t guess_row(const struct series_view *v, uint32_t chunk, int64_t at_ms)
{
    const int64_t *first_at = v->directory->first_at + chunk;
    if ((chunk + 1) * SERIES_CHUNK_ROWS >= v->count || first_at[1] <= at_ms)
        return SERIES_CHUNK_ROWS - 1;
    uint64_t length = (uint64_t)(first_at[1] - first_at[0]);
    return (uint32_t)((uint64_t)(at_ms - first_at[0]) / (length / SERIES_CHUNK_ROWS + 1));
}

uint32_t series_bound(const struct series_view *v, int64_t at_ms, struct str id)
{
    /* The number of chunks whose first row is earlier; the place is in the last of them or at its
     * end. */
    const int64_t *first_at = v->directory->first_at;
    uint32_t chunks = chunk_count(v);
    uint32_t low = count_below(first_at, chunks, at_ms);
    if (low < chunks && first_at[low] == at_ms)
        low += count_ids_below(
            v, low * SERIES_CHUNK_ROWS, count_equal(first_at + low, chunks - low, at_ms),
            SERIES_CHUNK_ROWS, id);
    if (low == 0)
        return 0;
    uint32_t number = low - 1, first = number * SERIES_CHUNK_ROWS, rows = rows_in_chunk(v, number);
    const struct series_chunk *chunk = v->directory->chunks[number];
    uint32_t row = row_not_before(chunk, rows, at_ms, guess_row(v, number, at_ms));
    uint32_t equal = count_equal(chunk->at + row, rows - row, at_ms);
    return first + row + count_rows_below(v, chunk, first + row, equal, id);
}

uint32_t series_bound_at(const struct series_view *v, int64_t at_ms)
{
    uint32_t low = count_below(v->directory->first_at, chunk_count(v), at_ms);
    if (low == 0)
        return 0;
    uint32_t chunk = low - 1;
    return chunk * SERIES_CHUNK_ROWS + row_not_before(
                                           v->directory->chunks[chunk], rows_in_chunk(v, chunk),
                                           at_ms, guess_row(v, chunk, at_ms));
}

bool series_find(const struct series_view *v, int64_t at_ms, struct str id, uint32_t *ret)
{
    uint32_t ordinal = series_bound(v, at_ms, id);
    if (ordinal == v->count || series_at(v, ordinal) != at_ms || id_order(v, ordinal, id) != 0)
        return false;
    *ret = ordinal;
    return true;
}

bool series_live_below(const struct series_view *v, uint32_t low, uint32_t high, uint32_t *ret)
{
    while (high > low) {
        uint32_t ordinal = high - 1, first = ordinal - ordinal % SERIES_CHUNK_ROWS;
        const struct series_chunk *chunk = series_chunk(v, ordinal);
        if (atomic_load_explicit(&chunk->live, memory_order_relaxed) == 0) {
            high = first;
            continue;
        }
        for (uint32_t end = first > low ? first : low; high > end; high--) {
            if (series_is_live(v, high - 1)) {
                *ret = high - 1;
                return true;
            }
        }
    }
    return false;
}

const struct series_record *series_write(
    struct series *s, struct str id, struct str json, struct str details,
    const struct series_facts *facts)
{
    size_t size = sizeof(struct series_record) + json.n + details.n;
    assert(details.n <= UINT16_MAX);
    struct series_record *record = arena_alloc(&s->arena, size);
    record->tag = hash_str(json);
    record->json_n = (uint32_t)json.n;
    record->facts = *facts;
    record->details_n = (uint16_t)details.n;
    record->id_n = (uint8_t)id.n;
    memcpy(record->json, json.p, json.n);
    if (details.n)
        memcpy(record->json + json.n, details.p, details.n);
    assert(str_eq(series_record_id(record), id));
    atomic_fetch_add_explicit(&s->bytes, size, memory_order_relaxed);
    return record;
}

/* Reserves space for one more chunk, which begins at at_ms. */
static void add_chunk(struct series *s, int64_t at_ms)
{
    struct series_directory *d = atomic_load(&s->directory);
    uint32_t chunk = s->pushed / SERIES_CHUNK_ROWS;
    if (chunk == d->capacity) {
        struct series_directory *larger = directory_create(2 * d->capacity);
        memcpy(larger->first_at, d->first_at, d->capacity * sizeof d->first_at[0]);
        memcpy(larger->chunks, d->chunks, d->capacity * sizeof d->chunks[0]);
        memcpy(larger->keys, d->keys, d->capacity * sizeof d->keys[0]);
        atomic_store_explicit(&s->directory, larger, memory_order_release);
        rcu_free_later(s->retired, d);
        atomic_fetch_add_explicit(
            &s->bytes, directory_size(larger->capacity) - directory_size(d->capacity),
            memory_order_relaxed);
        d = larger;
    }
    d->chunks[chunk] = mem_zalloc_aligned(CACHE_LINE, sizeof(struct series_chunk));
    d->first_at[chunk] = at_ms;
    /* A slab of few rows would only waste a large page. */
    d->keys[chunk] = chunk % SERIES_SLAB_CHUNKS ? d->keys[chunk - 1] + SERIES_CHUNK_ROWS
                                                : mem_map_aligned(SLAB_SIZE, chunk > 0);
    atomic_fetch_add_explicit(
        &s->bytes, sizeof(struct series_chunk) + KEYS_SIZE, memory_order_relaxed);
}

static struct series_chunk *chunk_of(struct series *s, uint32_t ordinal)
{
    assert(ordinal < s->pushed);
    return atomic_load(&s->directory)->chunks[ordinal / SERIES_CHUNK_ROWS];
}

static struct series_row *row_of(struct series *s, uint32_t ordinal)
{
    return &chunk_of(s, ordinal)->rows[ordinal % SERIES_CHUNK_ROWS];
}

uint32_t series_push(
    struct series *s, int64_t at_ms, const struct series_record *record, uint32_t tail)
{
    uint32_t ordinal = s->pushed, row = ordinal % SERIES_CHUNK_ROWS;
    if (ordinal) {
        struct series_view v = series_writer_view(s);
        int64_t last_at = series_at(&v, ordinal - 1);
        assert(
            last_at < at_ms ||
            (last_at == at_ms && id_order(&v, ordinal - 1, series_record_id(record)) < 0));
    }
    if (row == 0)
        add_chunk(s, at_ms);
    s->pushed++;
    s->pushed_live++;
    struct series_chunk *chunk = chunk_of(s, ordinal);
    chunk->at[row] = at_ms;
    if (row % SERIES_GROUP_ROWS == 0)
        chunk->group_at[row / SERIES_GROUP_ROWS] = at_ms;
    atomic_store_explicit(&chunk->rows[row].record, record, memory_order_relaxed);
    atomic_store_explicit(&chunk->rows[row].tail, tail, memory_order_relaxed);
    atomic_store_explicit(
        &chunk->rows[row].mark, id_mark(series_record_id(record)) | SERIES_LIVE,
        memory_order_relaxed);
    atomic_fetch_add_explicit(&chunk->live, 1, memory_order_relaxed);
    uint64_t code = series_code(&record->facts, tail, true);
    slices_put(&chunk->slices, row, code);
    put_key(s, ordinal, code);
    series_list(s, ordinal, record->facts.listed);
    return ordinal;
}

void series_show(struct series *s)
{
    atomic_store_explicit(&s->live, s->pushed_live, memory_order_relaxed);
    atomic_store_explicit(&s->shown, s->pushed, memory_order_release);
    series_changed(s);
}

/* The row's code now. */
static uint64_t code_of(struct series *s, uint32_t ordinal)
{
    struct series_view v = series_writer_view(s);
    return series_code(
        &series_record(&v, ordinal)->facts, series_tail(&v, ordinal), series_is_live(&v, ordinal));
}

/* Lets the slices follow a change of the row. */
static void recode(struct series *s, uint32_t ordinal, uint64_t before)
{
    struct series_chunk *chunk = chunk_of(s, ordinal);
    uint64_t code = code_of(s, ordinal);
    slices_change(&chunk->slices, ordinal % SERIES_CHUNK_ROWS, before, code);
    put_key(s, ordinal, code);
    series_changed(s);
}

void series_list(struct series *s, uint32_t ordinal, uint32_t listed)
{
    atomic_store_explicit(
        &chunk_of(s, ordinal)->listed[ordinal % SERIES_CHUNK_ROWS], listed, memory_order_release);
    series_changed(s);
}

void series_replace(struct series *s, uint32_t ordinal, const struct series_record *record)
{
    uint64_t before = code_of(s, ordinal);
    series_list(s, ordinal, record->facts.listed);
    atomic_store_explicit(&row_of(s, ordinal)->record, record, memory_order_release);
    recode(s, ordinal, before);
}

void series_set_tail(struct series *s, uint32_t ordinal, uint32_t tail)
{
    uint64_t before = code_of(s, ordinal);
    atomic_store_explicit(&row_of(s, ordinal)->tail, tail, memory_order_release);
    recode(s, ordinal, before);
}

void series_hide(struct series *s, uint32_t ordinal)
{
    uint64_t code = code_of(s, ordinal);
    uint32_t before = atomic_fetch_and_explicit(
        &row_of(s, ordinal)->mark, ~(uint32_t)SERIES_LIVE, memory_order_relaxed);
    assert(before & SERIES_LIVE);
    atomic_fetch_sub_explicit(&chunk_of(s, ordinal)->live, 1, memory_order_relaxed);
    s->pushed_live--;
    atomic_fetch_sub_explicit(&s->live, 1, memory_order_relaxed);
    recode(s, ordinal, code);
}

/* The release store lets a reader that sees the bit also see the record and the tail. */
void series_reveal(struct series *s, uint32_t ordinal)
{
    uint64_t code = code_of(s, ordinal);
    uint32_t before = atomic_fetch_or_explicit(
        &row_of(s, ordinal)->mark, (uint32_t)SERIES_LIVE, memory_order_release);
    assert(!(before & SERIES_LIVE) && ordinal < atomic_load(&s->shown));
    atomic_fetch_add_explicit(&chunk_of(s, ordinal)->live, 1, memory_order_relaxed);
    s->pushed_live++;
    atomic_fetch_add_explicit(&s->live, 1, memory_order_relaxed);
    recode(s, ordinal, code);
}

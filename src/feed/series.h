/*
 * Rows in feed order: (instant ascending, id ascending bytewise). A row has an ordinal, its place
 * in that order, and lives in a chunk that never moves; its JSON is written already, in an arena
 * that only grows. Trades are one series, filings another.
 *
 * Readers take a view (count first) and see nothing that is pushed later. The writer pushes rows
 * and then shows them all with one store. What changes in place, each by one atomic store: a record
 * (correction), a tail (conflict signal), a live bit (withdrawal).
 */
#pragma once

#include <stdatomic.h>

#include "base/instant.h"
#include "base/mem.h"
#include "base/rcu.h"
#include "core/model.h"

enum { SERIES_CHUNK_ROWS = 256 };

/* What a row says beside its JSON: enough to post it, to count it and to take it out again. */
struct series_facts {
    uint32_t politician; /* index in people.h */
    uint32_t ticker;     /* index in symbols.h; 0: none */
    int32_t day;         /* traded, else filed: decides whose predecessor the ticker is */
    uint8_t side;        /* enum side */
    uint8_t chamber;     /* enum chamber */
};

/* Const once pushed. The JSON begins {"id":"<id_n bytes>". */
struct series_record {
    uint64_t tag; /* hash of the JSON */
    uint32_t json_n;
    struct series_facts facts;
    uint8_t id_n;
    char json[];
};

struct series_chunk {
    int64_t at[SERIES_CHUNK_ROWS];
    _Atomic(const struct series_record *) records[SERIES_CHUNK_ROWS];
    _Atomic uint32_t tails[SERIES_CHUNK_ROWS];
    _Atomic uint64_t live[SERIES_CHUNK_ROWS / 64]; /* 0: withdrawn, or not pushed yet */
};

/* Grown by copying: the old one is retired. first_at is the sparse index that searches begin in. */
struct series_directory {
    uint32_t capacity;
    struct series_chunk **chunks;
    int64_t first_at[];
};

struct series {
    _Atomic(struct series_directory *) directory;
    _Atomic uint32_t shown;
    uint32_t pushed;
    _Atomic uint32_t live; /* shown and not withdrawn */
    uint32_t pushed_live;
    struct arena arena;
    struct rcu_retired *retired;
    _Atomic size_t bytes;
};

void series_init(struct series *s, struct rcu_retired *retired);
void series_finish(struct series *s);

/* Readers. */
struct series_view {
    const struct series_directory *directory;
    uint32_t count;
};

struct series_view series_view(const struct series *s);

/* How many rows come before (at_ms, id) in feed order, which need not be there. */
uint32_t series_bound(const struct series_view *v, int64_t at_ms, struct str id);
/* How many rows have an instant before at_ms. */
uint32_t series_bound_at(const struct series_view *v, int64_t at_ms);

/* The ordinal of that very row, withdrawn or not; false: not there. */
bool series_find(const struct series_view *v, int64_t at_ms, struct str id, uint32_t *ret);

/* The highest live ordinal in [low, high); false: none. Whole words of withdrawn rows are passed at
 * once. */
bool series_live_below(const struct series_view *v, uint32_t low, uint32_t high, uint32_t *ret);

static inline const struct series_chunk *series_chunk(const struct series_view *v, uint32_t ordinal)
{
    return v->directory->chunks[ordinal / SERIES_CHUNK_ROWS];
}

static inline int64_t series_at(const struct series_view *v, uint32_t ordinal)
{
    return series_chunk(v, ordinal)->at[ordinal % SERIES_CHUNK_ROWS];
}

static inline const struct series_record *series_record(
    const struct series_view *v, uint32_t ordinal)
{
    return atomic_load_explicit(
        &series_chunk(v, ordinal)->records[ordinal % SERIES_CHUNK_ROWS], memory_order_acquire);
}

static inline uint32_t series_tail(const struct series_view *v, uint32_t ordinal)
{
    return atomic_load_explicit(
        &series_chunk(v, ordinal)->tails[ordinal % SERIES_CHUNK_ROWS], memory_order_acquire);
}

static inline bool series_is_live(const struct series_view *v, uint32_t ordinal)
{
    uint32_t row = ordinal % SERIES_CHUNK_ROWS;
    uint64_t word =
        atomic_load_explicit(&series_chunk(v, ordinal)->live[row / 64], memory_order_relaxed);
    return word >> row % 64 & 1;
}

struct str series_record_id(const struct series_record *record);
static inline struct str series_record_json(const struct series_record *record)
{
    return (struct str){record->json, record->json_n};
}

/* The writer. */

/* Everything pushed, shown or not. */
struct series_view series_writer_view(const struct series *s);

/* A record in the series' arena. */
const struct series_record *series_write(
    struct series *s, struct str id, struct str json, const struct series_facts *facts);

/* The row comes behind all others (asserted); returns its ordinal. */
uint32_t series_push(
    struct series *s, int64_t at_ms, const struct series_record *record, uint32_t tail);
void series_show(struct series *s); /* readers see everything pushed from here on */

void series_replace(struct series *s, uint32_t ordinal, const struct series_record *record);
void series_set_tail(struct series *s, uint32_t ordinal, uint32_t tail);
void series_hide(struct series *s, uint32_t ordinal); /* the row is live */

/*
 * Rows in feed order: (instant ascending, id ascending bytewise). A row has an ordinal, its place
 * in that order, and lives in a chunk that never moves; its JSON is written already, in an arena
 * that only grows. Trades are one series, filings another.
 *
 * Readers take a view (count first) and see nothing that is pushed later. The writer pushes rows
 * and then shows them all with one store. What changes in place, each by one atomic operation: a
 * record (correction), a tail (conflict signal), the live bit (withdrawal).
 */
#pragma once

#include <stdatomic.h>

#include "base/instant.h"
#include "base/mem.h"
#include "base/rcu.h"
#include "core/model.h"

enum { SERIES_CHUNK_ROWS = 256, SERIES_GROUP_ROWS = 16 };

/* What a row says beside its JSON: enough to post it, to count it, to take it out again, and to
 * decide whether a page with row tests shows it (trade_filter.h). */
struct series_facts {
    uint32_t politician; /* index in people.h */
    uint32_t ticker;     /* index in symbols.h; 0: none */
    int32_t day;         /* traded, else filed: decides whose predecessor the ticker is */
    uint32_t party;      /* number in parties.h; 0: none */
    char state[2];       /* zeros: none */
    uint8_t side;        /* enum side */
    uint8_t chamber;     /* enum chamber */
    uint8_t owner;       /* enum owner */
    uint8_t asset_type;  /* enum asset_type */
    uint8_t bracket;     /* enum bracket */
    bool dated;          /* `day` is when it was traded */
};

/* Const once pushed. The JSON begins {"id":"<id_n bytes>". */
struct series_record {
    uint64_t tag; /* hash of the JSON */
    uint32_t json_n;
    struct series_facts facts;
    uint8_t id_n;
    char json[];
};

/* All that a page needs to reach a row is in one cache line: rows of a filter's page lie far apart.
 */
struct series_row {
    _Atomic(const struct series_record *) record;
    _Atomic uint32_t tail;
    _Atomic uint32_t mark; /* hash of the id; lowest bit: live. 0: not pushed yet */
};

enum { SERIES_LIVE = 1 };

/* In a large feed each new place that a search looks at is a wait for memory: from the directory it
 * goes to group_at, then to one group of `at` and its rows, and there finds the id by its hash. */
struct series_chunk {
    _Alignas(64) int64_t group_at[SERIES_CHUNK_ROWS / SERIES_GROUP_ROWS]; /* first of each group */
    int64_t at[SERIES_CHUNK_ROWS];
    struct series_row rows[SERIES_CHUNK_ROWS];
    _Atomic uint32_t live; /* how many rows are */
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

/* The highest live ordinal in [low, high); false: none. Chunks of withdrawn rows are passed at
 * once.
 */
bool series_live_below(const struct series_view *v, uint32_t low, uint32_t high, uint32_t *ret);

static inline const struct series_chunk *series_chunk(const struct series_view *v, uint32_t ordinal)
{
    return v->directory->chunks[ordinal / SERIES_CHUNK_ROWS];
}

static inline int64_t series_at(const struct series_view *v, uint32_t ordinal)
{
    return series_chunk(v, ordinal)->at[ordinal % SERIES_CHUNK_ROWS];
}

static inline const struct series_row *series_row(const struct series_view *v, uint32_t ordinal)
{
    return &series_chunk(v, ordinal)->rows[ordinal % SERIES_CHUNK_ROWS];
}

static inline const struct series_record *series_record(
    const struct series_view *v, uint32_t ordinal)
{
    return atomic_load_explicit(&series_row(v, ordinal)->record, memory_order_acquire);
}

static inline uint32_t series_tail(const struct series_view *v, uint32_t ordinal)
{
    return atomic_load_explicit(&series_row(v, ordinal)->tail, memory_order_acquire);
}

static inline bool series_is_live(const struct series_view *v, uint32_t ordinal)
{
    return atomic_load_explicit(&series_row(v, ordinal)->mark, memory_order_relaxed) & SERIES_LIVE;
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

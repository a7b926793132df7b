/*
 * Rows in feed order: (instant ascending, id ascending bytewise). A row's ordinal is its place in
 * that order. The row is in a chunk that never moves, and its finished JSON in an arena that only
 * grows. Trades are one series, filings another.
 *
 * Readers take a view (count first) and do not see rows pushed later. The writer pushes rows and
 * then shows them all with one store. Three things change in place, each by one atomic operation: a
 * record (correction), a tail (conflict signal), the live bit (withdrawal, reinstatement). The bit
 * slices follow each of them.
 */
#pragma once

#include <stdatomic.h>

#include "base/rcu.h"
#include "feed/slices.h"
#include "rule/lateness.h"
#include "rule/model.h"

enum { SERIES_CHUNK_ROWS = SLICE_ROWS, SERIES_GROUP_ROWS = 16, SERIES_SLAB_CHUNKS = 512 };

/* The facts of a row besides its JSON. They are enough to post it, count it, remove it, and decide
 * whether a filter keeps it (trade_filter.h). */
struct series_facts {
    uint32_t politician; /* index in people.h */
    uint32_t ticker;     /* index in symbols.h; 0: none */
    uint32_t company;    /* the symbol that `ticker` of that day became; often `ticker` itself */
    struct trade_report report;
    int32_t day;        /* traded, else filed: selects the dated predecessors of the ticker */
    uint32_t party;     /* number in parties.h; 0: none */
    uint32_t listed;    /* word of listed.h when the record was written */
    char state[2];      /* zeros: none */
    uint8_t side;       /* enum side */
    uint8_t chamber;    /* enum chamber */
    uint8_t owner;      /* enum owner */
    uint8_t asset_type; /* enum asset_type */
    uint8_t bracket;    /* enum bracket */
    uint8_t late;       /* enum late_status of a trade, or LATE_BY_READER (tally.h) */
    uint8_t cap_gains;  /* enum cap_gains */
    bool dated;         /* `day` is the trade date */
};

static inline int32_t series_traded(const struct series_facts *facts)
{
    return facts->dated ? facts->day : DAY_NONE;
}

/* Immutable once pushed. The JSON begins {"id":"<id_n bytes>". The details are behind it: they are
 * not part of it, and few rows have any. */
struct series_record {
    uint64_t tag; /* hash of the JSON, without the details */
    uint32_t json_n;
    struct series_facts facts;
    uint16_t details_n;
    uint8_t id_n;
    char json[];
};

/* One cache line holds all that a page needs to reach a row, because the rows of a filtered page
 * lie far apart in memory. */
struct series_row {
    _Atomic(const struct series_record *) record;
    _Atomic uint32_t tail;
    _Atomic uint32_t mark; /* hash of the id; lowest bit: live. 0: not pushed yet */
};

enum { SERIES_LIVE = 1 };

/* What rows are grouped by and summed from (groups.h), without their records. A reader that meets
 * a change may see one word before it and one after. */
struct series_key {
    _Atomic uint64_t code; /* slices_code of each field, SERIES_PARTY_SHIFT, SERIES_SENATE */
    _Atomic uint64_t who;  /* SERIES_PERSON_SHIFT, SERIES_COMPANY_SHIFT, SERIES_ODD, days to report
                              in SERIES_DAYS_MASK */
};

enum {
    SERIES_PARTY_SHIFT = SLICES,
    SERIES_SENATE = 63, /* bit */
    SERIES_DAYS_MASK = (1 << 13) - 1,
    SERIES_DAYS_MAX = 4095, /* of more days: as many */
    SERIES_DAYS_NONE,
    SERIES_ODD =
        1 << 15, /* withdrawn, or only the record tells all: shared codes, LATE_BY_READER */
    SERIES_COMPANY_SHIFT = 16,
    SERIES_PERSON_SHIFT = 40,
};

/* In a large feed each new place that a search reads is a cache miss. The search reads the
 * directory, then group_at, then one group of `at` and its rows, where the hash finds the id. */
struct series_chunk {
    _Alignas(64) int64_t group_at[SERIES_CHUNK_ROWS / SERIES_GROUP_ROWS]; /* first of each group */
    int64_t at[SERIES_CHUNK_ROWS];
    struct series_row rows[SERIES_CHUNK_ROWS];
    _Atomic uint32_t live;                      /* number of live rows */
    struct slices slices;                       /* series_value of each field */
    _Atomic uint32_t listed[SERIES_CHUNK_ROWS]; /* words of listed.h */
};

/* Grown by copying; the old copy is retired. first_at is the sparse index where searches begin. */
struct series_directory {
    uint32_t capacity;
    struct series_chunk **chunks;
    struct series_key **keys; /* of each chunk; one slab after the other, for long scans */
    int64_t first_at[];
};

struct series {
    _Atomic(struct series_directory *) directory;
    _Atomic uint32_t shown;
    uint32_t pushed;
    _Atomic uint32_t live;    /* shown and not withdrawn */
    _Atomic uint64_t changes; /* grows after each change that readers can see */
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

/* The number of rows before (at_ms, id) in feed order; that row need not exist. */
uint32_t series_bound(const struct series_view *v, int64_t at_ms, struct str id);
/* The number of rows with an instant before at_ms. */
uint32_t series_bound_at(const struct series_view *v, int64_t at_ms);

/* Finds the ordinal of exactly this row, withdrawn or not; false: not found. */
bool series_find(const struct series_view *v, int64_t at_ms, struct str id, uint32_t *ret);

/* Finds the highest live ordinal in [low, high); false: none. Skips chunks of withdrawn rows at
 * once. */
bool series_live_below(const struct series_view *v, uint32_t low, uint32_t high, uint32_t *ret);

static inline const struct series_chunk *series_chunk(const struct series_view *v, uint32_t ordinal)
{
    return v->directory->chunks[ordinal / SERIES_CHUNK_ROWS];
}

static inline const struct series_key *series_keys(const struct series_view *v, uint32_t ordinal)
{
    return v->directory->keys[ordinal / SERIES_CHUNK_ROWS];
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
    return atomic_load_explicit(&series_row(v, ordinal)->mark, memory_order_acquire) & SERIES_LIVE;
}

static inline uint32_t series_listed(const struct series_chunk *chunk, uint32_t ordinal)
{
    return atomic_load_explicit(&chunk->listed[ordinal % SERIES_CHUNK_ROWS], memory_order_acquire);
}

/* Of readers who see publications before the instant; INSTANT_NONE: all. */
enum late_status series_late(const struct series_facts *facts, int64_t line_ms);

/* From the trade to its report, as series_key has it, of such readers. */
uint64_t series_days(const struct series_facts *facts, int64_t line_ms);

/* What filters test (slices.h). */
uint64_t series_value(
    const struct series_facts *facts, uint32_t tail, bool live, enum slice_field field);

struct str series_record_id(const struct series_record *record);
static inline struct str series_record_json(const struct series_record *record)
{
    return (struct str){record->json, record->json_n};
}

/* Empty: none. */
static inline struct str series_record_details(const struct series_record *record)
{
    return (struct str){record->json + record->json_n, record->details_n};
}

/* Writer only. */

/* Counts everything pushed, shown or not. */
struct series_view series_writer_view(const struct series *s);

/* Allocates a record in the series' arena. `details` may be empty. */
const struct series_record *series_write(
    struct series *s, struct str id, struct str json, struct str details,
    const struct series_facts *facts);

/* The row must come after all others (asserted); returns its ordinal. */
uint32_t series_push(
    struct series *s, int64_t at_ms, const struct series_record *record, uint32_t tail);
void series_show(struct series *s); /* readers see everything pushed so far */
/* For changes of what rows refer to. */
static inline void series_changed(struct series *s)
{
    atomic_fetch_add_explicit(&s->changes, 1, memory_order_release);
}

void series_replace(struct series *s, uint32_t ordinal, const struct series_record *record);
void series_set_tail(struct series *s, uint32_t ordinal, uint32_t tail);
void series_list(struct series *s, uint32_t ordinal, uint32_t listed);
void series_hide(struct series *s, uint32_t ordinal);   /* the row must be live */
void series_reveal(struct series *s, uint32_t ordinal); /* the row must be hidden */

/* Adds up the ledger; see document.h. */
#include "store/public/coverage.h"

#include <stdlib.h>

#include "base/thread.h"
#include "store/public/acceptance.h"
#include "store/public/draft_shown.h"
#include "store/row/change.h"
#include "store/row/list.h"

/* Kept counts of filings. */

/* The state of the database that counts are of. */
struct coverage_key {
    int64_t change_seq; /* of the newest notice (change.h) */
    int64_t documents;  /* reports that the ledger has; they are never deleted, other entries are */
};

struct coverage_cache {
    pthread_mutex_t lock;
    /* Under lock; NULL: nothing is kept. */
    struct document_count *counts;
    size_t count;
    struct coverage_key key;
    bool has_reviews;
    struct review_counts reviews;
    int64_t reviews_change_seq;
};

struct coverage_cache *coverage_cache_create(void)
{
    struct coverage_cache *cache = MEM_NEW(struct coverage_cache);
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void coverage_cache_destroy(struct coverage_cache *cache)
{
    if (!cache)
        return;
    pthread_mutex_destroy(&cache->lock);
    mem_free(cache->counts);
    mem_free(cache);
}

static bool is_same(const struct coverage_key *a, const struct coverage_key *b)
{
    return a->change_seq == b->change_seq && a->documents == b->documents;
}

/* Visits the kept counts. False: they are of another state, and nothing is visited. */
static bool coverage_cache_visit(
    struct coverage_cache *cache, const struct coverage_key *key, document_count_visit *visit,
    void *ctx)
{
    LOCKED(&cache->lock);
    bool found = cache->counts && is_same(&cache->key, key);
    for (size_t i = 0; found && i < cache->count; i++)
        visit(ctx, &cache->counts[i]);
    return found;
}

/* Keeps a copy of the counts. */
static void coverage_cache_keep(
    struct coverage_cache *cache, const struct coverage_key *key,
    const struct document_count *counts, size_t count)
{
    struct document_count *copy = mem_array(count + 1, sizeof *copy);
    if (count)
        memcpy(copy, counts, count * sizeof *copy);
    pthread_mutex_lock(&cache->lock);
    struct document_count *old = cache->counts;
    cache->counts = copy;
    cache->count = count;
    cache->key = *key;
    pthread_mutex_unlock(&cache->lock);
    mem_free(old);
}

/* The same for public filings by how they were reviewed, which change with published data only. */
static bool coverage_cache_reviews(
    struct coverage_cache *cache, int64_t change_seq, struct review_counts *ret)
{
    LOCKED(&cache->lock);
    bool found = cache->has_reviews && cache->reviews_change_seq == change_seq;
    if (found)
        *ret = cache->reviews;
    return found;
}

static void coverage_cache_keep_reviews(
    struct coverage_cache *cache, int64_t change_seq, const struct review_counts *counts)
{
    LOCKED(&cache->lock);
    cache->has_reviews = true;
    cache->reviews = *counts;
    cache->reviews_change_seq = change_seq;
}

struct coverage_tally {
    struct list counts;
};

static void tally_add(void *ctx, const struct document_count *count)
{
    struct coverage_tally *t = ctx;
    struct document_count *items = (struct document_count *)t->counts.items;
    for (size_t i = 0; i < t->counts.count; i++)
        if (items[i].chamber == count->chamber && items[i].year == count->year &&
            items[i].state == count->state) {
            items[i].count += count->count;
            return;
        }
    *(struct document_count *)list_add(&t->counts) = *count;
}

static enum err tally_state(
    struct coverage_tally *t, enum chamber chamber, int year, struct str name, int64_t count,
    struct fail *fail)
{
    enum report_state state;
    if (!report_state_from_name(name, &state))
        return fail_set(fail, ERR_CORRUPT, "a report is in the state \"%.*s\"", STR_ARG(name));
    tally_add(t, &(struct document_count){chamber, year, state, count});
    return OK;
}

/* A draft that moved on says more than its document. Publication counts most: a rejected new
 * reading does not change it, and a filing may have been withdrawn. */
static enum err add_documents(struct db *db, struct coverage_tally *t, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT chamber, year, state, count(*) FROM ("
        "SELECT d.chamber AS chamber, d.year AS year, coalesce((SELECT"
        " coalesce((SELECT f.state FROM filing f WHERE f.id = r.filing_id"
        " AND r.state IN ('published', 'amended', 'rejected')), " DRAFT_SHOWN(
            "r") ") FROM draft r"
                 " WHERE r.filing_id = d.chamber || '-' || d.source_id AND r.state <> 'superseded'"
                 " AND d.kind IN ('house', 'senate') AND d.state <> 'refused'"
                 " ORDER BY r.revision DESC LIMIT 1),"
                 " CASE WHEN d.index_gone_at IS NOT NULL AND d.state IN ('awaiting_document', "
                 "'indexed')"
                 " THEN 'gone_from_index' ELSE d.state END) AS state"
                 " FROM document d WHERE d.kind IN ('house', 'senate', 'file')"
                 ") AS entries GROUP BY chamber, year, state");
    enum err stop = OK;
    while (!stop && query_row(&q))
        stop = tally_state(
            t, chamber_from_name(query_get_str(&q, 0)), (int)query_get_opt_i64(&q, 1, 0),
            query_get_str(&q, 2), query_get_i64(&q, 3), fail);
    struct fail ignored = {0};
    enum err err = query_end(&q, stop ? &ignored : fail);
    return stop ? stop : err;
}

/* Bulk history whose own document never arrived. */
static enum err count_bulk(struct db *db, struct coverage_tally *t, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT f.chamber, f.filed_at, f.state FROM filing f WHERE f.review = 'bulk'"
        " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.kind IN ('house', 'senate')"
        " AND d.source_id = f.source_doc_id AND d.chamber = f.chamber)");
    enum err stop = OK;
    while (!stop && query_row(&q)) {
        int year = day_year(instant_day_new_york(query_get_i64(&q, 1)));
        stop = tally_state(
            t, chamber_from_name(query_get_str(&q, 0)), year, query_get_str(&q, 2), 1, fail);
    }
    struct fail ignored = {0};
    enum err err = query_end(&q, stop ? &ignored : fail);
    return stop ? stop : err;
}

static enum err key_read(struct db *db, struct coverage_key *ret, struct fail *fail)
{
    TRY(change_last(db, &ret->change_seq, fail));
    QUERY(q, db, "SELECT count(*) FROM document WHERE kind IN ('house', 'senate')");
    ret->documents = query_row(&q) ? query_get_i64(&q, 0) : 0;
    return query_end(&q, fail);
}

static enum err add_bulk(
    struct db *db, struct coverage_cache *cache, struct coverage_tally *t, struct fail *fail)
{
    struct coverage_tally bulk;
    struct coverage_key key = {.documents = 0};
    enum err err = cache ? key_read(db, &key, fail) : OK;
    if (err || (cache && coverage_cache_visit(cache, &key, tally_add, t)))
        return err;
    list_init(&bulk.counts, sizeof(struct document_count));
    err = count_bulk(db, &bulk, fail);
    const struct document_count *counts = (const struct document_count *)bulk.counts.items;
    for (size_t i = 0; i < bulk.counts.count; i++)
        tally_add(t, &counts[i]);
    if (!err && cache)
        coverage_cache_keep(cache, &key, counts, bulk.counts.count);
    list_finish(&bulk.counts);
    return err;
}

#define PUBLIC_REVIEWS " FROM filing f" ACCEPTANCE_JOIN " WHERE f.state IN ('published', 'amended')"

/* The median of `count` acceptances. */
static enum err read_median(
    struct db *db, enum filing_review review, int64_t count, int64_t *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT c.ms / c.row_count" PUBLIC_REVIEWS " AND c.review = $1 AND c.row_count > 0"
        " ORDER BY 1 LIMIT 1 OFFSET $2",
        V(filing_review_name(review)), V(count / 2));
    *ret = query_row(&q) ? query_get_i64(&q, 0) : -1;
    return query_end(&q, fail);
}

static enum err count_reviews(struct db *db, struct review_counts *ret, struct fail *fail)
{
    int64_t timed[FILING_REVIEW_COUNT] = {0};
    QUERY(
        q, db,
        "SELECT " ACCEPTANCE_REVIEW " AS how, count(*), count(c.no),"
        " count(CASE WHEN c.row_count > 0 THEN 1 END)" PUBLIC_REVIEWS " GROUP BY how");
    *ret = (struct review_counts){.unrecorded = 0};
    while (query_row(&q)) {
        enum filing_review review = filing_review_from_name(query_get_str(&q, 0));
        ret->of[review] = query_get_i64(&q, 1);
        if (review == FILING_REVIEW_UNSEEN)
            ret->unrecorded = ret->of[review] - query_get_i64(&q, 2);
        timed[review] = query_get_i64(&q, 3);
    }
    TRY(query_end(&q, fail));
    for (int i = FILING_REVIEW_ROW; i <= FILING_REVIEW_UNSEEN; i++)
        TRY(read_median(db, (enum filing_review)i, timed[i], &ret->row_ms[i], fail));
    return OK;
}

enum err review_count(
    struct db *db, struct coverage_cache *cache, struct review_counts *ret, struct fail *fail)
{
    int64_t change_seq;
    if (!cache)
        return count_reviews(db, ret, fail);
    enum err err = change_last(db, &change_seq, fail);
    if (err || coverage_cache_reviews(cache, change_seq, ret))
        return err;
    TRY(count_reviews(db, ret, fail));
    coverage_cache_keep_reviews(cache, change_seq, ret);
    return OK;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
    const struct document_count *x = a, *y = b;
    int order = compare(x->chamber, y->chamber);
    order = order ? order : compare(x->year, y->year);
    return order ? order : str_cmp(report_state_name(x->state), report_state_name(y->state));
}

enum err document_coverage(
    struct db *db, struct coverage_cache *cache, document_count_visit *visit, void *ctx,
    struct fail *fail)
{
    struct coverage_tally t;
    list_init(&t.counts, sizeof(struct document_count));
    enum err err = add_documents(db, &t, fail);
    if (!err)
        err = add_bulk(db, cache, &t, fail);
    if (!err && t.counts.count)
        qsort(t.counts.items, t.counts.count, t.counts.size, by_place);
    for (size_t i = 0; i < t.counts.count && !err; i++)
        visit(ctx, (struct document_count *)t.counts.items + i);
    list_finish(&t.counts);
    return err;
}

enum err document_newest(
    struct db *db, struct arena *arena, struct document_seen *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT d.chamber, d.source_id, d.url, v.seen_at, v.sha256 FROM document_version v"
        " JOIN document d ON d.no = v.document_no WHERE d.kind IN ('house', 'senate')"
        " ORDER BY v.no DESC LIMIT 1");
    if (query_row(&q)) {
        struct str sha256 = query_get_blob(&q, 4);
        *ret = (struct document_seen){
            .chamber = chamber_from_name(query_get_str(&q, 0)),
            .source_id = query_text(&q, 1, arena),
            .url = query_text(&q, 2, arena),
            .seen_at = query_get_i64(&q, 3),
        };
        if (sha256.n == sizeof ret->sha256)
            memcpy(ret->sha256, sha256.p, sha256.n);
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "no document was seen yet");
}

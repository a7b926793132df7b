/* GET /api/v1/coverage: counts of the ledger (decision 40). */
#include "api/context.h"
#include "api/coverage_sample.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/source.h"
#include "base/codec.h"
#include "base/json_out.h"
#include "rule/invented.h"
#include "store/public/correction.h"
#include "store/public/document.h"
#include "store/public/known.h"
#include "store/row/meta.h"

enum { BACKFILLS_MAX = 100 };

struct coverage {
    struct json_out j;
    int64_t total;
};

static void put_count(void *ctx, const struct document_count *count)
{
    struct coverage *c = ctx;
    json_object_begin(&c->j);
    JSON_KEY_STR(&c->j, "chamber", chamber_name(count->chamber));
    json_key(&c->j, STR("year"));
    if (count->year)
        json_i64(&c->j, count->year);
    else
        json_no_value(&c->j);
    JSON_KEY_STR(&c->j, "state", report_state_name(count->state));
    JSON_KEY_I64(&c->j, "count", count->count);
    json_object_end(&c->j);
    c->total += count->count;
}

static void put_index(void *ctx, const struct known_index *index)
{
    struct coverage *c = ctx;
    json_object_begin(&c->j);
    JSON_KEY_STR(&c->j, "chamber", chamber_name(index->chamber));
    JSON_KEY_I64(&c->j, "year", index->year);
    json_key(&c->j, STR("asOf"));
    json_instant(&c->j, index->as_of);
    json_object_end(&c->j);
}

static enum err put_newest(
    struct coverage *c, struct api_call *call, struct db *db, struct fail *fail)
{
    char hex[2 * SHA256_SIZE];
    struct document_seen seen;
    enum err err = document_newest(db, http_arena(call->x), &seen, fail);
    json_key(&c->j, STR("newestDocument"));
    if (err) {
        json_no_value(&c->j);
        return err == ERR_NOT_FOUND ? OK : err;
    }
    hex_encode(seen.sha256, sizeof seen.sha256, hex);
    json_object_begin(&c->j);
    JSON_KEY_STR(&c->j, "chamber", chamber_name(seen.chamber));
    JSON_KEY_STR(&c->j, "sourceDocId", seen.source_id);
    JSON_KEY_STR(&c->j, "url", seen.url);
    JSON_KEY_STR(&c->j, "sha256", str_of(hex, sizeof hex));
    json_key(&c->j, STR("seenAt"));
    json_instant(&c->j, seen.seen_at);
    json_object_end(&c->j);
    return OK;
}

/* Public filings by how they were reviewed. */
static enum err put_review(
    struct coverage *c, struct db *db, struct coverage_cache *cache, struct fail *fail)
{
    struct review_counts counts = {0};
    enum err err = review_count(db, cache, &counts, fail);
    json_key(&c->j, STR("review"));
    json_object_begin(&c->j);
    for (int i = FILING_REVIEW_NONE + 1; i < FILING_REVIEW_COUNT; i++) {
        json_key(&c->j, filing_review_name((enum filing_review)i));
        json_i64(&c->j, counts.of[i]);
    }
    JSON_KEY_I64(&c->j, "unrecorded", counts.unrecorded);
    source_put_seconds(&c->j, STR("rowSeconds"), counts.row_ms[FILING_REVIEW_ROW]);
    source_put_seconds(&c->j, STR("pageSeconds"), counts.row_ms[FILING_REVIEW_PAGE]);
    source_put_seconds(&c->j, STR("unseenSeconds"), counts.row_ms[FILING_REVIEW_UNSEEN]);
    json_object_end(&c->j);
    return err;
}

static void put_backfill(void *ctx, const struct correction *correction)
{
    struct coverage *c = ctx;
    if (correction->damaged)
        return;
    json_object_begin(&c->j);
    json_key(&c->j, STR("at"));
    json_instant(&c->j, correction->at);
    json_key(&c->j, STR("from"));
    json_instant(&c->j, correction->range_start);
    json_key(&c->j, STR("to"));
    json_instant(&c->j, correction->range_end);
    JSON_KEY_I64(&c->j, "trades", correction->count);
    json_object_end(&c->j);
}

static struct str data_kind_name(enum meta_data data)
{
    return data == META_DATA_DEMO   ? STR(INVENTED_VALUE)
           : data == META_DATA_REAL ? STR("real")
                                    : STR_NULL;
}

enum err coverage_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    struct coverage c = {.total = 0};
    struct correction_range range = CORRECTION_RANGE_ALL;
    enum meta_data data;
    enum err err = meta_data_get(db, &data, fail);
    if (err)
        return err;
    range.kind = CORRECTION_BACKFILL;
    json_init(&c.j, http_body(call->x));
    json_object_begin(&c.j);
    json_key(&c.j, STR("data"));
    json_object_begin(&c.j);
    JSON_KEY_STR(&c.j, "data", data_kind_name(data));
    json_key(&c.j, STR("counts"));
    json_array_begin(&c.j);
    err = document_coverage(db, call->api->coverage, put_count, &c, fail);
    json_array_end(&c.j);
    JSON_KEY_I64(&c.j, "total", c.total);
    json_key(&c.j, STR("indexes"));
    json_array_begin(&c.j);
    if (!err)
        err = known_each_index(db, put_index, &c, fail);
    json_array_end(&c.j);
    if (!err)
        err = put_newest(&c, call, db, fail);
    if (!err)
        err = put_review(&c, db, call->api->coverage, fail);
    json_key(&c.j, STR("backfills"));
    json_array_begin(&c.j);
    if (!err)
        err = correction_each(db, &range, BACKFILLS_MAX, put_backfill, &c, fail);
    json_array_end(&c.j);
    struct sample_report sample = {.first_month = 0};
    if (!err)
        err = sample_report_load(db, http_now_ms(call->x), http_arena(call->x), &sample, fail);
    json_key(&c.j, STR("sample"));
    coverage_sample_put(&c.j, &sample);
    json_object_end(&c.j);
    json_object_end(&c.j);
    return err;
}

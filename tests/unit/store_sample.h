/* Invented members, filings and trades for tests of the store and of its readers. */
#pragma once

#include "store_fixture.h"

#include "store/public/filing.h"
#include "store/public/member.h"
#include "store/public/publication.h"
#include "store/public/trade.h"

static inline void store_sample_member(struct store_fixture *f, const char *id, const char *slug)
{
    struct member_term term = {
        .chamber = CHAMBER_HOUSE,
        .state = STR("CA"),
        .district = 11,
        .party = STR("Independent"),
        .start = 10000,
        .end = 20000,
    };
    struct member_name name = {.first = STR("Robin"), .last = STR("Vale")};
    struct member member = {
        .id = str_from(id),
        .slug = str_from(slug),
        .name = STR("Robin Vale"),
        .first = STR("Robin"),
        .last = STR("Vale"),
        .birthday = DAY_NONE,
        .terms = &term,
        .term_count = 1,
        .names = &name,
        .name_count = 1,
    };
    enum member_outcome outcome;
    assert_ok(f, member_put(f->db, &member, &outcome, &f->fail));
    assert_int_equal(outcome, MEMBER_ADDED);
}

/* An accepted filing of member "m1". */
static inline struct filing_new store_sample_filing(const char *id, int64_t filed_at)
{
    return (struct filing_new){
        .id = str_from(id),
        .chamber = CHAMBER_HOUSE,
        .source_doc_id = str_from(id),
        .url = STR("https://example.org/filing.pdf"),
        .politician_id = STR("m1"),
        .party = STR("Independent"),
        .state = STR("CA"),
        .filed_at = filed_at,
        .review = FILING_REVIEW_ROW,
        .reviewed_by = STR("editor@example.org"),
        .reviewed_at = filed_at + 1,
    };
}

static inline struct trade_new store_sample_trade(const char *filing_id, int64_t filing_no, int row)
{
    return (struct trade_new){
        .filing_no = filing_no,
        .filing_id = str_from(filing_id),
        .row = row,
        .page = 1,
        .values.ticker = STR("ABC"),
        .values.asset_name = STR("Abacus Corporation"),
        .values.asset_type = ASSET_STOCK,
        .values.side = SIDE_BUY,
        .values.bracket = BRACKET_1K_15K,
        .values.trade_date = 15000,
        .notified_date = DAY_NONE,
        .values.owner = OWNER_SPOUSE,
        .printed = STR("{\"asset\":\"Abacus Corporation (ABC)\"}"),
    };
}

/* One filing with rows 1 to `rows` as one publication, inside an open transaction. */
static inline enum err store_sample_publish_in(
    struct db *db, const char *id, int rows, enum publication_kind kind, int64_t filed_at,
    int64_t now_ms, struct publication *ret, struct fail *fail)
{
    struct filing_new filing = store_sample_filing(id, filed_at);
    int64_t no = 0, at = 0, seq = 0;
    enum err err = publication_begin(db, kind, STR("editor@example.org"), now_ms, ret, fail);
    if (!err)
        err = filing_insert(db, &filing, now_ms, &no, fail);
    if (!err)
        err = publication_add_filing(db, ret, no, filed_at, &at, fail);
    for (int row = 1; !err && row <= rows; row++) {
        struct trade_new trade = store_sample_trade(id, no, row);
        trade.publication_no = ret->no;
        trade.disclosed_at = at;
        err = trade_insert(db, &trade, fail);
    }
    return err ? err : publication_finish(db, ret, rows, &seq, fail);
}

static inline struct publication store_sample_publish(
    struct store_fixture *f, const char *id, int rows, enum publication_kind kind, int64_t filed_at,
    int64_t now_ms)
{
    struct publication publication;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f,
        store_sample_publish_in(f->db, id, rows, kind, filed_at, now_ms, &publication, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return publication;
}

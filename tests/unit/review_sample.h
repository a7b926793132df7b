/* Drafts of invented Senate and House reports for tests of the desk and of publishing: made in few
 * words, accepted and published as people do it, and what is public told in one line. */
#pragma once

#include "store_sample.h"

#include "review/desk/desk.h"
#include "review/publish_draft.h"
#include "store/desk/draft.h"
#include "store/desk/draft_row.h"

#define REVIEW_NOW INT64_C(1790000000000)
#define REVIEW_BY STR("editor@example.org")

enum { REVIEW_DAY = 20000 }; /* that the reports print */

/* Member m1 of House and Senate, and m2. */
static inline void review_members(struct store_fixture *f)
{
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
}

/* A fresh database with them. */
static inline int review_setup(void **state)
{
    store_fixture_setup(state);
    review_members(*state);
    return 0;
}

static inline struct desk review_desk(struct store_fixture *f, int64_t now)
{
    return (struct desk){.db = f->db, .by = REVIEW_BY, .now_ms = now};
}

/* What a report of m1 says of itself. */
static inline struct draft_new review_report(enum chamber chamber, const char *id, int amendment)
{
    bool senate = chamber == CHAMBER_SENATE;
    return (struct draft_new){
        .filing_id = str_from(id),
        .chamber = chamber,
        .source_doc_id = str_from(id),
        .url = STR("https://reports.example.org/one"),
        .politician_id = STR("m1"),
        .filer = STR("Hon. Robin Vale"),
        .filer_district = DRAFT_DISTRICT_NONE,
        .filed_at = instant_from_new_york(REVIEW_DAY + amendment, 0),
        .report_day = senate ? REVIEW_DAY : DAY_NONE,
        .amendment = amendment,
        .checks = STR("[]"),
    };
}

/* A row of that asset; bracket BRACKET_NONE: held. */
static inline struct draft_row_stored review_row(
    int number, const char *asset, enum side side, enum bracket bracket)
{
    return (struct draft_row_stored){
        .row = number,
        .values.asset_name = str_from(asset),
        .values.asset_type = ASSET_STOCK,
        .values.side = side,
        .values.bracket = bracket,
        .values.owner = OWNER_SELF,
        .values.trade_date = REVIEW_DAY - 30,
        .notified_date = DAY_NONE,
        .printed = STR("{\"asset\":\"as printed\"}"),
        .doubts = STR("[]"),
        .held = bracket == BRACKET_NONE ? STR("the amount is under $1,001: $7") : STR_NULL,
    };
}

static inline void review_insert(
    struct store_fixture *f, const struct draft_new *draft, const struct draft_row_stored *rows,
    size_t count)
{
    int64_t no = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, draft_insert(f->db, draft, REVIEW_NOW, &no, &f->fail));
    for (size_t i = 0; i < count; i++)
        assert_ok(f, draft_row_insert(f->db, no, &rows[i], &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static inline void review_accept(struct store_fixture *f, const char *id, int64_t now)
{
    const struct desk desk = review_desk(f, now);
    enum draft_state state;
    assert_ok(f, desk_accept(&desk, str_from(id), STR_NULL, STR_NULL, &state, &f->fail));
    assert_int_equal(state, DRAFT_ACCEPTED);
}

static inline struct publish_draft_result review_publish(
    struct store_fixture *f, const char *id, int64_t now)
{
    struct publish_draft_result result = {.publication = -1};
    assert_ok(f, publish_draft(f->db, str_from(id), REVIEW_BY, now, &result, &f->fail));
    return result;
}

static inline struct publish_draft_result review_release(
    struct store_fixture *f, const char *id, int64_t now)
{
    review_accept(f, id, now);
    return review_publish(f, id, now);
}

/* "id asset side bracket; " of every public trade, by id. */
static inline const char *review_public(struct store_fixture *f)
{
    struct query q;
    struct str text = STR("");
    query_start(
        &q, f->db,
        "SELECT id, asset_name, side, amount_bucket FROM trade WHERE withdrawn_at IS NULL"
        " ORDER BY id");
    while (query_row(&q))
        text = arena_fmt(
            &f->arena, "%.*s%.*s %.*s %.*s %.*s; ", STR_ARG(text), STR_ARG(query_get_str(&q, 0)),
            STR_ARG(query_get_str(&q, 1)), STR_ARG(query_get_str(&q, 2)),
            STR_ARG(query_get_str(&q, 3)));
    assert_ok(f, query_end(&q, &f->fail));
    return arena_fmt(&f->arena, "%.*s", STR_ARG(text)).p;
}

/* "id state; " of every filing, by id. */
static inline const char *review_filings(struct store_fixture *f)
{
    struct query q;
    struct str text = STR("");
    query_start(&q, f->db, "SELECT id, state FROM filing ORDER BY id");
    while (query_row(&q))
        text = arena_fmt(
            &f->arena, "%.*s%.*s %.*s; ", STR_ARG(text), STR_ARG(query_get_str(&q, 0)),
            STR_ARG(query_get_str(&q, 1)));
    assert_ok(f, query_end(&q, &f->fail));
    return arena_fmt(&f->arena, "%.*s", STR_ARG(text)).p;
}

static inline enum draft_state review_state(struct store_fixture *f, const char *id)
{
    struct draft draft;
    assert_ok(f, draft_find(f->db, str_from(id), &f->arena, &draft, &f->fail));
    return draft.state;
}

#define ROWS(rows) (rows), sizeof(rows) / sizeof *(rows)

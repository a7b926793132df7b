/* The sample of published rows: what is drawn, who may type it, and what becomes of it. */
#include "review_sample.h"

#include "review/correct.h"
#include "review/desk/sample_desk.h"
#include "review/desk/sample_plan.h"
#include "review/withdraw.h"
#include "store/desk/sample_report.h"
#include "store/public/document.h"

#define NOW REVIEW_NOW
#define OTHER STR("checker@example.org")

static const uint8_t seed[SHA256_SIZE] = {42};

/* A version of a document with stored bytes. */
static int64_t version_of(struct store_fixture *f, const char *id)
{
    struct document document = {
        .kind = STR("house"),
        .source_id = str_from(id),
        .chamber = CHAMBER_HOUSE,
        .state = DOCUMENT_DRAFT,
        .bytes = 4,
    };
    int64_t version = 0;
    sha256(str_from(id), document.sha256);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_put(f->db, &document, NOW, &version, &f->fail));
    assert_ok(f, document_bytes_add(f->db, version, STR("%PDF"), &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return version;
}

/* Publishes a House report of that many rows. */
static void release(struct store_fixture *f, const char *id, int rows, bool stored, bool paper)
{
    struct draft_row_stored items[50];
    struct draft_new draft = review_report(CHAMBER_HOUSE, id, 0);
    for (int i = 0; i < rows; i++)
        items[i] =
            review_row(i + 1, arena_fmt(&f->arena, "Asset %d", i + 1).p, SIDE_BUY, BRACKET_1K_15K);
    draft.manual = true; /* a reading needs checks that passed */
    draft.document_version = stored ? version_of(f, id) : 0;
    review_insert(f, &draft, items, (size_t)rows);
    review_release(f, id, NOW);
    if (!paper) {
        struct query q;
        query_start(&q, f->db, "UPDATE draft SET manual = 0 WHERE filing_id = $1");
        query_str(&q, str_from(id));
        assert_ok(f, query_end(&q, &f->fail));
    }
}

static struct desk checker(struct store_fixture *f, int64_t now)
{
    return (struct desk){.db = f->db, .by = OTHER, .now_ms = now};
}

static struct sample_plan plan(struct store_fixture *f, int64_t rows, int64_t now)
{
    struct sample_plan p;
    assert_ok(f, sample_plan_make(f->db, rows, seed, now, &f->arena, &p, &f->fail));
    return p;
}

static struct sample_plan_result draw(struct store_fixture *f, int64_t rows, int64_t now)
{
    struct sample_plan p = plan(f, rows, now);
    struct sample_plan_result result;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, sample_plan_store(f->db, &p, now, &result, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return result;
}

static struct sample_view show(struct store_fixture *f, const struct desk *desk, int64_t no)
{
    struct sample_view view;
    assert_ok(f, sample_show(desk, no, &f->arena, &view, &f->fail));
    return view;
}

static struct sample_report report(struct store_fixture *f, int64_t now)
{
    struct sample_report r;
    assert_ok(f, sample_report_load(f->db, now, &f->arena, &r, &f->fail));
    return r;
}

/* What the page shows, as the document of `release` states it. */
static struct blind_row typed(struct store_fixture *f, const struct sample_view *view)
{
    struct blind_row row = blind_row_none;
    row.values = row_values_copy(&view->published.values, &f->arena);
    return row;
}

static void only_stored_documents_are_drawn_and_others_are_counted(void **state)
{
    struct store_fixture *f = *state;
    release(f, "house-1", 3, true, false);
    release(f, "house-2", 4, false, false);
    release(f, "house-3", 2, true, true);
    struct sample_plan p = plan(f, 100, NOW);
    assert_int_equal(p.count, 5);
    const struct sample_stratum_count *text =
        &p.draw.strata[sample_stratum(CHAMBER_HOUSE, SAMPLE_ELECTRONIC)];
    const struct sample_stratum_count *paper =
        &p.draw.strata[sample_stratum(CHAMBER_HOUSE, SAMPLE_PAPER)];
    assert_int_equal(text->trades, 3);
    assert_int_equal(text->unstored, 4);
    assert_int_equal(text->drawn, 3);
    assert_int_equal(paper->trades, 2);
    assert_int_equal(paper->drawn, 2);
    for (size_t i = 0; i < p.count; i++)
        assert_false(str_eq(trade_id_filing(p.picks[i].trade_id), STR("house-2")));
}

/* A trade that came from an earlier version of its report, which is not stored. */
static void trades_are_drawn_from_those_that_are_counted(void **state)
{
    struct store_fixture *f = *state;
    release(f, "house-1", 3, true, false);
    assert_ok(
        f, db_exec(
               f->db, "UPDATE trade SET document_version_no = NULL WHERE id = 'house-1-0002'",
               &f->fail));
    struct sample_plan p = plan(f, 100, NOW);
    const struct sample_stratum_count *text =
        &p.draw.strata[sample_stratum(CHAMBER_HOUSE, SAMPLE_ELECTRONIC)];
    assert_int_equal(text->trades, 3);
    assert_int_equal(text->drawn, 3);
}

/* 40 trades in one filing and 10 in ten: each is as likely. */
static void every_trade_is_as_likely_whatever_its_filing(void **state)
{
    struct store_fixture *f = *state;
    enum { DRAWS = 600 };
    int large = 0;
    release(f, "house-1", 40, true, false);
    for (int i = 0; i < 10; i++)
        release(f, arena_fmt(&f->arena, "house-%d", 100 + i).p, 1, true, false);
    for (int i = 0; i < DRAWS; i++) {
        struct sample_plan p;
        uint8_t other[SHA256_SIZE] = {(uint8_t)i, (uint8_t)(i >> 8)};
        assert_ok(f, sample_plan_make(f->db, 1, other, NOW, &f->arena, &p, &f->fail));
        assert_int_equal(p.count, 1);
        large += str_eq(trade_id_filing(p.picks[0].trade_id), STR("house-1"));
    }
    /* 480 expected, standard deviation 9.8; the seeds are fixed */
    assert_in_range(large, 480 - 32, 480 + 32);
}

static void same_seed_draws_same_trades(void **state)
{
    struct store_fixture *f = *state;
    release(f, "house-1", 20, true, false);
    struct sample_plan a = plan(f, 5, NOW), b = plan(f, 5, NOW);
    assert_int_equal(a.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(str_eq(a.picks[i].trade_id, b.picks[i].trade_id));
}

static void day_is_drawn_once(void **state)
{
    struct store_fixture *f = *state;
    struct sample_plan_result result;
    release(f, "house-1", 20, true, false);
    assert_int_equal(draw(f, 5, NOW).drawn, 5);
    struct sample_plan again = plan(f, 5, NOW + 1000);
    assert_int_equal(sample_plan_store(f->db, &again, NOW + 1000, &result, &f->fail), ERR_EXISTS);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM sample_row"), 5);
}

static void waiting_trade_is_not_drawn_again(void **state)
{
    struct store_fixture *f = *state;
    release(f, "house-1", 6, true, false);
    assert_int_equal(draw(f, 4, NOW).drawn, 4);
    assert_int_equal(draw(f, 100, NOW + DAY_MS).drawn, 2);
    assert_int_equal(draw(f, 5, NOW + 2 * DAY_MS).drawn, 0);
}

static void row_that_nobody_types_expires(void **state)
{
    struct store_fixture *f = *state;
    release(f, "house-1", 6, true, false);
    draw(f, 2, NOW);
    struct sample_plan_result later = draw(f, 0, NOW + INT64_C(31) * DAY_MS);
    assert_int_equal(later.expired, 2);
    struct sample_report r = report(f, NOW + INT64_C(31) * DAY_MS);
    assert_int_equal(r.expired, 2);
    assert_int_equal(r.waiting, 0);
    assert_false(r.is_known);
}

static void equal_entry_is_right(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = checker(f, NOW + 10);
    enum sample_state next;
    release(f, "house-1", 1, true, false);
    draw(f, 1, NOW);
    struct sample_view view = show(f, &desk, 1);
    struct blind_row row = typed(f, &view);
    row.values.asset_name = STR("ASSET 1, Inc.");
    assert_ok(f, sample_type(&desk, 1, &row, &next, &f->fail));
    assert_int_equal(next, SAMPLE_RIGHT);
    struct sample_report r = report(f, NOW + 10);
    assert_int_equal(r.checked, 1);
    assert_int_equal(r.wrong, 0);
    assert_true(r.is_known && r.share.rate == 0 && r.share.high > 0.7);
    assert_int_equal(r.cell_count, 1);
    assert_int_equal(r.field_count, 0);
}

/* Types another side and another amount; the row is then judged so. */
static enum sample_state judge(
    struct store_fixture *f, enum sample_verdict side, enum sample_verdict amount)
{
    struct desk desk = checker(f, NOW + 10);
    enum sample_verdict verdicts[BLIND_FIELD_COUNT] = {
        [BLIND_SIDE] = side, [BLIND_AMOUNT] = amount};
    enum sample_state state;
    release(f, "house-1", 1, true, true);
    draw(f, 1, NOW);
    struct sample_view view = show(f, &desk, 1);
    struct blind_row row = typed(f, &view);
    row.values.side = SIDE_SELL_FULL;
    row.values.bracket = BRACKET_1M_5M;
    assert_ok(f, sample_type(&desk, 1, &row, &state, &f->fail));
    assert_int_equal(state, SAMPLE_DIFFERS);
    assert_int_equal(report(f, NOW + 10).undecided, 1);
    assert_ok(f, sample_decide(&desk, 1, verdicts, &state, &f->fail));
    return state;
}

static void published_error_counts_as_wrong(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(judge(f, SAMPLE_PUBLISHED_WRONG, SAMPLE_ENTRY_WRONG), SAMPLE_WRONG);
    struct sample_report r = report(f, NOW + 10);
    assert_int_equal(r.checked, 1);
    assert_int_equal(r.wrong, 1);
    assert_int_equal(r.cells[0].stratum, sample_stratum(CHAMBER_HOUSE, SAMPLE_PAPER));
    assert_int_equal(r.field_count, 2);
    assert_str(r.fields[0].name, "amountBucket");
    assert_int_equal(r.fields[0].wrong, 0);
    assert_str(r.fields[1].name, "side");
    assert_int_equal(r.fields[1].differences, 1);
    assert_int_equal(r.fields[1].wrong, 1);
}

static void groups_count_by_their_trades(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = checker(f, NOW + 10);
    const enum sample_verdict verdicts[BLIND_FIELD_COUNT] = {[BLIND_SIDE] = SAMPLE_PUBLISHED_WRONG};
    release(f, "house-1", 30, true, false);
    release(f, "house-2", 2, true, true);
    assert_int_equal(draw(f, 4, NOW).drawn, 4);
    for (int64_t no = 1; no <= 4; no++) {
        enum sample_state next;
        struct sample_view view = show(f, &desk, no);
        struct blind_row row = typed(f, &view);
        if (view.row.kind == SAMPLE_PAPER)
            row.values.side = SIDE_EXCHANGE;
        assert_ok(f, sample_type(&desk, no, &row, &next, &f->fail));
        if (view.row.kind == SAMPLE_PAPER)
            assert_ok(f, sample_decide(&desk, no, verdicts, &next, &f->fail));
    }
    struct sample_report r = report(f, NOW + 10);
    assert_int_equal(r.checked, 4);
    assert_int_equal(r.wrong, 2);
    assert_true(r.share.rate == 2.0 / 32); /* not 2 of 4 */
    assert_true(r.share.low < r.share.rate && r.share.rate < r.share.high);
}

static void own_mistake_counts_as_right(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(judge(f, SAMPLE_ENTRY_WRONG, SAMPLE_ENTRY_WRONG), SAMPLE_RIGHT);
    assert_int_equal(report(f, NOW + 10).wrong, 0);
    assert_int_equal(report(f, NOW + 10).checked, 1);
}

static void unreadable_row_is_not_counted_as_checked(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(judge(f, SAMPLE_NOT_READABLE, SAMPLE_ENTRY_WRONG), SAMPLE_UNREADABLE);
    assert_int_equal(report(f, NOW + 10).checked, 0);
    assert_int_equal(report(f, NOW + 10).unreadable, 1);
}

static void every_difference_needs_a_verdict(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = checker(f, NOW + 10);
    enum sample_verdict none[BLIND_FIELD_COUNT] = {SAMPLE_UNDECIDED};
    enum sample_verdict wrong_field[BLIND_FIELD_COUNT] = {
        [BLIND_SIDE] = SAMPLE_ENTRY_WRONG, [BLIND_OWNER] = SAMPLE_ENTRY_WRONG};
    enum sample_state next;
    release(f, "house-1", 1, true, false);
    draw(f, 1, NOW);
    struct sample_view view = show(f, &desk, 1);
    struct blind_row row = typed(f, &view);
    assert_int_equal(sample_decide(&desk, 1, none, &next, &f->fail), ERR_EXISTS); /* still open */
    row.values.side = SIDE_EXCHANGE;
    assert_ok(f, sample_type(&desk, 1, &row, &next, &f->fail));
    assert_int_equal(sample_decide(&desk, 1, none, &next, &f->fail), ERR_INVALID);
    assert_int_equal(sample_decide(&desk, 1, wrong_field, &next, &f->fail), ERR_INVALID);
    assert_int_equal(show(f, &desk, 1).row.state, SAMPLE_DIFFERS);
}

static void person_who_accepted_the_filing_cannot_check_it(void **state)
{
    struct store_fixture *f = *state;
    struct desk own = {.db = f->db, .by = STR("Editor@example.org"), .now_ms = NOW + 10};
    enum sample_state next;
    release(f, "house-1", 1, true, false);
    draw(f, 1, NOW);
    struct sample_view view = show(f, &own, 1);
    struct blind_row row = typed(f, &view);
    assert_true(view.is_own);
    assert_int_equal(sample_type(&own, 1, &row, &next, &f->fail), ERR_REFUSED);
    assert_int_equal(sample_pass(&own, 1, STR("no time"), &f->fail), ERR_REFUSED);
}

static void person_who_looked_at_it_for_a_batch_cannot_check_it(void **state)
{
    struct store_fixture *f = *state;
    struct desk looker = checker(f, NOW + 10);
    release(f, "house-1", 1, true, false);
    draw(f, 1, NOW);
    assert_false(show(f, &looker, 1).is_own);
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO review_batch (no, state, started_at, started_by, size, sample)"
               " VALUES (1, 'accepted', 0, 'ann@example.org', 1, 1)",
               &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO review_batch_draft (batch_no, draft_no, mark, drawn, outcome,"
               " looked_by) SELECT 1, no, '', 1, 'accepted', 'checker@example.org' FROM draft",
               &f->fail));
    assert_true(show(f, &looker, 1).is_own);
}

static void rows_of_own_filings_do_not_fill_the_list(void **state)
{
    struct store_fixture *f = *state;
    struct sample_list list;
    int64_t no, own;
    for (int i = 1; i <= 3; i++)
        release(f, arena_fmt(&f->arena, "house-%d", i).p, 1, true, false);
    draw(f, 3, NOW);
    for (int i = 1; i <= 2; i++) {
        struct query q;
        query_start(
            &q, f->db,
            "INSERT INTO draft_history (draft_no, at, by_email, action) SELECT d.no, 0,"
            " 'Checker@example.org', 'claim' FROM draft d JOIN sample_row r"
            " ON r.trade_id = d.filing_id || '-0001' WHERE r.no = $1");
        query_i64(&q, i);
        assert_ok(f, query_end(&q, &f->fail));
    }
    assert_ok(f, sample_list_of(f->db, OTHER, 1, &f->arena, &list, &f->fail));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].no, 3);
    for (int64_t after = 0; after <= 3; after++) {
        assert_ok(f, sample_next_of(f->db, OTHER, after, &no, &f->fail));
        assert_int_equal(no, 3);
    }
    assert_ok(f, sample_count_own(f->db, OTHER, &own, &f->fail));
    assert_int_equal(own, 2);
    assert_ok(f, sample_next_of(f->db, STR("cleo@example.org"), 2, &no, &f->fail));
    assert_int_equal(no, 3);
    assert_ok(f, sample_next_of(f->db, STR("cleo@example.org"), 3, &no, &f->fail));
    assert_int_equal(no, 1);
    assert_ok(f, sample_next_of(f->db, STR("editor@example.org"), 0, &no, &f->fail));
    assert_int_equal(no, 0);
}

static void second_of_two_people_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = checker(f, NOW + 10), late = checker(f, NOW + 20);
    enum sample_state next;
    late.by = STR("late@example.org");
    release(f, "house-1", 1, true, false);
    draw(f, 1, NOW);
    struct sample_view view = show(f, &desk, 1);
    struct blind_row row = typed(f, &view);
    assert_ok(f, sample_type(&desk, 1, &row, &next, &f->fail));
    row.values.side = SIDE_EXCHANGE;
    assert_int_equal(sample_type(&late, 1, &row, &next, &f->fail), ERR_EXISTS);
    assert_int_equal(sample_pass(&late, 1, STR("too late"), &f->fail), ERR_EXISTS);
    assert_str(show(f, &desk, 1).row.entered_by, "checker@example.org");
    assert_int_equal(report(f, NOW + 20).checked, 1);
}

static void later_correction_hides_no_error(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = checker(f, NOW + 10);
    enum sample_state next;
    struct correct_result corrected = {0};
    release(f, "house-1", 1, true, false);
    draw(f, 1, NOW);
    assert_ok(
        f, correct(
               f->db, STR("house-1-0001"), STR("side"), STR("exchange"), REVIEW_BY, STR("misread"),
               NOW + 5, &corrected, &f->fail));
    struct sample_view view = show(f, &desk, 1);
    assert_true(view.corrected);
    struct blind_row row = typed(f, &view);
    row.values.side = SIDE_EXCHANGE;
    assert_ok(f, sample_type(&desk, 1, &row, &next, &f->fail));
    assert_int_equal(next, SAMPLE_DIFFERS);
}

static void months_before_the_last_twelve_are_left_out(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = checker(f, NOW + 10);
    enum sample_state next;
    release(f, "house-1", 1, true, false);
    draw(f, 1, NOW);
    struct sample_view view = show(f, &desk, 1);
    struct blind_row row = typed(f, &view);
    assert_ok(f, sample_type(&desk, 1, &row, &next, &f->fail));
    int32_t month = instant_month_utc(NOW);
    assert_int_equal(report(f, month_start_ms(month + 11)).checked, 1);
    assert_int_equal(report(f, month_start_ms(month + 12)).checked, 0);
    assert_int_equal(report(f, month_start_ms(month - 1)).checked, 0); /* the clock was set back */
}

static void skipped_row_needs_a_reason_and_is_counted(void **state)
{
    struct store_fixture *f = *state;
    struct desk desk = checker(f, NOW + 10);
    release(f, "house-1", 1, true, false);
    draw(f, 1, NOW);
    assert_int_equal(sample_pass(&desk, 1, STR(" "), &f->fail), ERR_INVALID);
    assert_ok(f, sample_pass(&desk, 1, STR("the page is cut off"), &f->fail));
    assert_int_equal(report(f, NOW + 10).skipped, 1);
    assert_str(show(f, &desk, 1).row.reason, "the page is cut off");
}

/* --- documents */

static struct sample_document document(struct store_fixture *f, int64_t no, int64_t now)
{
    struct sample_document d;
    assert_ok(f, sample_document_find(f->db, no, now, &f->arena, &d, &f->fail));
    return d;
}

static enum err count(
    struct store_fixture *f, struct str by, int64_t rows, int64_t now, enum sample_state *ret)
{
    const struct desk desk = {.db = f->db, .by = by, .now_ms = now};
    return sample_count_rows(&desk, 1, rows, STR("too dark"), ret, &f->fail);
}

/* Also one that has no public trade. */
static void every_document_is_as_likely_whatever_its_rows(void **state)
{
    struct store_fixture *f = *state;
    int drawn[3] = {0};
    struct withdraw_result withdrawn;
    release(f, "house-1", 40, true, false);
    release(f, "house-2", 1, true, false);
    release(f, "house-3", 1, true, false);
    release(f, "house-4", 9, false, false); /* not stored */
    assert_ok(
        f, withdraw(
               f->db, STR("house-3-0001"), REVIEW_BY, STR("wrong"), NOW + 1, &withdrawn, &f->fail));
    for (int n = 0; n < 300; n++) {
        uint8_t other[SHA256_SIZE] = {(uint8_t)n, (uint8_t)(n / 256)};
        struct sample_plan p;
        assert_ok(f, sample_plan_make(f->db, 5, other, NOW, &f->arena, &p, &f->fail));
        assert_int_equal(p.document_count, 1);
        assert_int_equal(p.draw.strata[p.documents[0].stratum].documents, 3);
        drawn[p.documents[0].filing_no - 1]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(drawn[i], 70, 130);
    assert_int_equal(plan(f, 6, NOW).document_count, 2);
}

static void held_row_is_known(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_stored rows[] = {
        review_row(1, "A", SIDE_BUY, BRACKET_1K_15K), review_row(2, "B", SIDE_BUY, BRACKET_NONE)};
    struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    draft.manual = true;
    draft.document_version = version_of(f, "house-1");
    review_insert(f, &draft, ROWS(rows));
    review_release(f, "house-1", NOW);
    assert_int_equal(draw(f, 1, NOW).documents, 1);
    assert_int_equal(document(f, 1, NOW).known, 2);
    assert_int_equal(document(f, 1, NOW).state, SAMPLE_OPEN);
}

static void equal_count_ends_a_document_at_once(void **state)
{
    struct store_fixture *f = *state;
    enum sample_state end;
    release(f, "house-1", 3, true, false);
    draw(f, 1, NOW);
    assert_false(report(f, NOW).missing_known);
    assert_int_equal(report(f, NOW).documents.waiting, 1);
    assert_int_equal(count(f, REVIEW_BY, 3, NOW, &end), ERR_REFUSED); /* accepted it */
    assert_ok(f, count(f, OTHER, 3, NOW, &end));
    assert_int_equal(end, SAMPLE_RIGHT);
    assert_int_equal(count(f, OTHER, 4, NOW, &end), ERR_EXISTS);
    struct sample_report r = report(f, NOW);
    assert_true(r.missing_known);
    assert_int_equal(r.documents.all.rows, 3);
    assert_true(r.missing_share.rate <= 0);
    /* three rows of one document are one check */
    assert_true(r.missing_share.high > 0.79 && r.missing_share.high < 0.8);
    assert_int_equal(r.documents.waiting, 0);
}

static void differing_count_ends_with_the_second(void **state)
{
    struct store_fixture *f = *state;
    enum sample_state end;
    const int64_t later = NOW + INT64_C(31) * DAY_MS;
    release(f, "house-1", 3, true, false);
    draw(f, 1, NOW);
    assert_ok(f, count(f, OTHER, 5, NOW, &end));
    assert_int_equal(end, SAMPLE_DIFFERS);
    assert_false(report(f, NOW).missing_known);
    assert_int_equal(report(f, NOW).documents.undecided, 1);
    assert_int_equal(document(f, 1, later).state, SAMPLE_DIFFERS); /* does not expire */
    assert_ok(f, count(f, OTHER, 4, later, &end));
    assert_int_equal(end, SAMPLE_WRONG);
    struct sample_report r = report(f, later);
    assert_int_equal(r.documents.all.missing, 1);
    assert_true(r.missing_share.rate > 0.2499 && r.missing_share.rate < 0.2501);
    r = report(f, later + INT64_C(400) * DAY_MS);
    assert_false(r.missing_known);
}

static void surplus_row_is_not_missing(void **state)
{
    struct store_fixture *f = *state;
    enum sample_state end;
    release(f, "house-1", 3, true, false);
    draw(f, 1, NOW);
    assert_ok(f, count(f, OTHER, 2, NOW, &end));
    assert_int_equal(end, SAMPLE_DIFFERS);
    assert_ok(f, count(f, OTHER, 2, NOW, &end));
    assert_int_equal(end, SAMPLE_RIGHT);
    assert_int_equal(report(f, NOW).documents.all.missing, 0);
}

static void waiting_document_is_not_drawn_twice_and_expires(void **state)
{
    struct store_fixture *f = *state;
    const int64_t later = NOW + INT64_C(31) * DAY_MS;
    const struct desk desk = checker(f, later);
    enum sample_state end;
    struct query q;
    release(f, "house-1", 3, true, false);
    assert_int_equal(draw(f, 1, NOW).documents, 1);
    assert_int_equal(draw(f, 1, NOW + DAY_MS).documents, 0);
    assert_int_equal(document(f, 1, later).state, SAMPLE_EXPIRED);
    assert_int_equal(count(f, OTHER, 3, later, &end), ERR_EXISTS);
    assert_int_equal(report(f, later).documents.expired, 1);
    assert_int_equal(draw(f, 1, later).documents, 1);
    assert_int_equal(sample_count_rows(&desk, 2, -1, STR(""), &end, &f->fail), ERR_INVALID);
    assert_ok(f, sample_count_rows(&desk, 2, -1, STR("too dark"), &end, &f->fail));
    assert_int_equal(document(f, 2, later).state, SAMPLE_SKIPPED);
    assert_int_equal(report(f, later).documents.skipped, 1);
    query_start(&q, f->db, "UPDATE sample_count SET counted = 1, reason = NULL");
    assert_int_not_equal(query_end(&q, &f->fail), OK); /* counts are only added */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, review_setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_stored_documents_are_drawn_and_others_are_counted),
        TEST(trades_are_drawn_from_those_that_are_counted),
        TEST(every_trade_is_as_likely_whatever_its_filing),
        TEST(same_seed_draws_same_trades),
        TEST(day_is_drawn_once),
        TEST(waiting_trade_is_not_drawn_again),
        TEST(row_that_nobody_types_expires),
        TEST(equal_entry_is_right),
        TEST(published_error_counts_as_wrong),
        TEST(groups_count_by_their_trades),
        TEST(own_mistake_counts_as_right),
        TEST(unreadable_row_is_not_counted_as_checked),
        TEST(every_difference_needs_a_verdict),
        TEST(person_who_accepted_the_filing_cannot_check_it),
        TEST(person_who_looked_at_it_for_a_batch_cannot_check_it),
        TEST(rows_of_own_filings_do_not_fill_the_list),
        TEST(second_of_two_people_changes_nothing),
        TEST(later_correction_hides_no_error),
        TEST(months_before_the_last_twelve_are_left_out),
        TEST(skipped_row_needs_a_reason_and_is_counted),
        TEST(every_document_is_as_likely_whatever_its_rows),
        TEST(held_row_is_known),
        TEST(equal_count_ends_a_document_at_once),
        TEST(differing_count_ends_with_the_second),
        TEST(surplus_row_is_not_missing),
        TEST(waiting_document_is_not_drawn_twice_and_expires),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

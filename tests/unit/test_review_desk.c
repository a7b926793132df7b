/* Reviewers' actions on drafts: claims, edits, acceptance, rejection, manual drafts. */
#include "review_sample.h"

#include "store/desk/draft_history.h"
#include "store/desk/filer_alias.h"
#include "store/public/document.h"

#define BUY SIDE_BUY
#define LOW BRACKET_1K_15K
#define NOW REVIEW_NOW
#define ID STR("house-1")

static const char *const failed_checks =
    "[{\"name\":\"rows_total\",\"passed\":false,\"detail\":\"7 rows, \\\"8\\\" printed\"},"
    "{\"name\":\"name_of_index\",\"passed\":true,\"detail\":\"\"},"
    "{\"name\":\"signed\",\"passed\":false,\"detail\":\"\"}]";

/* A draft house-1 of two rows, one of them held. */
static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    const struct draft_row_stored rows[] = {
        review_row(1, "A", BUY, LOW), review_row(2, "B", BUY, BRACKET_NONE)};
    const struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    review_members(f);
    review_insert(f, &draft, ROWS(rows));
    return 0;
}

static struct desk desk_of(struct store_fixture *f, const char *by, int64_t now)
{
    return (struct desk){.db = f->db, .by = str_from(by), .now_ms = now};
}

static struct draft draft_of(struct store_fixture *f)
{
    struct draft draft;
    assert_ok(f, draft_find(f->db, ID, &f->arena, &draft, &f->fail));
    return draft;
}

static struct draft_row_stored row_of(struct store_fixture *f, int number)
{
    struct draft_row_list rows;
    struct draft draft = draft_of(f);
    assert_ok(f, draft_row_load(f->db, draft.no, &f->arena, &rows, &f->fail));
    for (size_t i = 0; i < rows.count; i++)
        if (rows.items[i].row == number)
            return rows.items[i];
    fail_msg("no row %d", number);
    return rows.items[0];
}

struct telling {
    struct arena *arena;
    struct str text;
};

/* "who action row.field old>new why; " */
static void tell(void *ctx, const struct draft_event *e)
{
    struct telling *t = ctx;
    t->text = arena_fmt(
        t->arena, "%.*s%.*s %.*s %d.%.*s %.*s>%.*s %.*s; ", STR_ARG(t->text), STR_ARG(e->by),
        STR_ARG(e->action), e->row, STR_ARG(e->field), STR_ARG(e->old), STR_ARG(e->new),
        STR_ARG(e->reason));
}

static const char *history(struct store_fixture *f)
{
    struct telling t = {&f->arena, STR("")};
    assert_ok(f, draft_history_each(f->db, draft_of(f).no, tell, &t, &f->fail));
    return arena_fmt(&f->arena, "%.*s", STR_ARG(t.text)).p;
}

static enum err set(
    struct store_fixture *f, const struct desk *desk, int row, const char *field, const char *value)
{
    return desk_set(
        desk, ID, row, str_from(field), str_from(value), STR("looked at the page"), &f->fail);
}

static enum err accept(struct store_fixture *f, const struct desk *desk, enum draft_state *ret)
{
    return desk_accept(desk, ID, STR_NULL, STR_NULL, ret, &f->fail);
}

/* --- claims */

static void claim_blocks_others_until_it_expires(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW), ben = desk_of(f, "ben@example.org", NOW);
    assert_ok(f, desk_claim(&ann, ID, &f->fail));
    assert_int_equal(desk_claim(&ben, ID, &f->fail), ERR_BUSY);
    assert_non_null(strstr(f->fail.text, "ann@example.org"));
    assert_int_equal(set(f, &ben, 1, "side", "sell_full"), ERR_BUSY);
    ben.now_ms = NOW + DESK_CLAIM_MS - 1;
    assert_int_equal(desk_claim(&ben, ID, &f->fail), ERR_BUSY);
    ben.now_ms++;
    assert_ok(f, desk_claim(&ben, ID, &f->fail));
    ann.now_ms = ben.now_ms;
    assert_int_equal(desk_claim(&ann, ID, &f->fail), ERR_BUSY);
    assert_str(draft_of(f).claimed_by, "ben@example.org");
    assert_int_equal(desk_claim(&ann, STR("house-9"), &f->fail), ERR_NOT_FOUND);
}

static void every_action_of_the_holder_renews_the_claim(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "Ann@example.org", NOW);
    assert_ok(f, desk_claim(&ann, ID, &f->fail));
    ann.by = STR("ann@example.org"); /* e-mail addresses ignore letter case */
    ann.now_ms = NOW + 60000;
    assert_ok(f, set(f, &ann, 1, "side", "sell_full"));
    assert_true(draft_of(f).claimed_until == NOW + 60000 + DESK_CLAIM_MS);
}

/* --- edits */

static void edit_records_who_what_and_why(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    assert_ok(f, set(f, &ann, 1, "side", "sell_full"));
    assert_ok(f, set(f, &ann, 1, "trade_date", "2024-02-29"));
    assert_ok(f, set(f, &ann, 1, "notifiedDate", "2024-03-01"));
    assert_ok(f, set(f, &ann, 1, "ticker", "brk/b"));
    assert_ok(f, set(f, &ann, 1, "status", "amended"));
    assert_ok(f, set(f, &ann, 1, "trade", "new"));
    assert_string_equal(
        history(f), "ann@example.org claim 0. > ; "
                    "ann@example.org set 1.side buy>sell_full looked at the page; "
                    "ann@example.org set 1.tradeDate 2024-09-04>2024-02-29 looked at the page; "
                    "ann@example.org set 1.notifiedDate >2024-03-01 looked at the page; "
                    "ann@example.org set 1.ticker >BRK.B looked at the page; "
                    "ann@example.org set 1.status new>amended looked at the page; "
                    "ann@example.org set 1.trade >new looked at the page; ");
    struct draft_row_stored row = row_of(f, 1);
    assert_int_equal(row.values.side, SIDE_SELL_FULL);
    assert_str(row.values.ticker, "BRK.B");
    assert_int_equal(row.status, DRAFT_ROW_AMENDED);
    assert_str(row.printed, "{\"asset\":\"as printed\"}"); /* never changes */
}

static void invalid_value_is_refused_and_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    static const struct {
        int row;
        const char *field, *value;
        enum err err;
    } cases[] = {
        {1, "side", "sold", ERR_INVALID},
        {1, "side", "", ERR_INVALID},
        {1, "assetName", "two\nlines", ERR_INVALID},
        {1, "tradeDate", "2024-02-30", ERR_INVALID},
        {1, "notifiedDate", "yesterday", ERR_INVALID},
        {1, "status", "gone", ERR_INVALID},
        {1, "printed", "{}", ERR_INVALID},
        {9, "side", "buy", ERR_NOT_FOUND},
        {0, "side", "buy", ERR_INVALID},
        {0, "filed", "soon", ERR_INVALID},
        {0, "url", "http://example.org/", ERR_INVALID},
        {0, "url", "https://example.org/a b", ERR_INVALID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(set(f, &ann, cases[i].row, cases[i].field, cases[i].value), cases[i].err);
    assert_string_equal(history(f), "");
    assert_int_equal(draft_of(f).state, DRAFT_WAITING); /* not even claimed */
}

static void complete_row_is_released(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    assert_ok(f, set(f, &ann, 2, "ticker", "B"));
    assert_false(str_is_null(row_of(f, 2).held));
    assert_ok(f, set(f, &ann, 2, "amountBucket", "1k_15k"));
    assert_true(str_is_null(row_of(f, 2).held));
}

static void filing_date_and_url_belong_to_the_filing(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    assert_ok(f, set(f, &ann, 0, "filed", "2024-05-06"));
    assert_true(draft_of(f).is.filed_at == instant_from_new_york(19849, 0));
    assert_ok(f, set(f, &ann, 0, "filed", "05/06/2024 @ 6:23 PM"));
    assert_true(draft_of(f).is.filed_at == instant_from_new_york(19849, 0) + 66180000);
    assert_ok(f, set(f, &ann, 0, "url", "https://example.org/other.pdf"));
    assert_str(draft_of(f).is.url, "https://example.org/other.pdf");
    assert_int_equal(set(f, &ann, 0, "url", "javascript:x"), ERR_INVALID);
    review_release(f, "house-1", NOW + DESK_CLAIM_MS);
    ann.now_ms = NOW + DESK_CLAIM_MS + 1;
    assert_int_equal(set(f, &ann, 0, "url", "https://example.org/x.pdf"), ERR_REFUSED);
    assert_ok(f, set(f, &ann, 0, "filed", "2024-05-07")); /* published as a correction */
}

/* As for dates that were read from the page. */
static void entered_date_after_filing_date_is_doubted_until_one_changes(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    assert_ok(f, set(f, &ann, 0, "filed", "2024-05-06"));
    assert_ok(f, set(f, &ann, 1, "tradeDate", "2024-05-05"));
    assert_str(row_of(f, 1).doubts, "[]");
    assert_ok(f, set(f, &ann, 1, "tradeDate", "2024-05-07"));
    assert_str(row_of(f, 1).doubts, "[\"traded_after_filed: 2024-05-07\"]");
    assert_ok(f, set(f, &ann, 0, "filed", "2024-05-08"));
    assert_str(row_of(f, 1).doubts, "[]");
    assert_ok(f, set(f, &ann, 1, "notifiedDate", "2024-05-06"));
    assert_str(row_of(f, 1).doubts, "[\"notified_before_traded: 2024-05-06\"]");
}

static void unreadable_date_is_doubted_until_a_person_types_one(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    struct draft_new is = review_report(CHAMBER_HOUSE, "house-1", 0);
    struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    rows[0].values.trade_date = DAY_NONE;
    rows[0].doubts = STR("[\"date_unreadable: 13/45/2024\",\"ticker_unknown: ZZZZZ\"]");
    review_insert(f, &is, ROWS(rows));
    assert_ok(f, set(f, &ann, 0, "filed", "2024-05-06"));
    assert_str(row_of(f, 1).doubts, rows[0].doubts.p);
    assert_ok(f, set(f, &ann, 1, "notifiedDate", "2024-05-03"));
    assert_str(row_of(f, 1).doubts, rows[0].doubts.p);
    assert_ok(f, set(f, &ann, 1, "tradeDate", "2024-05-02"));
    assert_str(row_of(f, 1).doubts, "[\"ticker_unknown: ZZZZZ\"]");
}

static void removed_rows_stay_on_record(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    int row = 0;
    assert_ok(f, desk_add_row(&ann, ID, 2, &row, &f->fail));
    assert_int_equal(row, 3);
    assert_false(str_is_null(row_of(f, 3).held));
    assert_ok(f, set(f, &ann, 3, "assetName", "Garden Mills"));
    assert_ok(f, set(f, &ann, 3, "side", "exchange"));
    assert_ok(f, set(f, &ann, 3, "amountBucket", "over_50m"));
    assert_true(str_is_null(row_of(f, 3).held));
    assert_int_equal(row_of(f, 3).page, 2);
    assert_ok(f, desk_delete_row(&ann, ID, 3, STR("twice on the page"), &f->fail));
    assert_true(row_of(f, 3).removed);
    assert_int_equal(desk_delete_row(&ann, ID, 3, STR("again"), &f->fail), ERR_EXISTS);
    assert_int_equal(desk_delete_row(&ann, ID, 7, STR("none"), &f->fail), ERR_NOT_FOUND);
    assert_ok(f, desk_add_row(&ann, ID, 0, &row, &f->fail));
    assert_int_equal(row, 4); /* a number is used once */
}

static void filer_is_remembered_under_the_printed_name(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    struct filer_alias alias = {
        .chamber = CHAMBER_HOUSE, .name = STR("robin vale"), .district = DRAFT_DISTRICT_NONE};
    struct desk_filer filer = {.is_public = true};
    assert_int_equal(
        desk_set_filer(&ann, ID, STR("nobody"), STR("robin vale"), STR_NULL, &filer, &f->fail),
        ERR_NOT_FOUND);
    assert_ok(
        f, desk_set_filer(
               &ann, ID, STR("dana-hollis"), STR("robin vale"), STR_NULL, &filer, &f->fail));
    assert_false(filer.is_public);
    assert_str(draft_of(f).is.politician_id, "m2");
    assert_ok(f, filer_alias_find(f->db, &alias, &f->arena, &f->fail));
    assert_str(alias.politician_id, "m2");
    review_release(f, "house-1", NOW + DESK_CLAIM_MS);
    ann.now_ms = NOW + DESK_CLAIM_MS + 1;
    assert_int_equal(
        desk_set_filer(&ann, ID, STR("robin-vale"), STR_NULL, STR_NULL, &filer, &f->fail),
        ERR_INVALID); /* public: without a reason */
    assert_str(draft_of(f).is.politician_id, "m2");
}

/* --- accepting */

static void incomplete_draft_cannot_be_accepted(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    struct draft_new is = review_report(CHAMBER_HOUSE, "house-1", 0);
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    enum draft_state became;
    static const char *const lacks[] = {"the filer", "the filing date", "the address"};
    for (int i = 0; i < 3; i++) {
        struct draft_new one = is;
        if (i == 0)
            one.politician_id = STR_NULL;
        else if (i == 1)
            one.filed_at = INSTANT_NONE;
        else
            one.url = STR_NULL;
        review_insert(f, &one, ROWS(rows));
        assert_int_equal(accept(f, &ann, &became), ERR_REFUSED);
        assert_non_null(strstr(f->fail.text, lacks[i]));
    }
    review_insert(f, &is, NULL, 0);
    assert_int_equal(accept(f, &ann, &became), ERR_REFUSED); /* no row */
    struct draft_row_stored marked[] = {review_row(1, "A", BUY, LOW)};
    marked[0].status = DRAFT_ROW_DELETED;
    review_insert(f, &is, ROWS(marked));
    assert_int_equal(accept(f, &ann, &became), ERR_REFUSED); /* a row is open */
    assert_non_null(strstr(f->fail.text, "row 1"));
    assert_int_equal(draft_of(f).state, DRAFT_WAITING);
}

static void failed_check_is_waived_by_name_with_a_reason(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    struct draft_new is = review_report(CHAMBER_HOUSE, "house-1", 0);
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    enum draft_state became;
    is.checks = str_from(failed_checks);
    review_insert(f, &is, ROWS(rows));
    assert_int_equal(accept(f, &ann, &became), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "number of rows matches the page's count"));
    assert_int_equal(
        desk_accept(&ann, ID, STR("rows_total"), STR("counted"), &became, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "the report is signed"));
    assert_int_equal(
        desk_accept(&ann, ID, STR("rows_total,signed"), STR(" "), &became, &f->fail), ERR_INVALID);
    assert_ok(
        f, desk_accept(&ann, ID, STR("signed, rows_total"), STR("counted"), &became, &f->fail));
    assert_int_equal(became, DRAFT_ACCEPTED);
    assert_string_equal(
        history(f), "ann@example.org claim 0. > ; "
                    "ann@example.org waive 0.rows_total > counted; "
                    "ann@example.org waive 0.signed > counted; "
                    "ann@example.org accept 0. >unseen: pages none of 1 shown, 0 of 1 rows "
                    "opened, 0 s, by command ; ");
}

static void reason_has_at_most_1000_bytes(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    char text[1001];
    memset(text, 'x', sizeof text);
    assert_int_equal(desk_reject(&ann, ID, str_of(text, 1001), &f->fail), ERR_INVALID);
    assert_int_equal(draft_of(f).state, DRAFT_WAITING);
    assert_ok(f, desk_reject(&ann, ID, str_of(text, 1000), &f->fail));
    assert_int_equal(draft_of(f).state, DRAFT_REJECTED);
}

/* The stored JSON may have any spacing and order. */
static void failed_check_is_found_in_any_json_format(void **state)
{
    static const char *const forms[] = {
        "[{\"passed\":false,\"name\":\"signed\",\"detail\":\"\"}]",
        "[ { \"name\" : \"signed\", \"passed\" : false, \"detail\" : null } ]",
        "[{\"name\":\"signed\",\"detail\":\"\",\"passed\":false}]",
        "[{\"name\":\"signed\",\"more\":{\"passed\":true},\"passed\":false,\"at\":1}]",
        "[{\"detail\":\"\\\"passed\\\":true\",\"passed\":false,\"name\":\"signed\"}]",
        ("[{\"name\":\"ok\",\"passed\":true,\"detail\":\"\"},"
         "{\"detail\":\"{\",\"passed\":false,\"name\":\"signed\"}]"),
    };
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    enum draft_state became;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct draft_new is = review_report(CHAMBER_HOUSE, "house-1", 0);
        is.checks = str_from(forms[i]);
        review_insert(f, &is, ROWS(rows));
        assert_int_equal(accept(f, &ann, &became), ERR_REFUSED);
        assert_non_null(strstr(f->fail.text, "the check \"the report is signed\" failed"));
    }
}

/* The JSON of every check that a Senate page must have, all passed, without the one that is named;
 * null: none is missing. */
static struct str senate_checks(struct store_fixture *f, const char *without, const char *more)
{
    struct self_check checks[SELF_CHECKS_MAX];
    struct json_out j;
    struct buf b;
    size_t count = 0;
    self_checks_complete(checks, &count, SELF_CHECK_SENATE);
    for (size_t i = 0; i < count; i++)
        checks[i].passed = true;
    for (size_t i = 0; without && i < count; i++)
        if (str_eq(checks[i].name, str_from(without)))
            checks[i--] = checks[--count];
    if (more)
        checks[count++] = (struct self_check){str_from(more), true, STR("")};
    buf_init(&b, 8192);
    json_init(&j, &b);
    self_check_put(&j, checks, count);
    struct str text = arena_str(&f->arena, buf_view(&b));
    buf_finish(&b);
    return text;
}

/* A version of a document that drafts can be read from. */
static int64_t a_version(struct store_fixture *f)
{
    const struct document_entry entry = {
        .kind = STR("senate"),
        .source_id = STR("one"),
        .chamber = CHAMBER_SENATE,
        .state = DOCUMENT_DRAFT,
        .filed_day = DAY_NONE,
        .filer_district = DOCUMENT_DISTRICT_NONE,
        .indexed_at = INSTANT_NONE,
        .index_gone_at = INSTANT_NONE,
    };
    struct document_version version = {.bytes = 100};
    int64_t no = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_record(f->db, &entry, NOW, &version.document_no, &f->fail));
    assert_ok(f, document_version_add(f->db, &version, NOW, &no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return no;
}

/* Of a draft that was read from a document: a check that is not recorded has failed, and so has one
 * that this version does not know. `show` names it. */
static void missing_or_unknown_check_has_failed(void **state)
{
    static const struct {
        const char *without, *more, *failed;
    } cases[] = {
        {"rows_total", NULL, "number of rows matches the page's count"},
        {"page_whole", NULL, "the page is whole"},
        {NULL, "rows_counted_twice", "rows_counted_twice"},
        {NULL, NULL, NULL},
    };
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    struct desk_view view;
    enum draft_state became;
    int64_t version = a_version(f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct draft_new is = review_report(CHAMBER_SENATE, "house-1", 0);
        is.document_version = version;
        is.checks = senate_checks(f, cases[i].without, cases[i].more);
        review_insert(f, &is, ROWS(rows));
        assert_ok(f, desk_show(f->db, ID, &f->arena, &view, &f->fail));
        size_t failed = 0;
        for (size_t c = 0; c < view.check_count; c++)
            failed += !view.checks[c].passed;
        assert_int_equal(failed, cases[i].failed != NULL);
        if (cases[i].failed) {
            assert_int_equal(accept(f, &ann, &became), ERR_REFUSED);
            assert_non_null(strstr(f->fail.text, cases[i].failed));
        }
    }
    assert_ok(f, accept(f, &ann, &became));
}

static void no_check_at_all_is_no_check_passed(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    enum draft_state became;
    int64_t version = a_version(f);
    for (int chamber = CHAMBER_HOUSE; chamber <= CHAMBER_SENATE; chamber++) {
        struct draft_new is = review_report((enum chamber)chamber, "house-1", 0);
        is.document_version = version;
        review_insert(f, &is, ROWS(rows));
        assert_int_equal(accept(f, &ann, &became), ERR_REFUSED);
        assert_non_null(strstr(f->fail.text, "failed"));
    }
}

static void damaged_checks_block_acceptance(void **state)
{
    struct desk_view view;
    static const char *const damaged[] = {
        "",
        "[",
        "{}",
        "[1]",
        "[{\"name\":\"signed\"}]",
        "[{\"passed\":true,\"detail\":\"\"}]",
        "[{\"name\":\"signed\",\"passed\":true,\"passed\":false}]",
        "[{\"name\":\"signed\",\"passed\":fal",
        "[{\"name\":\"signed\",\"passed\":null}]",
        "[{\"name\":\"signed\",\"passed\":\"yes\"}]"};
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    enum draft_state became;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        struct draft_new is = review_report(CHAMBER_HOUSE, "house-1", 0);
        is.checks = str_from(damaged[i]);
        review_insert(f, &is, ROWS(rows));
        assert_int_equal(accept(f, &ann, &became), ERR_CORRUPT);
        assert_ok(f, desk_show(f->db, ID, &f->arena, &view, &f->fail));
        assert_int_equal(view.check_count, 1);
        assert_false(view.checks[0].passed);
    }
}

static void manual_draft_may_need_two_people(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW), ben = desk_of(f, "ben@example.org", NOW);
    struct draft_new is = review_report(CHAMBER_HOUSE, "house-1", 0);
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    enum draft_state became;
    ann.second_reviewer = ben.second_reviewer = true;
    is.manual = true;
    review_insert(f, &is, ROWS(rows));
    assert_ok(f, accept(f, &ann, &became));
    assert_int_equal(became, DRAFT_WAITING);
    assert_int_equal(accept(f, &ann, &became), ERR_REFUSED);
    /* An edit by the second person clears the acceptance of the first. */
    assert_ok(f, set(f, &ben, 1, "side", "sell_full"));
    assert_ok(f, accept(f, &ben, &became));
    assert_int_equal(became, DRAFT_WAITING);
    assert_ok(f, accept(f, &ann, &became));
    assert_int_equal(became, DRAFT_ACCEPTED);
    struct draft d = draft_of(f);
    assert_str(d.accepted_by, "ben@example.org");
    assert_str(d.second_by, "ann@example.org");
}

static void one_person_may_accept_a_read_draft(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    enum draft_state became;
    ann.second_reviewer = true;
    assert_ok(f, accept(f, &ann, &became));
    assert_int_equal(became, DRAFT_ACCEPTED);
    assert_true(str_is_null(draft_of(f).claimed_by));
}

static void claiming_again_clears_the_acceptance(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    enum draft_state became;
    assert_ok(f, accept(f, &ann, &became));
    assert_ok(f, desk_claim(&ann, ID, &f->fail));
    assert_true(str_is_null(draft_of(f).accepted_by) && str_is_null(draft_of(f).difference));
    review_release(f, "house-1", NOW + DESK_CLAIM_MS);
    ann.now_ms = NOW + DESK_CLAIM_MS + 1;
    assert_ok(f, desk_claim(&ann, ID, &f->fail)); /* public drafts too */
    assert_int_equal(draft_of(f).state, DRAFT_IN_REVIEW);
}

static void published_filing_keeps_its_filer(void **state)
{
    struct store_fixture *f = *state;
    struct draft_new other = review_report(CHAMBER_HOUSE, "house-1", 0);
    const struct draft_row_stored rows[] = {review_row(1, "A", BUY, LOW)};
    struct desk ann = desk_of(f, "ann@example.org", NOW + 1);
    enum draft_state became;
    review_release(f, "house-1", NOW);
    other.politician_id = STR("m2");
    review_insert(f, &other, ROWS(rows));
    assert_int_equal(accept(f, &ann, &became), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "m1"));
}

/* --- rejecting */

static void rejected_draft_can_be_claimed_again(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    assert_int_equal(desk_reject(&ann, ID, STR(" "), &f->fail), ERR_INVALID);
    assert_ok(f, desk_reject(&ann, ID, STR("not a member"), &f->fail));
    assert_int_equal(draft_of(f).state, DRAFT_REJECTED);
    assert_str(draft_of(f).is.reason, "not a member");
    assert_ok(f, desk_claim(&ann, ID, &f->fail));
    assert_int_equal(draft_of(f).state, DRAFT_IN_REVIEW);
}

static void report_without_rows_is_closed_as_nothing_reported(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    struct draft_new none = review_report(CHAMBER_HOUSE, "house-2", 0);
    review_insert(f, &none, NULL, 0);
    assert_int_equal(desk_report_nothing(&ann, ID, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "2 rows:"));
    assert_int_equal(draft_of(f).state, DRAFT_WAITING);
    for (int row = 1; row <= 2; row++)
        assert_ok(f, desk_delete_row(&ann, ID, row, STR("a title"), &f->fail));
    assert_ok(f, desk_report_nothing(&ann, ID, &f->fail));
    assert_int_equal(draft_of(f).state, DRAFT_REJECTED);
    assert_int_equal(draft_of(f).shown, REPORT_NOTHING_REPORTED);
    assert_ok(f, desk_report_nothing(&ann, STR("house-2"), &f->fail));
    assert_ok(f, desk_claim(&ann, ID, &f->fail));
    assert_int_equal(draft_of(f).shown, REPORT_IN_REVIEW);
    assert_ok(f, desk_reject(&ann, ID, STR("a copy"), &f->fail));
    assert_int_equal(draft_of(f).shown, REPORT_REJECTED);
}

static void public_draft_cannot_be_rejected(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW + 1);
    review_release(f, "house-1", NOW);
    assert_int_equal(desk_reject(&ann, ID, STR("wrong"), &f->fail), ERR_REFUSED);
    assert_int_equal(draft_of(f).state, DRAFT_PUBLISHED);
    assert_int_equal(desk_report_nothing(&ann, ID, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "is public"));
}

/* --- by hand */

static void manual_draft_has_a_ledger_entry(void **state)
{
    struct store_fixture *f = *state;
    struct desk ann = desk_of(f, "ann@example.org", NOW);
    struct draft_new paper = review_report(CHAMBER_SENATE, "senate-paper", 0);
    paper.source_doc_id = STR("paper");
    paper.manual = true;
    assert_ok(f, desk_new(&ann, &paper, STR_NULL, &f->fail));
    assert_int_equal(desk_new(&ann, &paper, STR_NULL, &f->fail), ERR_EXISTS);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM document WHERE kind = 'senate' AND source_id = 'paper'"
               " AND state = 'needs_manual' AND year = 2024"),
        1);
}

#define desk_test(f) cmocka_unit_test_setup_teardown(f, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        desk_test(claim_blocks_others_until_it_expires),
        desk_test(every_action_of_the_holder_renews_the_claim),
        desk_test(edit_records_who_what_and_why),
        desk_test(invalid_value_is_refused_and_changes_nothing),
        desk_test(complete_row_is_released),
        desk_test(filing_date_and_url_belong_to_the_filing),
        desk_test(entered_date_after_filing_date_is_doubted_until_one_changes),
        desk_test(unreadable_date_is_doubted_until_a_person_types_one),
        desk_test(removed_rows_stay_on_record),
        desk_test(filer_is_remembered_under_the_printed_name),
        desk_test(incomplete_draft_cannot_be_accepted),
        desk_test(failed_check_is_waived_by_name_with_a_reason),
        desk_test(failed_check_is_found_in_any_json_format),
        desk_test(reason_has_at_most_1000_bytes),
        desk_test(missing_or_unknown_check_has_failed),
        desk_test(no_check_at_all_is_no_check_passed),
        desk_test(damaged_checks_block_acceptance),
        desk_test(manual_draft_may_need_two_people),
        desk_test(one_person_may_accept_a_read_draft),
        desk_test(claiming_again_clears_the_acceptance),
        desk_test(published_filing_keeps_its_filer),
        desk_test(rejected_draft_can_be_claimed_again),
        desk_test(public_draft_cannot_be_rejected),
        desk_test(report_without_rows_is_closed_as_nothing_reported),
        desk_test(manual_draft_has_a_ledger_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

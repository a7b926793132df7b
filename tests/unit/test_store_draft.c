/* Drafts, their rows and their history. */
#include "store_sample.h"

#include "store/desk/draft.h"
#include "store/desk/draft_history.h"
#include "store/desk/draft_row.h"

static struct draft_new sample(const char *filing_id)
{
    return (struct draft_new){
        .filing_id = str_from(filing_id),
        .chamber = CHAMBER_SENATE,
        .source_doc_id = str_from(filing_id),
        .url = STR("https://example.org/view"),
        .politician_id = STR("m1"),
        .filer = STR("The Honorable Robin Vale"),
        .filer_district = DRAFT_DISTRICT_NONE,
        .filed_at = 1000,
        .report_day = 18000,
        .checks = STR("[]"),
    };
}

static int64_t insert(struct store_fixture *f, const struct draft_new *draft)
{
    int64_t no = 0;
    assert_ok(f, draft_insert(f->db, draft, 5000, &no, &f->fail));
    return no;
}

static void newest_revision_is_found(void **state)
{
    struct store_fixture *f = *state;
    struct draft found;
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, db_begin(f->db, &f->fail));
    struct draft_new first = sample("senate-a"), second = sample("senate-a");
    second.reason = STR("the document changed");
    second.politician_id = STR_NULL;
    insert(f, &first);
    int64_t no = insert(f, &second);
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, draft_find(f->db, STR("senate-a"), &f->arena, &found, &f->fail));
    assert_int_equal(found.no, no);
    assert_int_equal(found.revision, 2);
    assert_str(found.is.reason, "the document changed");
    assert_true(str_is_null(found.is.politician_id) && str_is_null(found.slug));
    assert_int_equal(found.state, DRAFT_WAITING);
    assert_int_equal(
        draft_find(f->db, STR("senate-b"), &f->arena, &found, &f->fail), ERR_NOT_FOUND);
}

static void unknown_member_is_refused(void **state)
{
    struct store_fixture *f = *state;
    struct draft_new draft = sample("senate-a");
    int64_t no;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_int_equal(draft_insert(f->db, &draft, 5000, &no, &f->fail), ERR_NOT_FOUND);
    db_rollback(f->db);
}

static void update_is_read_back_whole(void **state)
{
    struct store_fixture *f = *state;
    struct draft draft, found;
    store_sample_member(f, "m1", "robin-vale");
    struct draft_new new = sample("senate-a");
    assert_ok(f, db_begin(f->db, &f->fail));
    insert(f, &new);
    assert_ok(f, draft_lock(f->db, STR("senate-a"), &f->arena, &draft, &f->fail));
    draft.state = DRAFT_ACCEPTED;
    draft.accepted_by = STR("a@example.org");
    draft.accepted_at = 7000;
    draft.second_by = STR("b@example.org");
    draft.second_at = 7001;
    draft.claimed_by = STR("c@example.org");
    draft.claimed_until = 9000;
    draft.is.filed_at = 1234;
    draft.is.amends = STR("senate-z");
    draft.is.url = STR("https://example.org/other");
    draft.is.checks = STR("[1]");
    draft.is.reason = STR_NULL;
    assert_ok(f, draft_update(f->db, &draft, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, draft_find(f->db, STR("senate-a"), &f->arena, &found, &f->fail));
    assert_int_equal(found.state, DRAFT_ACCEPTED);
    assert_str(found.accepted_by, "a@example.org");
    assert_int_equal(found.accepted_at, 7000);
    assert_str(found.second_by, "b@example.org");
    assert_int_equal(found.second_at, 7001);
    assert_str(found.claimed_by, "c@example.org");
    assert_int_equal(found.claimed_until, 9000);
    assert_int_equal(found.is.filed_at, 1234);
    assert_str(found.is.amends, "senate-z");
    assert_str(found.is.url, "https://example.org/other");
    assert_str(found.is.checks, "[1]");
    assert_str(found.slug, "robin-vale");
    assert_str(found.is.filer, "The Honorable Robin Vale");
    assert_int_equal(found.is.report_day, 18000);
}

struct seen {
    char text[256];
    size_t n;
};

static void note(struct seen *seen, struct str text)
{
    int n = snprintf(seen->text + seen->n, sizeof seen->text - seen->n, "%.*s ", STR_ARG(text));
    seen->n += (size_t)n;
}

static enum err note_draft(void *ctx, const struct draft *draft)
{
    note(ctx, draft->is.filing_id);
    return OK;
}

static void lists_are_ordered_by_state_and_filing_date(void **state)
{
    struct store_fixture *f = *state;
    struct seen seen = {.n = 0};
    struct draft draft;
    store_sample_member(f, "m1", "robin-vale");
    struct draft_new a = sample("senate-a"), b = sample("senate-b"), c = sample("senate-c");
    a.filed_at = 3000;
    b.filed_at = 2000;
    assert_ok(f, db_begin(f->db, &f->fail));
    insert(f, &a);
    insert(f, &b);
    insert(f, &c);
    assert_ok(f, draft_lock(f->db, STR("senate-b"), &f->arena, &draft, &f->fail));
    draft.state = DRAFT_REJECTED;
    assert_ok(f, draft_update(f->db, &draft, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, draft_each(f->db, REPORT_NONE, note_draft, &seen, &f->fail));
    assert_string_equal(seen.text, "senate-c senate-b senate-a ");
    seen.n = 0;
    assert_ok(f, draft_each(f->db, REPORT_REJECTED, note_draft, &seen, &f->fail));
    assert_string_equal(seen.text, "senate-b ");
    seen.n = 0;
    seen.text[0] = '\0';
    assert_ok(f, draft_each(f->db, REPORT_SUPERSEDED, note_draft, &seen, &f->fail));
    assert_string_equal(seen.text, "");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, draft_lock(f->db, STR("senate-a"), &f->arena, &draft, &f->fail));
    draft.state = DRAFT_SUPERSEDED;
    assert_ok(f, draft_update(f->db, &draft, &f->fail));
    insert(f, &a);
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, draft_each(f->db, REPORT_SUPERSEDED, note_draft, &seen, &f->fail));
    assert_string_equal(seen.text, "senate-a ");
    seen.n = 0;
    assert_ok(f, draft_each(f->db, REPORT_NONE, note_draft, &seen, &f->fail));
    assert_string_equal(seen.text, "senate-c senate-b senate-a ");
}

static void rows_keep_printed_text(void **state)
{
    struct store_fixture *f = *state;
    struct draft_row_list rows;
    store_sample_member(f, "m1", "robin-vale");
    struct draft_new draft = sample("senate-a");
    struct draft_row_stored row = {
        .row = 2,
        .page = 1,
        .values.asset_name = STR("Ardent Mills"),
        .values.side = SIDE_BUY,
        .values.trade_date = 17000,
        .notified_date = DAY_NONE,
        .printed = STR("{\"asset\":\"Ardent Mills\"}"),
        .doubts = STR("[]"),
        .held = STR("the amount is not a range"),
    };
    assert_ok(f, db_begin(f->db, &f->fail));
    int64_t no = insert(f, &draft);
    assert_ok(f, draft_row_insert(f->db, no, &row, &f->fail));
    assert_int_equal(draft_row_insert(f->db, no, &row, &f->fail), ERR_EXISTS);
    row.printed = STR("{}");
    row.values.bracket = BRACKET_1K_15K;
    row.values.owner = OWNER_CHILD;
    row.cap_gains = CAP_GAINS_NO;
    row.held = STR_NULL;
    row.trade_id = STR("senate-z-0001");
    row.removed = true;
    assert_ok(f, draft_row_update(f->db, no, &row, 9000, &f->fail));
    row.row = 3;
    assert_int_equal(draft_row_update(f->db, no, &row, 9000, &f->fail), ERR_NOT_FOUND);
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, draft_row_load(f->db, no, &f->arena, &rows, &f->fail));
    assert_int_equal(rows.count, 1);
    assert_str(rows.items[0].printed, "{\"asset\":\"Ardent Mills\"}");
    assert_int_equal(rows.items[0].values.bracket, BRACKET_1K_15K);
    assert_int_equal(rows.items[0].values.owner, OWNER_CHILD);
    assert_int_equal(rows.items[0].cap_gains, CAP_GAINS_NO);
    assert_int_equal(rows.items[0].values.trade_date, 17000);
    assert_int_equal(rows.items[0].page, 1);
    assert_str(rows.items[0].trade_id, "senate-z-0001");
    assert_true(str_is_null(rows.items[0].held) && rows.items[0].removed);
}

static void note_event(void *ctx, const struct draft_event *event)
{
    note(ctx, event->action);
    note(ctx, event->new);
}

static void history_cannot_be_altered(void **state)
{
    struct store_fixture *f = *state;
    struct seen seen = {.n = 0};
    store_sample_member(f, "m1", "robin-vale");
    struct draft_new draft = sample("senate-a");
    struct draft_event event = {
        .at = 1, .by = STR("a@example.org"), .action = STR("set"), .row = 1, .new = STR("x")};
    assert_ok(f, db_begin(f->db, &f->fail));
    int64_t no = insert(f, &draft);
    assert_ok(f, draft_history_add(f->db, no, &event, &f->fail));
    event.action = STR("claim");
    event.new = STR_NULL;
    assert_ok(f, draft_history_add(f->db, no, &event, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, draft_history_each(f->db, no, note_event, &seen, &f->fail));
    assert_string_equal(seen.text, "set x claim  ");
    assert_int_not_equal(db_exec(f->db, "UPDATE draft_history SET at = 2", &f->fail), OK);
    assert_int_not_equal(db_exec(f->db, "DELETE FROM draft_history", &f->fail), OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(newest_revision_is_found),
        store_test(unknown_member_is_refused),
        store_test(update_is_read_back_whole),
        store_test(lists_are_ordered_by_state_and_filing_date),
        store_test(rows_keep_printed_text),
        store_test(history_cannot_be_altered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Writes readings into the ledger: entries, versions, drafts and revisions, with reports and
 * indexes in any order. */
#include "review_sample.h"

#include "ingest/ledger.h"
#include "people/filer.h"
#include "store/desk/draft_history.h"
#include "store/desk/filer_alias.h"

#define ID STR("20990001")
#define FILING STR("house-20990001")

enum { FILED_DAY = 19737 }; /* 2024-01-15 */

struct ledger_fixture {
    struct store_fixture store; /* first, because teardown uses this address */
    struct arena arena;
    struct member_list members;
    struct ticker_list tickers;
    struct match *match;
    struct ledger ledger;
    struct str lines; /* "document status rows; " */
    int64_t now;
};

static void tell(void *ctx, const struct ingest_line *line)
{
    struct ledger_fixture *f = ctx;
    f->lines = arena_fmt(
        &f->arena, "%.*s%.*s %.*s %zu; ", STR_ARG(f->lines), STR_ARG(line->document),
        STR_ARG(ingest_status_name(line->status)), line->rows);
}

/* Robin Vale and Dana Hollis sit for CA-11 in turn; only Vale then. */
static int setup(void **state)
{
    store_fixture_setup(state);
    struct ledger_fixture *f = mem_realloc(*state, sizeof *f);
    *state = f;
    struct store_fixture *s = &f->store;
    arena_init(&f->arena);
    f->lines = STR("");
    f->now = 1000000;
    f->tickers = (struct ticker_list){.count = 0};
    store_sample_member(s, "m1", "robin-vale");
    store_sample_member(s, "m2", "dana-hollis");
    assert_ok(s, db_exec(s->db, "DELETE FROM member_term WHERE member_no = 2", &s->fail));
    assert_ok(
        s, db_exec(
               s->db,
               "INSERT INTO member_term (member_no, position, chamber, state, district, start_day)"
               " VALUES (2, 0, 'house', 'WY', 0, 18000)",
               &s->fail));
    assert_ok(s, db_exec(s->db, "DELETE FROM member_name WHERE member_no = 2", &s->fail));
    assert_ok(
        s, db_exec(
               s->db,
               "UPDATE member SET name = 'Dana Hollis', first_name = 'Dana', last_name = 'Hollis'"
               " WHERE id = 'm2'",
               &s->fail));
    assert_ok(s, member_load(s->db, &f->arena, &f->members, &s->fail));
    f->match = match_create(&f->members);
    f->ledger = (struct ledger){s->db, f->match, &f->tickers, tell, f};
    return 0;
}

static int teardown(void **state)
{
    struct ledger_fixture *f = *state;
    match_destroy(f->match);
    arena_finish(&f->arena);
    return store_fixture_teardown(state);
}

static void expect_told(struct ledger_fixture *f, const char *wanted)
{
    assert_str(f->lines, wanted);
    f->lines = STR("");
}

/* --- files */

static struct reading_row cells(int number, const char *asset, const char *amount)
{
    struct reading_row row = {.row = number, .page = 1};
    row.cell[CELL_ASSET] = str_from(asset);
    row.cell[CELL_TYPE] = STR("P");
    row.cell[CELL_DATE] = STR("01/02/2024");
    row.cell[CELL_NOTIFIED] = STR("01/03/2024");
    row.cell[CELL_AMOUNT] = str_from(amount);
    row.cell[CELL_STATUS] = STR("New");
    return row;
}

/* As a reader that found nothing wrong. */
static void pass_checks(struct reading *r, enum self_check_document document)
{
    self_checks_complete(r->checks, &r->check_count, document);
    for (size_t i = 0; i < r->check_count; i++)
        r->checks[i].passed = true;
}

/* A report of Robin Vale with the first `count` of its rows, as bytes that begin with `byte`. */
static struct ledger_file report(int byte, struct reading_row *rows, size_t count)
{
    struct ledger_file file = {
        .name = STR("20990001.pdf"),
        .sha256 = {(uint8_t)byte},
        .bytes = 100,
        .reading =
            {
                .kind = READING_HOUSE_PTR,
                .document_id = ID,
                .filer = STR("Hon. Robin Vale"),
                .state_district = STR("CA11"),
                .filed = STR("01/15/2024"),
                .rows = rows,
                .row_count = count,
            },
    };
    pass_checks(&file.reading, SELF_CHECK_HOUSE);
    return file;
}

static struct ledger_file scan(int byte)
{
    return (struct ledger_file){
        .name = STR("8220001.pdf"),
        .sha256 = {(uint8_t)byte},
        .bytes = 100,
        .reading = {.kind = READING_HOUSE_SCAN, .reason = STR("it has no text, only pictures")},
    };
}

static void take_as(struct ledger_fixture *f, struct ledger_file file, struct str id)
{
    struct store_fixture *s = &f->store;
    f->now += 1000;
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(s, ledger_report(&f->ledger, &file, STR("house"), id, f->now, &f->arena, &s->fail));
    assert_ok(s, db_commit(s->db, &s->fail));
}

static void take(struct ledger_fixture *f, struct ledger_file file)
{
    take_as(f, file, ID);
}

static struct reading_entry named(const char *id, const char *day, const char *type)
{
    return (struct reading_entry){
        .last = STR("Vale"),
        .first = STR("Robin"),
        .filing_type = str_from(type),
        .state_district = STR("CA11"),
        .year = STR("2024"),
        .filing_date = str_from(day),
        .document_id = str_from(id),
    };
}

static struct ledger_file index_file(int byte, struct reading_entry *entries, size_t count)
{
    struct ledger_file file = {
        .name = STR("2024FD.zip"),
        .sha256 = {(uint8_t)byte},
        .bytes = 100,
        .reading = {.kind = READING_HOUSE_INDEX, .entries = entries, .entry_count = count},
    };
    pass_checks(&file.reading, SELF_CHECK_INDEX);
    return file;
}

static void take_index_file(struct ledger_fixture *f, const struct ledger_file *file)
{
    struct store_fixture *s = &f->store;
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(s, ledger_index(&f->ledger, file, 2000000, &f->arena, &s->fail));
    assert_ok(s, db_commit(s->db, &s->fail));
}

/* Imports an index of these rows; the clock is the same for all of them. */
static void take_index(
    struct ledger_fixture *f, int byte, struct reading_entry *entries, size_t count)
{
    const struct ledger_file file = index_file(byte, entries, count);
    take_index_file(f, &file);
}

/* --- results */

static struct document_entry entry_of(struct ledger_fixture *f, const char *id)
{
    struct document_entry entry;
    struct store_fixture *s = &f->store;
    assert_ok(s, document_find(s->db, STR("house"), str_from(id), &f->arena, &entry, &s->fail));
    return entry;
}

static struct draft draft_of(struct ledger_fixture *f, struct str id)
{
    struct draft draft;
    struct store_fixture *s = &f->store;
    assert_ok(s, draft_find(s->db, id, &f->arena, &draft, &s->fail));
    return draft;
}

static int64_t number(struct ledger_fixture *f, const char *sql)
{
    return store_fixture_number(&f->store, sql);
}

/* --- reports */

static void report_becomes_entry_version_and_draft(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {
        cells(1, "Abacus (ABC) [ST]", "$1,001 - $15,000"), cells(2, "Bellows [OT]", "$770.32")};
    take(f, report(1, rows, 2));
    expect_told(f, "20990001.pdf draft 2; ");
    struct document_entry entry = entry_of(f, "20990001");
    assert_int_equal(entry.state, DOCUMENT_DRAFT);
    assert_int_equal(entry.year, 2024); /* from the signature, while no index lists it */
    struct draft d = draft_of(f, FILING);
    assert_int_equal(d.state, DRAFT_WAITING);
    assert_str(d.is.politician_id, "m1");
    assert_true(d.is.filed_at == instant_from_new_york(FILED_DAY, 0));
    assert_str(
        d.is.url, "https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2024/20990001.pdf");
    assert_true(d.is.document_version > 0);
    struct draft_row_list list;
    assert_ok(&f->store, draft_row_load(f->store.db, d.no, &f->arena, &list, &f->store.fail));
    assert_int_equal(list.count, 2);
    assert_str(list.items[0].values.ticker, "ABC");
    assert_true(str_is_null(list.items[0].held));
    assert_false(str_is_null(list.items[1].held));
}

static void same_bytes_or_content_change_nothing(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct ledger_file other = report(2, rows, 1);
    take(f, report(1, rows, 1));
    f->lines = STR("");
    take(f, report(1, rows, 1));
    expect_told(f, "20990001.pdf unchanged 1; ");
    other.reading.filer = STR("Hon. Robin Vale (Former Member)"); /* the current form of the name */
    take(f, other);
    expect_told(f, "20990001.pdf unchanged 1; ");
    assert_int_equal(number(f, "SELECT count(*) FROM draft"), 1);
    assert_int_equal(number(f, "SELECT count(*) FROM document_version"), 2);
    assert_int_equal(number(f, "SELECT count(*) FROM document"), 1);
}

static void changed_content_makes_the_next_revision(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {
        cells(1, "Abacus [ST]", "$1,001 - $15,000"), cells(2, "Bellows [ST]", "$1,001 - $15,000")};
    take(f, report(1, rows, 1));
    take(f, report(2, rows, 2));
    struct draft d = draft_of(f, FILING);
    assert_int_equal(d.revision, 2);
    assert_int_equal(d.state, DRAFT_WAITING);
    assert_int_equal(number(f, "SELECT count(*) FROM draft WHERE state = 'superseded'"), 1);
    assert_int_equal(number(f, "SELECT count(*) FROM draft_history WHERE action = 'supersede'"), 1);
}

static void published_draft_stays_next_to_the_new_revision(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {
        cells(1, "Abacus [ST]", "$1,001 - $15,000"), cells(2, "Bellows [ST]", "$1,001 - $15,000")};
    take(f, report(1, rows, 1));
    review_release(&f->store, "house-20990001", REVIEW_NOW);
    take(f, report(2, rows, 2));
    struct draft d = draft_of(f, FILING);
    assert_int_equal(d.revision, 2);
    assert_str(d.is.reason, "the document changed after it was published");
    assert_int_equal(number(f, "SELECT count(*) FROM draft WHERE state = 'published'"), 1);
    assert_int_equal(number(f, "SELECT count(*) FROM trade"), 1);
}

static void failed_check_needs_review_and_is_named(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct ledger_file file = report(1, rows, 1);
    reading_check_add(&file.reading, STR("status_lines_equal_rows"), false, STR("1 row, 2 lines"));
    take(f, file);
    expect_told(f, "20990001.pdf needs_manual 1; ");
    assert_true(str_find(draft_of(f, FILING).is.reason, STR("status_lines_equal_rows")) >= 0);
}

static void scan_waits_for_review_and_keeps_entered_rows(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {named("8220001", "1/15/2024", "P")};
    const struct desk desk = review_desk(&f->store, REVIEW_NOW);
    int row;
    take_index(f, 9, entries, 1);
    f->lines = STR("");
    take_as(f, scan(1), STR("8220001"));
    expect_told(f, "8220001.pdf needs_manual 0; ");
    struct draft d = draft_of(f, STR("house-8220001"));
    assert_true(d.is.manual);
    assert_str(d.is.politician_id, "m1"); /* by the index's row */
    assert_ok(&f->store, desk_add_row(&desk, STR("house-8220001"), 1, &row, &f->store.fail));
    struct ledger_file again = scan(2);
    again.reading.document_id = STR("8220001"); /* other content, still without rows */
    take_as(f, again, STR("8220001"));
    d = draft_of(f, STR("house-8220001"));
    assert_int_equal(d.revision, 1);
    assert_int_equal(d.state, DRAFT_IN_REVIEW);
    assert_int_equal(
        number(
            f, "SELECT count(*) FROM draft d JOIN document_version v"
               " ON v.no = d.document_version_no"
               " WHERE v.no = (SELECT max(no) FROM document_version)"),
        1);
}

static const struct str PAPER = STR_INIT("house-8220001");

/* A scan with one row that a person typed, accepted. */
static struct draft accepted_paper(struct ledger_fixture *f, bool second_reviewer)
{
    static const char *const typed[][2] = {
        {"assetName", "Garden Mills"}, {"side", "buy"},       {"amountBucket", "15k_50k"},
        {"tradeDate", "2024-01-02"},   {"ownerType", "self"},
    };
    struct store_fixture *s = &f->store;
    struct reading_entry entries[] = {named("8220001", "1/15/2024", "P")};
    struct desk desk = review_desk(s, REVIEW_NOW);
    enum draft_state became;
    int row;
    desk.second_reviewer = second_reviewer;
    f->now = REVIEW_NOW;
    take_index(f, 9, entries, 1);
    take_as(f, scan(1), STR("8220001"));
    assert_ok(s, desk_add_row(&desk, PAPER, 1, &row, &s->fail));
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        assert_ok(
            s, desk_set(
                   &desk, PAPER, row, str_from(typed[i][0]), str_from(typed[i][1]), STR_NULL,
                   &s->fail));
    assert_ok(s, desk_accept(&desk, PAPER, STR_NULL, STR_NULL, &became, &s->fail));
    f->lines = STR("");
    return draft_of(f, PAPER);
}

/* Another file of that paper. */
static struct ledger_file other_scan(void)
{
    struct ledger_file file = scan(2);
    file.reading.document_id = STR("8220001");
    return file;
}

static void other_file_under_an_accepted_paper_needs_another_acceptance(void **state)
{
    struct ledger_fixture *f = *state;
    struct store_fixture *s = &f->store;
    struct publish_draft_result published;
    struct draft before = accepted_paper(f, false);
    assert_int_equal(before.state, DRAFT_ACCEPTED);
    take_as(f, scan(1), STR("8220001"));
    assert_int_equal(draft_of(f, PAPER).state, DRAFT_ACCEPTED); /* the same file */
    take_as(f, other_scan(), STR("8220001"));
    struct draft d = draft_of(f, PAPER);
    assert_int_equal(d.no, before.no);
    assert_int_equal(d.state, DRAFT_IN_REVIEW);
    assert_true(str_is_null(d.accepted_by) && str_is_null(d.difference));
    assert_true(d.is.document_version != before.is.document_version);
    assert_str(d.is.reason, "it has no text, only pictures");
    assert_int_equal(number(f, "SELECT count(*) FROM draft_row"), 1);
    assert_int_equal(number(f, "SELECT count(*) FROM draft_history WHERE action = 'document'"), 1);
    assert_int_equal(
        publish_draft(s->db, PAPER, REVIEW_BY, f->now, &published, &s->fail), ERR_REFUSED);
    review_release(s, PAPER.p, f->now);
}

static void other_file_clears_a_first_acceptance(void **state)
{
    struct ledger_fixture *f = *state;
    struct draft before = accepted_paper(f, true);
    assert_int_equal(before.state, DRAFT_WAITING);
    assert_false(str_is_null(before.accepted_by));
    take_as(f, other_scan(), STR("8220001"));
    struct draft d = draft_of(f, PAPER);
    assert_int_equal(d.state, DRAFT_IN_REVIEW);
    assert_true(str_is_null(d.accepted_by));
}

static void published_paper_stays_with_its_file(void **state)
{
    struct ledger_fixture *f = *state;
    struct draft before = accepted_paper(f, false);
    review_publish(&f->store, PAPER.p, f->now);
    take_as(f, other_scan(), STR("8220001"));
    struct draft d = draft_of(f, PAPER);
    assert_int_equal(d.revision, 2);
    assert_str(d.is.reason, "the document changed after it was published");
    assert_int_equal(
        number(f, "SELECT document_version_no FROM draft WHERE revision = 1"),
        before.is.document_version);
    assert_int_equal(
        number(f, "SELECT document_version_no FROM filing"), before.is.document_version);
}

static void bytes_of_each_version_are_stored(void **state)
{
    struct ledger_fixture *f = *state;
    struct ledger_file first = scan(1), other = scan(2);
    first.content = STR("one");
    other.content = STR("another");
    take_as(f, first, STR("8220001"));
    take_as(f, first, STR("8220001"));
    assert_int_equal(number(f, "SELECT count(*) FROM document_bytes"), 1);
    take_as(f, other, STR("8220001")); /* the same reading from another file */
    assert_int_equal(number(f, "SELECT count(*) FROM document_bytes"), 2);
    assert_int_equal(
        number(
            f, "SELECT count(*) FROM document_bytes b JOIN document_version v"
               " ON v.no = b.version_no WHERE length(b.bytes) = 7"
               " AND v.no = (SELECT max(no) FROM document_version)"),
        1);
}

static void filer_matched_by_a_reviewer_is_remembered(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct ledger_file file = report(1, rows, 1);
    const struct desk desk = review_desk(&f->store, REVIEW_NOW);
    struct desk_filer filer;
    file.reading.filer = STR("Hon. R. Q. Vale-Hollis");
    take(f, file);
    expect_told(f, "20990001.pdf needs_manual 1; ");
    struct draft d = draft_of(f, FILING);
    assert_true(str_is_null(d.is.politician_id));
    assert_ok(
        &f->store, desk_set_filer(
                       &desk, FILING, STR("m2"), filer_folded(d.is.filer, &f->arena), STR_NULL,
                       &filer, &f->store.fail));
    file.sha256[0] = 2;
    file.name = STR("20990002.pdf");
    file.reading.document_id = STR("20990002");
    take_as(f, file, STR("20990002"));
    expect_told(f, "20990002.pdf draft 1; ");
    assert_str(draft_of(f, STR("house-20990002")).is.politician_id, "m2");
}

static void filer_named_by_the_index_alone_is_remembered(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {
        named("8220001", "1/15/2024", "P"), named("8220002", "1/15/2024", "P")};
    const struct desk desk = review_desk(&f->store, REVIEW_NOW);
    struct desk_filer filer;
    entries[0].last = entries[1].last = STR("Quillfeather");
    take_index(f, 9, entries, 2);
    take_as(f, scan(1), STR("8220001"));
    struct draft d = draft_of(f, STR("house-8220001"));
    assert_true(str_is_null(d.is.politician_id));
    assert_ok(
        &f->store, desk_set_filer(
                       &desk, STR("house-8220001"), STR("m2"), filer_folded(d.is.filer, &f->arena),
                       STR_NULL, &filer, &f->store.fail));
    take_as(f, scan(2), STR("8220002"));
    assert_str(draft_of(f, STR("house-8220002")).is.politician_id, "m2");
}

static void unreadable_report_needs_review(void **state)
{
    struct ledger_fixture *f = *state;
    struct ledger_file file = scan(1);
    file.reading.kind = READING_UNREADABLE;
    file.reading.reason = STR("reading it took too long");
    take_as(f, file, STR("8220001"));
    expect_told(f, "8220001.pdf needs_manual 0; ");
    assert_str(entry_of(f, "8220001").reason, "reading it took too long");
}

static void unreadable_bytes_are_read_again(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct ledger_file file = report(1, rows, 1), failed = file;
    struct store_fixture *s = &f->store;
    bool again = false;
    failed.reading =
        (struct reading){.kind = READING_UNREADABLE, .reason = STR("reading it took too long")};
    take(f, failed);
    struct document_entry entry = entry_of(f, "20990001");
    assert_ok(
        s, ledger_again(&f->ledger, &entry, file.sha256, f->now, &f->arena, &again, &s->fail));
    assert_true(again);
    take(f, failed);
    expect_told(f, "20990001.pdf needs_manual 0; 20990001.pdf unchanged 0; ");
    take(f, file);
    expect_told(f, "20990001.pdf draft 1; ");
    assert_int_equal(entry_of(f, "20990001").state, DOCUMENT_DRAFT);
    assert_int_equal(draft_of(f, FILING).revision, 2);
    assert_int_equal(number(f, "SELECT count(*) FROM document_version"), 1);
    assert_ok(
        s, ledger_again(&f->ledger, &entry, file.sha256, f->now, &f->arena, &again, &s->fail));
    assert_false(again);
}

static void waiting_draft_is_rebuilt_with_current_data(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct ledger_file file = report(1, rows, 1);
    struct store_fixture *s = &f->store;
    const struct filer_alias alias = {
        .chamber = CHAMBER_HOUSE,
        .name = filer_folded(STR("Hon. R. Q. Quillfeather"), &f->arena),
        .state = STR("CA"),
        .district = 11,
        .politician_id = STR("m2"),
        .by = REVIEW_BY,
    };
    bool again = true;
    file.reading.filer = STR("Hon. R. Q. Quillfeather");
    take(f, file);
    struct document_entry entry = entry_of(f, "20990001");
    assert_int_equal(entry.state, DOCUMENT_NEEDS_MANUAL);
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(s, filer_alias_put(s->db, &alias, f->now, &s->fail));
    assert_ok(s, db_commit(s->db, &s->fail));
    assert_ok(
        s, ledger_again(&f->ledger, &entry, file.sha256, f->now, &f->arena, &again, &s->fail));
    assert_false(again);
    assert_int_equal(entry_of(f, "20990001").state, DOCUMENT_DRAFT);
    assert_str(draft_of(f, FILING).is.politician_id, "m2");
    assert_int_equal(draft_of(f, FILING).revision, 1);
}

/* --- self-checks */

/* The reader does not decide which checks there are: a compromised one could leave them out. */
static void report_without_a_check_waits_for_a_person(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct ledger_file file = report(1, rows, 1);
    file.reading.check_count--;
    struct str lost = file.reading.checks[file.reading.check_count].name;
    take(f, file);
    expect_told(f, "20990001.pdf needs_manual 1; ");
    assert_true(str_find(draft_of(f, FILING).is.reason, lost) >= 0);
}

/* A scan has no rows. */
static void rows_of_a_scan_wait_for_a_person(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct ledger_file file = report(1, rows, 1);
    file.reading.kind = READING_HOUSE_SCAN;
    file.reading.check_count = 0;
    take(f, file);
    expect_told(f, "20990001.pdf needs_manual 1; ");
}

static void as_many_checks_as_a_reader_may_have_leave_room_for_the_others(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct reading_entry entries[] = {named("20990001", "1/15/2024", "P")};
    struct ledger_file file = report(1, rows, 1);
    take_index(f, 1, entries, 1);
    f->lines = STR("");
    for (size_t i = 0; i < SELF_CHECKS_READ_MAX; i++)
        file.reading.checks[i] = (struct self_check){STR("signed"), true, STR("")};
    file.reading.check_count = SELF_CHECKS_READ_MAX;
    take(f, file);
    expect_told(f, "20990001.pdf needs_manual 1; ");
}

/* --- indexes */

/* A row that could not be read is not a row that is gone. */
static void index_with_a_failed_check_marks_nothing_as_gone(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {
        named("20990001", "1/15/2024", "P"), named("20990002", "1/15/2024", "P")};
    take_index(f, 1, entries, 2);
    for (int lost = 0; lost < 2; lost++) {
        struct ledger_file file = index_file(2, entries, 1);
        file.reading.checks[0].passed = false;
        file.reading.check_count -= (size_t)lost; /* not recorded at all */
        f->lines = STR("");
        take_index_file(f, &file);
        expect_told(f, "2024FD.zip indexed 1; "); /* the same bytes are read again */
        assert_true(entry_of(f, "20990002").index_gone_at == INSTANT_NONE);
    }
    take_index(f, 2, entries, 1);
    assert_true(entry_of(f, "20990002").index_gone_at != INSTANT_NONE);
}

static void index_adds_entries_for_missing_documents(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {
        named("20990001", "1/15/2024", "P"), named("10060001", "1/16/2024", "O")};
    take_index(f, 1, entries, 2);
    expect_told(f, "20990001 awaiting_document 0; 2024FD.zip indexed 2; ");
    assert_int_equal(entry_of(f, "20990001").state, DOCUMENT_AWAITING_DOCUMENT);
    assert_int_equal(entry_of(f, "10060001").state, DOCUMENT_INDEXED);
    take_index(f, 1, entries, 2);
    expect_told(f, "2024FD.zip unchanged 2; ");
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    take(f, report(1, rows, 1));
    assert_int_equal(entry_of(f, "20990001").state, DOCUMENT_DRAFT);
    assert_int_equal(
        number(f, "SELECT count(*) FROM draft WHERE checks LIKE '%name_of_index%'"), 1);
}

/* The index prints another district of the state for a few members, and no other state. */
static void index_entry_of_another_district_counts_for_the_member(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {
        named("20990001", "1/15/2024", "P"), named("20990002", "1/15/2024", "P"),
        named("20990003", "1/15/2024", "P")};
    entries[1].state_district = STR("CA12");
    entries[2].state_district = STR("NY11");
    take_index(f, 1, entries, 3);
    assert_int_equal(
        number(f, "SELECT count(*) FROM document_filer WHERE member_no IS NOT NULL"), 2);
}

static void later_index_gives_date_year_and_checks(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct reading_entry entries[] = {named("20990001", "1/16/2024", "P")};
    take(f, report(1, rows, 1));
    entries[0].year = STR("2023"); /* the index's year differs from the date's */
    take_index(f, 1, entries, 1);
    struct draft d = draft_of(f, FILING);
    assert_true(d.is.filed_at == instant_from_new_york(FILED_DAY + 1, 0));
    assert_true(str_find(d.is.url, STR("/2023/20990001.pdf")) >= 0);
    assert_true(str_find(d.is.reason, STR("signed_on_filing_date")) >= 0);
    assert_int_equal(entry_of(f, "20990001").state, DOCUMENT_NEEDS_MANUAL);
}

static void later_index_gives_the_filer_of_a_scan(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {named("8220001", "1/16/2024", "P")};
    take_as(f, scan(1), STR("8220001"));
    assert_true(str_is_null(draft_of(f, STR("house-8220001")).is.filer));
    take_index(f, 1, entries, 1);
    struct draft d = draft_of(f, STR("house-8220001"));
    assert_str(d.is.politician_id, "m1");
    assert_str(d.is.filer, "Vale, Robin");
    assert_str(d.is.filer_state, "CA");
    assert_int_equal(d.is.filer_district, 11);
    assert_true(d.is.filed_at == instant_from_new_york(FILED_DAY + 1, 0));
    assert_true(str_find(d.is.url, STR("/2024/8220001.pdf")) >= 0);
    assert_int_equal(entry_of(f, "8220001").state, DOCUMENT_NEEDS_MANUAL);
}

/* The reason of the only line of history that an index wrote. */
static struct str index_line(struct ledger_fixture *f)
{
    struct query q;
    struct str reason = STR_NULL;
    query_start(&q, f->store.db, "SELECT reason FROM draft_history WHERE action = 'index'");
    while (query_row(&q)) {
        assert_true(str_is_null(reason));
        reason = arena_str(&f->arena, query_get_str(&q, 0));
    }
    assert_ok(&f->store, query_end(&q, &f->store.fail));
    return reason;
}

static void later_index_completes_a_scan_that_is_being_entered(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {named("8220001", "1/16/2024", "P")};
    const struct desk desk = review_desk(&f->store, REVIEW_NOW);
    const struct str id = STR("house-8220001");
    int row;
    take_as(f, scan(1), STR("8220001"));
    assert_ok(&f->store, desk_add_row(&desk, id, 1, &row, &f->store.fail));
    take_index(f, 1, entries, 1);
    struct draft d = draft_of(f, id);
    assert_int_equal(d.state, DRAFT_IN_REVIEW);
    assert_str(d.is.politician_id, "m1");
    assert_str(d.is.filer, "Vale, Robin");
    assert_str(d.is.filer_state, "CA");
    assert_true(d.is.filed_at == instant_from_new_york(FILED_DAY + 1, 0));
    assert_true(str_find(d.is.url, STR("/2024/8220001.pdf")) >= 0);
    assert_int_equal(number(f, "SELECT count(*) FROM draft_row"), 1);
    assert_str(index_line(f), "from the index: filer url filed");
}

static void later_index_keeps_what_a_reviewer_set(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {named("8220001", "1/16/2024", "P")};
    const struct desk desk = review_desk(&f->store, REVIEW_NOW);
    const struct str id = STR("house-8220001");
    struct desk_filer filer;
    take_as(f, scan(1), STR("8220001"));
    assert_ok(&f->store, desk_claim(&desk, id, &f->store.fail));
    assert_ok(
        &f->store,
        desk_set(&desk, id, 0, STR("filed"), STR("2024-01-10"), STR_NULL, &f->store.fail));
    assert_ok(
        &f->store,
        desk_set_filer(&desk, id, STR("m2"), STR_NULL, STR_NULL, &filer, &f->store.fail));
    take_index(f, 1, entries, 1);
    struct draft d = draft_of(f, id);
    assert_str(d.is.politician_id, "m2");
    assert_int_equal(instant_day_new_york(d.is.filed_at), FILED_DAY - 5);
    assert_str(index_line(f), "the index names Vale, Robin; the filer that a reviewer set stays");
}

static void index_does_not_change_a_reviewed_draft(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_row rows[] = {cells(1, "Abacus [ST]", "$1,001 - $15,000")};
    struct reading_entry entries[] = {named("20990001", "1/16/2024", "P")};
    const struct desk desk = review_desk(&f->store, REVIEW_NOW);
    take(f, report(1, rows, 1));
    assert_ok(&f->store, desk_claim(&desk, FILING, &f->store.fail));
    take_index(f, 1, entries, 1);
    struct draft d = draft_of(f, FILING);
    assert_int_equal(d.revision, 1);
    assert_int_equal(d.state, DRAFT_IN_REVIEW);
    assert_true(d.is.filed_at == instant_from_new_york(FILED_DAY, 0));
}

static void index_rows_change_vanish_return_and_repeat(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry first[] = {
        named("20990001", "1/15/2024", "P"), named("20990002", "1/15/2024", "P"),
        named("20990003", "1/15/2024", "P")};
    struct reading_entry second[] = {
        named("20990001", "1/15/2024", "P"), named("20990003", "1/14/2024", "P"),
        named("20990003", "1/16/2024", "P")};
    take_index(f, 1, first, 3);
    take_index(f, 2, second, 3); /* in the same millisecond */
    assert_true(entry_of(f, "20990001").index_gone_at == INSTANT_NONE);
    assert_true(entry_of(f, "20990002").index_gone_at != INSTANT_NONE);
    assert_int_equal(entry_of(f, "20990003").filed_day, FILED_DAY + 1);
    struct reading_entry third[] = {
        named("20990001", "1/15/2024", "P"), named("20990002", "1/15/2024", "P"),
        named("20990003", "1/16/2024", "P")};
    take_index(f, 3, third, 3);
    assert_true(entry_of(f, "20990002").index_gone_at == INSTANT_NONE);
    assert_int_equal(number(f, "SELECT count(*) FROM document WHERE kind = 'house'"), 3);
}

static void older_index_only_adds_entries(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry newer[] = {
        named("20990001", "1/15/2024", "P"), named("20990003", "2/20/2024", "P")};
    struct reading_entry older[] = {
        named("20990001", "1/14/2024", "P"), named("20990002", "1/15/2024", "P")};
    take_index(f, 1, newer, 2);
    take_index(f, 2, older, 2);
    assert_int_equal(entry_of(f, "20990001").filed_day, FILED_DAY);
    assert_true(entry_of(f, "20990003").index_gone_at == INSTANT_NONE);
    /* The newer index does not list it. */
    assert_true(entry_of(f, "20990002").index_gone_at != INSTANT_NONE);
}

static void index_lists_another_form_before_or_after_its_document(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry entries[] = {named("8220001", "1/15/2024", "C")};
    take_index(f, 1, entries, 1);
    f->lines = STR("");
    take_as(f, scan(1), STR("8220001"));
    expect_told(f, "8220001.pdf refused 0; ");
    assert_int_equal(number(f, "SELECT count(*) FROM draft"), 0);
    take_as(f, scan(2), STR("8220002"));
    struct reading_entry more[] = {
        named("8220001", "1/15/2024", "C"), named("8220002", "1/16/2024", "C")};
    take_index(f, 2, more, 2);
    assert_int_equal(entry_of(f, "8220002").state, DOCUMENT_REFUSED);
    assert_int_equal(draft_of(f, STR("house-8220002")).state, DRAFT_SUPERSEDED);
}

static void awaited_document_can_become_another_form(void **state)
{
    struct ledger_fixture *f = *state;
    struct reading_entry before[] = {named("8220001", "1/15/2024", "P")};
    struct reading_entry after[] = {named("8220001", "1/16/2024", "C")};
    take_index(f, 1, before, 1);
    take_index(f, 2, after, 1);
    assert_int_equal(entry_of(f, "8220001").state, DOCUMENT_INDEXED);
    take_index(f, 3, before, 1); /* an older one changes nothing */
    assert_int_equal(entry_of(f, "8220001").state, DOCUMENT_INDEXED);
    before[0].filing_date = STR("1/17/2024");
    take_index(f, 4, before, 1);
    assert_int_equal(entry_of(f, "8220001").state, DOCUMENT_AWAITING_DOCUMENT);
}

#define ledger_test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(report_becomes_entry_version_and_draft),
        ledger_test(same_bytes_or_content_change_nothing),
        ledger_test(changed_content_makes_the_next_revision),
        ledger_test(published_draft_stays_next_to_the_new_revision),
        ledger_test(failed_check_needs_review_and_is_named),
        ledger_test(scan_waits_for_review_and_keeps_entered_rows),
        ledger_test(other_file_under_an_accepted_paper_needs_another_acceptance),
        ledger_test(other_file_clears_a_first_acceptance),
        ledger_test(published_paper_stays_with_its_file),
        ledger_test(bytes_of_each_version_are_stored),
        ledger_test(filer_matched_by_a_reviewer_is_remembered),
        ledger_test(filer_named_by_the_index_alone_is_remembered),
        ledger_test(unreadable_report_needs_review),
        ledger_test(unreadable_bytes_are_read_again),
        ledger_test(waiting_draft_is_rebuilt_with_current_data),
        ledger_test(index_adds_entries_for_missing_documents),
        ledger_test(index_entry_of_another_district_counts_for_the_member),
        ledger_test(later_index_gives_the_filer_of_a_scan),
        ledger_test(report_without_a_check_waits_for_a_person),
        ledger_test(rows_of_a_scan_wait_for_a_person),
        ledger_test(as_many_checks_as_a_reader_may_have_leave_room_for_the_others),
        ledger_test(index_with_a_failed_check_marks_nothing_as_gone),
        ledger_test(later_index_gives_date_year_and_checks),
        ledger_test(later_index_completes_a_scan_that_is_being_entered),
        ledger_test(later_index_keeps_what_a_reviewer_set),
        ledger_test(index_does_not_change_a_reviewed_draft),
        ledger_test(index_rows_change_vanish_return_and_repeat),
        ledger_test(older_index_only_adds_entries),
        ledger_test(index_lists_another_form_before_or_after_its_document),
        ledger_test(awaited_document_can_become_another_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

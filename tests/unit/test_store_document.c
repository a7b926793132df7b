/* The ledger: entries, their versions and totals. */
#include "store_sample.h"

#include "review/withdraw.h"
#include "review_sample.h"
#include "store/public/document.h"

static struct document_entry entry_of(const char *id, enum document_state state)
{
    return (struct document_entry){
        .kind = STR("house"),
        .source_id = str_from(id),
        .chamber = CHAMBER_HOUSE,
        .state = state,
        .year = 2024,
        .filed_day = 19800,
        .filer = STR("Vale, Robin"),
        .filer_state = STR("CA"),
        .filer_district = 0,
        .indexed_at = 5000,
        .index_gone_at = INSTANT_NONE,
    };
}

static int64_t put(struct store_fixture *f, const struct document_entry *entry)
{
    int64_t no = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_record(f->db, entry, 7000, &no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return no;
}

static void entry_is_replaced_and_reads_back_complete(void **state)
{
    struct store_fixture *f = *state;
    struct document_entry entry = entry_of("1", DOCUMENT_AWAITING_DOCUMENT), found;
    int64_t no = put(f, &entry);
    entry.state = DOCUMENT_NEEDS_MANUAL;
    entry.reason = STR("a scan");
    entry.name = STR("1.pdf");
    entry.url = STR("https://example.org/1.pdf");
    entry.index_gone_at = 9000;
    assert_int_equal(put(f, &entry), no);
    assert_ok(f, document_find(f->db, STR("house"), STR("1"), &f->arena, &found, &f->fail));
    assert_int_equal(found.no, no);
    assert_int_equal(found.state, DOCUMENT_NEEDS_MANUAL);
    assert_str(found.reason, "a scan");
    assert_str(found.name, "1.pdf");
    assert_str(found.url, "https://example.org/1.pdf");
    assert_str(found.filer, "Vale, Robin");
    assert_str(found.filer_state, "CA");
    assert_int_equal(found.filer_district, 0); /* at large, which differs from unknown */
    assert_int_equal(found.year, 2024);
    assert_int_equal(found.filed_day, 19800);
    assert_int_equal(found.indexed_at, 5000);
    assert_int_equal(found.index_gone_at, 9000);
    assert_int_equal(
        document_find(f->db, STR("senate"), STR("1"), &f->arena, &found, &f->fail), ERR_NOT_FOUND);
}

static void versions_are_found_by_content(void **state)
{
    struct store_fixture *f = *state;
    struct document_entry entry = entry_of("1", DOCUMENT_DRAFT), found;
    struct document_version version = {
        .sha256 = {1}, .content_sha256 = {7}, .bytes = 10, .reading = STR("[{}]")};
    struct document_version got, bare = {.sha256 = {2}, .bytes = 11};
    struct str reading;
    int64_t first = 0, second = 0;
    bare.document_no = version.document_no = put(f, &entry);
    assert_int_equal(
        document_version_latest(f->db, version.document_no, &got, &f->fail), ERR_NOT_FOUND);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_version_add(f->db, &version, 1, &first, &f->fail));
    assert_ok(f, document_version_add(f->db, &bare, 2, &second, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_ok(f, document_version_find(f->db, version.document_no, version.sha256, &got, &f->fail));
    assert_int_equal(got.no, first);
    assert_int_equal(got.bytes, 10);
    assert_int_equal(got.content_sha256[0], 7);
    assert_ok(f, document_version_latest(f->db, version.document_no, &got, &f->fail));
    assert_int_equal(got.no, second);
    assert_int_equal(got.content_sha256[0], 0);
    assert_ok(f, document_find_bytes(f->db, bare.sha256, &f->arena, &found, &f->fail));
    assert_str(found.source_id, "1");
    assert_ok(f, document_version_reading(f->db, first, &f->arena, &reading, &f->fail));
    assert_str(reading, "[{}]");
    assert_ok(f, document_version_reading(f->db, second, &f->arena, &reading, &f->fail));
    assert_true(str_is_null(reading));
    assert_int_equal(
        document_version_reading(f->db, 99, &f->arena, &reading, &f->fail), ERR_NOT_FOUND);
}

static void check_compares_kept_bytes_with_their_version(void **state)
{
    struct store_fixture *f = *state;
    struct document_entry entry = entry_of("a.pdf", DOCUMENT_BULK);
    struct document_version version = {.bytes = 5};
    sha256(STR("bytes"), version.sha256);
    version.document_no = put(f, &entry);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_version_add(f->db, &version, 1, &version.no, &f->fail));
    assert_ok(f, document_bytes_add(f->db, version.no, STR("bytes"), &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    store_fixture_assert_sound(f);
    assert_int_equal(
        store_fixture_found_after(f, "UPDATE document_version SET bytes = bytes + 1"), 1);
    assert_int_equal(
        store_fixture_found_after(f, "UPDATE document_version SET bytes = bytes - 1"), -1);
    version.sha256[0] ^= 1;
    struct query q;
    query_start(&q, f->db, "UPDATE document_version SET sha256 = $1");
    query_blob(&q, version.sha256, SHA256_SIZE);
    assert_ok(f, query_end(&q, &f->fail));
    int64_t findings = 0;
    assert_ok(f, check_run(f->db, store_fixture_ignore_finding, NULL, NULL, &findings, &f->fail));
    assert_int_equal(findings, 1);
}

static void unread_entry_can_be_deleted(void **state)
{
    struct store_fixture *f = *state;
    struct document_entry unread = entry_of("a.pdf", DOCUMENT_REFUSED);
    struct document_entry read = entry_of("b.pdf", DOCUMENT_REFUSED), found;
    struct document_version version = {.sha256 = {1}, .content_sha256 = {1}, .bytes = 10};
    struct document_version bare = {.sha256 = {2}, .bytes = 11};
    bare.document_no = put(f, &unread);
    version.document_no = put(f, &read);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_version_add(f->db, &version, 1, &version.no, &f->fail));
    assert_ok(f, document_version_add(f->db, &bare, 1, &bare.no, &f->fail));
    assert_ok(f, document_forget(f->db, STR("house"), STR("a.pdf"), &f->fail));
    assert_ok(f, document_forget(f->db, STR("house"), STR("b.pdf"), &f->fail));
    assert_ok(f, document_forget(f->db, STR("house"), STR("c.pdf"), &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(
        document_find(f->db, STR("house"), STR("a.pdf"), &f->arena, &found, &f->fail),
        ERR_NOT_FOUND);
    assert_ok(f, document_find(f->db, STR("house"), STR("b.pdf"), &f->arena, &found, &f->fail));
}

static void entry_missing_from_index_is_marked_once(void **state)
{
    struct store_fixture *f = *state;
    struct document_entry old = entry_of("1", DOCUMENT_AWAITING_DOCUMENT);
    struct document_entry now = entry_of("2", DOCUMENT_AWAITING_DOCUMENT);
    struct document_entry other_year = entry_of("3", DOCUMENT_AWAITING_DOCUMENT);
    int64_t gone = 0;
    now.indexed_at = 6000;
    other_year.year = 2023;
    put(f, &old);
    put(f, &now);
    put(f, &other_year);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, document_mark_gone(f->db, CHAMBER_HOUSE, 2024, 6000, &gone, &f->fail));
    assert_int_equal(gone, 1);
    assert_ok(f, document_mark_gone(f->db, CHAMBER_HOUSE, 2024, 6000, &gone, &f->fail));
    assert_int_equal(gone, 0);
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void tell(void *ctx, const struct document_count *c)
{
    struct str *text = ctx;
    struct arena *arena = (struct arena *)(uintptr_t)text[1].p;
    text[0] = arena_fmt(
        arena, "%.*s%.*s %d %.*s %lld; ", STR_ARG(text[0]), STR_ARG(chamber_name(c->chamber)),
        c->year, STR_ARG(report_state_name(c->state)), (long long)c->count);
}

static const char *coverage(struct store_fixture *f)
{
    struct str text[2] = {STR(""), {(const char *)&f->arena, 0}};
    assert_ok(f, document_coverage(f->db, NULL, tell, text, &f->fail));
    return arena_fmt(&f->arena, "%.*s", STR_ARG(text[0])).p;
}

static void coverage_counts_every_entry_once(void **state)
{
    struct store_fixture *f = *state;
    struct document_entry gone = entry_of("4", DOCUMENT_AWAITING_DOCUMENT);
    struct document_entry entries[] = {
        entry_of("1", DOCUMENT_AWAITING_DOCUMENT), entry_of("2", DOCUMENT_INDEXED),
        entry_of("3", DOCUMENT_REFUSED), gone};
    entries[3].index_gone_at = 9000;
    for (size_t i = 0; i < 4; i++)
        put(f, &entries[i]);
    assert_string_equal(
        coverage(f), "house 2024 awaiting_document 1; house 2024 gone_from_index 1;"
                     " house 2024 indexed 1; house 2024 refused 1; ");
}

static void coverage_follows_draft_until_published(void **state)
{
    struct store_fixture *f = *state;
    struct document_entry entry = entry_of("house-1", DOCUMENT_DRAFT);
    struct draft_new draft = review_report(CHAMBER_HOUSE, "house-house-1", 0);
    const struct draft_row_stored rows[] = {review_row(1, "A", SIDE_BUY, BRACKET_1K_15K)};
    const struct desk desk = review_desk(f, REVIEW_NOW);
    review_members(f);
    put(f, &entry);
    review_insert(f, &draft, ROWS(rows));
    assert_string_equal(coverage(f), "house 2024 draft 1; ");
    assert_ok(f, desk_claim(&desk, STR("house-house-1"), &f->fail));
    assert_string_equal(coverage(f), "house 2024 in_review 1; ");
    review_release(f, "house-house-1", REVIEW_NOW);
    assert_string_equal(coverage(f), "house 2024 published 1; ");
    review_insert(f, &draft, ROWS(rows)); /* the document was read again */
    assert_string_equal(coverage(f), "house 2024 draft 1; ");
    assert_ok(f, desk_reject(&desk, STR("house-house-1"), STR("no change"), &f->fail));
    assert_string_equal(coverage(f), "house 2024 published 1; ");
    struct withdraw_result w;
    assert_ok(
        f,
        withdraw(
            f->db, STR("house-house-1"), REVIEW_BY, STR("not theirs"), REVIEW_NOW, &w, &f->fail));
    assert_string_equal(coverage(f), "house 2024 withdrawn 1; ");
}

/* As `coverage` and `review list` tell it. */
static const char *shown(struct store_fixture *f, const char *filing_id)
{
    struct draft draft;
    assert_ok(f, draft_find(f->db, str_from(filing_id), &f->arena, &draft, &f->fail));
    return report_state_name(draft.shown).p;
}

static void draft_is_needs_manual_until_somebody_claims_it(void **state)
{
    struct store_fixture *f = *state;
    struct document_entry entry = entry_of("1", DOCUMENT_NEEDS_MANUAL);
    struct draft_new draft = review_report(CHAMBER_HOUSE, "house-1", 0);
    const struct draft_row_stored rows[] = {review_row(1, "A", SIDE_BUY, BRACKET_1K_15K)};
    struct desk desk = review_desk(f, REVIEW_NOW), second = desk;
    enum draft_state next;
    draft.source_doc_id = STR("1");
    desk.second_reviewer = second.second_reviewer = true;
    second.by = STR("second@example.org");
    draft.manual = true;
    review_members(f);
    put(f, &entry);
    review_insert(f, &draft, ROWS(rows));
    assert_string_equal(coverage(f), "house 2024 needs_manual 1; ");
    assert_string_equal(shown(f, "house-1"), "needs_manual");
    assert_ok(f, desk_claim(&desk, STR("house-1"), &f->fail));
    assert_string_equal(coverage(f), "house 2024 in_review 1; ");
    assert_string_equal(shown(f, "house-1"), "in_review");
    /* One of two reviewers has entered and accepted it: nothing is missing any more. */
    assert_ok(f, desk_accept(&desk, STR("house-1"), STR_NULL, STR_NULL, &next, &f->fail));
    assert_string_equal(coverage(f), "house 2024 draft 1; ");
    assert_string_equal(shown(f, "house-1"), "draft");
    assert_ok(f, desk_claim(&second, STR("house-1"), &f->fail));
    assert_ok(f, desk_accept(&second, STR("house-1"), STR_NULL, STR_NULL, &next, &f->fail));
    assert_string_equal(coverage(f), "house 2024 accepted 1; ");
    assert_string_equal(shown(f, "house-1"), "accepted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(entry_is_replaced_and_reads_back_complete),
        store_test(versions_are_found_by_content),
        store_test(check_compares_kept_bytes_with_their_version),
        store_test(unread_entry_can_be_deleted),
        store_test(entry_missing_from_index_is_marked_once),
        store_test(coverage_counts_every_entry_once),
        store_test(coverage_follows_draft_until_published),
        store_test(draft_is_needs_manual_until_somebody_claims_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

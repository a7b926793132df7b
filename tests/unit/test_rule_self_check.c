/* Self-checks: they round-trip as JSON, other JSON is refused, and a check that is missing or
 * unknown has failed. */
#include "rule/self_check.h"
#include "unit.h"

static struct str put(struct buf *b, const struct self_check *checks, size_t count)
{
    struct json_out j;
    json_init(&j, b);
    self_check_put(&j, checks, count);
    return buf_view(b);
}

static void written_checks_are_read_back(void **state)
{
    const struct self_check checks[] = {
        {STR("rows_total"), true, STR("7 rows")},
        {STR("signed"), false, STR("\"quoted\", {braced}")},
    };
    struct self_check back[SELF_CHECKS_MAX];
    size_t count = 0;
    struct arena arena;
    struct buf b;
    (void)state;
    arena_init(&arena);
    buf_init(&b, 4096);
    assert_int_equal(self_check_parse(put(&b, checks, 2), &arena, back, &count, NULL), OK);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(str_eq(back[i].name, checks[i].name));
        assert_int_equal(back[i].passed, checks[i].passed);
        assert_true(str_eq(back[i].detail, checks[i].detail));
    }
    buf_finish(&b);
    arena_finish(&arena);
}

static void damaged_list_is_corrupt(void **state)
{
    static const char *const damaged[] = {
        "",
        "null",
        "{}",
        "[",
        "[1]",
        "[{}]",
        "[{\"name\":\"signed\"}]",
        "[{\"passed\":true}]",
        "[{\"name\":\"signed\",\"passed\":1}]",
        "[{\"name\":\"signed\",\"passed\":tr",
        "[{\"name\":\"signed\",\"passed\":false,\"passed\":true}]",
    };
    struct self_check back[SELF_CHECKS_MAX];
    struct arena arena;
    (void)state;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        struct fail fail = {0};
        size_t count = 77;
        enum err err = self_check_parse(str_from(damaged[i]), &arena, back, &count, &fail);
        if (err != ERR_CORRUPT || count != 77 || !fail.text[0])
            fail_msg("%s: err %d", damaged[i], (int)err);
    }
    arena_finish(&arena);
}

/* `count` checks, to test the maximum and one more. */
static enum err parse_many(size_t count)
{
    struct self_check many[SELF_CHECKS_STORED_MAX + 1], back[SELF_CHECKS_MAX];
    struct fail fail;
    struct arena arena;
    struct buf b;
    arena_init(&arena);
    buf_init(&b, 8192);
    for (size_t i = 0; i < count; i++)
        many[i] = (struct self_check){STR("a"), true, STR("")};
    enum err err = self_check_parse(put(&b, many, count), &arena, back, &count, &fail);
    buf_finish(&b);
    arena_finish(&arena);
    return err;
}

static void list_accepts_maximum_and_not_more(void **state)
{
    (void)state;
    assert_int_equal(parse_many(0), OK);
    assert_int_equal(parse_many(SELF_CHECKS_STORED_MAX), OK);
    assert_int_equal(parse_many(SELF_CHECKS_STORED_MAX + 1), ERR_CORRUPT);
}

/* --- what a document must have */

static size_t passed_of(const struct self_check *checks, size_t count)
{
    size_t passed = 0;
    for (size_t i = 0; i < count; i++)
        passed += checks[i].passed;
    return passed;
}

/* All checks that the document must have, as if it had passed them. */
static size_t all_passed(struct self_check *checks, enum self_check_document document)
{
    size_t count = 0;
    self_checks_complete(checks, &count, document);
    for (size_t i = 0; i < count; i++)
        checks[i].passed = true;
    return count;
}

static void missing_check_has_failed(void **state)
{
    static const size_t needed[] = {11, 11, 1};
    (void)state;
    for (int d = SELF_CHECK_HOUSE; d <= SELF_CHECK_INDEX; d++) {
        struct self_check checks[SELF_CHECKS_MAX];
        size_t count = 0;
        self_checks_complete(checks, &count, (enum self_check_document)d);
        assert_int_equal(count, needed[d]);
        assert_int_equal(passed_of(checks, count), 0);
        for (size_t lost = 0; lost < needed[d]; lost++) {
            count = all_passed(checks, (enum self_check_document)d);
            struct str name = checks[lost].name;
            checks[lost] = checks[--count];
            self_checks_complete(checks, &count, (enum self_check_document)d);
            assert_int_equal(count, needed[d]);
            assert_int_equal(passed_of(checks, count), needed[d] - 1);
            assert_true(str_eq(checks[count - 1].name, name));
            assert_false(checks[count - 1].passed);
        }
    }
}

static void recorded_result_stays(void **state)
{
    struct self_check checks[SELF_CHECKS_MAX];
    size_t count = all_passed(checks, SELF_CHECK_SENATE);
    (void)state;
    checks[3].passed = false;
    self_checks_complete(checks, &count, SELF_CHECK_SENATE);
    assert_int_equal(count, 11);
    assert_int_equal(passed_of(checks, count), 10);
    assert_false(checks[3].passed);
}

static void unknown_check_has_failed(void **state)
{
    static const char *const names[] = {"", "rows", "rows_totals", "Signed", "signed "};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct self_check checks[SELF_CHECKS_MAX];
        size_t count = all_passed(checks, SELF_CHECK_HOUSE);
        checks[count++] = (struct self_check){str_from(names[i]), true, STR("")};
        self_checks_complete(checks, &count, SELF_CHECK_HOUSE);
        assert_int_equal(count, 12);
        assert_false(checks[11].passed);
        assert_int_equal(passed_of(checks, count), 11);
    }
}

/* The ledger's own checks are known, and no document must have them. */
static void checks_of_the_ledger_pass(void **state)
{
    static const char *const names[] = {
        "no_hidden_characters", "filing_id_of_file", "signed_on_filing_date",
        "state_district_of_index", "name_of_index"};
    struct self_check checks[SELF_CHECKS_MAX];
    size_t count = all_passed(checks, SELF_CHECK_HOUSE);
    (void)state;
    for (size_t i = 0; i < SELF_CHECKS_LEDGER_MAX; i++)
        checks[count++] = (struct self_check){str_from(names[i]), true, STR("")};
    self_checks_complete(checks, &count, SELF_CHECK_HOUSE);
    assert_int_equal(count, 16);
    assert_int_equal(passed_of(checks, count), 16);
}

/* The longest stored list, none of whose checks is one that the document must have. */
static void longest_list_has_room_for_every_missing_check(void **state)
{
    struct self_check checks[SELF_CHECKS_MAX];
    size_t count = 0;
    (void)state;
    while (count < SELF_CHECKS_STORED_MAX)
        checks[count++] = (struct self_check){STR("other"), true, STR("")};
    self_checks_complete(checks, &count, SELF_CHECK_SENATE);
    assert_int_equal(count, SELF_CHECKS_MAX);
    assert_int_equal(passed_of(checks, count), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_checks_are_read_back),
        cmocka_unit_test(damaged_list_is_corrupt),
        cmocka_unit_test(list_accepts_maximum_and_not_more),
        cmocka_unit_test(missing_check_has_failed),
        cmocka_unit_test(recorded_result_stays),
        cmocka_unit_test(unknown_check_has_failed),
        cmocka_unit_test(checks_of_the_ledger_pass),
        cmocka_unit_test(longest_list_has_room_for_every_missing_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The table of states against the other lists of states, and against docs/review.md. */
#include "unit.h"

#include "rule/draft_state.h"
#include "rule/report_state.h"
#include "source_file.h"

static void names_are_distinct_and_found(void **state)
{
    enum report_state found;
    for (int s = REPORT_NONE + 1; s < REPORT_STATE_COUNT; s++) {
        struct str name = report_state_name((enum report_state)s);
        assert_true(report_state_from_name(name, &found));
        assert_int_equal(found, s);
    }
    assert_false(report_state_from_name(STR("Draft"), &found));
    assert_false(report_state_from_name(STR("bulk"), &found));
    assert_false(report_state_from_name(STR(""), &found));
    assert_false(report_state_from_name(STR_NULL, &found));
    assert_true(str_is_null(report_state_name(REPORT_NONE)));
}

static void every_state_of_a_draft_is_a_state_of_a_report(void **state)
{
    enum report_state found;
    for (int s = 0; s < DRAFT_STATE_COUNT; s++) {
        assert_true(report_state_from_name(draft_state_name((enum draft_state)s), &found));
        assert_true(report_state_is_of_draft(found));
    }
    assert_true(report_state_is_of_draft(REPORT_NEEDS_MANUAL));
    assert_true(report_state_is_of_draft(REPORT_WITHDRAWN));
    assert_false(report_state_is_of_draft(REPORT_REFUSED));
    assert_false(report_state_is_of_draft(REPORT_GONE_FROM_INDEX));
}

/* The guide's table has one line for each state, and no other lines. */
static void guide_for_reviewers_has_the_table(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct str guide = source_file_read(&arena, "docs/review.md");
    ptrdiff_t at = str_find(guide, STR("\n## States\n"));
    assert_true(at > 0);
    struct str rest = str_slice(guide, (size_t)at + 1, guide.n), line;
    int rows = 0;
    while (str_split(&rest, '\n', &line))
        rows += str_starts(line, STR("| `"));
    assert_int_equal(rows, REPORT_STATE_COUNT - 1);
    for (int s = REPORT_NONE + 1; s < REPORT_STATE_COUNT; s++) {
        const struct report_state_info *info = report_state_info((enum report_state)s);
        struct str row = arena_fmt(
            &arena, "\n| `%.*s` | %.*s | %.*s |\n", STR_ARG(info->name), STR_ARG(info->meaning),
            STR_ARG(info->moves));
        if (str_find(guide, row) < (ptrdiff_t)at)
            fail_msg("docs/review.md, States, lacks the line%s", row.p);
    }
    arena_finish(&arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_distinct_and_found),
        cmocka_unit_test(every_state_of_a_draft_is_a_state_of_a_report),
        cmocka_unit_test(guide_for_reviewers_has_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

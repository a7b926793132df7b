#include "unit.h"

#include "rule/draft_state.h"

static void only_accepted_draft_can_be_published(void **state)
{
    for (int s = 0; s < DRAFT_STATE_COUNT; s++) {
        enum draft_state next;
        bool possible = draft_step((enum draft_state)s, DRAFT_PUBLISH, &next);
        assert_int_equal(possible, s == DRAFT_ACCEPTED);
    }
}

static void edits_and_verdicts_need_a_claim(void **state)
{
    static const enum draft_action actions[] = {
        DRAFT_EDIT, DRAFT_ACCEPT, DRAFT_ACCEPT_FIRST, DRAFT_REJECT, DRAFT_REPORT_NOTHING};
    for (int s = 0; s < DRAFT_STATE_COUNT; s++)
        for (size_t a = 0; a < sizeof actions / sizeof *actions; a++) {
            enum draft_state next;
            bool possible = draft_step((enum draft_state)s, actions[a], &next);
            assert_int_equal(possible, s == DRAFT_IN_REVIEW);
        }
}

/* Every state that is not an end has a path to publication. */
static void every_state_can_reach_an_end(void **state)
{
    bool reaches[DRAFT_STATE_COUNT] = {[DRAFT_PUBLISHED] = true};
    for (int round = 0; round < DRAFT_STATE_COUNT; round++)
        for (int s = 0; s < DRAFT_STATE_COUNT; s++)
            for (int a = 0; a < DRAFT_ACTION_COUNT; a++) {
                enum draft_state next;
                if (draft_step((enum draft_state)s, (enum draft_action)a, &next) && reaches[next])
                    reaches[s] = true;
            }
    for (int s = 0; s < DRAFT_STATE_COUNT; s++)
        assert_int_equal(reaches[s], s != DRAFT_SUPERSEDED);
}

static void published_draft_is_never_superseded(void **state)
{
    enum draft_state next;
    assert_false(draft_step(DRAFT_PUBLISHED, DRAFT_SUPERSEDE, &next));
    assert_false(draft_step(DRAFT_AMENDED, DRAFT_SUPERSEDE, &next));
    assert_true(draft_step(DRAFT_WAITING, DRAFT_SUPERSEDE, &next));
}

static void names_match_store(void **state)
{
    for (int s = 0; s < DRAFT_STATE_COUNT; s++) {
        enum draft_state found;
        assert_true(draft_state_from_name(draft_state_name((enum draft_state)s), &found));
        assert_int_equal(found, s);
    }
    enum draft_state found;
    assert_false(draft_state_from_name(STR("Draft"), &found));
    for (int a = 0; a < DRAFT_ACTION_COUNT; a++)
        assert_true(draft_action_name((enum draft_action)a).n > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_accepted_draft_can_be_published),
        cmocka_unit_test(edits_and_verdicts_need_a_claim),
        cmocka_unit_test(every_state_can_reach_an_end),
        cmocka_unit_test(published_draft_is_never_superseded),
        cmocka_unit_test(names_match_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sessions, numbers of forms and the action log. */
#include "store_fixture.h"

#include "rule/action.h"
#include "store/account/account.h"
#include "store/account/action_log.h"
#include "store/account/form_number.h"
#include "store/account/session.h"

#define NOW INT64_C(1790000000000)

static const struct session_origin origin = {
    STR_INIT("203.0.113.0/24"), STR_INIT("Firefox on Linux")};

static struct account make_account(struct store_fixture *f, const char *email)
{
    struct account account;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f,
        account_create(ACT(f, .now_ms = NOW), str_from(email), PLAN_PACK, ROLE_MEMBER, &account));
    assert_ok(f, db_commit(f->db, &f->fail));
    return account;
}

static struct session start(
    struct store_fixture *f, const struct account *account, int64_t now_ms,
    char token[static SESSION_TOKEN_SIZE])
{
    struct session session;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, session_create(ACT(f, .now_ms = now_ms), account->no, &origin, token, &session));
    assert_ok(f, db_commit(f->db, &f->fail));
    return session;
}

static enum err find(
    struct store_fixture *f, const char *token, int64_t now_ms, struct session *ret)
{
    struct account account;
    return session_find(ACT(f, .now_ms = now_ms), str_of(token, SESSION_TOKEN_SIZE), ret, &account);
}

static void session_is_found_by_its_token_only(void **state)
{
    struct store_fixture *f = *state;
    struct account account = make_account(f, "ada@example.org"), owner;
    char token[SESSION_TOKEN_SIZE], other[SESSION_TOKEN_SIZE];
    struct session made = start(f, &account, NOW, token), session;
    start(f, &account, NOW, other);
    assert_memory_not_equal(token, other, sizeof token);
    assert_ok(
        f, session_find(ACT(f, .now_ms = NOW), str_of(token, sizeof token), &session, &owner));
    assert_true(str_eq(session.id, made.id));
    assert_true(str_eq(owner.id, account.id));
    assert_str(owner.email, "ada@example.org");
    assert_str(session.origin.place, "203.0.113.0/24");
    assert_str(session.origin.browser, "Firefox on Linux");
    token[7] = token[7] == 'A' ? 'B' : 'A';
    assert_int_equal(find(f, token, NOW, &session), ERR_NOT_FOUND);
    assert_int_equal(session_find(ACT(f, .now_ms = NOW), STR(""), &session, &owner), ERR_NOT_FOUND);
    struct query q; /* the token itself is in no column */
    query_start(&q, f->db, "SELECT count(*) FROM session WHERE id = $1");
    query_str(&q, str_of(other, sizeof other));
    assert_true(query_row(&q));
    assert_int_equal(query_get_i64(&q, 0), 0);
    assert_ok(f, query_end(&q, &f->fail));
}

static void session_over_fifty_ends_the_oldest(void **state)
{
    struct store_fixture *f = *state;
    struct account account = make_account(f, "ada@example.org");
    struct account other = make_account(f, "ben@example.org");
    char tokens[SESSION_COUNT_MAX + 3][SESSION_TOKEN_SIZE], kept[SESSION_TOKEN_SIZE];
    struct session session;
    struct session_list list;
    start(f, &other, NOW, kept);
    for (int i = 0; i < SESSION_COUNT_MAX + 3; i++)
        start(f, &account, NOW + i, tokens[i]);
    assert_ok(f, session_list(ACT(f, .now_ms = NOW), account.no, &list));
    assert_int_equal(list.count, 50);
    for (int i = 0; i < SESSION_COUNT_MAX + 3; i++)
        assert_int_equal(find(f, tokens[i], NOW, &session), i < 3 ? ERR_NOT_FOUND : OK);
    assert_ok(f, find(f, kept, NOW, &session));
}

static enum err confirm(
    struct store_fixture *f, const struct session *session, const struct account *account,
    enum role role, int64_t now_ms)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    enum err err = session_confirm(f->db, session->no, account->no, role, now_ms, &f->fail);
    assert_ok(f, db_commit(f->db, &f->fail));
    return err;
}

static void session_is_confirmed_while_it_is_open(void **state)
{
    struct store_fixture *f = *state;
    struct account account = make_account(f, "ada@example.org");
    struct account other = make_account(f, "ben@example.org");
    char token[SESSION_TOKEN_SIZE];
    struct session session = start(f, &account, NOW, token);
    assert_ok(f, confirm(f, &session, &account, ROLE_MEMBER, NOW));
    assert_int_equal(confirm(f, &session, &other, ROLE_MEMBER, NOW), ERR_NOT_FOUND);
    assert_int_equal(confirm(f, &session, &account, ROLE_ADMIN, NOW), ERR_REFUSED);
    assert_int_equal(
        confirm(f, &session, &account, ROLE_MEMBER, NOW + SESSION_IDLE_MS), ERR_NOT_FOUND);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_disable(ACT(f, .now_ms = NOW), account.email));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(confirm(f, &session, &account, ROLE_MEMBER, NOW), ERR_NOT_FOUND);
}

static void session_ends_14_days_after_its_last_use(void **state)
{
    struct store_fixture *f = *state;
    struct account account = make_account(f, "ada@example.org");
    char token[SESSION_TOKEN_SIZE];
    struct session made = start(f, &account, NOW, token), session;
    assert_ok(f, find(f, token, NOW + SESSION_IDLE_MS - 1, &session));
    assert_int_equal(find(f, token, NOW + SESSION_IDLE_MS, &session), ERR_NOT_FOUND);
    assert_false(session_touch_due(&made, NOW + SESSION_TOUCH_MS - 1));
    assert_true(session_touch_due(&made, NOW + SESSION_TOUCH_MS));
    assert_true(session_touch_due(&made, NOW - 1)); /* the clock was set back */
    assert_ok(f, session_touch(f->db, made.no, &origin, NOW + 10 * (int64_t)DAY_MS, &f->fail));
    assert_ok(f, find(f, token, NOW + 23 * (int64_t)DAY_MS, &session));
    assert_int_equal(session.seen_at, NOW + 10 * (int64_t)DAY_MS);
    /* a touch that arrives after the end does not revive it */
    assert_ok(f, session_touch(f->db, made.no, &origin, NOW + 30 * (int64_t)DAY_MS, &f->fail));
    assert_int_equal(find(f, token, NOW + 30 * (int64_t)DAY_MS, &session), ERR_NOT_FOUND);
}

static void session_ends_90_days_after_its_sign_in(void **state)
{
    struct store_fixture *f = *state;
    struct account account = make_account(f, "ada@example.org");
    char token[SESSION_TOKEN_SIZE];
    struct session made = start(f, &account, NOW, token), session;
    for (int day = 10; day < 90; day += 10)
        assert_ok(f, session_touch(f->db, made.no, &origin, NOW + day * (int64_t)DAY_MS, &f->fail));
    assert_ok(f, find(f, token, NOW + SESSION_LIFE_MS - 1, &session));
    assert_int_equal(find(f, token, NOW + SESSION_LIFE_MS, &session), ERR_NOT_FOUND);
    int64_t count = 0;
    assert_ok(f, session_prune(f->db, NOW + SESSION_LIFE_MS, 10, &count, &f->fail));
    assert_int_equal(count, 1);
}

static void sessions_end_one_or_all_but_one(void **state)
{
    struct store_fixture *f = *state;
    struct account ada = make_account(f, "ada@example.org");
    struct account ben = make_account(f, "ben@example.org");
    char tokens[4][SESSION_TOKEN_SIZE];
    struct session made[4], session;
    for (int i = 0; i < 4; i++)
        made[i] = start(f, i < 3 ? &ada : &ben, NOW + i, tokens[i]);
    struct session_list list;
    assert_ok(f, session_list(ACT(f, .now_ms = NOW), ada.no, &list));
    assert_int_equal(list.count, 3);
    assert_true(str_eq(list.items[0].id, made[2].id));
    assert_int_equal(session_end(ACT(f), ada.no, made[3].id), ERR_NOT_FOUND);
    assert_ok(f, session_end(ACT(f), ada.no, made[0].id));
    assert_int_equal(find(f, tokens[0], NOW, &session), ERR_NOT_FOUND);
    int64_t count = 0;
    assert_ok(f, session_end_all(ACT(f), ada.no, made[1].id, &count));
    assert_int_equal(count, 1);
    assert_ok(f, find(f, tokens[1], NOW, &session));
    assert_ok(f, session_end_all(ACT(f), ada.no, STR_NULL, &count));
    assert_int_equal(find(f, tokens[1], NOW, &session), ERR_NOT_FOUND);
    assert_ok(f, find(f, tokens[3], NOW, &session));
}

static void session_of_a_disabled_account_is_not_found(void **state)
{
    struct store_fixture *f = *state;
    struct account account = make_account(f, "ada@example.org");
    char token[SESSION_TOKEN_SIZE];
    struct session session;
    start(f, &account, NOW, token);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_disable(ACT(f, .now_ms = NOW), account.email));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(find(f, token, NOW, &session), ERR_NOT_FOUND);
}

static void proof_lasts_ten_minutes_of_either_clock(void **state)
{
    struct store_fixture *f = *state;
    struct account account = make_account(f, "ada@example.org");
    char token[SESSION_TOKEN_SIZE];
    struct session session = start(f, &account, NOW, token);
    assert_true(session_is_proved(&session, NOW + SESSION_PROOF_MS - 1));
    assert_false(session_is_proved(&session, NOW + SESSION_PROOF_MS));
    assert_false(session_is_proved(&session, NOW - 1));
    assert_ok(f, session_prove(ACT(f, .now_ms = NOW + DAY_MS), session.no));
    assert_ok(f, find(f, token, NOW + DAY_MS, &session));
    assert_true(session_is_proved(&session, NOW + DAY_MS + 1));
}

static void form_number_is_accepted_once(void **state)
{
    struct store_fixture *f = *state;
    char number[FORM_NUMBER_SIZE], other[FORM_NUMBER_SIZE];
    form_number_make(number);
    form_number_make(other);
    assert_ok(f, form_number_use(f->db, str_of(number, sizeof number), NOW, &f->fail));
    assert_int_equal(
        form_number_use(f->db, str_of(number, sizeof number), NOW, &f->fail), ERR_EXISTS);
    assert_ok(f, form_number_use(f->db, str_of(other, sizeof other), NOW, &f->fail));
    static const char *const wrong[] = {
        "", "x", "AAAAAAAAAAAAAAAAAAAAA!", "AAAAAAAAAAAAAAAAAAAAAB"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(form_number_use(f->db, str_from(wrong[i]), NOW, &f->fail), ERR_INVALID);
    int64_t count = 0;
    assert_ok(f, form_number_prune(f->db, NOW + SESSION_LIFE_MS, 10, &count, &f->fail));
    assert_int_equal(count, 0);
    assert_ok(f, form_number_prune(f->db, NOW + SESSION_LIFE_MS + 1, 10, &count, &f->fail));
    assert_int_equal(count, 2);
}

static void failed_action_leaves_the_form_number_unused(void **state)
{
    struct store_fixture *f = *state;
    char number[FORM_NUMBER_SIZE];
    form_number_make(number);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, form_number_use(f->db, str_of(number, sizeof number), NOW, &f->fail));
    db_rollback(f->db);
    assert_ok(f, form_number_use(f->db, str_of(number, sizeof number), NOW, &f->fail));
}

static const struct action_filter all = {.from_ms = INSTANT_NONE, .to_ms = INSTANT_NONE};

static struct action_list list_log(struct store_fixture *f, const struct action_filter *filter)
{
    struct action_list list;
    assert_ok(f, action_log_list(ACT(f), filter, 100, &list));
    return list;
}

static void fill_log(struct store_fixture *f)
{
    const struct actor by_operator = ACTOR_OPERATOR, visitor = ACTOR_VISITOR;
    const struct actor ada = {
        .kind = ACTOR_KIND_ACCOUNT,
        .account_id = STR("acc_ada"),
        .session_id = STR("ses_1"),
        .account_no = 1};
    assert_ok(
        f, action_log_add(
               ACT(f, .actor = &by_operator, .now_ms = NOW), ACTION_ACCOUNT_CREATE, STR("acc_ada"),
               STR_NULL, STR_NULL, STR("plan pack")));
    assert_ok(
        f, action_log_add(
               ACT(f, .actor = &ada, .now_ms = NOW + 1), ACTION_KEY_MINT, STR("acc_ada"),
               STR("key"), STR("key_1"), STR_NULL));
    assert_ok(
        f, action_log_add(
               ACT(f, .actor = &visitor, .now_ms = NOW + 2), ACTION_PASSWORD_RESET_ASK,
               STR("acc_ben"), STR_NULL, STR_NULL, STR_NULL));
    assert_ok(
        f, action_log_add(
               ACT(f, .actor = &ada, .now_ms = NOW + 3), ACTION_ACCOUNT_SET_PLAN, STR("acc_ben"),
               STR_NULL, STR_NULL, STR("plan den")));
}

/* Three days, a row an hour, of which a server with another clock wrote every tenth. */
static void log_is_read_by_action_and_time_from_its_ends(void **state)
{
    static const enum action actions[] = {ACTION_KEY_MINT, ACTION_KEY_REVOKE, ACTION_SESSION_START};
    struct store_fixture *f = *state;
    const struct actor visitor = ACTOR_VISITOR;
    struct action_filter filter = all;
    for (int i = 0; i < 72; i++)
        assert_ok(
            f, action_log_add(
                   ACT(f, .actor = &visitor,
                       .now_ms = NOW + i * (int64_t)HOUR_MS - (i % 10 ? 0 : 7 * HOUR_MS)),
                   actions[i % 3], STR("acc_ada"), STR_NULL, STR_NULL, STR_NULL));
    filter.action = STR("key");
    struct action_list list = list_log(f, &filter);
    assert_int_equal(list.count, 48);
    for (size_t i = 1; i < list.count; i++)
        assert_true(list.items[i].no < list.items[i - 1].no);
    filter.action = STR("key.mint");
    assert_int_equal(list_log(f, &filter).count, 24);
    filter.action = STR("ke");
    assert_int_equal(list_log(f, &filter).count, 0);
    filter = all;
    filter.from_ms = NOW + 24 * (int64_t)HOUR_MS;
    filter.to_ms = NOW + 48 * (int64_t)HOUR_MS;
    int64_t expected = store_fixture_number(
        f,
        "SELECT count(*) FROM action_log WHERE at >= (SELECT min(at) FROM action_log) + 111600000"
        " AND at < (SELECT min(at) FROM action_log) + 198000000");
    assert_int_equal(list_log(f, &filter).count, expected);
    assert_true(expected >= 20 && expected <= 28);
    filter.from_ms = NOW + 900 * (int64_t)HOUR_MS;
    filter.to_ms = INSTANT_NONE;
    assert_int_equal(list_log(f, &filter).count, 0);
}

static void log_is_filtered_by_each_column(void **state)
{
    struct store_fixture *f = *state;
    fill_log(f);
    struct action_list list = list_log(f, &all);
    assert_int_equal(list.count, 4);
    assert_str(list.items[0].action, "account.set_plan");
    assert_int_equal(list.items[3].actor, ACTOR_KIND_OPERATOR);
    assert_true(str_is_null(list.items[3].actor_id));
    assert_int_equal(list.items[1].actor, ACTOR_KIND_VISITOR);
    assert_str(list.items[2].session_id, "ses_1");
    const struct {
        struct action_filter filter;
        size_t count;
    } cases[] = {
        {{.actor_id = STR("acc_ada"), .to_ms = INSTANT_NONE}, 2},
        {{.account_id = STR("acc_ada"), .to_ms = INSTANT_NONE}, 2},
        {{.about_id = STR("acc_ada"), .to_ms = INSTANT_NONE}, 3},
        {{.action = STR("key.mint"), .to_ms = INSTANT_NONE}, 1},
        {{.action = STR("account"), .to_ms = INSTANT_NONE}, 2},
        {{.action = STR("acc"), .to_ms = INSTANT_NONE}, 0},
        {{.subject_id = STR("key_1"), .to_ms = INSTANT_NONE}, 1},
        {{.from_ms = NOW + 1, .to_ms = NOW + 3}, 2},
        {{.before = list.items[1].no, .to_ms = INSTANT_NONE}, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(list_log(f, &cases[i].filter).count, cases[i].count);
}

static void log_refuses_changes(void **state)
{
    struct store_fixture *f = *state;
    fill_log(f);
    assert_int_not_equal(db_exec(f->db, "UPDATE action_log SET at = 1", &f->fail), OK);
    assert_int_not_equal(db_exec(f->db, "DELETE FROM action_log", &f->fail), OK);
    assert_int_equal(list_log(f, &all).count, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(session_is_found_by_its_token_only),
        store_test(session_over_fifty_ends_the_oldest),
        store_test(session_is_confirmed_while_it_is_open),
        store_test(session_ends_14_days_after_its_last_use),
        store_test(session_ends_90_days_after_its_sign_in),
        store_test(sessions_end_one_or_all_but_one),
        store_test(session_of_a_disabled_account_is_not_found),
        store_test(proof_lasts_ten_minutes_of_either_clock),
        store_test(form_number_is_accepted_once),
        store_test(failed_action_leaves_the_form_number_unused),
        store_test(log_is_read_by_action_and_time_from_its_ends),
        store_test(log_is_filtered_by_each_column),
        store_test(log_refuses_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

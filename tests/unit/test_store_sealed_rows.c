/* Rows that give access have digests: each change of a covered column by something else is seen. */
#include "store_fixture.h"

#include "base/instant.h"
#include "db/row_digest.h"
#include "store/account/account.h"
#include "store/account/endpoint.h"
#include "store/account/key.h"
#include "store/account/session.h"
#include "store/account/token.h"

enum { NOW = 1000000, SQL_SIZE = 1000 };

#define EMAIL STR("ada@example.org")

static const struct session_origin origin = {.place = STR_INIT("Home"), .browser = STR_INIT("x")};

struct made {
    struct account account;
    struct key key;
    struct session session;
    char session_token[SESSION_TOKEN_SIZE], token[TOKEN_SIZE];
};

/* Rows of the kinds that have no function of a line. */
static const char *const others[] = {
    "INSERT INTO event (id, type, created_at, body) VALUES ('evt_1', 'test', 1, '{}')",
    "INSERT INTO document (kind, source_id, chamber, state, first_seen_at)"
    " VALUES ('house', '1', 'house', 'draft', 0)",
    "INSERT INTO document_version (document_no, sha256, bytes, seen_at)"
    " SELECT no, (SELECT sha256 FROM api_key), 3, 0 FROM document",
    "INSERT INTO alert (id, account_no, state, pace, flagged, after_seq, created_at, changed_at)"
    " SELECT 'al_1', no, 'enabled', 'now', 1, 0, 1, 1 FROM account",
    "INSERT INTO alert_person (account_no, end_key) SELECT account_no, sha256 FROM api_key",
    "INSERT INTO account_address (email, account_no) SELECT 'old@example.org', no FROM account",
    "INSERT INTO ticker (symbol, company) VALUES ('ZZZQ', 'Zed')",
    "INSERT INTO member (id, slug, name) VALUES ('Z000001', 'zed', 'Zed')",
    "INSERT INTO member_name (member_no, position, first_name, last_name)"
    " SELECT no, 0, 'Zed', 'Zed' FROM member",
    "INSERT INTO member_term (member_no, position, chamber, state)"
    " SELECT no, 0, 'house', 'CA' FROM member",
    "INSERT INTO committee (id, chamber) VALUES ('HSXX', 'house')",
    "INSERT INTO committee_version (as_of_day, sha256, imported_at)"
    " SELECT 1, sha256, 1 FROM api_key",
    "INSERT INTO committee_listed (version_no, committee_no, name)"
    " SELECT v.no, c.no, 'Zed' FROM committee_version v, committee c",
    "INSERT INTO committee_seat (version_no, committee_no, member_no, role, chamber, side)"
    " SELECT v.no, c.no, m.no, 'member', 'house', 'majority' FROM committee_version v, committee "
    "c, member m",
    "INSERT INTO committee_span (member_id, committee_id, title, from_day)"
    " VALUES ('Z000001', 'HSXX', 'Chair', 1)",
    "INSERT INTO committee_span_list (day) VALUES (1)",
    "INSERT INTO committee_span_name (committee_id, from_day, name) VALUES ('HSXX', 1, 'Zed')",
};

/* One row of each kind. */
static struct made make_rows(struct store_fixture *f)
{
    struct made made;
    char plaintext[API_KEY_SIZE], id[ENDPOINT_ID_SIZE];
    const uint8_t code[1][SHA256_SIZE] = {{1}};
    const struct act *act = ACT(f, .now_ms = NOW);
    endpoint_id_make(id);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_create(act, EMAIL, PLAN_PACK, ROLE_REVIEWER, &made.account));
    assert_ok(f, account_replace_password(act, made.account.no, STR_NULL, STR("hash")));
    assert_ok(f, key_mint(act, EMAIL, KEY_API, STR("laptop"), plaintext, &made.key));
    assert_ok(f, session_create(act, made.account.no, &origin, made.session_token, &made.session));
    assert_ok(
        f, token_add(
               act, &(struct token){.purpose = TOKEN_RESET, .account_no = made.account.no},
               made.token));
    assert_ok(f, recovery_code_replace(act, made.account.no, code, 1));
    assert_ok(
        f, endpoint_add(
               act, EMAIL, str_of(id, sizeof id), STR("https://example.org/"), STR("sealed")));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_ok(f, db_exec(f->db, others[i], &f->fail));
    assert_ok(f, row_seal_all(f->db, ROW_DIGEST_SEALED, ROW_DIGEST_COUNT - 1, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return made;
}

static int64_t unsealed(struct store_fixture *f)
{
    int64_t n = -1;
    assert_ok(f, check_unsealed(f->db, &n, &f->fail));
    return n;
}

static int64_t damaged(struct store_fixture *f, enum row_digest kind)
{
    int64_t n = 0;
    QUERY(q, f->db, row_table(kind)->select);
    while (query_row(&q))
        n += row_is_damaged(&q, 0, kind);
    assert_ok(f, query_end(&q, &f->fail));
    return n;
}

static void run(struct store_fixture *f, const char *format, const char *table, const char *value)
{
    char sql[SQL_SIZE];
    snprintf(sql, sizeof sql, format, table, value);
    assert_ok(f, db_exec(f->db, sql, &f->fail));
}

/* Something that is no SQL: triggers and rules of the table do not see it. */
static void lift_rules(struct store_fixture *f, const char *table)
{
    if (store_fixture_is_postgresql())
        run(f, "ALTER TABLE %s DISABLE TRIGGER ALL", table, "");
    else
        run(f, "DROP TRIGGER %s_unseal", table, "");
}

/* Sets a column of the table's row; false: it has the value, or a rule of the database refuses it.
 */
static bool set(struct store_fixture *f, const char *table, struct str column, const char *value)
{
    struct str other = arena_fmt(
        &f->arena, "SELECT 1 FROM %s WHERE %.*s IS DISTINCT FROM %s", table, STR_ARG(column),
        value);
    struct str update =
        arena_fmt(&f->arena, "UPDATE %s SET %.*s = %s", table, STR_ARG(column), value);
    bool differs = false;
    return query_any(f->db, &differs, &f->fail, other.p) == OK && differs &&
           db_exec(f->db, update.p, &f->fail) == OK;
}

/* The columns of a kind, from its statement: "SELECT a, table.b, table.digest FROM ...". */
static bool next_column(struct str *rest, struct str *ret)
{
    if (!str_split(rest, ',', ret) || !rest->n)
        return false;
    ptrdiff_t dot = str_find_char(*ret, '.');
    *ret = str_trim(str_slice(*ret, (size_t)(dot + 1), ret->n));
    return true;
}

typedef void visit_column(struct store_fixture *f, enum row_digest kind, struct str column);

static void each_column(struct store_fixture *f, visit_column *visit)
{
    for (int kind = ROW_DIGEST_SEALED; kind < ROW_DIGEST_COUNT; kind++) {
        struct str rest = str_from(row_table((enum row_digest)kind)->select + strlen("SELECT "));
        struct str column;
        while (next_column(&rest, &column))
            visit(f, (enum row_digest)kind, column);
    }
}

static const char *const values[] = {"7",       "0",          "'x'",        "NULL",     "'admin'",
                                     "'den'",   "'disabled'", "'sign_up'",  "'paused'", "'weekly'",
                                     "'chair'", "'senate'",   "'minority'", "BYTES"};
enum { VALUES = sizeof values / sizeof *values };

static const char *value_of(size_t i)
{
    const char *bytes = store_fixture_is_postgresql()
                            ? "CAST(repeat('y', 32) AS BYTEA)"
                            : "CAST('yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy' AS BLOB)";
    return strcmp(values[i], "BYTES") == 0 ? bytes : values[i];
}

/* The first values that the column takes. */
static void try_values(
    struct store_fixture *f, enum row_digest kind, struct str column, bool lifted)
{
    const char *table = row_table(kind)->name;
    int taken = 0;
    for (size_t i = 0; i < VALUES && taken < 3; i++) {
        assert_ok(f, db_begin(f->db, &f->fail));
        if (lifted)
            lift_rules(f, table);
        if (set(f, table, column, value_of(i))) {
            int64_t open = 0;
            assert_ok(f, query_number(f->db, &open, &f->fail, row_table(kind)->unsealed));
            if (damaged(f, kind) != lifted || open != !lifted)
                fail_msg("%s.%.*s = %s is not noticed", table, STR_ARG(column), value_of(i));
            taken++;
        }
        db_rollback(f->db);
    }
    if (taken == 0)
        fail_msg("%s.%.*s takes no value", table, STR_ARG(column));
}

static void change_behind_the_database(
    struct store_fixture *f, enum row_digest kind, struct str column)
{
    try_values(f, kind, column, true);
}

static void change_with_sql(struct store_fixture *f, enum row_digest kind, struct str column)
{
    if (!str_ends(column, STR("no"))) /* references */
        try_values(f, kind, column, false);
}

static void each_changed_column_is_noticed(void **state)
{
    struct store_fixture *f = *state;
    make_rows(f);
    assert_int_equal(unsealed(f), 0);
    store_fixture_assert_sound(f);
    if (!store_fixture_is_postgresql())
        assert_ok(
            f, db_exec(
                   f->db, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON",
                   &f->fail));
    each_column(f, change_behind_the_database);
}

static void row_that_other_sql_changes_loses_its_digest(void **state)
{
    struct store_fixture *f = *state;
    make_rows(f);
    each_column(f, change_with_sql);
    assert_ok(f, db_exec(f->db, "UPDATE session SET seen_at = 5", &f->fail));
    assert_int_equal(unsealed(f), 1);
    store_fixture_assert_sound(f); /* an older program may have done it */
    assert_ok(f, db_exec(f->db, "UPDATE account SET plan = plan", &f->fail));
    assert_int_equal(unsealed(f), 1);
}

static void damage(struct store_fixture *f, const char *table, const char *change)
{
    lift_rules(f, table);
    run(f, "UPDATE %s SET %s", table, change);
    if (store_fixture_is_postgresql())
        run(f, "ALTER TABLE %s ENABLE TRIGGER ALL", table, "");
}

static void keep_key(void *ctx, const struct key *key)
{
    *(bool *)ctx = key->damaged;
}

static void damaged_key_opens_nothing(void **state)
{
    struct store_fixture *f = *state;
    bool is_damaged = true;
    make_rows(f);
    assert_ok(f, key_each(f->db, keep_key, &is_damaged, &f->fail));
    assert_false(is_damaged);
    damage(f, "api_key", "revoked_at = 5");
    assert_ok(f, key_each(f->db, keep_key, &is_damaged, &f->fail));
    assert_true(is_damaged);
    assert_int_equal(store_fixture_found_after(f, "UPDATE api_key SET last_used_at = 9"), 0);
}

static void damaged_session_and_token_open_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct made made = make_rows(f);
    struct session session;
    struct account account;
    struct token token;
    const struct act *act = ACT(f, .now_ms = NOW + 1);
    struct str text = str_of(made.session_token, SESSION_TOKEN_SIZE);
    struct str link = str_of(made.token, TOKEN_SIZE);
    assert_ok(f, session_find(act, text, &session, &account));
    assert_ok(f, token_find(act, TOKEN_RESET, link, &token));
    damage(f, "session", "expires_at = expires_at + 1");
    damage(f, "token", "expires_at = expires_at + 1");
    assert_int_equal(session_find(act, text, &session, &account), ERR_NOT_FOUND);
    assert_int_equal(token_find(act, TOKEN_RESET, link, &token), ERR_NOT_FOUND);
}

static void used_recovery_code_that_lost_its_use_opens_nothing(void **state)
{
    struct store_fixture *f = *state;
    const uint8_t code[SHA256_SIZE] = {1};
    struct made made = make_rows(f);
    const struct act *act = ACT(f, .now_ms = NOW + 1);
    assert_ok(f, recovery_code_use(act, made.account.no, code));
    damage(f, "recovery_code", "used_at = NULL");
    assert_int_equal(recovery_code_use(act, made.account.no, code), ERR_NOT_FOUND);
}

static void damaged_account_opens_nothing(void **state)
{
    struct store_fixture *f = *state;
    struct made made = make_rows(f);
    struct session session;
    struct account account;
    bool key_damaged = false;
    const struct act *act = ACT(f, .now_ms = NOW + 1);
    damage(f, "account", "role = 'admin'");
    assert_int_equal(account_find(act, EMAIL, &account), ERR_CORRUPT);
    assert_non_null(strstr(f->fail.text, "does not match its digest"));
    struct str text = str_of(made.session_token, SESSION_TOKEN_SIZE);
    assert_int_equal(session_find(act, text, &session, &account), ERR_CORRUPT);
    assert_ok(f, key_each(f->db, keep_key, &key_damaged, &f->fail));
    assert_true(key_damaged);
}

static void damage_is_not_sealed_over(void **state)
{
    struct store_fixture *f = *state;
    make_rows(f);
    const struct act *act = ACT(f, .now_ms = NOW + 1);
    struct endpoint_list endpoints;
    assert_ok(f, endpoint_list(act, STR_NULL, &endpoints));
    struct str id = endpoints.items[0].id;
    assert_false(endpoints.items[0].damaged);
    damage(f, "account", "confirmed_at = 7");
    damage(f, "endpoint", "url = 'https://example.net/'");
    assert_ok(f, endpoint_list(act, STR_NULL, &endpoints));
    assert_true(endpoints.items[0].damaged);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_int_equal(account_set_plan(act, EMAIL, PLAN_DEN), ERR_CORRUPT);
    assert_int_equal(account_set_role(act, EMAIL, ROLE_ADMIN), ERR_CORRUPT);
    assert_int_equal(account_disable(act, EMAIL), ERR_CORRUPT);
    assert_int_equal(account_enable(act, EMAIL), ERR_CORRUPT);
    assert_int_equal(endpoint_set_events(act, id, STR("trade.published")), ERR_CORRUPT);
    assert_int_equal(endpoint_do(act, id, ENDPOINT_DISABLE), ERR_CORRUPT);
    assert_int_equal(endpoint_end_overlap(act, id), ERR_CORRUPT);
    assert_int_equal(endpoint_rotate(act, id, STR("other"), INSTANT_NONE, true), ERR_CORRUPT);
    assert_int_equal(
        endpoint_set_address(act, id, STR("https://example.org/"), STR_NULL), ERR_CORRUPT);
    assert_int_equal(damaged(f, ROW_DIGEST_ACCOUNT) + damaged(f, ROW_DIGEST_ENDPOINT), 2);
    assert_ok(f, endpoint_do(act, id, ENDPOINT_DELETE));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void migration_seals_the_rows_that_there_are(void **state)
{
    struct store_fixture *f = *state;
    make_rows(f);
    assert_ok(f, db_begin(f->db, &f->fail));
    for (int kind = ROW_DIGEST_SEALED; kind < ROW_DIGEST_COUNT; kind++)
        run(f, "UPDATE %s SET digest = NULL%s", row_table((enum row_digest)kind)->name, "");
    assert_int_equal(unsealed(f), ROW_DIGEST_COUNT - ROW_DIGEST_SEALED);
    for (int kind = ROW_DIGEST_SEALED; kind < ROW_DIGEST_COUNT; kind++)
        assert_ok(f, row_seal_all(f->db, (enum row_digest)kind, (enum row_digest)kind, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(unsealed(f), 0);
    store_fixture_assert_sound(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(each_changed_column_is_noticed),
        store_test(row_that_other_sql_changes_loses_its_digest),
        store_test(damaged_key_opens_nothing),
        store_test(damaged_session_and_token_open_nothing),
        store_test(used_recovery_code_that_lost_its_use_opens_nothing),
        store_test(damaged_account_opens_nothing),
        store_test(damage_is_not_sealed_over),
        store_test(migration_seals_the_rows_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Owners' changes to their endpoints, effects of a plan change, and notices to owners. */
#include "delivery_sample.h"

#include <pthread.h>

#include "webhook/notice.h"
#include "webhook/owner_send.h"

enum { NOW = 1000000000 };

static const char *const email = "owner@example.org";

#define BEGIN(f) assert_ok((f), db_begin((f)->db, &(f)->fail))
#define COMMIT(f) assert_ok((f), db_commit((f)->db, &(f)->fail))
#define WRITE(f, call)                                                                             \
    do {                                                                                           \
        BEGIN(f);                                                                                  \
        assert_ok((f), (call));                                                                    \
        COMMIT(f);                                                                                 \
    } while (0)
/* Expects this error, and that nothing is written. */
#define REFUSED(f, call, error)                                                                    \
    do {                                                                                           \
        BEGIN(f);                                                                                  \
        assert_int_equal((call), (error));                                                         \
        db_rollback((f)->db);                                                                      \
    } while (0)

static struct seal_key key;

/* Public addresses only, and every port but 25. */
static const struct cidr_list no_network;
static const struct port_set port_25 = {.bits = {UINT64_C(1) << 25}};
static const struct guard guard = {.allow = &no_network, .refused_ports = &port_25};
static const struct destination_rules rules = {.guard = &guard};

static const struct actor operator= {.kind = ACTOR_KIND_OPERATOR, .role = ROLE_ADMIN};

/* 0: no account has the address. */
static int64_t account_no(struct store_fixture *f, const char *address)
{
    struct account account = {.no = 0};
    (void)!account_find(ACT(f), str_from(address), &account);
    return account.no;
}

static enum err run_one(
    struct store_fixture *f, const struct actor *actor, act_run *run, struct secret *ret,
    struct owner_endpoint is)
{
    is.rules = is.rules ? is.rules : &rules;
    is.key = is.key ? is.key : &key;
    enum err err = run(ACT(f, .actor = actor, .now_ms = NOW), &is);
    if (ret)
        *ret = is.secret;
    return err;
}

/* An action of the operator on the endpoint of these members. */
#define DO(f, run, ...) run_one((f), &operator,(run), NULL, (struct owner_endpoint){__VA_ARGS__})
#define DO_SECRET(f, run, ret, ...)                                                                \
    run_one((f), &operator,(run), (ret), (struct owner_endpoint){__VA_ARGS__})

static struct owner_endpoint add(struct store_fixture *f, const char *url)
{
    struct owner_endpoint is = {
        .account_no = account_no(f, email), .url = str_from(url), .rules = &rules, .key = &key};
    WRITE(f, owner_add(ACT(f, .actor = &operator, .now_ms = NOW), &is));
    return is;
}

static struct endpoint find(struct store_fixture *f, struct str id)
{
    struct endpoint endpoint;
    assert_ok(f, endpoint_find(ACT(f), id, &endpoint));
    return endpoint;
}

static void fill(struct store_fixture *f)
{
    secret_seal_key(&key, STR("0123456789abcdef0123456789abcdef"));
    delivery_sample_account(f, email); /* on the Den plan */
}

static struct owner_plan_effect set_plan(struct store_fixture *f, enum plan plan)
{
    struct owner_plan_effect effect;
    WRITE(f, owner_set_plan(ACT(f, .now_ms = NOW), str_from(email), plan, &effect));
    return effect;
}

/* "eepd": enabled, enabled, paused, disabled; oldest first. */
static void assert_states(struct store_fixture *f, const char *expected)
{
    char states[32] = "";
    struct endpoint_list list;
    assert_ok(f, endpoint_list(ACT(f), str_from(email), &list));
    assert_true(list.count < sizeof states);
    for (size_t i = 0; i < list.count; i++)
        states[i] = endpoint_state_name(list.items[i].is.state).p[0];
    assert_string_equal(states, expected);
}

static struct str mail_column(struct store_fixture *f, const char *sql)
{
    struct query q;
    struct str text = STR_NULL;
    query_start(&q, f->db, sql);
    if (query_row(&q))
        text = arena_str(&f->arena, query_get_str(&q, 0));
    assert_ok(f, query_end(&q, &f->fail));
    return text;
}

#define assert_has(text, part) assert_true(str_find((text), (part)) >= 0)

static void added_endpoint_uses_shown_secret(void **state)
{
    struct store_fixture *f = *state;
    struct secret opened;
    fill(f);
    struct owner_endpoint added = add(f, "https://EXAMPLE.org:443/Hook?a=B");
    assert_str(added.endpoint.url, "https://example.org/Hook?a=B");
    struct endpoint endpoint = find(f, added.id);
    assert_str(endpoint.url, added.endpoint.url.p);
    assert_ok(f, secret_open(&key, added.id, endpoint.secret_sealed, &opened, &f->fail));
    assert_string_equal(opened.text, added.secret.text);
    assert_true(str_find(endpoint.secret_sealed, secret_text(&opened)) < 0);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM change WHERE noun = 'endpoint'"), 1);
}

static void urls_caps_and_accounts_are_checked(void **state)
{
    static const struct {
        const char *email, *url;
        enum err err;
    } cases[] = {
        {"owner@example.org", "http://example.org/", ERR_INVALID},
        {"owner@example.org", "https://user@example.org/", ERR_INVALID},
        {"owner@example.org", "", ERR_INVALID},
        {"owner@example.org", "https://10.0.0.1/", ERR_REFUSED},
        {"owner@example.org", "https://example.org:25/", ERR_REFUSED},
        {"owner@example.org", "https://localhost/", ERR_REFUSED},
        {"nobody@example.org", "https://example.org/", ERR_NOT_FOUND},
    };
    struct store_fixture *f = *state;
    fill(f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        REFUSED(
            f,
            DO(f, owner_add, .account_no = account_no(f, cases[i].email),
               .url = str_from(cases[i].url)),
            cases[i].err);
    }
    set_plan(f, PLAN_PACK);
    for (int i = 0; i < 3; i++)
        add(f, "https://example.org/");
    REFUSED(
        f, DO(f, owner_add, .account_no = account_no(f, email), .url = STR("https://example.org/")),
        ERR_LIMIT);
    assert_states(f, "eee");
}

static void smaller_plan_pauses_newest_and_larger_plan_resumes_them(void **state)
{
    struct store_fixture *f = *state;
    struct str ids[5];
    fill(f);
    for (int i = 0; i < 5; i++)
        ids[i] = add(f, "https://example.org/").id;
    struct owner_plan_effect effect = set_plan(f, PLAN_PACK);
    assert_states(f, "eeepp");
    assert_int_equal(effect.paused.count, 2);
    assert_str(effect.paused.items[0].id, ids[3].p);
    assert_int_equal(effect.resumed.count, 0);
    effect = set_plan(f, PLAN_PACK); /* again: no effect */
    assert_int_equal(effect.paused.count + effect.resumed.count, 0);
    set_plan(f, PLAN_SCOUT);
    assert_states(f, "ppppp");
    effect = set_plan(f, PLAN_DEN);
    assert_states(f, "eeeee");
    assert_int_equal(effect.resumed.count, 5);
    assert_str(effect.resumed.items[0].id, ids[0].p); /* oldest first */
}

static void disabled_endpoint_stays_disabled_and_is_enabled_within_cap(void **state)
{
    struct store_fixture *f = *state;
    struct str ids[4];
    fill(f);
    for (int i = 0; i < 4; i++)
        ids[i] = add(f, "https://example.org/").id;
    WRITE(f, DO(f, owner_disable, .id = ids[0]));
    WRITE(f, DO(f, owner_disable, .id = ids[3]));
    set_plan(f, PLAN_PACK);
    assert_states(f, "deed");
    REFUSED(f, DO(f, owner_enable, .id = ids[3]), ERR_LIMIT);
    WRITE(f, DO(f, owner_enable, .id = ids[0]));
    assert_states(f, "eeed");
    set_plan(f, PLAN_DEN);
    assert_states(f, "eeed");
    WRITE(f, DO(f, owner_enable, .id = ids[3]));
    assert_states(f, "eeee");
}

static void paused_endpoint_is_neither_enabled_nor_disabled(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    set_plan(f, PLAN_WOLF);
    REFUSED(f, DO(f, owner_enable, .id = id), ERR_REFUSED);
    REFUSED(f, DO(f, owner_disable, .id = id), ERR_REFUSED);
    REFUSED(f, DO(f, owner_enable, .id = STR("ep_0")), ERR_NOT_FOUND);
    assert_states(f, "p");
}

static void oldest_paused_endpoint_replaces_removed_one(void **state)
{
    struct store_fixture *f = *state;
    struct str ids[5];
    fill(f);
    for (int i = 0; i < 5; i++)
        ids[i] = add(f, "https://example.org/").id;
    set_plan(f, PLAN_PACK);
    WRITE(f, DO(f, owner_remove, .id = ids[1]));
    assert_states(f, "eeep");
    assert_int_equal(find(f, ids[3]).is.state, ENDPOINT_ENABLED);
    REFUSED(f, DO(f, owner_remove, .id = ids[1]), ERR_NOT_FOUND);
}

struct remover {
    struct db *db;
    struct str id;
    enum err err;
    struct fail fail;
};

static void *remove_endpoint(void *arg)
{
    struct remover *other = arg;
    struct arena arena;
    arena_init(&arena);
    other->err = db_begin(other->db, &other->fail);
    if (!other->err)
        other->err = db_end(
            other->db,
            owner_remove(
                &(struct act){
                    .db = other->db,
                    .actor = &operator,
                    .now_ms = NOW,
                    .arena = &arena,
                    .fail = &other->fail},
                &(struct owner_endpoint){.id = other->id}),
            &other->fail);
    arena_finish(&arena);
    return NULL;
}

/* On PostgreSQL, two servers change one account: the second waits before it holds a lock that the
 * first one needs. */
static void removal_waits_for_a_change_of_plan(void **state)
{
    struct store_fixture *f = *state;
    if (!store_fixture_is_postgresql())
        skip();
    pthread_t thread;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    struct remover other = {.db = store_fixture_open(f), .id = id};
    BEGIN(f);
    assert_ok(f, account_set_plan(ACT(f), str_from(email), PLAN_SCOUT));
    assert_int_equal(pthread_create(&thread, NULL, remove_endpoint, &other), 0);
    store_fixture_wait_for_waiter(f);
    assert_ok(f, endpoint_do(ACT(f, .now_ms = NOW), id, ENDPOINT_PAUSE));
    COMMIT(f);
    pthread_join(thread, NULL);
    db_close(other.db);
    if (other.err)
        fail_msg("the removal failed: %s", other.fail.text);
    assert_states(f, "");
}

static void endpoint_of_a_disabled_account_can_be_removed_and_not_enabled(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    WRITE(f, account_disable(ACT(f, .now_ms = NOW), str_from(email)));
    REFUSED(f, DO(f, owner_enable, .id = id), ERR_REFUSED);
    WRITE(f, DO(f, owner_remove, .id = id));
    assert_states(f, "");
}

static void rotation_keeps_old_secret_for_grace_period(void **state)
{
    struct store_fixture *f = *state;
    struct secret second, third, opened;
    fill(f);
    struct owner_endpoint added = add(f, "https://example.org/");
    WRITE(f, DO_SECRET(f, owner_rotate, &second, .id = added.id, .grace_hours = 5, .force = false));
    struct endpoint endpoint = find(f, added.id);
    assert_int_equal(endpoint.old_secret_until, NOW + 5 * HOUR_MS);
    assert_ok(f, secret_open(&key, added.id, endpoint.secret_sealed, &opened, &f->fail));
    assert_string_equal(opened.text, second.text);
    assert_ok(f, secret_open(&key, added.id, endpoint.old_secret_sealed, &opened, &f->fail));
    assert_string_equal(opened.text, added.secret.text);
    WRITE(f, DO_SECRET(f, owner_rotate, &third, .id = added.id, .grace_hours = 0, .force = true));
    endpoint = find(f, added.id);
    assert_true(str_is_null(endpoint.old_secret_sealed));
    assert_int_equal(endpoint.old_secret_until, INSTANT_NONE);
    assert_string_not_equal(third.text, second.text);
}

static void wrong_master_key_cannot_seal(void **state)
{
    struct store_fixture *f = *state;
    struct seal_key other;
    struct secret secret;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    secret_seal_key(&other, STR("another master key of 32 bytes.."));
    REFUSED(
        f,
        DO_SECRET(
            f, owner_rotate, &secret, .key = &other, .id = id, .grace_hours = 1, .force = false),
        ERR_REFUSED);
}

static void force_replaces_a_secret_that_does_not_open(void **state)
{
    struct store_fixture *f = *state;
    struct seal_key other;
    struct secret secret, opened;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    secret_seal_key(&other, STR("another master key of 32 bytes.."));
    WRITE(
        f, DO_SECRET(
               f, owner_rotate, &secret, .key = &other, .id = id, .grace_hours = 5, .force = true));
    struct endpoint endpoint = find(f, id);
    assert_true(str_is_null(endpoint.old_secret_sealed));
    assert_ok(f, secret_open(&other, id, endpoint.secret_sealed, &opened, &f->fail));
    assert_string_equal(opened.text, secret.text);
}

static void second_rotation_in_the_overlap_needs_force(void **state)
{
    struct store_fixture *f = *state;
    struct secret second;
    fill(f);
    struct owner_endpoint added = add(f, "https://example.org/");
    WRITE(f, DO_SECRET(f, owner_rotate, &second, .id = added.id, .grace_hours = 5, .force = false));
    int64_t last = NOW + 5 * (int64_t)HOUR_MS - 1;
    REFUSED(
        f,
        owner_rotate(
            ACT(f, .actor = &operator, .now_ms = last),
            &(struct owner_endpoint){
                .key = &key, .id = added.id, .grace_hours = 5, .force = false}),
        ERR_REFUSED);
    REFUSED(
        f,
        owner_rotate(
            ACT(f, .actor = &operator, .now_ms = last),
            &(struct owner_endpoint){
                .key = &key, .id = added.id, .grace_hours = 0, .force = false}),
        ERR_REFUSED);
    WRITE(
        f, owner_rotate(
               ACT(f, .actor = &operator, .now_ms = last + 1),
               &(struct owner_endpoint){
                   .key = &key, .id = added.id, .grace_hours = 5, .force = false}));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM action_log WHERE action = 'endpoint.rotate'"),
        2);
}

static void ended_overlap_leaves_one_secret(void **state)
{
    struct store_fixture *f = *state;
    struct secret second, shown;
    fill(f);
    struct owner_endpoint added = add(f, "https://example.org/");
    REFUSED(f, DO(f, owner_end_overlap, .id = added.id), ERR_REFUSED);
    WRITE(f, DO_SECRET(f, owner_rotate, &second, .id = added.id, .grace_hours = 5, .force = false));
    WRITE(f, DO(f, owner_end_overlap, .id = added.id));
    assert_true(str_is_null(find(f, added.id).old_secret_sealed));
    REFUSED(f, DO(f, owner_end_overlap, .id = added.id), ERR_REFUSED);
    WRITE(f, DO_SECRET(f, owner_reveal, &shown, .id = added.id));
    assert_string_equal(shown.text, second.text);
}

static void change_keeps_secret_and_checks_as_add(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct owner_endpoint added = add(f, "https://example.org/a");
    struct str before = find(f, added.id).secret_sealed;
    WRITE(
        f, DO(f, owner_change, .id = added.id, .url = STR("https://EXAMPLE.net/b"),
              .description = STR(" for the desk ")));
    struct endpoint endpoint = find(f, added.id);
    assert_str(endpoint.url, "https://example.net/b");
    assert_str(endpoint.description, "for the desk");
    assert_true(str_eq(endpoint.secret_sealed, before));
    WRITE(f, DO(f, owner_change, .id = added.id, .description = STR("")));
    endpoint = find(f, added.id);
    assert_str(endpoint.url, "https://example.net/b");
    assert_true(str_is_null(endpoint.description));
    static const struct {
        const char *url, *description;
        enum err err;
    } cases[] = {
        {"http://example.org/", "", ERR_INVALID},
        {"https://10.0.0.1/", "", ERR_REFUSED},
        {"https://example.org:25/", "", ERR_REFUSED},
        {"https://example.org/", "two\nlines", ERR_INVALID},
        {"https://example.org/", "hidden \xe2\x80\xae text", ERR_INVALID},
        {"https://example.org/", "\xff", ERR_INVALID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        REFUSED(
            f,
            DO(f, owner_change, .id = added.id, .url = str_from(cases[i].url),
               .description = str_from(cases[i].description)),
            cases[i].err);
    char longest[ENDPOINT_DESCRIPTION_MAX + 2];
    memset(longest, 'x', sizeof longest);
    longest[ENDPOINT_DESCRIPTION_MAX + 1] = '\0';
    REFUSED(f, DO(f, owner_change, .id = added.id, .description = str_from(longest)), ERR_INVALID);
}

static void enable_checks_the_url_again(void **state)
{
    static const struct port_set no_ports = {.bits = {0}};
    static const struct guard any_port = {.allow = &no_network, .refused_ports = &no_ports};
    static const struct destination_rules older = {.guard = &any_port};
    struct store_fixture *f = *state;
    fill(f);
    struct owner_endpoint added = {
        .account_no = account_no(f, email),
        .url = STR("https://example.org:25/"),
        .rules = &older,
        .key = &key};
    WRITE(f, owner_add(ACT(f, .actor = &operator, .now_ms = NOW), &added));
    WRITE(f, DO(f, owner_disable, .id = added.id));
    REFUSED(f, DO(f, owner_enable, .id = added.id), ERR_REFUSED);
    WRITE(f, DO(f, owner_enable, .id = added.id, .rules = &older));
}

/* Every action on another's endpoint fails as on one that does not exist. */
static void endpoint_of_another_account_does_not_exist(void **state)
{
    struct store_fixture *f = *state;
    struct secret secret;
    struct owner_replays all = {.state = DELIVERY_FAILED, .until = NOW};
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    const struct actor other = {
        .kind = ACTOR_KIND_ACCOUNT, .account_no = find(f, id).account_no + 1, .role = ROLE_ADMIN};
    delivery_sample_event(f, "body", NOW);
    struct str delivery = mail_column(f, "SELECT id FROM delivery");
    for (int i = 0; i < 2; i++) {
        struct str of = i ? id : STR("ep_0123456789abcdef");
        all.endpoint_id = of;
        const enum err errors[] = {
            run_one(
                f, &other, owner_change, NULL,
                (struct owner_endpoint){.id = of, .description = STR("x")}),
            run_one(
                f, &other, owner_set_events, NULL,
                (struct owner_endpoint){.id = of, .events = STR("trade.published")}),
            run_one(f, &other, owner_enable, NULL, (struct owner_endpoint){.id = of}),
            run_one(f, &other, owner_disable, NULL, (struct owner_endpoint){.id = of}),
            run_one(f, &other, owner_remove, NULL, (struct owner_endpoint){.id = of}),
            run_one(
                f, &other, owner_rotate, &secret,
                (struct owner_endpoint){.id = of, .grace_hours = 1, .force = true}),
            run_one(f, &other, owner_reveal, &secret, (struct owner_endpoint){.id = of}),
            run_one(f, &other, owner_end_overlap, NULL, (struct owner_endpoint){.id = of}),
            run_one(f, &other, owner_test, NULL, (struct owner_endpoint){.id = of}),
            owner_replays_count(ACT(f, .actor = &other), &all),
            owner_replay_many(ACT(f, .actor = &other, .now_ms = NOW), &all),
        };
        for (size_t n = 0; n < sizeof errors / sizeof *errors; n++)
            assert_int_equal(errors[n], ERR_NOT_FOUND);
    }
    REFUSED(f, owner_replay(ACT(f, .actor = &other, .now_ms = NOW), &delivery), ERR_NOT_FOUND);
    assert_has(str_from(f->fail.text), STR("there is no delivery \"dlv_"));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM action_log"), 1); /* add */
}

static void replay_and_test_are_actions_with_log_rows(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct str id = add(f, "https://example.org/").id;
    struct endpoint endpoint = find(f, id);
    const struct actor owner = {
        .kind = ACTOR_KIND_ACCOUNT,
        .account_id = endpoint.account_id,
        .account_no = endpoint.account_no,
        .session_id = STR("ses_0"),
    };
    delivery_sample_event(f, "body", NOW);
    struct str delivery = mail_column(f, "SELECT id FROM delivery");
    WRITE(f, run_one(f, &owner, owner_test, NULL, (struct owner_endpoint){.id = id}));
    WRITE(f, owner_replay(ACT(f, .actor = &owner, .now_ms = NOW), &delivery));
    assert_ok(
        f, db_exec(
               f->db, "UPDATE delivery SET state = 'failed', ended_at = 5 WHERE cause <> 'test'",
               &f->fail));
    struct owner_replays which = {.endpoint_id = id, .state = DELIVERY_FAILED, .until = NOW};
    assert_ok(f, owner_replays_count(ACT(f, .actor = &owner), &which));
    assert_int_equal(which.count, 1);
    WRITE(f, owner_replay_many(ACT(f, .actor = &owner, .now_ms = NOW), &which));
    assert_int_equal(which.count, 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM action_log WHERE session_id = 'ses_0' AND action IN"
               " ('endpoint.test', 'delivery.replay', 'delivery.replay_many')"),
        3);
    WRITE(f, account_disable(ACT(f, .now_ms = NOW), str_from(email)));
    REFUSED(
        f,
        owner_test(
            ACT(f, .actor = &owner, .now_ms = NOW + HOUR_MS), &(struct owner_endpoint){.id = id}),
        ERR_REFUSED);
    REFUSED(
        f, owner_replay(ACT(f, .actor = &owner, .now_ms = NOW + HOUR_MS), &delivery), ERR_REFUSED);
}

/* --- notices */

static struct str base_url = STR_INIT("https://trades.example.org");

static void write_notice(struct store_fixture *f, struct str id, int64_t at)
{
    const struct delivery_outcome outcome = {.ended_at = at};
    const struct delivery_effect effect = {.known = true, .endpoint_no = find(f, id).no};
    WRITE(f, notice_failures(f->db, &base_url, &outcome, &effect, &f->fail));
}

static void notice_lists_failing_endpoints_with_their_last_error(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct owner_endpoint failing = add(f, "https://example.org/failing");
    struct owner_endpoint gone = add(f, "https://example.org/gone");
    struct owner_endpoint well = add(f, "https://example.org/well");
    assert_ok(f, db_exec(f->db, "UPDATE endpoint SET failures = 8 WHERE no = 1", &f->fail));
    assert_ok(
        f,
        db_exec(f->db, "UPDATE endpoint SET gone = 1, state = 'disabled' WHERE no = 2", &f->fail));
    delivery_sample_event(f, "body", NOW - 9);
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO attempt (delivery_no, number, started_at, ended_at, error, detail,"
               " endpoint_no) SELECT no, 1, created_at, created_at + 5, 'tls', 'certificate has "
               "expired', 1"
               " FROM delivery WHERE endpoint_no = 1",
               &f->fail));
    write_notice(f, failing.id, NOW);
    assert_str(mail_column(f, "SELECT to_email FROM mail"), email);
    struct str body = mail_column(f, "SELECT body FROM mail");
    assert_has(body, failing.id);
    assert_has(body, STR("https://example.org/failing"));
    assert_has(body, STR("8 deliveries"));
    assert_has(body, STR("certificate has expired (tls)"));
    assert_has(body, gone.id);
    assert_has(body, STR("410"));
    assert_true(str_find(body, well.id) < 0);
    assert_has(body, STR("    https://trades.example.org/account/webhooks"));
    assert_true(str_find(body, STR("stockact webhooks")) < 0);
    assert_true(str_find(body, secret_text(&failing.secret)) < 0);
}

static void notices_of_an_account_are_an_hour_apart(void **state)
{
    struct store_fixture *f = *state;
    static const char mails[] = "SELECT count(*) FROM mail", due[] = "SELECT max(due_at) FROM mail";
    fill(f);
    struct str id = add(f, "https://example.org/hook").id;
    assert_ok(f, db_exec(f->db, "UPDATE endpoint SET failures = 5", &f->fail));
    write_notice(f, id, NOW);
    assert_int_equal(store_fixture_number(f, due), NOW);
    assert_ok(f, db_exec(f->db, "UPDATE mail SET tries = 1, due_at = due_at + 90000", &f->fail));
    write_notice(f, id, NOW + 3); /* the first is tried again: the hour begins now at the latest */
    assert_int_equal(store_fixture_number(f, due), NOW + 3 + HOUR_MS);
    assert_ok(f, db_exec(f->db, "DELETE FROM mail WHERE tries = 0", &f->fail));
    assert_ok(f, db_exec(f->db, "UPDATE mail SET due_at = due_at - 90000", &f->fail));
    assert_ok(f, db_exec(f->db, "UPDATE mail SET ended_at = due_at + 5", &f->fail));
    for (int i = 6; i <= 10; i++) /* replaces the one that waits */
        write_notice(f, id, NOW + i * SECOND_MS);
    assert_int_equal(store_fixture_number(f, mails), 2);
    assert_int_equal(store_fixture_number(f, due), NOW + 5 + HOUR_MS);
    assert_ok(f, db_exec(f->db, "UPDATE endpoint SET failures = 0", &f->fail));
    write_notice(f, id, NOW + MINUTE_MS); /* it works again: nothing to tell */
    assert_int_equal(store_fixture_number(f, mails), 1);
    assert_ok(f, db_exec(f->db, "UPDATE endpoint SET failures = 5", &f->fail));
    write_notice(f, id, NOW + HOUR_MS + 5);
    assert_int_equal(store_fixture_number(f, due), NOW + HOUR_MS + 5);
}

static void removal_sends_no_notice_to_owner(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    struct str id = add(f, "https://example.org/hook").id;
    const struct delivery_outcome outcome = {.ended_at = NOW, .status = 500};
    const struct delivery_effect effect = {
        .endpoint_no = find(f, id).no, .after = {.state = ENDPOINT_DELETED, .failures = 5}};
    WRITE(f, DO(f, owner_remove, .id = id));
    WRITE(f, notice_failures(f->db, &base_url, &outcome, &effect, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM mail"), 0);
}

static void plan_without_endpoint_changes_sends_no_notice(void **state)
{
    struct store_fixture *f = *state;
    struct account account;
    fill(f);
    struct str id = add(f, "https://example.org/hook").id;
    assert_ok(f, account_find(ACT(f), str_from(email), &account));
    struct owner_plan_effect effect = set_plan(f, PLAN_PACK);
    WRITE(f, notice_plan(ACT(f, .now_ms = NOW), base_url, &account, &effect));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM mail"), 0);
    effect = set_plan(f, PLAN_SCOUT);
    account.plan = PLAN_SCOUT;
    WRITE(f, notice_plan(ACT(f, .now_ms = NOW), base_url, &account, &effect));
    struct str body = mail_column(f, "SELECT body FROM mail");
    assert_has(body, STR("on the Scout plan now, which allows 0 webhook endpoints"));
    assert_has(body, id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(added_endpoint_uses_shown_secret),
        store_test(urls_caps_and_accounts_are_checked),
        store_test(smaller_plan_pauses_newest_and_larger_plan_resumes_them),
        store_test(disabled_endpoint_stays_disabled_and_is_enabled_within_cap),
        store_test(paused_endpoint_is_neither_enabled_nor_disabled),
        store_test(oldest_paused_endpoint_replaces_removed_one),
        store_test(removal_waits_for_a_change_of_plan),
        store_test(endpoint_of_a_disabled_account_can_be_removed_and_not_enabled),
        store_test(rotation_keeps_old_secret_for_grace_period),
        store_test(wrong_master_key_cannot_seal),
        store_test(force_replaces_a_secret_that_does_not_open),
        store_test(second_rotation_in_the_overlap_needs_force),
        store_test(ended_overlap_leaves_one_secret),
        store_test(change_keeps_secret_and_checks_as_add),
        store_test(enable_checks_the_url_again),
        store_test(endpoint_of_another_account_does_not_exist),
        store_test(replay_and_test_are_actions_with_log_rows),
        store_test(notice_lists_failing_endpoints_with_their_last_error),
        store_test(notices_of_an_account_are_an_hour_apart),
        store_test(removal_sends_no_notice_to_owner),
        store_test(plan_without_endpoint_changes_sends_no_notice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

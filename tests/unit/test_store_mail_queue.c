/* The mail queue: leases, attempts, retention. */
#include "store_fixture.h"

#include "store/account/mail_queue.h"

enum { NOW = 1000000000 };

static void put(struct store_fixture *f, const char *subject, int64_t at)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, mail_queue_put(
               f->db, STR("owner@example.org"), str_from(subject), STR("a\nb\n"), at, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static bool claim_by_clocks(
    struct store_fixture *f, const char *node, int64_t at, int64_t database_ms,
    struct mail_queue_claimed *ret)
{
    size_t found = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, mail_queue_claim(ACT(f, .now_ms = at), str_from(node), database_ms, 1, ret, &found));
    assert_ok(f, db_commit(f->db, &f->fail));
    return found == 1;
}

static bool claim(
    struct store_fixture *f, const char *node, int64_t at, struct mail_queue_claimed *ret)
{
    return claim_by_clocks(f, node, at, at, ret);
}

static void sent(struct store_fixture *f, int64_t no, int64_t at)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, mail_queue_sent(f->db, no, at, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* Returns true if the mail was given up. */
static bool failed(struct store_fixture *f, int64_t no, const char *node, int64_t at)
{
    bool given_up = false;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, mail_queue_failed(
               ACT(f, .now_ms = at), no, str_from(node), STR("451 not now"), false, &given_up));
    assert_ok(f, db_commit(f->db, &f->fail));
    return given_up;
}

#define count_of(f, condition)                                                                     \
    store_fixture_number((f), "SELECT count(*) FROM mail WHERE " condition)

static void lease_is_on_the_database_clock(void **state)
{
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    put(f, "one", NOW);
    assert_true(claim_by_clocks(f, "a", NOW, NOW, &mail));
    assert_false(claim_by_clocks(f, "fast", NOW + 10 * (int64_t)MINUTE_MS, NOW + 1, &mail));
    assert_true(claim_by_clocks(
        f, "fast", NOW + 10 * (int64_t)MINUTE_MS, NOW + MAIL_QUEUE_LEASE_MS, &mail));
    assert_int_equal(count_of(f, "lease_node = 'fast'"), 1);
    assert_true(claim_by_clocks(f, "b", NOW + DAY_MS, NOW - DAY_MS, &mail)); /* set back */
}

static void longest_due_delivery_is_claimed_first(void **state)
{
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    assert_false(claim(f, "a", NOW, &mail));
    put(f, "second", NOW - 1);
    put(f, "first", NOW - 2);
    put(f, "later", NOW + 1);
    assert_true(claim(f, "a", NOW, &mail));
    assert_str(mail.subject, "first");
    assert_str(mail.to, "owner@example.org");
    assert_str(mail.body, "a\nb\n");
    assert_int_equal(mail.tries, 0);
    assert_true(claim(f, "b", NOW, &mail));
    assert_str(mail.subject, "second");
    assert_false(claim(f, "a", NOW, &mail));
}

static void sent_mail_is_not_claimed_again(void **state)
{
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    put(f, "one", NOW);
    assert_true(claim(f, "a", NOW, &mail));
    sent(f, mail.no, NOW + 5);
    sent(f, mail.no, NOW + 6); /* again: no effect */
    assert_false(claim(f, "a", NOW + DAY_MS, &mail));
    assert_int_equal(store_fixture_number(f, "SELECT ended_at FROM mail"), NOW + 5);
    assert_int_equal(store_fixture_number(f, "SELECT tries FROM mail"), 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(error) FROM mail"), 0);
}

static void delivery_retries_after_fixed_steps_then_fails(void **state)
{
    static const int64_t waits_ms[] = {MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS};
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    int64_t at = NOW;
    put(f, "one", NOW);
    for (size_t i = 0; i < sizeof waits_ms / sizeof *waits_ms; i++) {
        assert_true(claim(f, "a", at, &mail));
        assert_int_equal(mail.tries, i);
        assert_false(failed(f, mail.no, "a", at + 7));
        assert_false(claim(f, "a", at + 7 + waits_ms[i] - 1, &mail));
        at += 7 + waits_ms[i];
    }
    assert_true(claim(f, "a", at, &mail));
    assert_true(failed(f, mail.no, "a", at));
    assert_false(claim(f, "a", at + (int64_t)30 * DAY_MS, &mail));
    assert_int_equal(store_fixture_number(f, "SELECT tries FROM mail"), MAIL_QUEUE_TRIES_MAX);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM mail WHERE error = '451 not now'"), 1);
}

static void expired_lease_makes_delivery_due(void **state)
{
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    put(f, "one", NOW);
    assert_true(claim(f, "a", NOW, &mail));
    assert_false(claim(f, "b", NOW + MAIL_QUEUE_LEASE_MS - 1, &mail));
    assert_true(claim(f, "b", NOW + MAIL_QUEUE_LEASE_MS, &mail));
    assert_false(failed(
        f, mail.no, "a", NOW + MAIL_QUEUE_LEASE_MS)); /* the lease now belongs to another server */
    assert_int_equal(store_fixture_number(f, "SELECT tries FROM mail"), 0);
    sent(f, mail.no, NOW + MAIL_QUEUE_LEASE_MS);
    assert_false(failed(f, mail.no, "b", NOW + MAIL_QUEUE_LEASE_MS)); /* sent mail stays sent */
    assert_int_equal(store_fixture_number(f, "SELECT count(error) FROM mail"), 0);
}

static void starting_server_ends_only_its_own_leases(void **state)
{
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    put(f, "mine", NOW);
    put(f, "other", NOW + 1);
    assert_true(claim(f, "a", NOW + 1, &mail));
    assert_true(claim(f, "b", NOW + 1, &mail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, mail_queue_end_leases(f->db, STR("a"), NOW + 2, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_true(claim(f, "a", NOW + 2, &mail));
    assert_str(mail.subject, "mine");
    assert_false(claim(f, "a", NOW + 2, &mail));
}

/* Mail whose lease is over waits since then: it keeps its place in the queue. */
static void ended_lease_keeps_the_time_since_which_it_is_due(void **state)
{
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    put(f, "one", NOW);
    assert_true(claim(f, "a", NOW, &mail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, mail_queue_end_leases(f->db, STR("a"), NOW + MAIL_QUEUE_LEASE_MS + 500, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT due_at FROM mail"), NOW + MAIL_QUEUE_LEASE_MS);
}

static void tidy_deletes_only_deliveries_ended_thirty_days_ago(void **state)
{
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    int64_t later = NOW + (int64_t)MAIL_QUEUE_KEPT_DAYS * DAY_MS, count = -1;
    put(f, "sent", NOW);
    put(f, "sent too", NOW);
    put(f, "waits", NOW);
    for (int i = 0; i < 2; i++) {
        assert_true(claim(f, "a", NOW, &mail));
        sent(f, mail.no, NOW);
    }
    static const int64_t deleted[] = {0, 1, 1, 0};
    for (int i = 0; i < 4; i++) { /* one at a time, a millisecond apart */
        assert_ok(f, db_begin(f->db, &f->fail));
        assert_ok(f, mail_queue_prune(f->db, later + i, 1, &count, &f->fail));
        assert_ok(f, db_commit(f->db, &f->fail));
        assert_int_equal(count, deleted[i]);
    }
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM mail WHERE subject = 'waits'"), 1);
}

/* --- for admins */

struct mails {
    char text[512]; /* "number state subject, ...", newest first */
};

static void add_mail(void *ctx, const struct mail_row *row)
{
    struct mails *mails = ctx;
    size_t n = strlen(mails->text);
    assert_true((row->due_at == INSTANT_NONE) == (row->ended_at != INSTANT_NONE));
    snprintf(
        mails->text + n, sizeof mails->text - n, "%s%.*s %.*s%s", n ? ", " : "",
        STR_ARG(row->subject), STR_ARG(mail_state_name(row->state)),
        str_is_null(row->error) ? "" : "!");
}

static struct mails listed(struct store_fixture *f, const enum mail_state *of)
{
    struct mails mails = {.text = ""};
    assert_ok(f, mail_queue_each(f->db, of, INT64_MAX, 50, add_mail, &mails, &f->fail));
    return mails;
}

static void give_up(struct store_fixture *f, const char *subject)
{
    struct mail_queue_claimed mail;
    put(f, subject, NOW);
    for (int i = 0; i < MAIL_QUEUE_TRIES_MAX; i++) {
        assert_true(claim(f, "a", NOW + i * DAY_MS, &mail));
        assert_str(mail.subject, subject);
        failed(f, mail.no, "a", NOW + i * DAY_MS);
    }
}

/* One mail in each state. */
static void make_all_states(struct store_fixture *f)
{
    struct mail_queue_claimed mail;
    give_up(f, "hopeless");
    put(f, "gone", NOW);
    assert_true(claim(f, "a", NOW, &mail));
    sent(f, mail.no, NOW);
    put(f, "again", NOW);
    assert_true(claim(f, "a", NOW, &mail));
    failed(f, mail.no, "a", NOW);
    put(f, "new", NOW + 7);
}

static void mail_that_is_not_sent_is_listed_and_counted(void **state)
{
    struct store_fixture *f = *state;
    static const char *const of_state[MAIL_STATE_COUNT] = {
        [MAIL_WAITING] = "new waiting",
        [MAIL_RETRYING] = "again retrying!",
        [MAIL_GIVEN_UP] = "hopeless given_up!",
        [MAIL_SENT] = "gone sent",
    };
    struct mail_counts counts;
    assert_ok(f, mail_queue_count(f->db, &f->arena, &counts, &f->fail));
    assert_int_equal(counts.waiting + counts.retrying + counts.given_up, 0);
    assert_int_equal(counts.oldest_at, INSTANT_NONE);
    assert_true(str_is_null(counts.error));
    make_all_states(f);
    assert_string_equal(listed(f, NULL).text, "new waiting, again retrying!, hopeless given_up!");
    for (enum mail_state s = 0; s < MAIL_STATE_COUNT; s++)
        assert_string_equal(listed(f, &s).text, of_state[s]);
    assert_ok(f, mail_queue_count(f->db, &f->arena, &counts, &f->fail));
    assert_int_equal(counts.waiting, 1);
    assert_int_equal(counts.retrying, 1);
    assert_int_equal(counts.given_up, 1);
    assert_int_equal(counts.oldest_at, NOW);
    assert_str(counts.error, "451 not now");
}

static enum err retry(struct store_fixture *f, int64_t no, int64_t now)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    return db_end(f->db, mail_queue_retry(f->db, no, now, &f->fail), &f->fail);
}

static enum err drop(struct store_fixture *f, int64_t no, int64_t now)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    return db_end(f->db, mail_queue_drop(f->db, no, now, &f->fail), &f->fail);
}

static void retried_mail_has_all_its_tries_again(void **state)
{
    struct store_fixture *f = *state;
    struct mail_queue_claimed mail;
    int64_t later = NOW + 30 * (int64_t)DAY_MS, count = 0;
    give_up(f, "hopeless");
    assert_false(claim(f, "a", later, &mail));
    int64_t no = store_fixture_number(f, "SELECT no FROM mail");
    assert_ok(f, retry(f, no, later));
    assert_false(claim(f, "a", later - 1, &mail));
    assert_true(claim(f, "a", later, &mail));
    assert_int_equal(mail.tries, 0);
    assert_int_equal(retry(f, no, later), ERR_REFUSED); /* it is being sent */
    assert_int_equal(drop(f, no, later), ERR_REFUSED);
    assert_ok(f, retry(f, no, later + MAIL_QUEUE_LEASE_MS)); /* its server was killed */
    assert_true(claim(f, "a", later + MAIL_QUEUE_LEASE_MS, &mail));
    sent(f, no, later + MAIL_QUEUE_LEASE_MS);
    assert_int_equal(retry(f, no, later + DAY_MS), ERR_REFUSED); /* it was sent */
    assert_int_equal(drop(f, no, later + DAY_MS), ERR_REFUSED);
    assert_int_equal(retry(f, no + 1, later), ERR_NOT_FOUND);
    give_up(f, "one");
    give_up(f, "two");
    assert_ok(f, mail_queue_retry_given_up(f->db, later, &count, &f->fail));
    assert_int_equal(count, 2);
    assert_string_equal(listed(f, NULL).text, "two waiting!, one waiting!");
}

/* The server's words may name the receiver, as the queue does. */
static void given_up_mail_to_a_deleted_account_forgets_its_address(void **state)
{
    struct store_fixture *f = *state;
    const struct mail_letter letter = {
        .to = STR("Gone@example.org"),
        .subject = STR("bye"),
        .body = STR("b\n"),
        .kind = STR("account_deleted")};
    struct mail_queue_claimed mail;
    int64_t at = NOW, count;
    bool given_up = false;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, mail_queue_add(f->db, &letter, NOW, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    put(f, "other", NOW + 9 * (int64_t)DAY_MS);
    for (int i = 0; i < MAIL_QUEUE_TRIES_MAX; i++, at += 7 * HOUR_MS) {
        assert_int_equal(count_of(f, "to_email = 'Gone@example.org'"), 1);
        assert_true(claim(f, "a", at, &mail));
        assert_ok(f, db_begin(f->db, &f->fail));
        assert_ok(
            f, mail_queue_failed(
                   ACT(f, .now_ms = at), mail.no, STR("a"), STR("550 no <gone@example.org> here"),
                   false, &given_up));
        assert_ok(f, db_commit(f->db, &f->fail));
    }
    assert_true(given_up);
    assert_int_equal(
        count_of(
            f, "lower(to_email || coalesce(to_folded, '') || coalesce(error, ''))"
               " LIKE '%gone@%'"),
        0);
    assert_int_equal(count_of(f, "ended_at IS NOT NULL AND error IS NOT NULL"), 1);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_int_equal(mail_queue_retry(f->db, mail.no, at, &f->fail), ERR_REFUSED);
    assert_ok(f, mail_queue_retry_given_up(f->db, at, &count, &f->fail));
    assert_int_equal(count, 0);
    assert_ok(f, mail_queue_drop(f->db, mail.no, at, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(count_of(f, "1 = 1"), 1);
}

static void dropped_mail_is_deleted(void **state)
{
    struct store_fixture *f = *state;
    put(f, "one", NOW);
    put(f, "two", NOW);
    assert_ok(f, drop(f, store_fixture_number(f, "SELECT max(no) FROM mail"), NOW));
    assert_string_equal(listed(f, NULL).text, "one waiting");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(lease_is_on_the_database_clock),
        store_test(longest_due_delivery_is_claimed_first),
        store_test(sent_mail_is_not_claimed_again),
        store_test(delivery_retries_after_fixed_steps_then_fails),
        store_test(expired_lease_makes_delivery_due),
        store_test(starting_server_ends_only_its_own_leases),
        store_test(ended_lease_keeps_the_time_since_which_it_is_due),
        store_test(tidy_deletes_only_deliveries_ended_thirty_days_ago),
        store_test(mail_that_is_not_sent_is_listed_and_counted),
        store_test(retried_mail_has_all_its_tries_again),
        store_test(given_up_mail_to_a_deleted_account_forgets_its_address),
        store_test(dropped_mail_is_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

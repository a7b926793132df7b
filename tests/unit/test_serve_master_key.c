/* Which file has the master key of a database, and what the refusals say. */
#include "delivery_sample.h"

#include <sys/stat.h>

#include "serve/master_key.h"
#include "store/public/sealed.h"

static const char *const email = "owner@example.org";

static const struct str ours = STR_INIT("the key of this database, 32 by.");
static const struct str other = STR_INIT("another key of thirty-two bytes.");

static struct str path_of(struct store_fixture *f, const char *name)
{
    return arena_fmt(&f->arena, "%s/%s", f->folder, name);
}

static void write_key(struct store_fixture *f, const char *name, struct str key)
{
    FILE *file = fopen(path_of(f, name).p, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(key.p, 1, key.n, file), key.n);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path_of(f, name).p, 0600), 0);
}

static int teardown(void **state)
{
    static const char *const names[] = {"key", "key.next", "key.kept", "key.pipe", "kez.kept"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(*state, names[i]).p);
    return store_fixture_teardown(state);
}

static struct key_mark mark_of(struct str key)
{
    uint8_t bytes[SECRET_KEY_SIZE];
    memcpy(bytes, key.p, sizeof bytes);
    return key_mark_of(bytes);
}

static void mark(struct store_fixture *f, struct str key)
{
    const struct key_mark its = mark_of(key);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, db_end(f->db, key_mark_set(f->db, &its, &f->fail), &f->fail));
}

/* An account whose second factor this key sealed. */
static void add_factor(struct store_fixture *f, const char *address, struct str key)
{
    static const char secret[] = "twenty secret bytes.";
    uint8_t sealed[sizeof secret - 1 + SEAL_OVERHEAD];
    struct seal_key seal_key;
    struct account account;
    struct query q;
    delivery_sample_account(f, address);
    assert_ok(f, account_find(ACT(f), str_from(address), &account));
    seal_key_init(&seal_key, key, STR(SEALED_FACTOR));
    seal(&seal_key, account.id, str_from(secret), sealed);
    query_start(&q, f->db, "UPDATE account SET totp_sealed = $2, totp_at = 1 WHERE no = $1");
    query_i64(&q, account.no);
    query_blob(&q, sealed, sizeof sealed);
    assert_ok(f, query_end(&q, &f->fail));
}

static enum master_key_fit compared(struct store_fixture *f)
{
    enum master_key_fit fit = MASTER_KEY_NOT_NEEDED;
    struct key_mark needed;
    assert_ok(f, master_key_compare(path_of(f, "key"), f->db, &fit, &needed, &f->fail));
    return fit;
}

/* The file that has the database's key beside `key`; NULL: none. */
static const char *beside(struct store_fixture *f)
{
    struct str found;
    assert_ok(f, master_key_beside(path_of(f, "key"), f->db, &f->arena, &found, &f->fail));
    return str_is_null(found) ? NULL : strrchr(found.p, '/') + 1;
}

static enum err opened(struct store_fixture *f)
{
    uint8_t key[SECRET_KEY_SIZE];
    return master_key_open(path_of(f, "key"), f->db, MASTER_KEY_READ, true, key, &f->fail);
}

static void key_of_a_killed_rotation_fits(void **state)
{
    struct store_fixture *f = *state;
    mark(f, ours);
    assert_int_equal(compared(f), MASTER_KEY_MISSING);
    write_key(f, "key.next", ours);
    assert_int_equal(compared(f), MASTER_KEY_FITS);
    write_key(f, "key", other);
    assert_int_equal(compared(f), MASTER_KEY_FITS);
    write_key(f, "key.next", other);
    assert_int_equal(compared(f), MASTER_KEY_DIFFERS);
}

static void kept_key_is_found_by_the_mark(void **state)
{
    struct store_fixture *f = *state;
    mark(f, ours);
    write_key(f, "key", other);
    write_key(f, "key.next", other);
    write_key(f, "kez.kept", ours); /* another file's */
    assert_int_equal(mkfifo(path_of(f, "key.pipe").p, 0600), 0);
    assert_null(beside(f));
    write_key(f, "key.kept", ours);
    assert_int_equal(chmod(path_of(f, "key.kept").p, 0644), 0);
    assert_string_equal(beside(f), "key.kept");
    assert_int_equal(compared(f), MASTER_KEY_DIFFERS);
    assert_int_equal(opened(f), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "key.kept\": copy it there"));
}

static void kept_key_is_found_by_what_it_sealed(void **state)
{
    struct store_fixture *f = *state;
    write_key(f, "key.kept", other);
    assert_null(beside(f)); /* nothing is sealed, and any key would do */
    add_factor(f, email, ours);
    assert_null(beside(f));
    write_key(f, "key", other);
    assert_int_equal(compared(f), MASTER_KEY_DIFFERS);
    write_key(f, "key.kept", ours);
    assert_string_equal(beside(f), "key.kept");
    assert_int_equal(opened(f), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "key.kept\": copy it there"));
}

static void refusal_of_a_lost_factor_says_how_to_go_on(void **state)
{
    struct store_fixture *f = *state;
    write_key(f, "key", ours);
    add_factor(f, "one@example.org", ours);
    assert_ok(f, opened(f));
    add_factor(f, email, other);
    assert_int_equal(opened(f), ERR_REFUSED);
    assert_non_null(
        strstr(f->fail.text, "`stockact accounts second-factor-off --email owner@example.org`"));
}

static void second_key_for_a_marked_database_is_told_which_it_needs(void **state)
{
    struct store_fixture *f = *state;
    const struct key_mark its = mark_of(ours), wrong = mark_of(other);
    mark(f, ours);
    assert_int_equal(key_mark_claim(f->db, &wrong, &f->fail), ERR_REFUSED);
    const char *expected = arena_fmt(&f->arena, "master key is %s: give its file", its.text).p;
    assert_non_null(strstr(f->fail.text, expected));
}

int main(void)
{
#define KEY_TEST(name) cmocka_unit_test_setup_teardown(name, store_fixture_setup, teardown)
    const struct CMUnitTest tests[] = {
        KEY_TEST(key_of_a_killed_rotation_fits),
        KEY_TEST(kept_key_is_found_by_the_mark),
        KEY_TEST(kept_key_is_found_by_what_it_sealed),
        KEY_TEST(refusal_of_a_lost_factor_says_how_to_go_on),
        KEY_TEST(second_key_for_a_marked_database_is_told_which_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Secrets at rest: they open with the right key, owner and purpose only. */
#include "unit.h"

#include <string.h>

#include "base/codec.h"
#include "base/seal.h"

enum { SECRET_SIZE = 20, SEALED_SIZE = SECRET_SIZE + SEAL_OVERHEAD };

static const struct str master = STR_INIT("0123456789abcdef0123456789abcdef");
static const struct str owner = STR_INIT("ep_00112233445566ff");
static const struct str secret = STR_INIT("a secret of 20 bytes");

static struct seal_key key;

static int make_key(void **state)
{
    seal_key_init(&key, master, STR("tests"));
    return 0;
}

static enum err open_with(const struct seal_key *with, struct str whose, struct str sealed)
{
    char opened[SECRET_SIZE];
    static const char zeros[SECRET_SIZE];
    struct fail fail;
    memset(opened, 'x', sizeof opened);
    enum err err = seal_open(with, whose, sealed, opened, sizeof opened, &fail);
    if (err)
        assert_non_null(strstr(fail.text, "cannot decrypt the secret"));
    assert_memory_equal(opened, err ? zeros : secret.p, sizeof opened);
    return err;
}

static void sealing_round_trips_with_new_bytes_each_time(void **state)
{
    uint8_t a[SEALED_SIZE], b[SEALED_SIZE];
    seal(&key, owner, secret, a);
    seal(&key, owner, secret, b);
    assert_memory_not_equal(a, b, sizeof a);
    assert_int_equal(open_with(&key, owner, str_of((char *)a, sizeof a)), OK);
    assert_int_equal(open_with(&key, owner, str_of((char *)b, sizeof b)), OK);
}

static void any_changed_bit_or_length_is_detected(void **state)
{
    uint8_t sealed[SEALED_SIZE + 1] = {0};
    seal(&key, owner, secret, sealed);
    for (size_t bit = 0; bit < SEALED_SIZE * 8u; bit++) {
        sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(open_with(&key, owner, str_of((char *)sealed, SEALED_SIZE)), ERR_CORRUPT);
        sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t n = 0; n <= sizeof sealed; n++)
        assert_int_equal(
            open_with(&key, owner, str_of((char *)sealed, n)), n == SEALED_SIZE ? OK : ERR_CORRUPT);
}

static void wrong_owner_key_or_purpose_cannot_open(void **state)
{
    uint8_t sealed[SEALED_SIZE] = {0};
    struct str text = str_of((char *)sealed, sizeof sealed);
    struct seal_key other_master, other_purpose;
    seal(&key, owner, secret, sealed);
    seal_key_init(&other_master, STR("0123456789abcdef0123456789abcdeg"), STR("tests"));
    seal_key_init(&other_purpose, master, STR("test"));
    assert_int_equal(open_with(&key, STR("ep_00112233445566fe"), text), ERR_CORRUPT);
    assert_int_equal(open_with(&other_master, owner, text), ERR_CORRUPT);
    assert_int_equal(open_with(&other_purpose, owner, text), ERR_CORRUPT);
    assert_int_equal(open_with(&key, owner, text), OK);
    seal_key_finish(&other_master);
    seal_key_finish(&other_purpose);
}

/* Computed without libsodium, from RFC 5869, RFC 8439 and the draft of XChaCha20. */
static void vector_of_published_algorithms_opens(void **state)
{
    uint8_t sealed[SEALED_SIZE];
    assert_true(hex_decode(
        STR("000102030405060708090a0b0c0d0e0f1011121314151617ce2e35b9620b51477c4a50ca"
            "fffaa387eb0ef30d4f52f81a3e77f544fef1c9c356264ff8"),
        sealed, sizeof sealed));
    assert_int_equal(open_with(&key, owner, str_of((char *)sealed, sizeof sealed)), OK);
}

static void finished_key_is_wiped(void **state)
{
    static const uint8_t zeros[sizeof(struct seal_key)];
    struct seal_key short_lived;
    seal_key_init(&short_lived, master, STR("tests"));
    assert_memory_not_equal(&short_lived, zeros, sizeof zeros);
    seal_key_finish(&short_lived);
    assert_memory_equal(&short_lived, zeros, sizeof zeros);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sealing_round_trips_with_new_bytes_each_time),
        cmocka_unit_test(any_changed_bit_or_length_is_detected),
        cmocka_unit_test(wrong_owner_key_or_purpose_cannot_open),
        cmocka_unit_test(vector_of_published_algorithms_opens),
        cmocka_unit_test(finished_key_is_wiped),
    };
    return cmocka_run_group_tests(tests, make_key, NULL);
}

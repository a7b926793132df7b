#include "unit.h"

#include <string.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/search.h"
#include "base/str_list.h"

static void null_and_empty_strings_differ(void **state)
{
    assert_false(str_eq(STR_NULL, STR("")));
    assert_true(str_eq(STR_NULL, str_from(NULL)));
    assert_true(str_is_null(str_from(NULL)));
}

static void splitting_returns_empty_parts(void **state)
{
    struct str rest = STR("a,,b"), part;
    assert_true(str_split(&rest, ',', &part));
    assert_str(part, "a");
    assert_true(str_split(&rest, ',', &part));
    assert_str(part, "");
    assert_true(str_split(&rest, ',', &part));
    assert_str(part, "b");
    assert_false(str_split(&rest, ',', &part));
}

static void list_of_words_holds_whole_words_only(void **state)
{
    struct str words = STR("ada ben");
    assert_true(str_lists(words, STR("ada")));
    assert_true(str_lists(words, STR("ben")));
    assert_false(str_lists(words, STR("be")));
    assert_false(str_lists(words, STR("da")));
    assert_false(str_lists(words, STR("")));
    assert_false(str_lists(STR(""), STR("")));
    assert_false(str_lists(STR_NULL, STR("ada")));
    assert_int_equal(str_find_word(STR("adaada,ada\nada"), STR("ada"), 0), 7);
    assert_int_equal(str_find_word(STR("adaada,ada\nada"), STR("ada"), 8), 11);
    assert_int_equal(str_find_word(STR("adaada,ada\nada"), STR("ada"), 12), -1);
    assert_int_equal(str_find_word(STR("ada"), STR("ada"), 99), -1);
}

static void numbers_are_parsed_strictly(void **state)
{
    static const char *const refused[] = {"",    "-",   "+1",  " 1", "1 ",
                                          "0x1", "1.0", "1e3", "-0", "9223372036854775808"};
    int64_t v;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(str_to_i64(str_from(refused[i]), &v));
    assert_true(str_to_i64(STR("-9223372036854775808"), &v));
    assert_true(v == INT64_MIN);
    assert_true(str_to_i64(STR("9223372036854775807"), &v));
    assert_true(v == INT64_MAX);
}

static void base64url_decodes_only_canonical_text(void **state)
{
    for (size_t n = 0; n < 70; n++) {
        uint8_t bytes[70];
        random_bytes(bytes, sizeof bytes);
        struct buf text, back;
        buf_init(&text, 1000);
        buf_init(&back, 1000);
        base64url_encode(&text, bytes, n);
        assert_true(base64url_decode(&back, buf_view(&text)));
        assert_int_equal(back.n, n);
        assert_memory_equal(back.n ? back.p : "", bytes, n);
        if (text.n % 4) { /* the unused bits of the last character must be zero */
            text.p[text.n - 1] = (char)(text.p[text.n - 1] == 'A' ? 'B' : text.p[text.n - 1] + 1);
            buf_reset(&back);
            bool ok = base64url_decode(&back, buf_view(&text));
            struct buf again;
            buf_init(&again, 1000);
            base64url_encode(&again, back.p, back.n);
            assert_true(!ok || str_eq(buf_view(&again), buf_view(&text)));
            buf_finish(&again);
        }
        buf_finish(&text);
        buf_finish(&back);
    }
}

static void base64_decoding_is_strict_and_needs_padding(void **state)
{
    static const struct {
        const char *text, *bytes; /* NULL: refused */
    } cases[] = {
        {"", ""},         {"Zg==", "f"},        {"Zm8=", "fo"},
        {"Zm9v", "foo"},  {"Zm9vYg==", "foob"}, {"+/+/", "\xfb\xff\xbf"},
        {"Zg", NULL},     {"Zg=", NULL},        {"Zh==", NULL},
        {"Zm9=", NULL},   {"Zm9v====", NULL},   {"====", NULL},
        {"Z===", NULL},   {"Zg==Zg==", NULL},   {"-_-_", NULL},
        {"Zm9v\n", NULL}, {" Zg=", NULL},       {"Zm=v", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char room[16];
        struct buf b = buf_over(room, sizeof room);
        assert_int_equal(base64_decode(&b, str_from(cases[i].text)), cases[i].bytes != NULL);
        assert_str(buf_view(&b), cases[i].bytes ? cases[i].bytes : "");
    }
}

static void digests_match_published_vectors(void **state)
{
    uint8_t digest[SHA256_SIZE];
    char hex[2 * SHA256_SIZE];
    sha256(STR("abc"), digest);
    hex_encode(digest, sizeof digest, hex);
    assert_str(
        str_of(hex, sizeof hex),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    /* RFC 4231, test case 2 */
    hmac_sha256(STR("Jefe"), STR("what do ya want for nothing?"), digest);
    hex_encode(digest, sizeof digest, hex);
    assert_str(
        str_of(hex, sizeof hex),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    /* RFC 5869, test case 3, first 32 bytes */
    char ikm[22];
    memset(ikm, 0x0b, sizeof ikm);
    hkdf_sha256(str_of(ikm, sizeof ikm), STR(""), digest);
    hex_encode(digest, sizeof digest, hex);
    assert_str(
        str_of(hex, sizeof hex),
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
}

static void single_bit_makes_secrets_differ(void **state)
{
    uint8_t a[41], b[41];
    for (size_t i = 0; i < sizeof a; i++)
        a[i] = b[i] = (uint8_t)(i * 37);
    for (size_t n = 0; n <= sizeof a; n++) {
        assert_true(crypto_equal(a, b, n));
        for (size_t bit = 0; bit < 8 * n; bit++) {
            b[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_false(crypto_equal(a, b, n));
            b[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}

static void equal_range_has_every_record_of_the_key_and_no_other(void **state)
{
    static const struct record {
        struct str key;
        int number;
    } records[] = {
        {STR_INIT("b"), 1}, {STR_INIT("d"), 2}, {STR_INIT("d"), 3},
        {STR_INIT("d"), 4}, {STR_INIT("e"), 5},
    };
    static const struct {
        const char *key;
        size_t first, count;
    } cases[] = {{"a", 0, 0},  {"b", 0, 1}, {"c", 1, 0}, {"d", 1, 3},
                 {"dd", 4, 0}, {"e", 4, 1}, {"f", 5, 0}};
    size_t n;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct record *found =
            equal_range(records, 5, sizeof *records, str_from(cases[i].key), &n);
        assert_int_equal(n, cases[i].count);
        assert_ptr_equal(found, records + cases[i].first);
    }
    assert_ptr_equal(equal_range(records, 0, sizeof *records, STR("b"), &n), records);
    assert_int_equal(n, 0);
}

static void list_of_texts_keeps_its_own_copies(void **state)
{
    struct str_list list;
    char text[] = "a";
    str_list_init(&list);
    for (char c = 'a'; c <= 'z'; c++) {
        text[0] = c;
        str_list_add(&list, str_from(text));
    }
    assert_int_equal(list.count, 26);
    assert_str(list.items[0], "a");
    assert_str(list.items[25], "z");
    str_list_finish(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_and_empty_strings_differ),
        cmocka_unit_test(splitting_returns_empty_parts),
        cmocka_unit_test(list_of_words_holds_whole_words_only),
        cmocka_unit_test(numbers_are_parsed_strictly),
        cmocka_unit_test(base64url_decodes_only_canonical_text),
        cmocka_unit_test(base64_decoding_is_strict_and_needs_padding),
        cmocka_unit_test(digests_match_published_vectors),
        cmocka_unit_test(single_bit_makes_secrets_differ),
        cmocka_unit_test(equal_range_has_every_record_of_the_key_and_no_other),
        cmocka_unit_test(list_of_texts_keeps_its_own_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

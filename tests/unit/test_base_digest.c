/* The encoding under a digest: no two different lists have the same one. */
#include "unit.h"

#include <string.h>

#include "base/codec.h"
#include "base/digest.h"

static void assert_digest(struct digest *d, const char *hex)
{
    uint8_t digest[SHA256_SIZE];
    char text[2 * SHA256_SIZE];
    digest_end(d, digest);
    hex_encode(digest, sizeof digest, text);
    assert_str(str_of(text, sizeof text), hex);
}

/* The digests were computed with another program, from the description in digest.h. */
static void digest_is_that_of_the_documented_encoding(void **state)
{
    static char x[1000], y[470];
    struct digest d;
    memset(x, 'x', sizeof x);
    memset(y, 'y', sizeof y);
    digest_begin(&d, STR("row"));
    digest_str(&d, STR("a"));
    digest_str(&d, STR_NULL);
    digest_str(&d, STR(""));
    digest_i64(&d, -2);
    digest_bytes(&d, "\0\1", 2);
    assert_digest(&d, "fd7ebebf6530bd1a972eaf65ff82edf8bfd225a6cea2b9e1ea3cb863a427ce19");
    digest_begin(&d, STR("row")); /* larger than the space of the struct */
    digest_str(&d, str_of(x, sizeof x));
    digest_opt_i64(&d, 7, 0);
    digest_str(&d, str_of(y, sizeof y));
    digest_str(&d, STR("zzzzzzzzzzzzzzzzzzzz"));
    assert_digest(&d, "6a5aeada019dd1af76584213e04468beec10a809c8b6cc8b138be48a481f1b0a");
}

/* One value of a list. */
struct value {
    enum { END, TEXT, NUMBER, BYTES, NOTHING } type;
    const char *text;
    int64_t number;
};

static void digest_values(const char *kind, const struct value *v, uint8_t ret[SHA256_SIZE])
{
    struct digest d;
    digest_begin(&d, str_from(kind));
    for (; v->type != END; v++) {
        if (v->type == TEXT)
            digest_str(&d, str_from(v->text));
        else if (v->type == BYTES)
            digest_bytes(&d, v->text, strlen(v->text));
        else if (v->type == NUMBER)
            digest_i64(&d, v->number);
        else
            digest_opt_i64(&d, 1, 1);
    }
    digest_end(&d, ret);
}

static void different_lists_have_different_digests(void **state)
{
    static const struct value lists[][4] = {
        {{END}},
        {{NOTHING}},
        {{NOTHING}, {NOTHING}},
        {{TEXT, ""}},
        {{BYTES, ""}},
        {{TEXT, ""}, {NOTHING}},
        {{NOTHING}, {TEXT, ""}},
        {{TEXT, "ab"}, {TEXT, "c"}},
        {{TEXT, "a"}, {TEXT, "bc"}},
        {{TEXT, "abc"}},
        {{TEXT, "abc"}, {TEXT, ""}},
        {{BYTES, "abc"}},
        {{TEXT, "0"}},
        {{NUMBER, NULL, 0}},
        {{NUMBER, NULL, 0}, {NUMBER, NULL, 0}},
        {{NUMBER, NULL, 1}},
        {{NUMBER, NULL, 256}},
        {{NUMBER, NULL, -1}},
        {{TEXT, "\1"}},
    };
    enum { COUNT = sizeof lists / sizeof *lists };
    uint8_t digests[COUNT + 1][SHA256_SIZE];
    for (size_t i = 0; i < COUNT; i++)
        digest_values("row", lists[i], digests[i]);
    digest_values("rows", lists[0], digests[COUNT]);
    for (size_t i = 0; i <= COUNT; i++)
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(digests[i], digests[j], SHA256_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digest_is_that_of_the_documented_encoding),
        cmocka_unit_test(different_lists_have_different_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "unit.h"

#include "rule/credential.h"

struct credential_case {
    const char *authorization[3]; /* NULL ends */
    const char *x_api_key[3];
    enum credential_kind kind;
    const char *key;
};

static size_t to_strs(const char *const texts[3], struct str ret[3])
{
    size_t n = 0;
    for (; n < 3 && texts[n]; n++)
        ret[n] = str_from(texts[n]);
    return n;
}

static void headers_give_credential(void **state)
{
    static const struct credential_case cases[] = {
        {{0}, {0}, CREDENTIAL_NONE, NULL},
        {{"Bearer svc_a"}, {0}, CREDENTIAL_KEY, "svc_a"},
        {{"bearer svc_a"}, {0}, CREDENTIAL_KEY, "svc_a"}, /* KY-14 */
        {{"BEARER   svc_a  "}, {0}, CREDENTIAL_KEY, "svc_a"},
        {{"Bearer a b"}, {0}, CREDENTIAL_KEY, "a b"}, /* an invalid key: 401 later */
        {{0}, {"svc_a"}, CREDENTIAL_KEY, "svc_a"},
        {{0}, {" svc_a "}, CREDENTIAL_KEY, "svc_a"},
        {{"Bearer svc_a"}, {"svc_b"}, CREDENTIAL_KEY, "svc_a"},
        {{"Bearer svc_a"}, {"svc_b", "svc_c"}, CREDENTIAL_KEY, "svc_a"},
        {{"Basic dXNlcjpwYXNz"}, {"svc_b"}, CREDENTIAL_BAD, NULL}, /* KY-13 */
        {{"Basic dXNlcjpwYXNz"}, {0}, CREDENTIAL_BAD, NULL},
        {{"Digest svc_a"}, {0}, CREDENTIAL_BAD, NULL}, /* as long as Bearer */
        {{""}, {0}, CREDENTIAL_BAD, NULL},
        {{""}, {"svc_b"}, CREDENTIAL_BAD, NULL},
        {{"Bearer"}, {0}, CREDENTIAL_BAD, NULL},
        {{"Bearer "}, {"svc_b"}, CREDENTIAL_BAD, NULL},
        {{"Bearersvc_a"}, {0}, CREDENTIAL_BAD, NULL},
        {{"Bearer\tsvc_a"}, {0}, CREDENTIAL_BAD, NULL},
        {{"svc_a"}, {0}, CREDENTIAL_BAD, NULL},
        {{"Bear"}, {0}, CREDENTIAL_BAD, NULL},
        {{"Bearer svc_a", "Bearer svc_a"}, {0}, CREDENTIAL_BAD, NULL},
        {{"Bearer svc_a", "Basic x"}, {"svc_b"}, CREDENTIAL_BAD, NULL},
        {{0}, {"svc_a", "svc_a"}, CREDENTIAL_BAD, NULL},
        {{0}, {""}, CREDENTIAL_BAD, NULL},
        {{0}, {"  "}, CREDENTIAL_BAD, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str authorization[3], x_api_key[3];
        size_t authorization_count = to_strs(cases[i].authorization, authorization);
        size_t x_api_key_count = to_strs(cases[i].x_api_key, x_api_key);
        struct credential credential =
            credential_from_headers(authorization, authorization_count, x_api_key, x_api_key_count);
        if (credential.kind != cases[i].kind)
            fail_msg("case %zu: kind %d, expected %d", i, credential.kind, cases[i].kind);
        assert_str(credential.key, cases[i].key);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_give_credential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "unit.h"

#include "http/accept_encoding.h"

static void gzip_is_used_if_preferred(void **state)
{
    static const struct {
        const char *value;
        bool gzip;
    } cases[] = {
        {NULL, false},
        {"", false},
        {"gzip", true},
        {"GZIP", true},
        {"x-gzip", true},
        {"gzip, deflate, br", true},
        {"deflate,gzip", true},
        {" gzip ;q=1.0 , br", true},
        {"gzip;q=0.001", true},
        {"gzip;q=0", false},
        {"gzip;q=0.000", false},
        {"gzip;Q=0.5", true},
        {"br", false},
        {"deflate", false},
        {"identity", false},
        {"*", true},
        {"*;q=0", false},
        {"*;q=0.5", true},
        {"gzip;q=0, *", false},
        {"gzip, *;q=0", true},
        {"identity;q=0, gzip", true},
        {"identity;q=0", false},
        {"identity, gzip", true},
        {"identity;q=1, gzip;q=0.5", false},
        {"identity;q=0.5, gzip;q=1", true},
        {"identity;q=0.5, *;q=0.4", false},
        {"gzip;q=2", false},
        {"gzip;q=1.001", false},
        {"gzip;q=0.1234", false},
        {"gzip;q=", false},
        {"gzip;q=x", false},
        {"gzip;q=0,5", false},
        {"gzip;x=1", false},
        {"gzipped", false},
        {"gzip,", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (accept_encoding_gzip(str_from(cases[i].value)) != cases[i].gzip)
            fail_msg("%s", cases[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip_is_used_if_preferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

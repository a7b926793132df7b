#include "unit.h"

#include "http/etag.h"

static void tag_is_16_hex_digits_in_quotes(void **state)
{
    struct etag etag = etag_from_hash(UINT64_C(0x0123456789abcdef));
    assert_str(etag_str(&etag), "\"0123456789abcdef\"");
}

static void lists_are_compared_weakly(void **state)
{
    static const struct {
        const char *list;
        bool has;
    } cases[] = {
        {NULL, false},          {"", false},
        {"\"x\"", true},        {"W/\"x\"", true},
        {"w/\"x\"", false},     {"*", true},
        {" * ", true},          {"\"*\"", false},
        {"\"y\"", false},       {"\"y\", \"x\"", true},
        {"\"y\",\"x\"", true},  {"W/\"y\" , W/\"x\"", true},
        {", ,\"x\",", true},    {"\"a,b\", \"x\"", true},
        {"\"a, \"x\"", false},  {"x", false},
        {"x, \"x\"", false},    {"\"x", false},
        {"\"x\" junk", true},   {"\"y\" junk, \"x\"", false},
        {"\"y\" \"x\"", false}, {"\"X\"", false},
        {"\"\"", false},        {"W/", false},
        {"W/x", false},         {"*, \"x\"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (etag_list_has(str_from(cases[i].list), STR("\"x\"")) != cases[i].has)
            fail_msg("%s", cases[i].list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tag_is_16_hex_digits_in_quotes),
        cmocka_unit_test(lists_are_compared_weakly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

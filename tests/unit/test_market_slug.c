#include "arena_fixture.h"

#include "market/slug.h"

static void slugs_are_first_and_last_name_in_ascii(void **state)
{
    struct str id = STR("P000197");
    assert_str(slug_make(&arena, STR("Nancy"), STR("Pelosi"), id), "nancy-pelosi");
    assert_str(slug_make(&arena, STR("Chris"), STR("Van Hollen"), id), "chris-van-hollen");
    assert_str(slug_make(&arena, STR("Beto"), STR("O'Rourke"), id), "beto-orourke");
    assert_str(slug_make(&arena, STR("Ra\xc3\xbal"), STR("Grijalva"), id), "raul-grijalva");
    assert_str(slug_make(&arena, STR("J."), STR("Ocasio-Cortez"), id), "j-ocasio-cortez");
    assert_str(slug_make(&arena, STR("\xe4\xb8\xad"), STR("\xe4\xb8\xad"), id), "p000197");
    assert_str(slug_with_id(&arena, STR("nancy-pelosi"), id), "nancy-pelosi-p000197");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slugs_are_first_and_last_name_in_ascii),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}

/* Names of uploaded files, which are shown, stored, and never used as paths. */
#include "arena_fixture.h"

#include <string.h>

#include "base/utf8.h"
#include "site/desk/desk_upload_page.h"

static void name_is_its_last_part(void **state)
{
    static const struct {
        const char *sent, *name;
    } cases[] = {
        {"20990001.pdf", "20990001.pdf"},
        {"/etc/passwd", "passwd"},
        {"../../20990001.pdf", "20990001.pdf"},
        {"C:\\fakepath\\20990001.pdf", "20990001.pdf"},
        {"folder/", "document"},
        {"", "document"},
        {"  a.pdf ", "a.pdf"},
        {"a%22b%41.pdf", "a\"b%41.pdf"},
        {"a\x01\x7f"
         "b.pdf",
         "a__b.pdf"},
        {"a\xff\xc3"
         "b.pdf",
         "a\xef\xbf\xbd\xef\xbf\xbd"
         "b.pdf"},
        {"\xe2\x80\xae"
         "fdp.a",
         "\xe2\x80\xae"
         "fdp.a"}, /* shown as \u{202E} */
        {"B\xc3\xa9la.pdf", "B\xc3\xa9la.pdf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(upload_name(str_from(cases[i].sent), &arena), cases[i].name);
}

static void nul_is_replaced(void **state)
{
    assert_str(upload_name(str_of("a\0b.pdf", 7), &arena), "a_b.pdf");
}

static void long_name_keeps_both_ends(void **state)
{
    enum { LONG = 10 * 1024 };
    static char sent[LONG];
    memset(sent, 'a', LONG);
    memcpy(sent + LONG - 13, "-20990001.pdf", 13);
    struct str name = upload_name(str_of(sent, LONG), &arena);
    assert_int_equal(name.n, UPLOAD_NAME_MAX);
    assert_true(str_starts(name, STR("aaaa")) && str_ends(name, STR("-20990001.pdf")));
    for (size_t i = 0; i + 1 < LONG; i += 2)
        memcpy(sent + i, "\xc3\xa9", 2);
    name = upload_name(str_of(sent, LONG), &arena);
    assert_true(name.n <= UPLOAD_NAME_MAX && utf8_is_valid(name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_is_its_last_part),
        cmocka_unit_test(nul_is_replaced),
        cmocka_unit_test(long_name_keeps_both_ends),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}

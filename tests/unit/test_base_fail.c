#include "unit.h"

#include <string.h>

#include "base/err.h"

static void reason_is_always_one_line(void **state)
{
    struct fail fail;
    assert_int_equal(fail_set(&fail, ERR_INVALID, "no \"%s\" here", "a\nb\x1b[2J"), ERR_INVALID);
    assert_string_equal(fail.text, "no \"a b\\u{1B}[2J\" here");
}

static void long_reason_is_truncated_and_marked(void **state)
{
    struct fail fail;
    char text[2 * sizeof fail.text];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    (void)fail_set(&fail, ERR_IO, "%s", text);
    assert_int_equal(strlen(fail.text), sizeof fail.text - 1);
    assert_string_equal(fail.text + strlen(fail.text) - 3, "...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reason_is_always_one_line),
        cmocka_unit_test(long_reason_is_truncated_and_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Errors of the API in words for owners. */
#include "unit.h"

#include "edge/errors.h"
#include "site/account/key_view.h"

/* What a request with a known key can get once it has arrived (api/gate.c). */
static bool key_can_get(enum error_code error)
{
    switch (error_info(error)->scope) {
    case ERROR_SCOPE_COMMAND:
        return false;
    case ERROR_SCOPE_REQUEST: /* of these, the rest is refused before the key is known */
        return error == ERROR_METHOD_NOT_ALLOWED || error == ERROR_NOT_IMPLEMENTED ||
               error == ERROR_SERVICE_UNAVAILABLE;
    default:
        return error != ERROR_INVALID_API_KEY;
    }
}

static void every_error_of_a_key_has_words(void **state)
{
    for (int i = 0; i < ERROR_COUNT; i++) {
        struct str code = error_info((enum error_code)i)->code;
        struct str words = key_error_words(code, true);
        if (key_can_get((enum error_code)i) && (str_eq(words, code) || !words.n))
            fail_msg("%.*s has no words", STR_ARG(code));
    }
}

static void unknown_path_and_unknown_code_are_told_apart(void **state)
{
    struct str not_found = error_info(ERROR_NOT_FOUND)->code;
    assert_str(key_error_words(not_found, false), "The address does not exist");
    assert_str(key_error_words(not_found, true), "Nothing with that name or id exists");
    assert_str(key_error_words(STR("of_a_newer_version"), true), "of_a_newer_version");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_of_a_key_has_words),
        cmocka_unit_test(unknown_path_and_unknown_code_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

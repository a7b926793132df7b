#include "unit.h"

#include "edge/errors.h"

static void table_is_ordered_by_status_with_unique_codes(void **state)
{
    for (int i = 1; i < ERROR_COUNT; i++) {
        const struct error_info *error = error_info((enum error_code)i);
        assert_true(error_info((enum error_code)(i - 1))->status <= error->status);
        assert_true(error->condition.n > 0);
        for (int k = 0; k < i; k++)
            assert_false(str_eq(error->code, error_info((enum error_code)k)->code));
    }
}

static void error_body_has_code_and_hint(void **state)
{
    char space[1024];
    struct buf b = buf_over(space, sizeof space);
    error_body(&b, ERROR_NOT_FOUND, STR("Say \"please\"\n"));
    assert_str(buf_view(&b), "{\"error\":\"not_found\",\"hint\":\"Say \\\"please\\\"\\n\"}");
}

static void rate_limited_body_has_only_the_wait(void **state)
{
    char space[128];
    struct buf b = buf_over(space, sizeof space);
    error_body_rate_limited(&b, 42);
    assert_str(buf_view(&b), "{\"error\":\"rate_limited\",\"retryAfterSeconds\":42}");
}

static void status_of_http_server_has_an_error(void **state)
{
    static const struct {
        int status;
        enum error_code error;
    } cases[] = {
        {400, ERROR_BAD_REQUEST},       {408, ERROR_REQUEST_TIMEOUT},
        {413, ERROR_CONTENT_TOO_LARGE}, {414, ERROR_URI_TOO_LONG},
        {431, ERROR_HEADERS_TOO_LARGE}, {500, ERROR_INTERNAL_ERROR},
        {501, ERROR_NOT_IMPLEMENTED},   {503, ERROR_SERVICE_UNAVAILABLE},
        {418, ERROR_INTERNAL_ERROR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(error_from_status(cases[i].status), cases[i].error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_ordered_by_status_with_unique_codes),
        cmocka_unit_test(error_body_has_code_and_hint),
        cmocka_unit_test(rate_limited_body_has_only_the_wait),
        cmocka_unit_test(status_of_http_server_has_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

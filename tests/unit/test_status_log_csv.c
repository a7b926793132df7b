/* The log as CSV: quoting, formulas, hidden characters. */
#include "unit.h"

#include "base/instant.h"
#include "status/log_csv.h"

static void values_are_quoted_and_never_a_formula(void **state)
{
    static const struct {
        const char *value, *csv;
    } cases[] = {
        {"", ""},
        {"plan pack", "plan pack"},
        {"a,b", "\"a,b\""},
        {"a \"b\"", "\"a \"\"b\"\"\""},
        {"=1+1", "'=1+1"},
        {"+1", "'+1"},
        {"-1", "'-1"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""},
        {"\t=1", "' =1"},
        {"\r=1", "' =1"},
        {" =1", "' =1"},
        {"\"=1\"", "\"'\"\"=1\"\"\""},
        {"\xef\xbc\x9d"
         "1",
         "'\xef\xbc\x9d"
         "1"}, /* a full-width sign */
        {"a;=1;b;@x", "a;'=1;b;'@x"},
        {"a; \"-1\"", "\"a;' \"\"-1\"\"\""},
        {"=1;=2", "'=1;'=2"},
        {"a;b=1;", "a;b=1;"},
        {"a=1", "a=1"},
        {"a\xe2\x80\xae"
         "b",
         "a\\u{202E}b"},
    };
    struct buf b;
    buf_init(&b, 4096);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_reset(&b);
        log_csv_value(&b, str_from(cases[i].value));
        assert_str(buf_view(&b), cases[i].csv);
    }
    buf_reset(&b);
    log_csv_value(&b, STR_NULL);
    assert_int_equal(b.n, 0);
    buf_finish(&b);
}

static void row_has_the_columns_of_the_header(void **state)
{
    struct buf b;
    const struct action_entry entry = {
        .no = 7,
        .at = INT64_C(1773144000000),
        .actor = ACTOR_KIND_ACCOUNT,
        .actor_id = STR("acc_1"),
        .session_id = STR("ses_1"),
        .action = STR("key.mint"),
        .account_id = STR("acc_2"),
        .subject_kind = STR("key"),
        .subject_id = STR("key_3"),
        .detail = STR("name \"=x\""),
    };
    buf_init(&b, 4096);
    log_csv_header(&b);
    log_csv_row(&b, &entry);
    assert_str(
        buf_view(&b),
        "no,at,actor,actor_id,session_id,action,account_id,subject,subject_id,detail\r\n"
        "7,2026-03-10T12:00:00.000Z,account,acc_1,ses_1,key.mint,acc_2,key,key_3,"
        "\"name \"\"=x\"\"\"\r\n");
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_quoted_and_never_a_formula),
        cmocka_unit_test(row_has_the_columns_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

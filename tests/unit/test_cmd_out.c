/* Records on standard output, as JSON and as text. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/term/out.h"

static void put_key(struct out *o, enum out_style style, const char *name)
{
    out_begin(o, style);
    out_str(o, "name", str_from(name));
    out_i64(o, "limit", 3);
    out_instant(o, "createdAt", 0);
    out_instant(o, "revokedAt", INSTANT_NONE);
    out_bool(o, "active", true);
    out_end(o);
}

static void assert_written(bool json, enum out_style style, const char *expected)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    struct out o;
    out_init(&o, to, json, COLOUR_AUTO);
    put_key(&o, style, "a \"b\"\n");
    put_key(&o, style, NULL);
    out_line(&o, "%d keys", 2);
    assert_true(out_finish(&o));
    fclose(to);
    assert_str(str_of(text, n), expected);
    free(text);
}

static void json_prints_one_object_per_line_without_prose(void **state)
{
    assert_written(
        true, OUT_TABLE,
        "{\"name\":\"a \\\"b\\\"\\n\",\"limit\":3,\"createdAt\":\"1970-01-01T00:00:00.000Z\","
        "\"revokedAt\":null,\"active\":true}\n"
        "{\"name\":null,\"limit\":3,\"createdAt\":\"1970-01-01T00:00:00.000Z\","
        "\"revokedAt\":null,\"active\":true}\n");
}

static void table_has_one_header_and_no_control_bytes(void **state)
{
    assert_written(
        false, OUT_TABLE,
        "name\tlimit\tcreatedAt\trevokedAt\tactive\n"
        "a \"b\" \t3\t1970-01-01T00:00:00.000Z\t-\tyes\n"
        "-\t3\t1970-01-01T00:00:00.000Z\t-\tyes\n"
        "2 keys\n");
}

static void block_has_one_line_per_value(void **state)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    struct out o;
    out_init(&o, to, false, COLOUR_AUTO);
    out_begin(&o, OUT_BLOCK);
    out_str(&o, "id", STR("key_1"));
    out_i64(&o, "limit", 3);
    out_end(&o);
    assert_true(out_finish(&o));
    fclose(to);
    assert_str(str_of(text, n), "id                    key_1\nlimit                 3\n");
    free(text);
}

static void terminal_gets_signs_sizes_and_words(void **state)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    struct out o;
    out_init(&o, to, false, COLOUR_NEVER);
    o.terminal = (struct terminal){.is_tty = true, .utf8 = true, .columns = 80};
    for (int i = 0; i < 2; i++) {
        out_begin(&o, OUT_TABLE);
        out_state(&o, "state", i ? STR("failed") : STR("delivered"), i ? OUT_BAD : OUT_GOOD);
        out_bytes_unless(&o, "diskBytes", i ? 999 : 1224704, -1);
        out_instant(&o, "createdAt", i ? 357 : INSTANT_NONE);
        out_end(&o);
    }
    out_line(&o, "%s", "2 deliveries");
    out_begin(&o, OUT_BLOCK);
    out_mood(&o, OUT_GOOD);
    out_i64(&o, "findings", 0);
    out_count(&o, "trades", 1234567);
    out_str(&o, "head", STR_NULL);
    out_end(&o);
    assert_true(out_finish(&o));
    fclose(to);
    assert_str(
        str_of(text, n), "state        disk bytes  created at\n"
                         "✓ delivered  1.1 MiB     -\n"
                         "✗ failed     999 bytes   1970-01-01 00:00:00Z\n"
                         "2 deliveries\n"
                         "\n"
                         "findings  ✓ 0\n"
                         "trades    1,234,567\n"
                         "head      -\n");
    free(text);
}

static void finish_reports_a_failed_write(void **state)
{
    struct out o;
    FILE *to = fopen("/dev/full", "w");
    assert_non_null(to);
    out_init(&o, to, true, COLOUR_AUTO);
    put_key(&o, OUT_TABLE, "x");
    assert_false(out_finish(&o));
    fclose(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_prints_one_object_per_line_without_prose),
        cmocka_unit_test(table_has_one_header_and_no_control_bytes),
        cmocka_unit_test(block_has_one_line_per_value),
        cmocka_unit_test(terminal_gets_signs_sizes_and_words),
        cmocka_unit_test(finish_reports_a_failed_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "unit.h"

#include "paper/reading.h"

static struct str put(struct arena *arena, const struct reading *r)
{
    struct buf b;
    buf_init(&b, READING_SIZE_MAX);
    reading_put(&b, r);
    assert_false(b.overflow);
    struct str text = arena_str(arena, buf_view(&b));
    buf_finish(&b);
    return text;
}

static void parsed_reading_equals_the_written_one(void **state)
{
    struct arena arena;
    struct reading back;
    struct fail fail;
    struct reading_row rows[] = {
        {.row = 2,
         .page = 1,
         .status = READING_DELETED,
         .cell = {[CELL_ASSET] = STR("Quote \" and \\ and \xc3\xa9"), [CELL_OWNER] = STR("")}},
        {.row = 9999, .cell = {[CELL_COMMENT] = STR("--")}},
    };
    struct reading_entry entries[] = {{.last = STR("Vale"), .document_id = STR("20000001")}};
    struct reading r = {
        .kind = READING_HOUSE_PTR,
        .document_id = STR("20000001"),
        .filer = STR("Hon. Robin Vale"),
        .amendment = 3,
        .rows = rows,
        .row_count = 2,
        .entries = entries,
        .entry_count = 1,
    };
    reading_check_add(&r, STR("rows_total"), false, STR("2 of 3"));
    arena_init(&arena);
    assert_int_equal(reading_parse(put(&arena, &r), &arena, &back, &fail), OK);
    assert_int_equal(back.kind, READING_HOUSE_PTR);
    assert_str(back.document_id, "20000001");
    assert_true(str_is_null(back.filer_name));
    assert_int_equal(back.amendment, 3);
    assert_int_equal(back.check_count, 1);
    assert_str(back.checks[0].detail, "2 of 3");
    assert_false(back.checks[0].passed);
    assert_int_equal(back.row_count, 2);
    assert_int_equal(back.rows[0].status, READING_DELETED);
    assert_str(back.rows[0].cell[CELL_ASSET], "Quote \" and \\ and \xc3\xa9");
    assert_false(str_is_null(back.rows[0].cell[CELL_OWNER]));
    assert_true(str_is_null(back.rows[0].cell[CELL_COMMENT]));
    assert_int_equal(back.rows[1].row, 9999);
    assert_str(back.entries[0].last, "Vale");
    assert_true(str_eq(put(&arena, &back), put(&arena, &r)));
    arena_finish(&arena);
}

static void invalid_reading_is_refused(void **state)
{
#define HEAD "[{\"kind\":\"house-ptr\",\"amendment\":0,\"checks\":[],\"entries\":[]"
    static const char *const cases[] = {
        "",
        "{}",
        "[]",
        "[1]",
        "[{},{}]",
        "[{\"kind\":\"house\",\"amendment\":0,\"checks\":[],\"entries\":[],\"rows\":[]}]",
        HEAD "}]",
        HEAD ",\"rows\":[{\"row\":0,\"page\":0,\"status\":\"new\",\"cells\":{}}]}]",
        HEAD ",\"rows\":[{\"row\":10000,\"page\":0,\"status\":\"new\",\"cells\":{}}]}]",
        HEAD ",\"rows\":[{\"row\":1,\"page\":-1,\"status\":\"new\",\"cells\":{}}]}]",
        HEAD ",\"rows\":[{\"row\":1,\"page\":0,\"status\":\"odd\",\"cells\":{}}]}]",
        HEAD ",\"rows\":[{\"row\":1,\"page\":0,\"status\":\"new\"}]}]",
        HEAD ",\"rows\":[{\"row\":1,\"page\":0,\"status\":\"new\",\"cells\":{\"asset\":1}}]}]",
        HEAD ",\"rows\":[{\"row\":1,\"page\":0,\"status\":\"new\",\"cells\":{\"asset\":\"a\\nb\"}"
             "}]}]",
        HEAD ",\"rows\":[{\"row\":1,\"page\":0,\"status\":\"new\",\"cells\":{}},"
             "{\"row\":1,\"page\":0,\"status\":\"new\",\"cells\":{}}]}]",
        HEAD ",\"rows\":[],\"filer\":7}]",
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading r;
        struct fail fail;
        if (reading_parse(str_from(cases[i]), &arena, &r, &fail) != ERR_INVALID)
            fail_msg("taken: %s", cases[i]);
    }
    struct reading r;
    struct fail fail;
    assert_int_equal(reading_parse(STR(HEAD ",\"rows\":[]}]"), &arena, &r, &fail), OK);
    arena_finish(&arena);
}

static void printed_cells_are_an_object_without_null_cells(void **state)
{
    struct reading_row row = {
        .cell = {[CELL_OWNER] = STR("SP"), [CELL_ASSET] = STR("A"), [CELL_DATE] = STR("1/2/2024")}};
    struct buf b;
    buf_init(&b, 1024);
    reading_row_put(&b, &row);
    assert_str(buf_view(&b), "{\"owner\":\"SP\",\"asset\":\"A\",\"date\":\"1/2/2024\"}");
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parsed_reading_equals_the_written_one),
        cmocka_unit_test(invalid_reading_is_refused),
        cmocka_unit_test(printed_cells_are_an_object_without_null_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

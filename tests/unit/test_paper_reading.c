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

static void scanned_page_travels_with_places_and_sources(void **state)
{
    struct arena arena;
    struct reading back;
    struct fail fail;
    static const struct cell_source sources[CELL_COUNT] = {
        [CELL_TYPE] = {.how = CELL_FROM_BOX},
        [CELL_ASSET] = {.how = CELL_FROM_TEXT, .reason = STR_INIT("a letter is doubtful")},
        [CELL_AMOUNT] = {.reason = STR_INIT("two boxes are marked")},
    };
    struct reading_row rows[] = {{
        .row = 1,
        .page = 2,
        .cell = {[CELL_TYPE] = STR("P"), [CELL_ASSET] = STR("Garden Mills")},
        .place = {.left = 400, .top = 5100, .width = 9200, .height = 600},
        .source = sources,
    }};
    struct reading_page pages[] = {
        {.page = 1, .turn = 270, .skew = -120, .form = STR("house-boxes")},
        {.page = 2, .reason = STR("no form was recognised")},
    };
    struct reading r = {
        .kind = READING_HOUSE_SCAN,
        .rows = rows,
        .row_count = 1,
        .pages = pages,
        .page_count = 2,
    };
    arena_init(&arena);
    assert_int_equal(reading_parse(put(&arena, &r), &arena, &back, &fail), OK);
    assert_int_equal(back.page_count, 2);
    assert_int_equal(back.pages[0].turn, 270);
    assert_int_equal(back.pages[0].skew, -120);
    assert_str(back.pages[0].form, "house-boxes");
    assert_true(str_is_null(back.pages[0].reason) && str_is_null(back.pages[1].form));
    assert_str(back.pages[1].reason, "no form was recognised");
    assert_memory_equal(&back.rows[0].place, &rows[0].place, sizeof rows[0].place);
    assert_int_equal(back.rows[0].source[CELL_TYPE].how, CELL_FROM_BOX);
    assert_int_equal(back.rows[0].source[CELL_ASSET].how, CELL_FROM_TEXT);
    assert_str(cell_source_name(&back.rows[0].source[CELL_ASSET]), "unsure");
    assert_str(cell_source_name(&back.rows[0].source[CELL_TYPE]), "box");
    assert_str(back.rows[0].source[CELL_ASSET].reason, "a letter is doubtful");
    assert_int_equal(back.rows[0].source[CELL_AMOUNT].how, CELL_NOT_READ);
    assert_str(back.rows[0].source[CELL_AMOUNT].reason, "two boxes are marked");
    assert_true(str_eq(put(&arena, &back), put(&arena, &r)));
    arena_finish(&arena);
}

static void invalid_reading_is_refused(void **state)
{
#define HEAD "[{\"kind\":\"house-ptr\",\"amendment\":0,\"checks\":[],\"entries\":[]"
#define ON_PAGE "0,\"top\":0,\"width\":10000,\"height\":10000"
#define PLACED(place, sources)                                                                     \
    HEAD ",\"rows\":[{\"row\":1,\"page\":1,\"status\":\"new\",\"cells\":{},\"place\":{"            \
         "\"left\":" place "},\"sources\":" sources "}]}]"
#define PAGES(pages) HEAD ",\"rows\":[],\"pages\":[" pages "]}]"
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
        PLACED("0,\"top\":0,\"width\":0,\"height\":9", "{}"),
        PLACED("9000,\"top\":0,\"width\":1001,\"height\":9", "{}"),
        PLACED("-1,\"top\":0,\"width\":10,\"height\":9", "{}"),
        PLACED("0,\"top\":10000,\"width\":10,\"height\":9", "{}"),
        PLACED("0,\"top\":0,\"width\":10", "{}"),
        PLACED(ON_PAGE, "7"),
        PLACED(ON_PAGE, "{\"asset\":{}}"),
        PLACED(ON_PAGE, "{\"asset\":{\"how\":\"guess\"}}"),
        PLACED(ON_PAGE, "{\"asset\":{\"how\":\"entered\"}}"),
        PLACED(ON_PAGE, "{\"asset\":{\"how\":\"text\",\"reason\":\"a\\nb\"}}"),
        PAGES("{\"page\":1,\"turn\":45,\"skew\":0}"),
        PAGES("{\"page\":1,\"turn\":360,\"skew\":0}"),
        PAGES("{\"page\":0,\"turn\":0,\"skew\":0}"),
        PAGES("{\"page\":302,\"turn\":0,\"skew\":0}"),
        PAGES("{\"page\":1,\"turn\":0,\"skew\":4501}"),
        PAGES("{\"page\":1,\"turn\":0,\"skew\":0,\"form\":"
              "\"the form whose name is longer than a name of a form may be\"}"),
        PAGES("{\"page\":2,\"turn\":0,\"skew\":0},{\"page\":2,\"turn\":0,\"skew\":0}"),
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
    assert_int_equal(reading_parse(STR(PLACED(ON_PAGE, "{}")), &arena, &r, &fail), OK);
    assert_int_equal(
        reading_parse(STR(PAGES("{\"page\":301,\"turn\":90,\"skew\":4500}")), &arena, &r, &fail),
        OK);
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
        cmocka_unit_test(scanned_page_travels_with_places_and_sources),
        cmocka_unit_test(invalid_reading_is_refused),
        cmocka_unit_test(printed_cells_are_an_object_without_null_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

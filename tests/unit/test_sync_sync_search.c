/* One page of the Senate's search: its rows, and invalid pages. */
#include "arena_fixture.h"

#include "base/instant.h"
#include "sync/sync_search.h"

#define ID "0AB1c2d3-0000-4000-8000-000000000001"

static struct ingest_row *rows;
static size_t count;
static int64_t total;
static struct fail failure;

static enum err read_page(const char *json)
{
    arena_reset(&arena);
    return sync_search_read(str_from(json), &arena, &rows, &count, &total, &failure);
}

static void rows_are_read_with_their_links(void **state)
{
    int32_t day;
    assert_true(day_from_civil(2026, 2, 3, &day));
    assert_int_equal(
        read_page(
            "{\"draw\":0,\"recordsTotal\":9,\"recordsFiltered\":7,\"data\":["
            "[\"Robin \",\"Vale\",\"Vale, Robin (Senator)\",\"<a href=\\\"/search/view/ptr/" ID
            "/\\\" target=\\\"_blank\\\">Periodic</a>\",\"02/03/2026\"],"
            "[\"Ada\",\"Quince\",\"Quince, Ada (Senator)\",\"<a href=\\\"/search/view/paper/" ID
            "/\\\">Periodic</a>\",\"2/3/2026\"]]}"),
        OK);
    assert_int_equal(count, 2);
    assert_int_equal(total, 7);
    assert_str(rows[0].id, "0ab1c2d3-0000-4000-8000-000000000001");
    assert_str(rows[0].first, "Robin");
    assert_str(rows[0].last, "Vale");
    assert_int_equal(rows[0].filed_day, day);
    assert_false(rows[0].paper);
    assert_true(rows[1].paper);
    assert_int_equal(rows[1].filed_day, day);
}

static void empty_page_is_valid(void **state)
{
    assert_int_equal(read_page("{\"recordsFiltered\":0,\"data\":[]}"), OK);
    assert_int_equal(count, 0);
}

static void unknown_format_fails_with_its_place(void **state)
{
    static const struct {
        const char *json, *says;
    } cases[] = {
        {"{\"recordsFiltered\":1,\"data\":[[\"a\",\"b\",\"c\"]]}", "row 1 has an unknown format"},
        {"{\"recordsFiltered\":1,\"data\":[[\"a\",\"b\",\"c\",7,\"02/03/2026\"]]}",
         "row 1 has an unknown format"},
        {"{\"recordsFiltered\":1,\"data\":[[\"a\",\"b\",\"c\",\"/search/view/annual/" ID
         "/\",\"02/03/2026\"]]}",
         "row 1 has an unknown format"},
        {"{\"recordsFiltered\":1,\"data\":[[\"a\",\"b\",\"c\",\"/search/view/ptr/../\",\"02/03/"
         "2026\"]]}",
         "row 1 has an unknown format"},
        {"{\"recordsFiltered\":1,\"data\":[[\"a\",\"b\",\"c\",\"/search/view/ptr/" ID
         "/\",\"02/30/2026\"]]}",
         "row 1 has an unknown format"},
        {"{\"recordsFiltered\":\"1\",\"data\":[]}",
         "the answer has no `data` and `recordsFiltered`"},
        {"[]", "the answer has no `data` and `recordsFiltered`"},
        {"{\"data\":[],\"data\":[]}", "line 1: duplicate object key near '\"data\"'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_page(cases[i].json), ERR_INVALID);
        assert_string_equal(failure.text, cases[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_with_their_links),
        cmocka_unit_test(empty_page_is_valid),
        cmocka_unit_test(unknown_format_fails_with_its_place),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}

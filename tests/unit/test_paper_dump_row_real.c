/* Reads every row of the real dump, if this machine has it, and compares its cells with the page of
 * the same report, where that is on this machine too (sources.md 2 and 4). */
#include "unit.h"

#include "paper/cell/cells.h"
#include "paper/cell/printed.h"
#include "paper/paper_id.h"
#include "paper/readers.h"
#include "shared_data.h"

#define VIEW "https://efdsearch.senate.gov/search/view/ptr/"

struct dump_cells {
    struct str cell[CELL_COUNT];
};

struct compared {
    struct arena arena; /* of one report */
    struct json_in json;
    size_t rows, pages, page_rows;
};

static bool is_markup(struct str text)
{
    return str_find_char(text, '<') >= 0 || str_find(text, STR("&amp;")) >= 0 ||
           str_find(text, STR("&apos;")) >= 0 || str_find(text, STR("&nbsp;")) >= 0 ||
           str_find(text, STR("&#")) >= 0 || str_find(text, STR("  ")) >= 0;
}

static void expect_text(struct compared *c, const struct str *cells)
{
    for (int k = 0; k < CELL_COUNT; k++)
        if (is_markup(cells[k]))
            fail_msg("record %zu: \"%.*s\"", c->json.record, STR_ARG(cells[k]));
    c->rows++;
}

/* The dump has no numbers of rows. The site has renamed types of assets since ("Other Securities"
 * is "Other" now). */
static bool is_equal(enum cell which, struct str printed, struct str dumped)
{
    enum asset_type one, two;
    if (which == CELL_ID)
        return true;
    if (which == CELL_ASSET_TYPE)
        return printed_asset_type(printed, &one) && printed_asset_type(dumped, &two) && one == two;
    return str_eq(printed, dumped) && str_is_null(printed) == str_is_null(dumped);
}

static bool are_equal(const struct str *printed, const struct str *dumped)
{
    for (int k = 0; k < CELL_COUNT; k++)
        if (!is_equal((enum cell)k, printed[k], dumped[k]))
            return false;
    return true;
}

/* Finds each row of the dump on the page, each at another place: some pages print their rows in
 * another order than that of their numbers. */
static void compare_page(
    struct compared *c, struct str uuid, const struct dump_cells *rows, size_t count)
{
    struct reading page;
    struct str path = arena_fmt(&c->arena, "senate/ptr-html/%.*s.html", STR_ARG(uuid));
    const char *shared = getenv("STOCKACT_SHARED"), *source = getenv("STOCKACT_SOURCE_ROOT");
    struct str name = shared ? arena_fmt(&c->arena, "%s/data/%s", shared, path.p)
                             : arena_fmt(&c->arena, "%s/../shared/data/%s", source, path.p);
    if (access(name.p, R_OK) != 0)
        return;
    senate_page_read(shared_data_read(&c->arena, path.p), &c->arena, &page);
    assert_int_equal(page.row_count, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < count &&
               (page.rows[at].row == 0 || !are_equal(page.rows[at].cell, rows[i].cell)))
            at++;
        if (at == count)
            fail_msg("%s: no row is row %zu of the dump", path.p, i);
        page.rows[at].row = 0;
    }
    c->pages++;
    c->page_rows += count;
}

static void compare_filing(struct compared *c, const json_t *filing)
{
    struct str link = json_in_str(&c->json, filing, "ptr_link");
    const json_t *list = json_in_array(&c->json, filing, "transactions");
    size_t count = json_array_size(list);
    struct dump_cells *rows = ARENA_ARRAY(&c->arena, struct dump_cells, count + 1);
    for (size_t i = 0; i < count; i++) {
        dump_row_cells(
            &c->json, json_in_element(&c->json, list, i, "a row"), &c->arena, rows[i].cell);
        expect_text(c, rows[i].cell);
    }
    if (str_starts(link, STR(VIEW)))
        compare_page(
            c, paper_id_senate(str_slice(link, sizeof VIEW - 1, sizeof VIEW - 1 + 36), &c->arena),
            rows, count);
}

static void dump_and_page_print_the_same_cells(void **state)
{
    struct compared c = {0};
    struct arena file;
    struct fail fail;
    arena_init(&file);
    arena_init(&c.arena);
    struct str text = shared_data_read(&file, "senate/stock-watcher/all_daily_summaries.json");
    if (str_is_null(text)) {
        arena_finish(&c.arena);
        arena_finish(&file);
        skip();
    }
    assert_int_equal(json_in_open(&c.json, STR("dump"), text, &fail), OK);
    for (size_t i = 0; i < json_array_size(c.json.root); i++) {
        c.json.record = i + 1;
        arena_reset(&c.arena);
        compare_filing(&c, json_in_element(&c.json, c.json.root, i, "it"));
    }
    if (c.json.err)
        fail_msg("%s", fail.text);
    print_message("%zu rows, %zu of them on %zu pages\n", c.rows, c.page_rows, c.pages);
    assert_true(c.rows > 8000 && c.pages > 200);
    json_in_close(&c.json);
    arena_finish(&c.arena);
    arena_finish(&file);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(dump_and_page_print_the_same_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

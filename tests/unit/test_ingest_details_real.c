/* Reads the details of every row of the real documents and of the dump, and counts the rows whose
 * terms are understood: the table of sources.md 8. */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>

#include "ingest/stock_watcher.h"
#include "paper/cell/details.h"
#include "paper/extract.h"
#include "paper/read_row.h"
#include "paper/readers.h"
#include "shared_data.h"

/* With the thread sanitizer a fork costs as much as reading ten documents. */
#if defined(__SANITIZE_THREAD__)
enum { CAN_EXTRACT = 0 };
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
enum { CAN_EXTRACT = 0 };
#else
enum { CAN_EXTRACT = 1 };
#endif
#else
enum { CAN_EXTRACT = 1 };
#endif

/* The lines of the table. An option typed as something else counts if the reader found it. */
enum line { LINE_OPTION, LINE_BOND, LINE_OTHER_OPTION, LINE_COUNT };

struct understood {
    size_t all, some, none;
};

struct table {
    struct understood line[LINE_COUNT];
    size_t rows, unreadable; /* unreadable: lines that details_parse refuses */
    size_t gains[CAP_GAINS_COUNT];
};

static enum line line_of(enum asset_type type, const struct details *d)
{
    if (type == ASSET_OPTION)
        return LINE_OPTION;
    if (type == ASSET_BOND || type == ASSET_MUNICIPAL_BOND || type == ASSET_GOVERNMENT_SECURITY)
        return LINE_BOND;
    return d->option_type != OPTION_TYPE_NONE ? LINE_OTHER_OPTION : LINE_COUNT;
}

static void count_row(struct table *t, struct arena *arena, const struct row_values *values)
{
    struct details d;
    t->rows++;
    if (!details_parse(values->details, arena, &d)) {
        t->unreadable++;
        return;
    }
    enum line line = line_of(values->asset_type, &d);
    if (line == LINE_COUNT)
        return;
    const bool stated[] = {
        line == LINE_BOND || d.option_type != OPTION_TYPE_NONE,
        line == LINE_BOND ? !str_is_null(d.coupon) : !str_is_null(d.strike),
        (line == LINE_BOND ? d.maturity : d.expiry) != DAY_NONE,
    };
    int count = stated[0] + stated[1] + stated[2], least = line == LINE_BOND;
    struct understood *u = &t->line[line];
    u->all += count == 3;
    u->some += count < 3 && count > least;
    u->none += count == least;
}

static void expect(const char *source, const struct table *t, const struct understood *expected)
{
    static const char *const names[] = {"options", "bonds", "options typed as something else"};
    bool same = true;
    for (int l = 0; l < LINE_COUNT; l++) {
        const struct understood *u = &t->line[l];
        print_message(
            "# %s, %s: %zu all, %zu some, %zu none\n", source, names[l], u->all, u->some, u->none);
        same &= memcmp(u, &expected[l], sizeof *u) == 0;
    }
    assert_int_equal(t->unreadable, 0);
    if (!same)
        fail_msg("%s: other counts than in sources.md 8", source);
}

static void count_reading(struct table *t, struct arena *arena, const struct reading *reading)
{
    for (size_t i = 0; i < reading->row_count; i++) {
        struct read_row row;
        read_row(reading->kind, &reading->rows[i], DAY_NONE, NULL, arena, &row);
        count_row(t, arena, &row.row.values);
        t->gains[row.row.cap_gains]++;
    }
}

/* Calls `count` for each file of the folder; false: no such folder. */
static bool count_folder(
    struct table *t, const char *folder,
    void (*count)(struct table *t, struct arena *arena, const char *path))
{
    const char *shared = getenv("STOCKACT_SHARED"), *source = getenv("STOCKACT_SOURCE_ROOT");
    struct arena names, arena;
    arena_init(&names);
    arena_init(&arena);
    struct str name = shared ? arena_fmt(&names, "%s/data/%s", shared, folder)
                             : arena_fmt(&names, "%s/../shared/data/%s", source, folder);
    DIR *d = opendir(name.p);
    if (!d)
        fprintf(stderr, "skipped: no %s\n", name.p);
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        count(t, &arena, arena_fmt(&arena, "%s/%s", name.p, e->d_name).p);
        arena_reset(&arena);
    }
    if (d)
        closedir(d);
    arena_finish(&arena);
    arena_finish(&names);
    return d != NULL;
}

static void count_page(struct table *t, struct arena *arena, const char *path)
{
    struct reading reading;
    FILE *file = fopen(path, "rbe");
    enum { PAGE_SIZE_MAX = 8 * 1024 * 1024 };
    assert_non_null(file);
    char *text = arena_alloc(arena, PAGE_SIZE_MAX);
    size_t n = fread(text, 1, PAGE_SIZE_MAX, file);
    fclose(file);
    senate_page_read(str_of(text, n), arena, &reading);
    count_reading(t, arena, &reading);
}

static void terms_of_senate_pages_are_understood(void **state)
{
    static const struct understood expected[LINE_COUNT] = {
        [LINE_OPTION] = {166, 0, 0},
        [LINE_BOND] = {402, 0, 0},
        [LINE_OTHER_OPTION] = {0, 32, 0},
    };
    struct table t = {.rows = 0};
    if (!count_folder(&t, "senate/ptr-html", count_page))
        skip();
    expect("Senate pages", &t, expected);
}

static struct extractor *extractor;

static void count_report(struct table *t, struct arena *arena, const char *path)
{
    struct reading reading;
    struct fail fail;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    if (extract(extractor, fd, arena, &reading, &fail))
        fail_msg("%s: %s", path, fail.text);
    close(fd);
    count_reading(t, arena, &reading);
}

static void terms_of_house_reports_are_understood(void **state)
{
    static const struct understood expected[LINE_COUNT] = {
        [LINE_OPTION] = {20, 1, 0},
        [LINE_BOND] = {71, 4, 32},
        [LINE_OTHER_OPTION] = {7, 0, 0},
    };
    struct table t = {.rows = 0};
    struct fail fail;
    if (!CAN_EXTRACT)
        skip();
    const char *program = getenv("STOCKACT_PROGRAM");
    assert_non_null(program);
    if (extractor_create(program, &extractor, &fail))
        fail_msg("%s", fail.text);
    bool found = count_folder(&t, "house/ptr-pdf", count_report);
    extractor_destroy(extractor);
    if (!found)
        skip();
    expect("House reports", &t, expected);
    /* Reports of 2014 to 2017 omit the column if all gains are under $200. */
    assert_int_equal(t.gains[CAP_GAINS_NONE], 5);
    assert_int_equal(t.gains[CAP_GAINS_NO], 1248);
    assert_int_equal(t.gains[CAP_GAINS_YES], 414);
}

static void count_filing(struct table *t, struct json_in *j, const json_t *filing)
{
    struct arena arena;
    const json_t *list = json_in_array(j, filing, "transactions");
    arena_init(&arena);
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct draft_row row;
        const json_t *record = json_in_element(j, list, i, "a row");
        if (!stock_watcher_row_read(&arena, j, record, &row))
            count_row(t, &arena, &row.values);
    }
    arena_finish(&arena);
}

static void terms_of_the_dump_are_understood(void **state)
{
    static const struct understood expected[LINE_COUNT] = {
        [LINE_OPTION] = {84, 0, 0},
        [LINE_BOND] = {561, 1, 0},
        [LINE_OTHER_OPTION] = {3, 1, 0},
    };
    struct table t = {.rows = 0};
    struct json_in json;
    struct arena file;
    struct fail fail;
    arena_init(&file);
    struct str text = shared_data_read(&file, "senate/stock-watcher/all_daily_summaries.json");
    if (str_is_null(text)) {
        arena_finish(&file);
        skip();
    }
    assert_int_equal(json_in_open(&json, STR("dump"), text, &fail), OK);
    for (size_t i = 0; i < json_array_size(json.root); i++) {
        json.record = i + 1;
        count_filing(&t, &json, json_in_element(&json, json.root, i, "a filing"));
    }
    if (json.err)
        fail_msg("%s", fail.text);
    json_in_close(&json);
    arena_finish(&file);
    expect("Senate Stock Watcher", &t, expected);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_of_senate_pages_are_understood),
        cmocka_unit_test(terms_of_house_reports_are_understood),
        cmocka_unit_test(terms_of_the_dump_are_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

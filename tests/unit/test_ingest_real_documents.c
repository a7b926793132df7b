/* Reads every real document on this machine in confinement with the built program, and compares
 * each cell of each row with the list of rows next to the documents (sources.md 1 and 2). */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>

#include "paper/cell/printed.h"
#include "paper/extract.h"
#include "shared_data.h"

/* With the thread sanitizer a fork costs as much as reading ten documents, so only every tenth is
 * read. The processes have one thread, so the sanitizer has nothing to find. */
#if defined(__SANITIZE_THREAD__)
enum { STEP = 10 };
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
enum { STEP = 10 };
#else
enum { STEP = 1 };
#endif
#else
enum { STEP = 1 };
#endif

struct run {
    struct arena arena;
    struct extractor *extractor;
    size_t documents, rows;
    size_t decoded; /* cells with an entity that the list kept */
    char at[128];   /* the current document */
    bool any_case;  /* its file stores letters in another case than its pages show */
};

static int setup(void **state)
{
    struct run *r = MEM_NEW(struct run);
    struct fail fail;
    arena_init(&r->arena);
    const char *program = getenv("STOCKACT_PROGRAM");
    assert_non_null(program);
    if (extractor_create(program, &r->extractor, &fail))
        fail_msg("%s", fail.text);
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    struct run *r = *state;
    extractor_destroy(r->extractor);
    arena_finish(&r->arena);
    mem_free(r);
    return 0;
}

static struct str shared_path(struct arena *arena, const char *path)
{
    const char *shared = getenv("STOCKACT_SHARED"), *source = getenv("STOCKACT_SOURCE_ROOT");
    return shared ? arena_fmt(arena, "%s/data/%s", shared, path)
                  : arena_fmt(arena, "%s/../shared/data/%s", source ? source : ".", path);
}

/* Of the file below the shared folder. */
static struct reading read_document(struct run *r, const char *folder, const char *name)
{
    struct reading reading;
    struct fail fail;
    snprintf(r->at, sizeof r->at, "%s/%s", folder, name);
    int fd = open(shared_path(&r->arena, r->at).p, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        fail_msg("%s cannot be opened", r->at);
    if (extract(r->extractor, fd, &r->arena, &reading, &fail))
        fail_msg("%s: %s", r->at, fail.text);
    close(fd);
    r->documents++;
    return reading;
}

/* The list of rows; NULL: skip. */
static json_t *load_rows(struct run *r, const char *path)
{
    struct str text = shared_data_read(&r->arena, path);
    if (str_is_null(text))
        return NULL;
    json_t *root = json_loadb(text.p, text.n, 0, NULL);
    assert_true(json_is_array(root));
    return root;
}

static struct str member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    assert_non_null(text);
    return str_from(text);
}

/* Other readers made the list, and they join lines and tags with different spaces. */
static bool same_but_for_spaces(struct str a, struct str b, bool any_case)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < a.n && a.p[i] == ' ')
            i++;
        while (k < b.n && b.p[k] == ' ')
            k++;
        if (i == a.n || k == b.n)
            return i == a.n && k == b.n;
        char x = a.p[i++], y = b.p[k++];
        if (any_case ? ascii_lower(x) != ascii_lower(y) : x != y)
            return false;
    }
}

static void expect(
    struct run *r, int row, const char *what, struct str got, struct str listed, bool spaces)
{
    struct str value = str_is_null(got) ? STR("") : got;
    if (spaces ? !str_eq(value, listed) : !same_but_for_spaces(value, listed, r->any_case))
        fail_msg(
            "%s row %d, %s: \"%.*s\", listed \"%.*s\"", r->at, row, what, STR_ARG(value),
            STR_ARG(listed));
}

static void expect_sound(struct run *r, const struct reading *got, enum reading_kind kind)
{
    if (got->kind != kind)
        fail_msg("%s: kind %d: %.*s", r->at, (int)got->kind, STR_ARG(got->reason));
    for (size_t i = 0; i < got->check_count; i++)
        if (!got->checks[i].passed)
            fail_msg("%s: check %.*s", r->at, STR_ARG(got->checks[i].name));
}

/* --- House */

/* Listed lines are "LABEL : text", and "+ text" for a continuation. */
static enum cell detail_of(struct str label)
{
    static const struct {
        struct str letters, initials;
        enum cell cell;
    } labels[] = {
        {STR_INIT("filingstatus"), STR_INIT("fs"), CELL_STATUS},
        {STR_INIT("subholdingof"), STR_INIT("so"), CELL_SUBHOLDING},
        {STR_INIT("location"), STR_INIT("l"), CELL_LOCATION},
        {STR_INIT("description"), STR_INIT("d"), CELL_DESCRIPTION},
        {STR_INIT("comments"), STR_INIT("c"), CELL_COMMENT},
    };
    char letters[64];
    size_t n = 0;
    for (size_t i = 0; i < label.n && n < sizeof letters; i++)
        if (ascii_is_alpha(label.p[i]))
            letters[n++] = ascii_lower(label.p[i]);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (str_eq(str_of(letters, n), labels[i].letters) ||
            str_eq(str_of(letters, n), labels[i].initials))
            return labels[i].cell;
    fail_msg("a listed label: %.*s", STR_ARG(label));
    return CELL_COUNT;
}

static void compare_details(struct run *r, const struct reading_row *got, const json_t *lines)
{
    struct str listed[CELL_COUNT] = {STR_NULL};
    enum cell cell = CELL_COUNT;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        struct str line = str_from(json_string_value(json_array_get(lines, i)));
        if (str_starts(line, STR("+ "))) {
            if (cell != CELL_COUNT && !str_eq(line, STR("+ $200?"))) /* of the table's header */
                listed[cell] = arena_fmt(
                    &r->arena, "%.*s %.*s", STR_ARG(listed[cell]), (int)line.n - 2, line.p + 2);
            continue;
        }
        ptrdiff_t colon = str_find_char(line, ':');
        assert_true(colon > 0);
        cell = detail_of(str_slice(line, 0, (size_t)colon));
        listed[cell] = str_trim(str_slice(line, (size_t)colon + 1, line.n));
    }
    static const enum cell details[] = {
        CELL_STATUS, CELL_SUBHOLDING, CELL_LOCATION, CELL_DESCRIPTION, CELL_COMMENT};
    for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
        struct str want = str_is_null(listed[details[i]]) ? STR("") : listed[details[i]];
        expect(r, got->row, cell_name(details[i]).p, got->cell[details[i]], want, false);
    }
}

/* The list has the assets as the files store them; the page may show another letter case. */
static struct str as_stored(const struct reading_row *row, enum cell cell)
{
    struct str stored = row->cell[CELL_ASSET_STORED];
    if (cell != CELL_ASSET || str_is_null(stored))
        return row->cell[cell];
    assert_true(str_eq_nocase(stored, row->cell[CELL_ASSET]));
    return stored;
}

static void compare_house(struct run *r, const json_t *listed)
{
    static const struct {
        const char *name;
        enum cell cell;
    } cells[] = {
        {"id", CELL_ID},         {"owner", CELL_OWNER}, {"asset", CELL_ASSET},
        {"type", CELL_TYPE},     {"date", CELL_DATE},   {"notified", CELL_NOTIFIED},
        {"amount", CELL_AMOUNT},
    };
    char name[64];
    int32_t signed_day, index_day, first_right_day;
    struct str id = member(listed, "doc_id");
    snprintf(name, sizeof name, "%.*s.pdf", STR_ARG(id));
    struct reading got = read_document(r, "house/ptr-pdf", name);
    const json_t *rows = json_object_get(listed, "rows");
    expect_sound(r, &got, READING_HOUSE_PTR);
    expect(r, 0, "id", got.document_id, id, true);
    expect(r, 0, "name", got.filer, member(listed, "name"), true);
    expect(r, 0, "district", got.state_district, member(listed, "state_district"), true);
    assert_true(printed_day(got.filed, &signed_day));
    assert_true(printed_day(member(listed, "filed"), &index_day));
    assert_int_equal(signed_day, index_day);
    assert_true(day_from_civil(2022, 6, 1, &first_right_day));
    r->any_case = signed_day < first_right_day;
    if (got.row_count != json_array_size(rows))
        fail_msg("%s: %zu rows, listed %zu", r->at, got.row_count, json_array_size(rows));
    for (size_t i = 0; i < got.row_count; i++) {
        const json_t *row = json_array_get(rows, i);
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
            expect(
                r, got.rows[i].row, cells[c].name, as_stored(&got.rows[i], cells[c].cell),
                member(row, cells[c].name), true);
        compare_details(r, &got.rows[i], json_object_get(row, "lines"));
    }
    r->rows += got.row_count;
}

static void every_house_cell_matches_the_list(void **state)
{
    struct run *r = *state;
    json_t *root = load_rows(r, "house/ptr-rows.json");
    if (!root)
        skip();
    for (size_t i = 0; i < json_array_size(root); i += STEP)
        compare_house(r, json_array_get(root, i));
    print_message("# %zu House reports, %zu rows\n", r->documents, r->rows);
    assert_true(r->rows > r->documents);
    json_decref(root);
}

/* The second reading of the same document (house_plain.c). */
static void compare_plain(struct run *r, const json_t *listed)
{
    static const enum cell cells[] = {CELL_TYPE, CELL_DATE, CELL_NOTIFIED};
    static const char *const names[] = {"type", "date", "notified"};
    char name[64];
    struct fail fail;
    struct reading got;
    snprintf(name, sizeof name, "%.*s.pdf", STR_ARG(member(listed, "doc_id")));
    snprintf(r->at, sizeof r->at, "house/ptr-pdf/%s", name);
    int fd = open(shared_path(&r->arena, r->at).p, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    if (extract_plain(r->extractor, fd, &r->arena, &got, &fail))
        fail_msg("%s: %s", r->at, fail.text);
    close(fd);
    const json_t *rows = json_object_get(listed, "rows");
    expect_sound(r, &got, READING_HOUSE_PTR);
    assert_int_equal(got.row_count, json_array_size(rows));
    for (size_t i = 0; i < got.row_count; i++) {
        const json_t *row = json_array_get(rows, i);
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
            if (!str_eq_nocase(got.rows[i].cell[cells[c]], member(row, names[c])))
                fail_msg("%s row %zu: %s", r->at, i + 1, names[c]);
        assert_true(str_find(member(row, "amount"), got.rows[i].cell[CELL_AMOUNT]) >= 0);
    }
    r->rows += got.row_count;
}

static void every_house_row_is_read_in_a_second_way(void **state)
{
    struct run *r = *state;
    json_t *root = load_rows(r, "house/ptr-rows.json");
    if (!root)
        skip();
    for (size_t i = 0; i < json_array_size(root); i += STEP)
        compare_plain(r, json_array_get(root, i));
    assert_true(r->rows > 0);
    json_decref(root);
}

/* --- Senate */

/* The listed row of this number; if two rows have it, by its position from the end. */
static const json_t *listed_row(const json_t *rows, const struct reading *got, size_t at)
{
    const json_t *found = NULL;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!str_eq(member(row, "num"), got->rows[at].cell[CELL_ID]))
            continue;
        if (found)
            return json_array_get(rows, json_array_size(rows) - 1 - at);
        found = row;
    }
    return found;
}

/* Two texts joined by a space, if both exist. */
static struct str both(struct run *r, struct str a, struct str b)
{
    return str_is_null(b) ? a : arena_fmt(&r->arena, "%.*s %.*s", STR_ARG(a), STR_ARG(b));
}

/* The list kept one level of the entities that pages encode twice: "Merck &amp; Co.". If `value` is
 * *text without it, sets *text. */
static bool is_decoded(struct run *r, struct str value, struct str *text)
{
    static const struct {
        struct str encoded, decoded;
    } entities[] = {
        {STR_INIT("&amp;"), STR_INIT("&")},
        {STR_INIT("&apos;"), STR_INIT("'")},
    };
    for (size_t e = 0; e < sizeof entities / sizeof *entities; e++) {
        ptrdiff_t at = str_find(*text, entities[e].encoded);
        if (at < 0)
            continue;
        struct str decoded = arena_fmt(
            &r->arena, "%.*s%.*s%.*s", STR_ARG(str_slice(*text, 0, (size_t)at)),
            STR_ARG(entities[e].decoded),
            STR_ARG(str_slice(*text, (size_t)at + entities[e].encoded.n, text->n)));
        if (!str_eq(value, decoded))
            continue;
        *text = decoded;
        return true;
    }
    return false;
}

static void compare_senate_row(struct run *r, const struct reading_row *got, const json_t *listed)
{
    static const struct {
        const char *name;
        enum cell cell, second;
    } cells[] = {
        {"num", CELL_ID, CELL_COUNT},
        {"date", CELL_DATE, CELL_COUNT},
        {"owner", CELL_OWNER, CELL_COUNT},
        {"ticker", CELL_TICKER, CELL_TICKER_TWO},
        {"asset", CELL_ASSET, CELL_ASSET_DETAIL},
        {"at", CELL_ASSET_TYPE, CELL_COUNT},
        {"type", CELL_TYPE, CELL_COUNT},
        {"amount", CELL_AMOUNT, CELL_COUNT},
        {"comment", CELL_COMMENT, CELL_COUNT},
    };
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
        struct str value = got->cell[cells[c].cell];
        if (cells[c].second != CELL_COUNT)
            value = both(r, value, got->cell[cells[c].second]);
        struct str text = member(listed, cells[c].name);
        if (!str_eq(value, text))
            r->decoded += is_decoded(r, value, &text);
        expect(r, got->row, cells[c].name, value, text, false);
    }
}

static void compare_senate(struct run *r, const json_t *listed)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s.html", STR_ARG(member(listed, "id")));
    struct reading got = read_document(r, "senate/ptr-html", name);
    struct arena *a = &r->arena;
    expect_sound(r, &got, READING_SENATE_PTR);
    struct str title =
        arena_fmt(a, "Periodic Transaction Report for %.*s", STR_ARG(got.report_date));
    if (got.amendment)
        title = arena_fmt(a, "%.*s (Amendment %d)", STR_ARG(title), got.amendment);
    expect(r, 0, "title", title, member(listed, "title"), true);
    struct str inside = str_is_null(got.filer_name) ? got.filer_status : got.filer_name;
    struct str filer = arena_fmt(a, "%.*s (%.*s)", STR_ARG(got.filer), STR_ARG(inside));
    expect(r, 0, "filer", filer, member(listed, "filer"), true);
    struct str rest = got.filed, day;
    str_split(&rest, '@', &day);
    expect(r, 0, "filed", both(r, day, rest), member(listed, "filed"), false);
    const json_t *rows = json_object_get(listed, "rows");
    if (got.row_count != json_array_size(rows))
        fail_msg("%s: %zu rows, listed %zu", r->at, got.row_count, json_array_size(rows));
    for (size_t i = 0; i < got.row_count; i++)
        compare_senate_row(r, &got.rows[i], listed_row(rows, &got, i));
    r->rows += got.row_count;
}

static void every_senate_cell_matches_the_list(void **state)
{
    struct run *r = *state;
    json_t *root = load_rows(r, "senate/ptr-rows.json");
    if (!root)
        skip();
    for (size_t i = 0; i < json_array_size(root); i += STEP)
        compare_senate(r, json_array_get(root, i));
    print_message(
        "# %zu Senate pages, %zu rows, %zu cells encoded twice\n", r->documents, r->rows,
        r->decoded);
    assert_true(STEP > 1 || r->decoded == 3);
    assert_true(r->rows > r->documents);
    json_decref(root);
}

/* --- documents that are not reports */

/* Checks that every file of the folder has this kind, except the named ones; false: no such
 * folder. */
static bool all_are(
    struct run *r, const char *folder, const char *ending, enum reading_kind kind,
    const char *const *scans, size_t scan_count)
{
    DIR *d = opendir(shared_path(&r->arena, folder).p);
    if (!d) {
        fprintf(stderr, "skipped: no %s\n", folder);
        return false;
    }
    for (const struct dirent *e; (e = readdir(d));) {
        enum reading_kind expected = kind;
        if (!str_ends(str_from(e->d_name), str_from(ending)))
            continue;
        for (size_t i = 0; i < scan_count; i++)
            if (strcmp(e->d_name, scans[i]) == 0)
                expected = READING_HOUSE_SCAN;
        struct reading got = read_document(r, folder, e->d_name);
        if (got.kind != expected || got.reason.n == 0)
            fail_msg("%s: kind %d: %.*s", r->at, (int)got.kind, STR_ARG(got.reason));
    }
    closedir(d);
    assert_true(r->documents > 0);
    return true;
}

/* Two other House forms are scans: only the index shows that they are not reports. */
static void documents_of_other_kinds_are_refused(void **state)
{
    static const char *const scans[] = {"B_8220735.pdf", "G_8220832.pdf"};
    struct run *r = *state;
    if (!all_are(r, "house/not-a-ptr", ".pdf", READING_REFUSED, scans, 2) ||
        !all_are(r, "senate/not-a-ptr", ".html", READING_REFUSED, NULL, 0))
        skip();
}

static void paper_reports_need_review(void **state)
{
    struct run *r = *state;
    if (!all_are(r, "house/scanned-pdf", ".pdf", READING_HOUSE_SCAN, NULL, 0) ||
        !all_are(r, "senate/paper", ".html", READING_SENATE_PAPER, NULL, 0))
        skip();
}

#define DOCUMENT_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DOCUMENT_TEST(every_house_cell_matches_the_list),
        DOCUMENT_TEST(every_house_row_is_read_in_a_second_way),
        DOCUMENT_TEST(every_senate_cell_matches_the_list),
        DOCUMENT_TEST(documents_of_other_kinds_are_refused),
        DOCUMENT_TEST(paper_reports_need_review),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

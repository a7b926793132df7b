/* Real scans of House reports, as they lie in the shared data, turned further, skewed, and as worse
 * machines would have scanned them: rows, types and amounts against
 * tests/data/scans/house-scans.json. Skips where they are absent. bench/scans.py
 * measures all of them, with the texts. */
#include "unit.h"

#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "scan/scan_page.h"
#include "scan/text_rows.h"
#include "shared_data.h"
#include "source_file.h"
#include "worse_page.h"

enum { PICTURE_SIZE_MAX = 16 * 1024 * 1024, CHUNK = 64 * 1024 };

/* One page of each kind. */
static const struct real_page {
    const char *document, *folder;
    int page;
    enum scan_form form;
    bool types; /* false: their columns differ, and the program that reads text is not run here */
} pages[] = {
    {"8217141", "house/scanned-pdf-more", 1, SCAN_FORM_HOUSE_BOXES, true}, /* by hand */
    {"8218110", "house/scanned-pdf-more", 1, SCAN_FORM_HOUSE_BOXES, true}, /* boxes drawn twice */
    {"8217084", "house/scanned-pdf-more", 2, SCAN_FORM_HOUSE_BOXES,
     true}, /* three types, thin boxes */
    {"8219286", "house/scanned-pdf-more", 1, SCAN_FORM_HOUSE_NARROW, true}, /* heavy frames */
    {"8219289", "house/scanned-pdf-more", 2, SCAN_FORM_HOUSE_NARROW, true}, /* by hand, curled */
    {"8220902", "house/scanned-pdf-more", 1, SCAN_FORM_HOUSE_RULED, true},
    {"8219256", "house/scanned-pdf", 1, SCAN_FORM_HOUSE_RULED, true}, /* nothing to report */
    {"8219412", "house/scanned-pdf-more", 4, SCAN_FORM_HOUSE_LIST, true},
    {"8217213", "house/scanned-pdf-more", 3, SCAN_FORM_HOUSE_LIST, false},
};

extern char **environ;

/* pdftoppm's picture of the page. */
static struct str draw(const struct real_page *page, struct arena *arena, struct buf *b)
{
    char number[16];
    struct str path =
        shared_data_path(arena, arena_fmt(arena, "%s/%s.pdf", page->folder, page->document).p);
    int pipes[2], status;
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (access(path.p, R_OK) < 0) {
        fprintf(stderr, "skipped: no %s\n", path.p);
        return STR_NULL;
    }
    char *file = mem_strdup(path);
    snprintf(number, sizeof number, "%d", page->page);
    char *const words[] = {
        (char[]){"pdftoppm"},
        (char[]){"-q"},
        (char[]){"-gray"},
        (char[]){"-r"},
        (char[]){"200"},
        (char[]){"-f"},
        number,
        (char[]){"-l"},
        number,
        file,
        NULL};
    assert_int_equal(pipe(pipes), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipes[0]);
    assert_int_equal(posix_spawnp(&child, words[0], &actions, NULL, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    buf_init(b, PICTURE_SIZE_MAX);
    for (;;) {
        char *room = buf_reserve(b, CHUNK);
        ssize_t n = room ? read(pipes[0], room, CHUNK) : 0;
        if (n <= 0)
            break;
        buf_commit(b, (size_t)n);
    }
    close(pipes[0]);
    mem_free(file);
    assert_int_equal(waitpid(child, &status, 0), child);
    return buf_view(b);
}

/* The picture upside down. */
static struct gray reversed(const struct gray *gray, struct arena *arena)
{
    size_t count = (size_t)gray->width * (size_t)gray->height;
    uint8_t *dots = arena_alloc(arena, count);
    for (size_t i = 0; i < count; i++)
        dots[i] = gray->dots[count - 1 - i];
    return (struct gray){gray->width, gray->height, dots};
}

static const json_t *true_page(const json_t *truth, const struct real_page *page)
{
    size_t i, k;
    const json_t *document, *one;
    json_array_foreach(json_object_get(truth, "documents"), i, document) if (
        strcmp(json_string_value(json_object_get(document, "id")), page->document) == 0)
        json_array_foreach(
            json_object_get(document, "pages"), k,
            one) if (json_integer_value(json_object_get(one, "page")) == page->page) return one;
    fail_msg("no transcription of %s page %d", page->document, page->page);
    return NULL;
}

static const char *true_type(const json_t *row)
{
    static const char *const words[][2] = {
        {"purchase", "P"}, {"sale", "S"}, {"partial sale", "S (partial)"}, {"exchange", "E"}};
    const char *side = json_string_value(json_array_get(row, 3));
    for (size_t i = 0; side && i < sizeof words / sizeof *words; i++)
        if (strcmp(side, words[i][0]) == 0)
            return words[i][1];
    return "";
}

/* The amounts begin with these. */
static const char *true_amount(const json_t *row)
{
    static const char *const begins[] = {"$1,001 ",      "$15,001 ",  "$50,001 ",    "$100,001 ",
                                         "$250,001 ",    "$500,001 ", "$1,000,001 ", "$5,000,001 ",
                                         "$25,000,001 ", "Over ",     "Spouse"};
    const char *letter = json_string_value(json_array_get(row, 4));
    return letter ? begins[letter[0] - 'A'] : "";
}

static void compare(
    const struct real_page *page, const json_t *truth, const struct gray *gray, int turn)
{
    struct arena arena;
    struct scan_page read;
    const json_t *one = true_page(truth, page), *rows = json_object_get(one, "rows"), *row;
    size_t i;
    arena_init(&arena);
    scan_page_measure(gray, &arena, &read);
    print_message("%s page %d, turned by %d\n", page->document, page->page, turn);
    assert_int_equal(read.form, page->form);
    assert_int_equal((read.turn + turn) % 360, json_integer_value(json_object_get(one, "turn")));
    assert_int_equal(read.row_count, json_array_size(rows));
    json_array_foreach(rows, i, row)
    {
        struct str type = read.rows[i].cell[CELL_TYPE], amount = read.rows[i].cell[CELL_AMOUNT];
        if (page->types)
            assert_true(str_eq(str_of(type.p ? type.p : "", type.n), str_from(true_type(row))));
        if (amount.p)
            assert_true(str_starts(amount, str_from(true_amount(row))));
    }
    arena_finish(&arena);
}

static void marks_of_real_pages_are_read_both_ways_up(void **state)
{
    struct arena arena;
    json_error_t error;
    arena_init(&arena);
    struct str text = source_file_read(&arena, "tests/data/scans/house-scans.json");
    json_t *truth = json_loadb(text.p, text.n, 0, &error);
    assert_non_null(truth);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        struct buf picture;
        struct gray gray;
        struct str graymap = draw(&pages[i], &arena, &picture);
        if (str_is_null(graymap))
            continue;
        assert_true(gray_read(graymap, &gray));
        struct gray other = reversed(&gray, &arena);
        compare(&pages[i], truth, &gray, 0);
        compare(&pages[i], truth, &other, 180);
        buf_finish(&picture);
    }
    json_decref(truth);
    arena_finish(&arena);
}

/* Of these, the first has thin lines between its types, some of which a pale copy loses. */
static const struct real_page worse_pages[] = {
    {"8217384", "house/scanned-pdf-more", 1, SCAN_FORM_HOUSE_BOXES, true},
    {"8220902", "house/scanned-pdf-more", 2, SCAN_FORM_HOUSE_RULED, true},
};

static const struct {
    int turn;
    double skew;
    enum worse_kind kind;
} ways[] = {
    {90, 0, WORSE_NONE}, {180, 0, WORSE_NONE}, {270, 0, WORSE_NONE}, {0, 3, WORSE_NONE},
    {0, -3, WORSE_NONE}, {0, 0, WORSE_NOISE},  {0, 0, WORSE_BLUR},   {0, 0, WORSE_JPEG},
    {0, 0, WORSE_HALF},  {180, 1, WORSE_FAX},  {0, 0, WORSE_LIGHT},  {0, 0, WORSE_DARK},
};

/* How many marks were read; each of them rightly. */
static size_t right_marks(const json_t *rows, const struct scan_page *read)
{
    size_t i, right = 0;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        struct str type = read->rows[i].cell[CELL_TYPE], amount = read->rows[i].cell[CELL_AMOUNT];
        if (type.p)
            assert_true(str_eq(type, str_from(true_type(row))));
        if (amount.p)
            assert_true(str_starts(amount, str_from(true_amount(row))));
        right += (type.p ? 1 : 0) + (amount.p ? 1 : 0);
    }
    return right;
}

static void no_mark_of_a_worse_page_is_read_wrongly(void **state)
{
    struct arena arena;
    json_error_t error;
    arena_init(&arena);
    struct str text = source_file_read(&arena, "tests/data/scans/house-scans.json");
    json_t *truth = json_loadb(text.p, text.n, 0, &error);
    for (size_t i = 0; i < sizeof worse_pages / sizeof *worse_pages; i++) {
        struct buf picture;
        struct gray gray;
        struct str graymap = draw(&worse_pages[i], &arena, &picture);
        if (str_is_null(graymap))
            continue;
        assert_true(gray_read(graymap, &gray));
        const json_t *rows = json_object_get(true_page(truth, &worse_pages[i]), "rows");
        size_t count = json_array_size(rows);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            struct arena one;
            struct scan_page read;
            arena_init(&one);
            struct gray worse = worse_page(&gray, ways[k].turn, ways[k].skew, ways[k].kind, &one);
            scan_page_measure(&worse, &one, &read);
            print_message(
                "%s page %d, way %zu: %zu of %zu rows\n", worse_pages[i].document,
                worse_pages[i].page, k, read.row_count, count);
            if (ways[k].kind == WORSE_LIGHT && read.row_count == 0)
                assert_false(str_is_null(read.reason)); /* too many lines are missing */
            else {
                assert_int_equal(read.row_count, count);
                assert_int_equal(right_marks(rows, &read), 2 * count);
            }
            arena_finish(&one);
        }
        buf_finish(&picture);
    }
    json_decref(truth);
    arena_finish(&arena);
}

/* Pages of which rows were lost: their rows, and what is said of the other lines with a name. */
static const struct {
    struct real_page page;
    size_t rows;
    const char *reason; /* its beginning; NULL: none */
    const char *amounts[8];
} lost[] = {
    {{"8219425", "failing", 1, SCAN_FORM_HOUSE_BOXES, true},
     4,
     NULL,
     {"$100,001 ", "$100,001 ", "$100,001 ", "$100,001 "}}, /* the edge of the paper is two lines */
    {{"8219425", "failing", 2, SCAN_FORM_HOUSE_BOXES, true}, 0, NULL, {0}},
    {{"8219814", "failing", 1, SCAN_FORM_HOUSE_BOXES, true},
     4,
     NULL,
     {"$250,001 ", "$100,001 ", "$100,001 ", "$100,001 "}}, /* it is one line */
    {{"8219250", "failing", 1, SCAN_FORM_HOUSE_NARROW, true},
     4,
     NULL,
     {"$15,001 ", "$15,001 ", "$1,001 ", "$1,001 "}},
    {{"8219250", "failing", 2, SCAN_FORM_HOUSE_NARROW, true},
     8,
     NULL,
     {"$15,001 ", "$15,001 ", "$1,001 ", "$1,001 ", "$1,001 ", "$15,001 ", "$15,001 ",
      "$15,001 "}}, /* the rule between lines 4 and 5 is missing */
    {{"8217322", "failing", 1, SCAN_FORM_HOUSE_BOXES, true},
     3,
     "line 4 has a name",
     {"$1,001 ", "$1,001 ", "$1,001 "}},
};

static void each_line_with_a_name_is_a_row_or_is_told(void **state)
{
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        struct arena arena;
        struct buf picture;
        struct gray gray;
        struct scan_page read;
        arena_init(&arena);
        struct str graymap = draw(&lost[i].page, &arena, &picture);
        if (str_is_null(graymap)) {
            arena_finish(&arena);
            continue;
        }
        assert_true(gray_read(graymap, &gray));
        scan_page_measure(&gray, &arena, &read);
        print_message("%s page %d\n", lost[i].page.document, lost[i].page.page);
        assert_int_equal(read.form, lost[i].page.form);
        assert_int_equal(read.turn, 270);
        assert_int_equal(read.row_count, lost[i].rows);
        for (size_t row = 0; row < read.row_count; row++)
            assert_true(
                str_starts(read.rows[row].cell[CELL_AMOUNT], str_from(lost[i].amounts[row])));
        if (lost[i].reason)
            assert_true(str_starts(read.reason, str_from(lost[i].reason)));
        else
            assert_null(read.reason.p);
        buf_finish(&picture);
        arena_finish(&arena);
    }
}

/* A page without a form: lines of text that go on below each other. */
static const struct real_page text_page = {
    "8221212", "house/scanned-pdf-more", 8, SCAN_FORM_NONE, false};

static void lines_of_text_are_found_in_all_four_directions(void **state)
{
    enum { ROWS = 10 };
    struct arena arena;
    struct buf picture;
    struct gray gray;
    arena_init(&arena);
    struct str graymap = draw(&text_page, &arena, &picture);
    if (!str_is_null(graymap)) {
        assert_true(gray_read(graymap, &gray));
        for (int turn = 0; turn < 360; turn += 90) {
            struct scan_page read;
            struct text_page lines;
            struct gray turned = worse_page(&gray, turn, 1, WORSE_NONE, &arena);
            assert_true(text_page_find(&turned, &arena, &lines));
            print_message("turned by %d: %d lines\n", turn, lines.count);
            assert_int_equal((lines.turn + turn) % 360, 0);
            assert_true(lines.count >= ROWS);
            scan_page_measure(&turned, &arena, &read);
            assert_true(read.form == SCAN_FORM_NONE && read.row_count == 0);
            assert_true(read.reason.n > 0 && read.sheet.height > 0);
        }
        buf_finish(&picture);
    }
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_text_are_found_in_all_four_directions),
        cmocka_unit_test(each_line_with_a_name_is_a_row_or_is_told),
        cmocka_unit_test(no_mark_of_a_worse_page_is_read_wrongly),
        cmocka_unit_test(marks_of_real_pages_are_read_both_ways_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Given names and the list of nicknames, data/nicknames.csv, of which every word is checked. */
#include "unit.h"

#include "base/csv_in.h"
#include "names/given_name.h"
#include "source_file.h"

enum { SPELLINGS, USUAL, OTHER, COLUMNS, LINES_MAX = 1000, WORDS_MAX = 32 };

/* A line of the list: each word with its column. */
struct line {
    struct str word[WORDS_MAX];
    int column[WORDS_MAX];
    int count;
};

static struct arena arena;
static struct line lines[LINES_MAX];
static int line_count;

static void read_cell(struct line *line, int column, struct str cell)
{
    struct str word;
    while (cell.n && str_split(&cell, ' ', &word)) {
        assert_true(line->count < WORDS_MAX);
        line->word[line->count] = arena_str(&arena, word);
        line->column[line->count++] = column;
    }
}

static int start(void **state)
{
    struct csv_in csv;
    arena_init(&arena);
    csv_in_init(&csv, source_file_read(&arena, "data/nicknames.csv"), &arena);
    assert_true(csv_in_next(&csv));
    assert_int_equal(csv.count, COLUMNS);
    while (csv_in_next(&csv)) {
        assert_true(line_count < LINES_MAX);
        assert_int_equal(csv.count, COLUMNS);
        for (int column = 0; column < COLUMNS; column++)
            read_cell(&lines[line_count], column, csv.field[column]);
        line_count++;
    }
    assert_null(csv.error);
    return 0;
}

static int stop(void **state)
{
    arena_finish(&arena);
    return 0;
}

static enum given_fit fit(struct str a, struct str b)
{
    struct given_name x = given_name_find(a), y = given_name_find(b);
    enum given_fit forth = given_name_fit(&x, b);
    assert_int_equal(given_name_fit(&y, a), forth);
    return forth;
}

static void every_listed_word_is_folded(void **state)
{
    for (int i = 0; i < line_count; i++)
        for (int k = 0; k < lines[i].count; k++) {
            struct str word = lines[i].word[k];
            if (word.n < 2)
                fail_msg("line %d: a word of %zu letters", i + 2, word.n);
            for (size_t at = 0; at < word.n; at++)
                if (word.p[at] < 'a' || word.p[at] > 'z')
                    fail_msg("line %d: \"%.*s\" is not folded", i + 2, STR_ARG(word));
        }
}

/* How often the word is in that column of the line; COLUMNS: in the whole line. */
static int times_in(const struct line *line, struct str word, int column)
{
    int times = 0;
    for (int k = 0; k < line->count; k++)
        times += str_eq(line->word[k], word) && (column == COLUMNS || line->column[k] == column);
    return times;
}

static void check_once(int at, struct str word, int column)
{
    int spellings = 0;
    if (times_in(&lines[at], word, COLUMNS) != 1)
        fail_msg("line %d: \"%.*s\" is there twice", at + 2, STR_ARG(word));
    for (int i = 0; i < line_count; i++)
        spellings += times_in(&lines[i], word, SPELLINGS);
    if (column == SPELLINGS && spellings != 1)
        fail_msg("\"%.*s\" is a spelling of two names", STR_ARG(word));
}

static void lines_are_sorted_and_share_no_spelling(void **state)
{
    for (int i = 0; i < line_count; i++) {
        if (i && str_cmp(lines[i - 1].word[0], lines[i].word[0]) >= 0)
            fail_msg("line %d belongs in front of line %d", i + 2, i + 1);
        for (int k = 0; k < lines[i].count; k++)
            check_once(i, lines[i].word[k], lines[i].column[k]);
    }
}

/* A name alone would only keep typing errors from being found. */
static void every_line_relates_names(void **state)
{
    int pairs = 0;
    for (int i = 0; i < line_count; i++) {
        int spellings = 0;
        for (int k = 0; k < lines[i].count; k++)
            spellings += lines[i].column[k] == SPELLINGS;
        if (spellings == 0 || lines[i].count < 2)
            fail_msg("line %d relates no names", i + 2);
        pairs += spellings * (lines[i].count - spellings) + spellings * (spellings - 1) / 2;
    }
    print_message("%d lines, %d pairs\n", line_count, pairs);
    assert_true(pairs >= 300);
}

static void every_form_fits_its_name(void **state)
{
    for (int i = 0; i < line_count; i++)
        for (int k = 0; k < lines[i].count; k++) {
            struct str name = lines[i].word[0], word = lines[i].word[k];
            assert_true(given_name_find(word).count > 0); /* which asserts that there is room */
            enum given_fit least = lines[i].column[k] == USUAL ? GIVEN_USUAL : GIVEN_FORM;
            if (fit(word, name) < least)
                fail_msg("\"%.*s\" does not fit \"%.*s\"", STR_ARG(word), STR_ARG(name));
        }
}

static void forms_of_a_name_are_told_apart(void **state)
{
    assert_int_equal(fit(STR("bob"), STR("robert")), GIVEN_USUAL);
    assert_int_equal(fit(STR("sandy"), STR("alexander")), GIVEN_FORM);
    assert_int_equal(fit(STR("steven"), STR("stephen")), GIVEN_FORM);
    assert_int_equal(fit(STR("ted"), STR("edward")), GIVEN_USUAL);
    assert_int_equal(fit(STR("ted"), STR("theodore")), GIVEN_USUAL);
    assert_int_equal(fit(STR("bill"), STR("will")), GIVEN_BOTH_SHORT);
    assert_int_equal(fit(STR("edward"), STR("theodore")), GIVEN_DIFFERENT);
    assert_int_equal(fit(STR("john"), STR("james")), GIVEN_DIFFERENT);
}

static void initial_fits_every_name_it_begins(void **state)
{
    assert_int_equal(fit(STR("j"), STR("john")), GIVEN_INITIAL);
    assert_int_equal(fit(STR("j"), STR("j")), GIVEN_SAME);
    assert_int_equal(fit(STR("j"), STR("k")), GIVEN_DIFFERENT);
    assert_int_equal(fit(STR("k"), STR("john")), GIVEN_DIFFERENT);
}

static void unlisted_name_fits_only_itself(void **state)
{
    assert_int_equal(given_name_find(STR("nobodys")).count, 0);
    assert_int_equal(fit(STR("nobodys"), STR("nobodys")), GIVEN_SAME);
    assert_int_equal(fit(STR("nobodys"), STR("john")), GIVEN_DIFFERENT);
    assert_int_equal(given_name_find(STR("")).count, 0); /* though cells are empty */
    assert_int_equal(given_name_find(STR("spellings")).count, 0);
    assert_int_equal(fit(STR("john"), STR("")), GIVEN_DIFFERENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_listed_word_is_folded),
        cmocka_unit_test(lines_are_sorted_and_share_no_spelling),
        cmocka_unit_test(every_line_relates_names),
        cmocka_unit_test(every_form_fits_its_name),
        cmocka_unit_test(forms_of_a_name_are_told_apart),
        cmocka_unit_test(initial_fits_every_name_it_begins),
        cmocka_unit_test(unlisted_name_fits_only_itself),
    };
    return cmocka_run_group_tests(tests, start, stop);
}

/* Lines are the same for any division of the input. */
#include "unit.h"

#include <stdlib.h>

#include "mcp/streams.h"

struct gathered {
    struct line_reader reader;
    struct buf text; /* the lines, each followed by "|"; a line that was too long is "*" */
};

static int set_up(void **state)
{
    struct gathered *g = calloc(1, sizeof *g);
    line_reader_init(&g->reader);
    buf_init(&g->text, SIZE_MAX);
    *state = g;
    return 0;
}

static int tear_down(void **state)
{
    struct gathered *g = *state;
    line_reader_finish(&g->reader);
    buf_finish(&g->text);
    free(g);
    return 0;
}

static void gather(struct gathered *g, struct str line)
{
    buf_str(&g->text, str_is_null(line) ? STR("*") : line);
    buf_char(&g->text, '|');
}

static void feed(struct gathered *g, struct str bytes)
{
    struct str line;
    while (line_reader_next(&g->reader, &bytes, &line))
        gather(g, line);
    assert_int_equal(bytes.n, 0);
}

static void end(struct gathered *g)
{
    struct str line;
    while (line_reader_end(&g->reader, &line))
        gather(g, line);
}

static void pieces_are_joined_to_lines(void **state)
{
    struct gathered *g = *state;
    feed(g, STR("one\ntw"));
    feed(g, STR("o"));
    feed(g, STR("\n\nthree\n"));
    end(g);
    assert_str(buf_view(&g->text), "one|two||three|");
}

static void bytes_after_last_newline_are_a_line(void **state)
{
    struct gathered *g = *state;
    feed(g, STR("one\ntwo"));
    assert_str(buf_view(&g->text), "one|");
    end(g);
    assert_str(buf_view(&g->text), "one|two|");
}

static void repeat(struct gathered *g, size_t times)
{
    static char many[4096];
    memset(many, 'x', sizeof many);
    for (; times > sizeof many; times -= sizeof many)
        feed(g, str_of(many, sizeof many));
    feed(g, str_of(many, times));
}

static void line_of_maximum_length_is_returned(void **state)
{
    struct gathered *g = *state;
    repeat(g, LINE_MAX_SIZE);
    feed(g, STR("\n"));
    assert_int_equal(g->text.n, LINE_MAX_SIZE + 1);
}

static void line_too_long_is_reported_once_and_not_kept(void **state)
{
    struct gathered *g = *state;
    repeat(g, 3 * (size_t)LINE_MAX_SIZE);
    assert_true(g->reader.line.cap <= LINE_MAX_SIZE);
    feed(g, STR("\nshort\n"));
    assert_str(buf_view(&g->text), "*|short|");
}

static void line_too_long_without_newline_is_reported_at_end(void **state)
{
    struct gathered *g = *state;
    repeat(g, LINE_MAX_SIZE + 1);
    end(g);
    assert_str(buf_view(&g->text), "*|");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(pieces_are_joined_to_lines),
        TEST(bytes_after_last_newline_are_a_line),
        TEST(line_of_maximum_length_is_returned),
        TEST(line_too_long_is_reported_once_and_not_kept),
        TEST(line_too_long_without_newline_is_reported_at_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Self-checks as JSON: they round-trip, and other JSON is refused. */
#include "core/self_check.h"
#include "unit.h"

static struct str put(struct buf *b, const struct self_check *checks, size_t count)
{
    struct json_out j;
    json_init(&j, b);
    self_check_put(&j, checks, count);
    return buf_view(b);
}

static void written_checks_are_read_back(void **state)
{
    const struct self_check checks[] = {
        {STR("rows_total"), true, STR("7 rows")},
        {STR("signed"), false, STR("\"quoted\", {braced}")},
    };
    struct self_check back[SELF_CHECKS_MAX];
    size_t count = 0;
    struct arena arena;
    struct buf b;
    (void)state;
    arena_init(&arena);
    buf_init(&b, 4096);
    assert_int_equal(self_check_parse(put(&b, checks, 2), &arena, back, &count, NULL), OK);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(str_eq(back[i].name, checks[i].name));
        assert_int_equal(back[i].passed, checks[i].passed);
        assert_true(str_eq(back[i].detail, checks[i].detail));
    }
    buf_finish(&b);
    arena_finish(&arena);
}

/* `count` checks, to test the maximum and one more. */
static enum err parse_many(size_t count)
{
    struct self_check many[SELF_CHECKS_MAX + 1], back[SELF_CHECKS_MAX];
    struct fail fail;
    struct arena arena;
    struct buf b;
    arena_init(&arena);
    buf_init(&b, 8192);
    for (size_t i = 0; i < count; i++)
        many[i] = (struct self_check){STR("a"), true, STR("")};
    enum err err = self_check_parse(put(&b, many, count), &arena, back, &count, &fail);
    buf_finish(&b);
    arena_finish(&arena);
    return err;
}

static void list_accepts_maximum_and_not_more(void **state)
{
    (void)state;
    assert_int_equal(parse_many(0), OK);
    assert_int_equal(parse_many(SELF_CHECKS_MAX), OK);
    assert_int_equal(parse_many(SELF_CHECKS_MAX + 1), ERR_CORRUPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_checks_are_read_back),
        cmocka_unit_test(list_accepts_maximum_and_not_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

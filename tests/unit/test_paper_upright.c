/* Pages are turned and straightened as the places of rows are counted. */
#include "unit.h"

#include "base/mem.h"
#include "paper/picture.h"

enum { WIDTH = 3, HEIGHT = 2, SIDE = 201, MIDDLE = SIDE / 2, SPACE = 4 * SIDE * SIDE };

static void expect_turned(int turn, int width, int height, const char *dots)
{
    static const struct gray page = {WIDTH, HEIGHT, (const uint8_t *)"abcdef"};
    struct buf space;
    struct gray turned;
    buf_init(&space, SPACE);
    assert_true(upright_make(&page, turn, 0, &space, &turned));
    assert_int_equal(turned.width, width);
    assert_int_equal(turned.height, height);
    assert_memory_equal(turned.dots, dots, WIDTH * HEIGHT);
    buf_finish(&space);
}

static void turns_are_clockwise(void **state)
{
    expect_turned(0, 3, 2, "abcdef");
    expect_turned(90, 2, 3, "daebfc");
    expect_turned(180, 3, 2, "fedcba");
    expect_turned(270, 2, 3, "cfbead");
}

/* A line that falls by three degrees to the right is level after a turn back. */
static void slanting_line_becomes_level(void **state)
{
    enum { SLANT = 300, FALL = 52 /* dots per thousand */ };
    uint8_t *dots = mem_alloc(SIDE * SIDE);
    struct buf space;
    struct gray straight;
    memset(dots, 255, SIDE * SIDE);
    for (int x = 0; x < SIDE; x++) {
        int y = MIDDLE + (x - MIDDLE) * FALL / 1000;
        dots[y * SIDE + x] = dots[(y + 1) * SIDE + x] = dots[(y - 1) * SIDE + x] = 0;
    }
    const struct gray page = {SIDE, SIDE, dots};
    buf_init(&space, SPACE);
    assert_true(upright_make(&page, 0, -SLANT, &space, &straight));
    assert_int_equal(straight.width, SIDE);
    for (int x = 5; x < SIDE - 5; x++)
        assert_true(straight.dots[MIDDLE * SIDE + x] < 128);
    buf_reset(&space);
    assert_true(upright_make(&page, 0, SLANT, &space, &straight));
    assert_true(straight.dots[MIDDLE * SIDE + 5] > 128);
    buf_finish(&space);
    mem_free(dots);
}

static void page_without_room_is_refused(void **state)
{
    static const struct gray page = {WIDTH, HEIGHT, (const uint8_t *)"abcdef"};
    char room[WIDTH * HEIGHT];
    struct gray turned;
    struct buf space = buf_over(room, sizeof room);
    assert_true(upright_make(&page, 90, 0, &space, &turned));
    buf_reset(&space);
    assert_false(upright_make(&page, 90, 1, &space, &turned));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_clockwise),
        cmocka_unit_test(slanting_line_becomes_level),
        cmocka_unit_test(page_without_room_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Arenas: pieces of every size, freed together. */
#include "unit.h"

#include <string.h>

#include "base/mem.h"

static void empty_piece_has_address(void **state)
{
    struct arena a;
    arena_init(&a);
    char *nothing = arena_alloc(&a, 0), *next = arena_alloc(&a, 1);
    assert_non_null(nothing);
    assert_ptr_not_equal(nothing, next);
    arena_finish(&a);
}

static void pieces_are_zeroed_and_do_not_overlap(void **state)
{
    static const size_t sizes[] = {1, 15, 16, 17, 4000, 100000, 3, 70000, 64};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    char *pieces[COUNT];
    struct arena a;
    arena_init(&a);
    for (int round = 0; round < 2; round++) { /* the second round on reused memory */
        for (size_t i = 0; i < COUNT; i++) {
            pieces[i] = arena_alloc(&a, sizes[i]);
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(pieces[i][k], 0);
            memset(pieces[i], (int)i + 1, sizes[i]);
        }
        for (size_t i = 0; i < COUNT; i++)
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(pieces[i][k], (int)i + 1);
        arena_reset(&a);
    }
    arena_finish(&a);
}

static void texts_end_in_nul_and_null_stays_null(void **state)
{
    struct arena a;
    arena_init(&a);
    assert_true(str_is_null(arena_str(&a, STR_NULL)));
    struct str copy = arena_str(&a, STR("abc"));
    assert_string_equal(copy.p, "abc");
    assert_str(arena_fmt(&a, "%s-%d", "x", 7), "x-7");
    arena_finish(&a);
}

static void grown_array_keeps_its_items(void **state)
{
    struct arena a;
    int *items = NULL;
    size_t room = 0;
    arena_init(&a);
    for (int n = 0; n < 1000; n++) {
        items = arena_grow(&a, items, (size_t)n, &room, sizeof *items);
        assert_true(room > (size_t)n);
        items[n] = n;
        assert_int_equal(items[n / 2], n / 2);
    }
    arena_finish(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_piece_has_address),
        cmocka_unit_test(pieces_are_zeroed_and_do_not_overlap),
        cmocka_unit_test(texts_end_in_nul_and_null_stays_null),
        cmocka_unit_test(grown_array_keeps_its_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* One arena for the tests of a program: fresh for the group, or for each test, as it asks. */
#pragma once

#include "unit.h"

#include "base/mem.h"

/* A test with its own arena. */
#define ARENA_TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)

static struct arena arena;

static inline int arena_setup(void **state)
{
    arena_init(&arena);
    return 0;
}

static inline int arena_teardown(void **state)
{
    arena_finish(&arena);
    return 0;
}

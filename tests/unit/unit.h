/* Included by every unit test: cmocka and the headers that must precede it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/str.h"

/* Compares a struct str with a C string, and prints both if they differ. */
#define assert_str(actual, expected)                                                               \
    do {                                                                                           \
        struct str assert_str_a = (actual), assert_str_e = str_from(expected);                     \
        if (!str_eq(assert_str_a, assert_str_e))                                                   \
            fail_msg(                                                                              \
                "got \"%.*s\", expected \"%.*s\"", STR_ARG(assert_str_a), STR_ARG(assert_str_e));  \
    } while (0)

/*
 * Shared by fuzz targets: the entry point for libFuzzer and replay.c, and functions that take parts
 * from the front of the input, for targets that need several texts. After the end they return empty
 * texts and zeros.
 */
#pragma once

#include <assert.h>

#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline struct str fuzz_text(const uint8_t *data, size_t size)
{
    return str_of((const char *)data, size);
}

static inline uint8_t fuzz_byte(struct str *rest)
{
    if (rest->n == 0)
        return 0;
    uint8_t byte = (uint8_t)rest->p[0];
    *rest = str_slice(*rest, 1, rest->n);
    return byte;
}

static inline uint64_t fuzz_number(struct str *rest)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | fuzz_byte(rest);
    return number;
}

/* Up to the next newline; empty at the end. */
static inline struct str fuzz_line(struct str *rest)
{
    struct str line;
    return str_split(rest, '\n', &line) ? line : STR("");
}

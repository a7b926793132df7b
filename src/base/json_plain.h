/*
 * Runs of bytes that stand for themselves in a JSON string, eight at a time: for the writer, which
 * looks for what it must escape, and the check, which looks for what ends a run.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { JSON_PLAIN_STEP = 8 };

/* How many of the 8 bytes at s, from the first on, are 0x20 to 0x7e without quote and backslash.
 * Each test leaves the high bit in a byte that fails it; a carry or a borrow comes only from a byte
 * that has failed, so that the lowest of these bits is right. */
static inline size_t json_plain_run(const unsigned char *s)
{
    const uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
    uint64_t v, bad;
    memcpy(&v, s, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    bad = v | (v + ones);   /* 0x80 and above; 0x7f */
    bad |= v - 0x20 * ones; /* below 0x20 */
    uint64_t quote = v ^ '"' * ones, backslash = v ^ '\\' * ones;
    bad |= (quote - ones) & ~quote;
    bad |= (backslash - ones) & ~backslash;
    bad &= high;
    return bad ? (size_t)__builtin_ctzll(bad) / 8 : JSON_PLAIN_STEP;
}

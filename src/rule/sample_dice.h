/*
 * Draws rows at random, repeatably (docs/adr/0036-sample.md). The n-th random number is the first
 * eight bytes, little-endian, of SHA-256 over the seed and n (eight bytes, little-endian, from 0).
 * With the recorded seed everybody can repeat a draw. Pure.
 */
#pragma once

#include "base/crypto.h"

struct sample_dice {
    uint8_t seed[SHA256_SIZE];
    uint64_t drawn; /* numbers so far */
};

/* 0 to n - 1, each as likely; n > 0. */
uint64_t sample_dice_below(struct sample_dice *dice, uint64_t n);

/* A group of rows: `before` is the number of rows in the groups before it. */
struct sample_group {
    int64_t key;
    int64_t before;
};

/* The group that has row `at`, counted from 0, of all groups. count > 0. */
const struct sample_group *sample_group_of(
    const struct sample_group *groups, size_t count, int64_t at);

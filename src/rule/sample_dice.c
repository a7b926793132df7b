/* Random draws; see sample_dice.h. */
#include "rule/sample_dice.h"

#include <assert.h>

static uint64_t next_number(struct sample_dice *dice)
{
    uint8_t text[SHA256_SIZE + 8], hash[SHA256_SIZE];
    uint64_t number = 0;
    memcpy(text, dice->seed, SHA256_SIZE);
    for (int i = 0; i < 8; i++)
        text[SHA256_SIZE + i] = (uint8_t)(dice->drawn >> (8 * i));
    dice->drawn++;
    sha256(str_of((const char *)text, sizeof text), hash);
    for (int i = 7; i >= 0; i--)
        number = number << 8 | hash[i];
    return number;
}

/* Numbers of the last, incomplete round of n are drawn again, so that none is more likely. */
uint64_t sample_dice_below(struct sample_dice *dice, uint64_t n)
{
    assert(n > 0);
    uint64_t end = UINT64_MAX - UINT64_MAX % n, number;
    do
        number = next_number(dice);
    while (number >= end);
    return number % n;
}

const struct sample_group *sample_group_of(
    const struct sample_group *groups, size_t count, int64_t at)
{
    assert(count > 0 && groups[0].before == 0 && at >= 0);
    size_t from = 0, to = count;
    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;
        if (groups[middle].before <= at)
            from = middle;
        else
            to = middle;
    }
    return &groups[from];
}

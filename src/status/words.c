/* Numbers in words; see words.h. */
#include "status/words.h"

#include "base/instant.h"

enum { NUMBER_SIZE_MAX = 32, UNIT_STEP = 1024, TENTHS = 10, GROUP = 3 };

struct str words_bytes(struct arena *arena, int64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    int unit = -1;
    int64_t whole = bytes, rest = 0;
    while (whole >= UNIT_STEP && unit < 3) {
        rest = whole % UNIT_STEP;
        whole /= UNIT_STEP;
        unit++;
    }
    if (unit < 0)
        return words_count(arena, bytes, "byte", "bytes");
    return arena_fmt(
        arena, "%lld.%lld %s", (long long)whole, (long long)(rest * TENTHS / UNIT_STEP),
        units[unit]);
}

struct str words_duration(struct arena *arena, int64_t ms)
{
    static const struct {
        int64_t ms;
        const char *one, *many;
    } units[] = {
        {DAY_MS, "day", "days"},
        {HOUR_MS, "hour", "hours"},
        {MINUTE_MS, "minute", "minutes"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ms >= units[i].ms)
            return words_count(arena, ms / units[i].ms, units[i].one, units[i].many);
    if (ms < SECOND_MS)
        return STR("less than a second");
    return words_count(arena, ms / SECOND_MS, "second", "seconds");
}

struct str words_number(struct arena *arena, int64_t n)
{
    char digits[NUMBER_SIZE_MAX], grouped[2 * NUMBER_SIZE_MAX];
    struct buf plain = buf_over(digits, sizeof digits), b = buf_over(grouped, sizeof grouped);
    buf_i64(&plain, n);
    for (size_t i = 0; i < plain.n; i++) {
        bool starts_group = i > 0 && (plain.n - i) % GROUP == 0 && ascii_is_digit(digits[i - 1]);
        if (starts_group)
            buf_char(&b, ',');
        buf_char(&b, digits[i]);
    }
    return arena_str(arena, buf_view(&b));
}

struct str words_seconds(struct arena *arena, int64_t ms)
{
    char space[32];
    struct buf b = buf_over(space, sizeof space);
    buf_seconds(&b, ms);
    return ms < 0 ? STR_NULL : arena_str(arena, buf_view(&b));
}

struct str words_count(struct arena *arena, int64_t n, const char *one, const char *many)
{
    return arena_fmt(arena, "%.*s %s", STR_ARG(words_number(arena, n)), n == 1 ? one : many);
}

/* Instants and days: a parsed instant prints as itself or as the same moment, all spellings of a
 * moment parse to the same moment, and every printable day and instant round-trips. */
#include "fuzz.h"

#include "base/instant.h"
#include "paper/cell/printed.h"

enum { YEARS_BEGIN = -719162, YEARS_END = 2932896 }; /* the days 0001-01-01 and 9999-12-31 */

static bool printable(int64_t ms)
{
    int32_t day = instant_day_utc(ms);
    return day >= YEARS_BEGIN && day <= YEARS_END;
}

/* The same text in lower case, and with the space that a query string makes of a plus. */
static struct str respelled(struct str text, char *space)
{
    for (size_t i = 0; i < text.n; i++)
        space[i] = text.p[i] == '+' ? ' ' : ascii_lower(text.p[i]);
    return str_of(space, text.n);
}

static void check_instant(struct str text)
{
    int64_t ms, again;
    char printed[INSTANT_TEXT_SIZE], space[64];
    if (text.n > sizeof space || !instant_parse(text, &ms))
        return;
    assert(instant_parse(respelled(text, space), &again) && again == ms);
    if (!printable(ms)) /* the offset moved it out of the four-digit years */
        return;
    instant_print(ms, printed);
    assert(instant_parse(str_of(printed, sizeof printed), &again) && again == ms);
    bool leap_second = text.p[17] == '6';
    assert(
        !leap_second || str_starts(str_of(printed + 5, 8), STR("01-01T00")) ||
        str_starts(str_of(printed + 5, 8), STR("07-01T00")));
    if (text.n == sizeof printed && ascii_upper(text.p[23]) == 'Z' && !leap_second)
        assert(str_eq_nocase(text, str_of(printed, sizeof printed)));
}

static void check_day(struct str text)
{
    int32_t day, again;
    char printed[DAY_TEXT_SIZE];
    if (day_parse(text, &day)) {
        day_print(day, printed);
        assert(str_eq(str_of(printed, sizeof printed), text));
    }
    if (printed_day(text, &day)) {
        assert(day >= YEARS_BEGIN && day <= YEARS_END);
        day_print(day, printed);
        assert(day_parse(str_of(printed, sizeof printed), &again) && again == day);
    }
}

static void check_number(int64_t number)
{
    int64_t span_ms = ((int64_t)YEARS_END - YEARS_BEGIN + 1) * DAY_MS;
    int64_t ms = (int64_t)YEARS_BEGIN * DAY_MS + (int64_t)((uint64_t)number % (uint64_t)span_ms);
    int64_t again;
    char printed[INSTANT_TEXT_SIZE];
    instant_print(ms, printed);
    assert(instant_parse(str_of(printed, sizeof printed), &again) && again == ms);

    int32_t month = instant_month_utc(ms), day = instant_day_utc(ms);
    assert(month_start_ms(month) <= ms && ms < month_start_ms(month + 1));
    int32_t local = instant_day_new_york(ms);
    assert(local == day || local == day - 1);
    assert(instant_from_new_york(local, 0) <= ms && ms < instant_from_new_york(local + 1, 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = fuzz_text(data, size), rest = text;
    check_instant(text);
    check_day(text);
    check_number((int64_t)fuzz_number(&rest));
    return 0;
}

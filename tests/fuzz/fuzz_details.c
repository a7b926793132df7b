/* Details from any cells: the line is read back unchanged, stays in its bounds, and states no
 * number that the cells do not have. A line that a person enters is stable after one reading. The
 * first byte is the asset's type; the lines after it are cells, and all of it is a line. */
#include "fuzz.h"

#include "paper/cell/details_read.h"

static bool has(struct str text, struct str needle)
{
    return str_find(text, needle) >= 0;
}

/* The digits of a decimal stand in the input, apart from commas and zeros that were dropped. */
static void check_decimal(struct str all, struct str number)
{
    ptrdiff_t point = str_find_char(number, '.');
    struct str last = point < 0 ? str_slice(number, number.n - 1, number.n)
                                : str_slice(number, (size_t)point + 1, number.n);
    assert(number.n > 0 && (has(all, last) || has(all, STR("0"))));
}

static void check_line(struct str line, struct arena *arena)
{
    struct details again;
    assert(line.n <= DETAILS_LINE_MAX);
    assert(details_parse(line, arena, &again));
    struct str twice = details_line(&again, arena);
    assert(str_eq(line, twice));
}

static void check_read(struct str rest, enum asset_type type, struct arena *arena)
{
    struct str all = rest;
    struct details details;
    const struct details_source source = {
        .asset_type = type,
        .asset = fuzz_line(&rest),
        .ticker = fuzz_line(&rest),
        .ticker_two = fuzz_line(&rest),
        .detail = fuzz_line(&rest),
        .description = fuzz_line(&rest),
        .comment = fuzz_line(&rest),
    };
    details_read(&source, arena, &details);
    struct str line = details_line(&details, arena);
    assert(str_is_null(line) == details_are_none(&details));
    if (!str_is_null(line))
        check_line(line, arena);
    if (!str_is_null(details.strike))
        check_decimal(all, details.strike);
    if (!str_is_null(details.coupon))
        check_decimal(all, details.coupon);
    assert(details.coupon_type == COUPON_TYPE_NONE || !str_is_null(details.coupon));
    assert(!has(source.description, STR("x")) || !str_is_null(details.description));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct details details;
    struct str rest = fuzz_text(data, size);
    enum asset_type type = (enum asset_type)(fuzz_byte(&rest) % ASSET_COUNT);
    arena_init(&arena);
    if (details_parse(rest, &arena, &details) && !details_are_none(&details))
        check_line(details_line(&details, &arena), &arena);
    check_read(rest, type, &arena);
    arena_finish(&arena);
    return 0;
}

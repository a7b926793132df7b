/* Any bytes as the text that tesseract reads on a page. Each line is visible and a part of the
 * text, in its order, and read alone it has the same fields. A row made from the printed tables is
 * found wherever it is in a line. */
#include "fuzz.h"

#include <stdio.h>

#include "base/hidden.h"
#include "core/printed.h"
#include "paper/suggest.h"

enum { PAGE = 7 };

static bool is_same(const struct suggest_line *a, const struct suggest_line *b)
{
    return a->page == b->page && str_eq(a->text, b->text) && a->trade_date == b->trade_date &&
           a->side == b->side && a->bracket == b->bracket;
}

static void check_line(void *ctx, const struct suggest_line *line)
{
    const char **at = ctx;
    const struct suggest_line alone = suggest_line_read(PAGE, line->text);
    assert(line->page == PAGE && line->text.n > 0 && line->text.p >= *at);
    assert(hidden_free_line(line->text) && str_eq(str_trim(line->text), line->text));
    assert(is_same(line, &alone));
    assert(line->side == SIDE_NONE || line->trade_date != DAY_NONE || line->bracket);
    *at = line->text.p + line->text.n;
}

static void keep(void *ctx, const struct suggest_line *line)
{
    *(struct suggest_line *)ctx = *line;
}

/* Words that are no date, no type and no amount around a row that is one. */
static void check_row(struct str rest)
{
    static const char *const sides[] = {"P", "S", "Purchase", "Sale (Full)", "Exchange"};
    static const char *const amounts[] = {"$1,001 - $15,000", "$15,001 - $50,000"};
    const char *side = sides[fuzz_byte(&rest) % 5], *amount = amounts[fuzz_byte(&rest) % 2];
    int month = fuzz_byte(&rest) % 12 + 1, day = fuzz_byte(&rest) % 28 + 1;
    int year = 2000 + fuzz_byte(&rest) % 60;
    int32_t wanted;
    char text[200];
    struct suggest_line found = {0};
    assert(day_from_civil(year, month, day, &wanted));
    snprintf(
        text, sizeof text, "\x0c\n | Abacus, Inc. %s %d/%d/%d %s |\r\n", side, month, day, year,
        amount);
    suggest_lines_read(PAGE, str_from(text), keep, &found);
    assert(found.page == PAGE && found.trade_date == wanted);
    assert(found.side == printed_side(str_from(side)) && found.side != SIDE_NONE);
    assert(found.bracket == printed_amount(str_from(amount), OWNER_NONE) && found.bracket);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = fuzz_text(data, size);
    const char *at = text.p;
    suggest_lines_read(PAGE, text, check_line, &at);
    check_row(text);
    return 0;
}

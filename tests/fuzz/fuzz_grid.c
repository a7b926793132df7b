/* A table on a terminal prints every character of its cells but blanks, whatever they are and
 * however narrow the terminal is: no text is cut. */
#include "fuzz.h"

#include <string.h>

#include "base/hidden.h"
#include "cmd/term/grid.h"

enum { TEXT_MAX = 1 << 22 };

static void count_bytes(struct str text, size_t counts[256])
{
    for (size_t i = 0; i < text.n; i++)
        counts[(unsigned char)text.p[i]]++;
}

/* One column: nothing is added either. A folded row has no name, the x. */
static void check_alone(struct str shown, const struct terminal *terminal)
{
    struct grid grid;
    struct buf text;
    size_t in[256] = {0}, out[256] = {0};
    grid_init(&grid);
    buf_init(&text, TEXT_MAX);
    grid_cell(&grid, "x", shown, PAINT_NONE, false);
    grid_row_end(&grid);
    grid_print(&grid, terminal, &text);
    count_bytes(STR("x"), in);
    count_bytes(shown, in);
    count_bytes(buf_view(&text), out);
    for (int c = 0; c < 256; c++)
        assert(c == ' ' || c == '\n' || in[c] == out[c] || (c == 'x' && in[c] == out[c] + 1));
    assert(text.n > 0 && text.p[text.n - 1] == '\n' && !text.overflow);
    buf_finish(&text);
    grid_finish(&grid);
}

/* Several columns: nothing is lost. */
static void check_row(struct str shown, const struct terminal *terminal)
{
    struct grid grid;
    struct buf text;
    struct str part;
    size_t in[256] = {0}, out[256] = {0}, cells = 0;
    grid_init(&grid);
    buf_init(&text, TEXT_MAX);
    for (; cells < GRID_COLUMNS_MAX && str_split(&shown, ',', &part); cells++) {
        part = part.n ? part : STR("-");
        grid_cell(&grid, "name", part, PAINT_NONE, cells % 2);
        if (!str_eq(part, STR("-")))
            count_bytes(part, in);
    }
    grid_row_end(&grid);
    grid_print(&grid, terminal, &text);
    count_bytes(buf_view(&text), out);
    for (int c = 0; c < 256; c++)
        assert(c == ' ' || in[c] <= out[c]);
    buf_finish(&text);
    grid_finish(&grid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 1 << 16)
        return 0;
    struct terminal terminal = {.is_tty = true, .columns = 20 + data[0]};
    struct buf shown;
    buf_init(&shown, TEXT_MAX);
    hidden_show(&shown, str_of((const char *)data + 1, size - 1));
    check_alone(buf_view(&shown), &terminal);
    check_row(buf_view(&shown), &terminal);
    buf_finish(&shown);
    return 0;
}

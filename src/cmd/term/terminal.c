/* What a stream can show; see terminal.h. */
#include "cmd/term/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool colour_when_parse(struct str text, enum colour_when *ret)
{
    static const char *const names[] = {
        [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    for (int i = COLOUR_AUTO; i <= COLOUR_NEVER; i++)
        if (str_eq(text, str_from(names[i]))) {
            *ret = (enum colour_when)i;
            return true;
        }
    return false;
}

static struct str variable(const char *name)
{
    const char *value = getenv(name);
    return value ? str_from(value) : STR("");
}

/* The window's size; of a terminal that does not know it, the variable COLUMNS. */
static int columns_of(FILE *to)
{
    struct winsize size = {0};
    int64_t columns = 0;
    if (ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    else if (!str_to_i64(variable("COLUMNS"), &columns) || columns <= 0 || columns > UINT16_MAX)
        columns = TERMINAL_COLUMNS;
    return columns < TERMINAL_COLUMNS_MIN ? TERMINAL_COLUMNS_MIN : (int)columns;
}

/* The first variable that is set decides, as in setlocale. */
static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str locale = variable(names[i]);
        ptrdiff_t dot = str_find_char(locale, '.');
        if (locale.n == 0)
            continue;
        struct str set = dot < 0 ? STR("") : str_slice(locale, (size_t)dot + 1, locale.n);
        set = str_slice(set, 0, set.n >= 5 && set.p[3] == '-' ? 5 : 4);
        return str_eq_nocase(set, STR("utf-8")) || str_eq_nocase(set, STR("utf8"));
    }
    return false;
}

static bool colour_of_terminal(void)
{
    struct str term = variable("TERM");
    return variable("NO_COLOR").n == 0 && term.n > 0 && !str_eq(term, STR("dumb"));
}

void terminal_init(struct terminal *t, FILE *to, enum colour_when when)
{
    bool is_tty = isatty(fileno(to));
    *t = (struct terminal){
        .is_tty = is_tty,
        .colour = when == COLOUR_AUTO ? is_tty && colour_of_terminal() : when == COLOUR_ALWAYS,
        .utf8 = locale_is_utf8(),
        .columns = is_tty ? columns_of(to) : TERMINAL_COLUMNS};
}

void terminal_assume(struct terminal *t)
{
    t->is_tty = true;
    t->columns = columns_of(stderr);
}

void terminal_paint(const struct terminal *t, struct buf *to, enum paint paint, struct str text)
{
    /* The eight basic colours: every theme, dark or light, has made them readable. */
    static const char *const codes[] = {
        [PAINT_STRONG] = "1", [PAINT_FAINT] = "2", [PAINT_GOOD] = "32",
        [PAINT_DOUBT] = "33", [PAINT_BAD] = "31",  [PAINT_NAME] = "36",
    };
    if (!t->colour || paint == PAINT_NONE || text.n == 0) {
        buf_str(to, text);
        return;
    }
    buf_fmt(to, "\x1b[%sm", codes[paint]);
    buf_str(to, text);
    buf_text(to, "\x1b[0m");
}

const char *terminal_glyph(const struct terminal *t, enum glyph glyph)
{
    static const struct {
        const char *utf8, *ascii;
    } glyphs[] = {
        [GLYPH_TICK] = {"✓", "ok"}, [GLYPH_CROSS] = {"✗", "x"},  [GLYPH_DOUBT] = {"?", "?"},
        [GLYPH_DOT] = {"·", "|"},   [GLYPH_ARROW] = {"→", "->"}, [GLYPH_WAIT] = {"…", "..."},
    };
    return t->utf8 ? glyphs[glyph].utf8 : glyphs[glyph].ascii;
}

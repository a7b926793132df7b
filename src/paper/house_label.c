/* Compares labels; see house_label.h. */
#include "paper/house_label.h"

struct str house_label_letters(struct arena *arena, struct str text)
{
    char *out = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        if (ascii_is_alpha(text.p[i]))
            out[n++] = ascii_upper(text.p[i]);
    return str_of(out, n);
}

bool house_label_begins(struct str text, struct str label)
{
    return text.n >= label.n && str_eq_nocase(str_slice(text, 0, label.n), label);
}

ptrdiff_t house_label_find(struct str text, struct str label)
{
    for (size_t i = 0; i + label.n <= text.n; i++)
        if (house_label_begins(str_slice(text, i, text.n), label))
            return (ptrdiff_t)i;
    return -1;
}

struct str house_label_upper(struct arena *arena, struct str text)
{
    char *out = arena_alloc(arena, text.n + 1);
    for (size_t i = 0; i < text.n; i++)
        out[i] = ascii_upper(text.p[i]);
    return str_of(out, text.n);
}

enum cell house_label_cell(struct str letters)
{
    static const struct {
        struct str letters, initials;
        enum cell cell;
    } labels[] = {
        {STR_INIT("FILINGSTATUS"), STR_INIT("FS"), CELL_STATUS},
        {STR_INIT("SUBHOLDINGOF"), STR_INIT("SO"), CELL_SUBHOLDING},
        {STR_INIT("LOCATION"), STR_INIT("L"), CELL_LOCATION},
        {STR_INIT("DESCRIPTION"), STR_INIT("D"), CELL_DESCRIPTION},
        {STR_INIT("COMMENTS"), STR_INIT("C"), CELL_COMMENT},
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (str_eq(letters, labels[i].letters) || str_eq(letters, labels[i].initials))
            return labels[i].cell;
    return CELL_COUNT;
}

bool house_label_mixes_case(struct str text)
{
    for (size_t i = 1; i < text.n; i++)
        if (ascii_is_alpha(text.p[i]) && text.p[i] == ascii_upper(text.p[i]) &&
            ascii_is_alpha(text.p[i - 1]) && text.p[i - 1] != ascii_upper(text.p[i - 1]))
            return true;
    return false;
}

bool house_label_is_title(struct str letters)
{
    return str_eq(letters, STR("PERIODICTRANSACTIONREPORT")) || str_eq(letters, STR("PTR"));
}

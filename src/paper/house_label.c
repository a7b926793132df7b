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

bool house_label_is_title(struct str letters)
{
    return str_eq(letters, STR("PERIODICTRANSACTIONREPORT")) || str_eq(letters, STR("PTR"));
}

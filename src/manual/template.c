/* Filling templates; see template.h. */
#include "manual/template.h"

struct str template_value(const struct template_values *values, struct str name)
{
    for (size_t i = 0; i < values->count; i++) {
        struct str value = str_from(values->pairs[i]), found;
        if (str_split(&value, '=', &found) && str_eq(found, name))
            return value;
    }
    return STR_NULL;
}

/* The name after an `@`, at the start of the text; null: none. */
static struct str name_at(struct str text)
{
    ptrdiff_t end = str_find_char(text, '@');
    for (ptrdiff_t i = 0; i < end; i++)
        if (!ascii_is_alpha(text.p[i]) && !ascii_is_digit(text.p[i]) && text.p[i] != '_')
            return STR_NULL;
    return end > 0 ? str_slice(text, 0, (size_t)end) : STR_NULL;
}

static enum err fill_line(
    struct buf *to, struct str line, const struct template_values *values, struct fail *fail)
{
    ptrdiff_t at;
    while ((at = str_find_char(line, '@')) >= 0) {
        struct str behind = str_slice(line, (size_t)at + 1, line.n);
        struct str name = name_at(behind);
        buf_str(to, str_slice(line, 0, (size_t)at));
        if (str_is_null(name)) {
            buf_char(to, '@');
            line = behind;
            continue;
        }
        struct str value = template_value(values, name);
        if (str_is_null(value))
            return fail_set(fail, ERR_INVALID, "no section or value @%.*s@", STR_ARG(name));
        buf_str(to, value);
        line = str_slice(behind, name.n + 1, behind.n);
    }
    buf_str(to, line);
    return OK;
}

static const struct template_section *section_of(
    struct str line, const struct template_section *sections)
{
    if (line.n < 3 || line.p[0] != '@' || line.p[line.n - 1] != '@')
        return NULL;
    for (const struct template_section *s = sections; s->name; s++)
        if (str_eq(str_from(s->name), str_slice(line, 1, line.n - 1)))
            return s;
    return NULL;
}

enum err template_fill(
    struct buf *to, struct str text, const struct template_section *sections,
    const struct template_values *values, struct fail *fail)
{
    struct str line;
    while (text.n > 0 && str_split(&text, '\n', &line)) {
        const struct template_section *section = section_of(line, sections);
        if (section) {
            section->write(to, values);
            continue;
        }
        TRY(fill_line(to, line, values, fail));
        buf_char(to, '\n');
    }
    return OK;
}

/* --- sentences and lines */

void text_sentences(struct buf *to, const char *phrase, const char *notes)
{
    buf_char(to, ascii_upper(phrase[0]));
    buf_text(to, phrase + 1);
    buf_char(to, '.');
    if (notes) {
        buf_char(to, ' ');
        buf_text(to, notes);
    }
}

void text_wrap(struct buf *to, const char *prefix, size_t columns, struct str text)
{
    struct str word;
    size_t column = 0;
    while (str_split(&text, ' ', &word)) {
        if (column > 0 && column + 1 + word.n > columns) {
            buf_char(to, '\n');
            column = 0;
        }
        buf_text(to, column == 0 ? prefix : " ");
        column += column == 0 ? strlen(prefix) : 1;
        buf_str(to, word);
        column += word.n;
    }
    buf_char(to, '\n');
}

void text_key(struct buf *to, const char *flag_name)
{
    for (const char *p = flag_name; *p; p++)
        buf_char(to, *p == '-' ? '_' : *p);
}

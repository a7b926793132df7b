/* Reasons for people; see err.h. */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

#include "base/hidden.h"

enum { RAW_SIZE = 2048, SHOWN_SIZE = 8 * RAW_SIZE }; /* a byte becomes \x{9B} at most */

static bool is_continued(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The bytes of a text up to `size` that are whole characters. */
static size_t whole_characters(struct str text, size_t size)
{
    size_t n = text.n < size ? text.n : size;
    while (n > 0 && n < text.n && is_continued(text.p[n]))
        n--;
    return n;
}

/* Reasons quote input: it must neither break the line, nor move a cursor, nor hide anything. */
static void put_shown(struct fail *f, struct str raw, bool cut)
{
    char space[SHOWN_SIZE];
    struct buf shown = buf_over(space, sizeof space);
    hidden_show(&shown, str_slice(raw, 0, cut ? whole_characters(raw, raw.n - 4) : raw.n));
    struct str text = buf_view(&shown);
    const struct str mark = STR("...");
    cut |= text.n >= sizeof f->text;
    if (cut)
        text.n = whole_characters(text, sizeof f->text - 1 - mark.n);
    memcpy(f->text, text.p, text.n);
    if (cut)
        memcpy(f->text + text.n, mark.p, mark.n);
    f->text[text.n + (cut ? mark.n : 0)] = '\0';
}

enum err fail_set_va(struct fail *f, enum err err, const char *format, va_list args)
{
    if (f) {
        char raw[RAW_SIZE];
        f->err = err;
        int n = vsnprintf(raw, sizeof raw, format, args);
        bool cut = n >= (int)sizeof raw;
        put_shown(f, str_of(raw, n < 0 ? 0 : cut ? sizeof raw - 1 : (size_t)n), cut);
    }
    return err;
}

enum err fail_set(struct fail *f, enum err err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_set_va(f, err, format, args);
    va_end(args);
    return err;
}

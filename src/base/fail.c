/* Reasons for people; see err.h. */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

#include "base/hidden.h"
#include "base/utf8.h"

enum { RAW_SIZE = 2048, SHOWN_SIZE = 8 * RAW_SIZE }; /* a byte becomes \x{9B} at most */

/* Reasons quote input: it must neither break the line, nor move a cursor, nor hide anything. */
static void put_shown(struct fail *f, struct str raw, bool cut)
{
    char space[SHOWN_SIZE];
    struct buf shown = buf_over(space, sizeof space);
    hidden_show(&shown, cut ? utf8_cut(raw, raw.n - 4) : raw);
    struct str text = buf_view(&shown);
    const struct str mark = STR("...");
    cut |= text.n >= sizeof f->text;
    if (cut)
        text = utf8_cut(text, sizeof f->text - 1 - mark.n);
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
    (void)fail_set_va(f, err, format, args);
    va_end(args);
    return err;
}

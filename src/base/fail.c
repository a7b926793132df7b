/* Reasons for people; see err.h. */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

/* Reasons quote input: it must neither break the line nor move a cursor. */
static void make_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = ' ';
}

enum err fail_set_va(struct fail *f, enum err err, const char *format, va_list args)
{
    if (f) {
        f->err = err;
        int n = vsnprintf(f->text, sizeof f->text, format, args);
        if (n >= (int)sizeof f->text) /* truncated: mark it */
            memcpy(f->text + sizeof f->text - 4, "...", 4);
        make_one_line(f->text);
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

/* Reasons for people; see err.h. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Reasons quote input: it must neither break the line nor move a cursor. */
static void make_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = ' ';
}

enum err fail_set(struct fail *f, enum err err, const char *format, ...)
{
    if (f) {
        va_list args;
        va_start(args, format);
        f->err = err;
        int n = vsnprintf(f->text, sizeof f->text, format, args);
        va_end(args);
        if (n >= (int)sizeof f->text) /* truncated: mark it */
            memcpy(f->text + sizeof f->text - 4, "...", 4);
        make_one_line(f->text);
    }
    return err;
}

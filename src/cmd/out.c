/* Records on standard output, as JSON lines or as text; see out.h. */
#include "cmd/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/hidden.h"

#include "base/disk.h"

enum { OUT_LINE_MAX = 1 << 20, OUT_NAME_WIDTH = 20 };

void out_init(struct out *o, FILE *to, bool json)
{
    *o = (struct out){.to = to, .json = json};
    buf_init(&o->header, OUT_LINE_MAX);
    buf_init(&o->line, OUT_LINE_MAX);
}

bool out_finish(struct out *o)
{
    buf_finish(&o->header);
    buf_finish(&o->line);
    errno = 0;
    if (fflush(o->to) == 0 && !ferror(o->to))
        return true;
    fprintf(
        stderr, "stockact: cannot write to standard output%s%s: some output is lost\n",
        errno ? ": " : "", errno ? disk_reason(errno) : "");
    if (o->lost[0])
        fprintf(stderr, "stockact: %s\n", o->lost);
    return false;
}

void out_begin(struct out *o, enum out_style style)
{
    o->style = style;
    buf_reset(&o->header);
    buf_reset(&o->line);
    if (o->json) {
        json_init(&o->writer, &o->line);
        json_object_begin(&o->writer);
    }
}

static void put_text(struct out *o, const char *name, struct str text)
{
    if (o->style == OUT_BLOCK) {
        buf_fmt(&o->line, "%-*s  ", OUT_NAME_WIDTH, name);
        hidden_show(&o->line, text);
        buf_char(&o->line, '\n');
        return;
    }
    if (o->line.n) {
        buf_char(&o->line, '\t');
        buf_char(&o->header, '\t');
    }
    buf_text(&o->header, name);
    hidden_show(&o->line, text);
}

void out_str(struct out *o, const char *name, struct str value)
{
    if (o->json) {
        json_key(&o->writer, str_from(name));
        json_str(&o->writer, value);
    } else {
        put_text(o, name, value.n ? value : STR("-"));
    }
}

void out_secret(struct out *o, const char *name, struct str value, const char *lost, ...)
{
    va_list args;
    va_start(args, lost);
    vsnprintf(o->lost, sizeof o->lost, lost, args);
    va_end(args);
    out_str(o, name, value);
}

void out_i64(struct out *o, const char *name, int64_t value)
{
    if (o->json) {
        json_key(&o->writer, str_from(name));
        json_i64(&o->writer, value);
        return;
    }
    struct buf text;
    buf_init(&text, 32);
    buf_i64(&text, value);
    put_text(o, name, buf_view(&text));
    buf_finish(&text);
}

void out_i64_unless(struct out *o, const char *name, int64_t value, int64_t none)
{
    if (value == none)
        out_str(o, name, STR_NULL);
    else
        out_i64(o, name, value);
}

void out_bool(struct out *o, const char *name, bool value)
{
    if (o->json) {
        json_key(&o->writer, str_from(name));
        json_bool(&o->writer, value);
    } else {
        put_text(o, name, value ? STR("yes") : STR("no"));
    }
}

void out_instant(struct out *o, const char *name, int64_t ms)
{
    char text[INSTANT_TEXT_SIZE];
    if (ms == INSTANT_NONE) {
        out_str(o, name, STR_NULL);
        return;
    }
    instant_print(ms, text);
    out_str(o, name, str_of(text, sizeof text));
}

void out_raw(struct out *o, const char *name, struct str json)
{
    if (o->json) {
        json_key(&o->writer, str_from(name));
        json_raw(&o->writer, json);
    } else {
        put_text(o, name, json);
    }
}

static void write_view(struct out *o, const struct buf *b)
{
    fwrite(buf_view(b).p, 1, b->n, o->to); /* out_finish checks for errors */
}

void out_end(struct out *o)
{
    if (o->json) {
        json_object_end(&o->writer);
        buf_char(&o->line, '\n');
    } else if (o->style == OUT_TABLE) {
        if (!o->header_done) {
            buf_char(&o->header, '\n');
            write_view(o, &o->header);
            o->header_done = true;
        }
        buf_char(&o->line, '\n');
    }
    write_view(o, &o->line);
}

void out_line(struct out *o, const char *format, ...)
{
    if (o->json)
        return;
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0)
        return;
    buf_reset(&o->line);
    hidden_show_lines(&o->line, str_of(text, (size_t)n));
    buf_char(&o->line, '\n');
    write_view(o, &o->line);
    free(text);
}

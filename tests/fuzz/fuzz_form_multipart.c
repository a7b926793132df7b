/* Any bytes as a multipart body with the boundary "x", or with the type in their first line: the
 * reader keeps its bounds, files lie in the body and have no boundary in them, and writing what was
 * read and reading it again gives the same. */
#include "fuzz.h"

#include "base/utf8.h"
#include "html/form.h"

#define TYPE "multipart/form-data; boundary=x"

static const char *const lists[] = {"list", NULL};

static void put_part(struct buf *b, const char *kind, struct str name, struct str bytes)
{
    buf_text(b, "--x\r\nContent-Disposition: form-data; ");
    buf_fmt(b, "%s=\"", kind);
    buf_str(b, name);
    buf_text(b, "\"");
    if (kind[0] == 'f')
        buf_text(b, "; name=\"files\"");
    buf_text(b, "\r\n\r\n");
    buf_str(b, bytes);
    buf_text(b, "\r\n");
}

static bool has_boundary(struct str s)
{
    return str_starts(s, STR("--x")) || str_find(s, STR("\r\n--x")) >= 0;
}

/* A name that cannot be written between quotes. */
static bool is_plain(struct str s)
{
    return str_find_char(s, '"') < 0;
}

static void check_again(struct arena *arena, const struct form *first)
{
    struct form second;
    struct buf again;
    bool plain = true;
    buf_init(&again, 4 << 20);
    for (size_t i = 0; i < first->count; i++) {
        plain &= is_plain(first->pairs[i].name) && !has_boundary(first->pairs[i].value);
        put_part(&again, "name", first->pairs[i].name, first->pairs[i].value);
    }
    for (size_t i = 0; i < first->file_count; i++) {
        plain &= is_plain(first->files[i].name) && !has_boundary(first->files[i].bytes);
        put_part(&again, "filename", first->files[i].name, first->files[i].bytes);
    }
    buf_text(&again, "--x--");
    if (plain && !again.overflow) {
        enum err err =
            form_read_multipart(&second, arena, STR(TYPE), buf_view(&again), lists, NULL);
        assert(err == OK && second.count == first->count);
        assert(second.file_count == first->file_count);
        for (size_t i = 0; i < second.count; i++)
            assert(str_eq(second.pairs[i].value, first->pairs[i].value));
        for (size_t i = 0; i < second.file_count; i++) {
            assert(str_eq(second.files[i].bytes, first->files[i].bytes));
            assert(str_eq(second.files[i].name, first->files[i].name));
        }
    }
    buf_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct form form;
    struct str body = fuzz_text(data, size), type = STR(TYPE);
    arena_init(&arena);
    ptrdiff_t end = str_find_char(body, '\n');
    if (str_starts(body, STR("multipart")) && end >= 0) {
        type = str_slice(body, 0, (size_t)end);
        body = str_slice(body, (size_t)end + 1, body.n);
    }
    if (form_read_multipart(&form, &arena, type, body, lists, NULL) == OK) {
        assert(form.count <= FORM_FIELDS_MAX && form.file_count <= FORM_FILES_MAX);
        for (size_t i = 0; i < form.count; i++)
            assert(utf8_is_valid(form.pairs[i].value) && form.pairs[i].name.n > 0);
        for (size_t i = 0; i < form.file_count; i++) {
            struct str bytes = form.files[i].bytes;
            assert(bytes.n == 0 || (bytes.p >= body.p && bytes.p + bytes.n <= body.p + body.n));
        }
        check_again(&arena, &form);
    } else {
        assert(form.count == 0 && form.file_count == 0);
    }
    arena_finish(&arena);
    return 0;
}

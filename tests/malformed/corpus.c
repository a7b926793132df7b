/* The whole corpus, and the construction of cases from rows and forms; see corpus.h. */
#include "corpus.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { CASE_MAX = 1 << 20 };

static void append(struct corpus *c, struct str name, struct str bytes, struct str outcome)
{
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 1024;
        c->cases = mem_realloc(c->cases, c->room * sizeof *c->cases);
    }
    struct http_case *one = &c->cases[c->n++];
    one->name = arena_str(&c->arena, name).p;
    one->bytes = arena_str(&c->arena, bytes);
    one->outcome = arena_str(&c->arena, outcome).p;
}

static struct str name_of(struct corpus *c, const char *form, const char *row)
{
    return *form ? arena_fmt(&c->arena, "%s: %s", form, row) : str_from(row);
}

void corpus_add(struct corpus *c, const char *form, const struct http_case *one)
{
    append(c, name_of(c, form, one->name), one->bytes, str_from(one->outcome));
}

static void put_filled(struct buf *b, struct str text, struct str value)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == *HOLE)
            buf_str(b, value);
        else
            buf_char(b, text.p[i]);
    }
}

void corpus_fill(struct corpus *c, const struct form *form, const struct http_case *row)
{
    bool ok = strcmp(row->outcome, "ok") == 0;
    struct buf bytes;
    buf_init(&bytes, CASE_MAX);
    put_filled(&bytes, form->text, row->bytes);
    struct str outcome =
        ok ? str_from(form->ok) : arena_fmt(&c->arena, "%s%s", form->before, row->outcome);
    append(c, name_of(c, form->name, row->name), buf_view(&bytes), outcome);
    buf_finish(&bytes);
}

void corpus_product(
    struct corpus *c, const struct form *forms, size_t form_count, const struct http_case *rows,
    size_t row_count)
{
    for (size_t f = 0; f < form_count; f++) {
        for (size_t r = 0; r < row_count; r++)
            corpus_fill(c, &forms[f], &rows[r]);
    }
}

/* By bytes; equal bytes by order of addition. */
static int compare(const void *a, const void *b)
{
    const struct http_case *one = *(struct http_case *const *)a;
    const struct http_case *other = *(struct http_case *const *)b;
    int order = str_cmp(one->bytes, other->bytes);
    return order ? order : (one > other) - (one < other);
}

/* Some tables give the same case: keep one, and require equal outcomes. */
static void drop_repeated(struct corpus *c)
{
    struct http_case **sorted = mem_array(c->n, sizeof *sorted);
    for (size_t i = 0; i < c->n; i++)
        sorted[i] = &c->cases[i];
    qsort(sorted, c->n, sizeof *sorted, compare);
    for (size_t first = 0, i = 1; i < c->n; i++) {
        if (!str_eq(sorted[i]->bytes, sorted[first]->bytes)) {
            first = i;
            continue;
        }
        assert(strcmp(sorted[i]->outcome, sorted[first]->outcome) == 0);
        sorted[i]->name = NULL;
    }
    mem_free(sorted);
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (c->cases[i].name)
            c->cases[kept++] = c->cases[i];
    }
    c->n = kept;
}

void corpus_make(struct corpus *ret)
{
    static void (*const parts[])(struct corpus *) = {
        corpus_add_written,   corpus_add_bytes,  corpus_add_separators,  corpus_add_lines,
        corpus_add_targets,   corpus_add_hosts,  corpus_add_lengths,     corpus_add_codings,
        corpus_add_disguises, corpus_add_chunks, corpus_add_connections, corpus_add_pipelines,
        corpus_add_smuggled,  corpus_add_bounds,
    };
    *ret = (struct corpus){0};
    arena_init(&ret->arena);
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        parts[i](ret);
    drop_repeated(ret);
}

void corpus_finish(struct corpus *c)
{
    mem_free(c->cases);
    arena_finish(&c->arena);
    *c = (struct corpus){0};
}

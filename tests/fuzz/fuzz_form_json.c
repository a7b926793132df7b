/* Any bytes as a JSON body: the reader keeps its bounds, and its fields are those that the same
 * form has when it is sent urlencoded. */
#include "fuzz.h"

#include "base/utf8.h"
#include "html/form.h"
#include "rule/query.h"

static void put_urlencoded(struct buf *b, const struct form *form)
{
    for (size_t i = 0; i < form->count; i++) {
        buf_text(b, i > 0 ? "&" : "");
        query_encode(b, form->pairs[i].name);
        buf_char(b, '=');
        query_encode(b, form->pairs[i].value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const lists[] = {"list", NULL};
    struct arena arena;
    struct form first, second;
    struct buf again;
    arena_init(&arena);
    buf_init(&again, 4 * FORM_SIZE_MAX);
    if (form_read_json(&first, &arena, fuzz_text(data, size), lists, NULL) == OK) {
        assert(size <= FORM_SIZE_MAX && first.count <= FORM_FIELDS_MAX);
        put_urlencoded(&again, &first);
        bool fits = again.n <= FORM_SIZE_MAX;
        enum err err = form_read_urlencoded(&second, &arena, buf_view(&again), lists, NULL);
        assert(fits ? err == OK && second.count == first.count : err == ERR_LIMIT);
        for (size_t i = 0; i < first.count; i++) {
            assert(utf8_is_valid(first.pairs[i].value) && first.pairs[i].name.n > 0);
            assert(str_find_char(first.pairs[i].value, '\0') < 0);
            assert(!fits || str_eq(first.pairs[i].value, second.pairs[i].value));
        }
    } else {
        assert(first.count == 0);
    }
    buf_finish(&again);
    arena_finish(&arena);
    return 0;
}

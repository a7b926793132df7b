/* Any bytes as templates, separated by form feeds: parsing and printing keep inside them, and
 * templates that the check of the build accepts print no character of the view that HTML reads as
 * markup. */
#include "fuzz.h"

#include "html/mustache.h"

/* A list inside a list inside a list doubles the output each time. */
enum { SIZE_MAX_FUZZED = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > SIZE_MAX_FUZZED)
        return 0;
    static const char *const names[] = {"a", "b", "c", "d"};
    struct str rest = fuzz_text(data, size), text;
    struct arena arena;
    struct buf page;
    arena_init(&arena);
    buf_init(&page, 1 << 16);
    struct mustache_set *set = mustache_set_create();
    bool good = true, marked = str_find(rest, STR("\x01")) >= 0;
    for (size_t i = 0; i < 4 && str_split(&rest, '\f', &text); i++)
        good &= mustache_set_add(set, str_from(names[i]), text, NULL) == OK;
    mustache_set_link(set);
    good &= mustache_set_check(set, NULL) == OK;

    struct view *view = view_create(&arena);
    view_str(view, "x", STR("\x01<\x01"));
    struct view *list = view_list(view, "l");
    view_int(view_item(list), "n", 1);
    view_item_str(list, STR("\x01>"));
    view_bool(view_object(view, "o"), "yes", true);
    const struct mustache *first = mustache_find(set, STR("a"));
    if (first && mustache_print(&page, first, view) == OK && good && !marked)
        assert(str_find(buf_view(&page), STR("\x01")) < 0);

    mustache_set_destroy(set);
    buf_finish(&page);
    arena_finish(&arena);
    return 0;
}

/* Any bytes as a page of events. What is accepted is an object that jansson accepts too, apart from
 * its limits; its bodies are those of the array, and its texts can stand in a header or an address.
 */
#include "fuzz.h"

#include <jansson.h>

#include "listen/event_page.h"
#include "rule/cursor.h"

static json_t *load(struct str text)
{
    return json_loadb(text.p, text.n, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
}

static void check_body(struct str body, const json_t *expected)
{
    if (str_is_null(body)) {
        assert(json_is_null(expected));
        return;
    }
    json_t *tree = load(body);
    assert(tree && json_equal(tree, expected));
    json_decref(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct event_page page;
    struct str text = fuzz_text(data, size);
    bool good = event_page_read(text, &page);
    for (size_t i = 0; good && i < page.count; i++)
        assert(cursor_id_is_valid(page.items[i].id) && cursor_id_is_valid(page.items[i].type));
    json_t *tree = good ? load(text) : NULL;
    if (tree) { /* jansson refuses numbers that a double cannot hold */
        const json_t *events = json_object_get(tree, "data");
        assert(json_array_size(events) == page.count && page.cursor.n > 0);
        for (size_t i = 0; i < page.count; i++)
            check_body(page.items[i].body, json_object_get(json_array_get(events, i), "body"));
    }
    json_decref(tree);
    event_page_finish(&page);
    return 0;
}

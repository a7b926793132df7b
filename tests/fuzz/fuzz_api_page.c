/* Any bytes as the body of an API response. What is accepted is an object that jansson accepts too,
 * apart from its limits, its items are objects in the order of the array, and it has no recent
 * trades exactly where that array is empty. */
#include "fuzz.h"

#include <jansson.h>

#include "mcp/api_page.h"

static json_t *load(struct str text)
{
    return json_loadb(text.p, text.n, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
}

static void check_list(const struct api_page *page, const json_t *data)
{
    assert(json_array_size(data) == page->count);
    for (size_t i = 0; i < page->count; i++) {
        json_t *trade = load(page->items[i].json);
        assert(trade && json_equal(trade, json_array_get(data, i)));
        json_decref(trade);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct api_page page;
    struct str body = fuzz_text(data, size);
    bool good = api_page_read(body, &page);
    json_t *tree = good ? load(body) : NULL;
    if (tree) { /* jansson refuses numbers that a double cannot hold */
        const json_t *member = json_object_get(tree, "data");
        assert(json_is_object(tree));
        assert(page.is_one == json_is_object(member));
        if (page.is_list)
            check_list(&page, member);
        const json_t *recent = json_object_get(member, "recentTrades");
        assert(page.no_recent == (json_is_array(recent) && json_array_size(recent) == 0));
    }
    json_decref(tree);
    api_page_finish(&page);
    return 0;
}

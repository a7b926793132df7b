/* Any path finds no route, or a route whose pattern, filled with the percent-encoded captured
 * segments, finds the same route and segments. */
#include "fuzz.h"

#include "base/mem.h"
#include "http/route.h"
#include "rule/query.h"

static const struct route routes[] = {
    {"/", ROUTE_METHOD(HTTP_GET), NULL},
    {"/api/v1/trades", ROUTE_METHOD(HTTP_GET), NULL},
    {"/api/v1/trades/{id}", ROUTE_METHOD(HTTP_GET), NULL},
    {"/api/v1/trades/{id}/notes/{note}", ROUTE_METHOD(HTTP_GET) | ROUTE_METHOD(HTTP_POST), NULL},
    {"/api/v1/trades/latest", ROUTE_METHOD(HTTP_GET), NULL},
    {"/docs", ROUTE_METHOD(HTTP_GET), NULL},
};

static void fill(struct buf *b, const char *pattern, const struct route_match *match)
{
    struct str rest = str_from(pattern), piece;
    for (size_t i = 0; str_split(&rest, '{', &piece); i++) {
        ptrdiff_t end = i ? str_find_char(piece, '}') : -1;
        assert((i > 0) == (end >= 0));
        if (i)
            query_encode(b, match->segments[i - 1]);
        buf_str(b, str_slice(piece, (size_t)(end + 1), piece.n));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct router *router = router_create(routes, sizeof routes / sizeof *routes);
    struct arena arena;
    struct buf path;
    struct route_match found, again;
    arena_init(&arena);
    buf_init(&path, 1 << 20);

    router_find(router, HTTP_GET, fuzz_text(data, size), &arena, &found);
    assert((found.route != NULL) == (found.allowed != 0)); /* every route allows GET */
    for (size_t i = 0; i < found.segment_count; i++)
        assert(found.segments[i].n && str_find_char(found.segments[i], '\0') < 0);
    if (found.route) {
        fill(&path, found.route->pattern, &found);
        router_find(router, HTTP_POST, buf_view(&path), &arena, &again);
        assert(again.allowed == found.allowed);
        assert((again.route == NULL) == !(found.allowed & ROUTE_METHOD(HTTP_POST)));
        router_find(router, HTTP_GET, buf_view(&path), &arena, &again);
        assert(again.route == found.route && again.segment_count == found.segment_count);
        for (size_t i = 0; i < found.segment_count; i++)
            assert(str_eq(again.segments[i], found.segments[i]));
    }
    assert((found.route != NULL) == ((found.allowed & ROUTE_METHOD(HTTP_GET)) != 0));
    router_destroy(router);
    buf_finish(&path);
    arena_finish(&arena);
    return 0;
}

#include "unit.h"

#include "http/route.h"

#define READ (ROUTE_METHOD(HTTP_GET) | ROUTE_METHOD(HTTP_HEAD) | ROUTE_METHOD(HTTP_OPTIONS))

static const int list, one, keys, mint, revoke, latest;

static const struct route routes[] = {
    {"/", READ, &latest},
    {"/api/v1/trades", READ, &list},
    {"/api/v1/trades/{id}", READ, &one},
    {"/api/v1/trades/latest", READ, &latest},
    {"/account/api/keys", READ, &keys},
    {"/account/api/keys", ROUTE_METHOD(HTTP_POST), &mint},
    {"/account/{account}/keys/{id}/revoke", ROUTE_METHOD(HTTP_POST), &revoke},
};

static struct router *router;
static struct arena arena;

static int start(void **state)
{
    arena_init(&arena);
    router = router_create(routes, sizeof routes / sizeof routes[0]);
    return 0;
}

static int stop(void **state)
{
    router_destroy(router);
    arena_finish(&arena);
    return 0;
}

static struct route_match find(enum http_method method, const char *path)
{
    struct route_match match;
    router_find(router, method, str_from(path), &arena, &match);
    return match;
}

static const void *target(enum http_method method, const char *path)
{
    struct route_match match = find(method, path);
    return match.route ? match.route->target : NULL;
}

static void literal_path_finds_its_route(void **state)
{
    assert_ptr_equal(target(HTTP_GET, "/api/v1/trades"), &list);
    assert_ptr_equal(target(HTTP_HEAD, "/"), &latest);
    assert_int_equal(find(HTTP_GET, "/api/v1/trades").segment_count, 0);
}

static void parameter_segment_is_captured(void **state)
{
    struct route_match match = find(HTTP_GET, "/api/v1/trades/house-1-0001");
    assert_ptr_equal(match.route->target, &one);
    assert_int_equal(match.segment_count, 1);
    assert_str(match.segments[0], "house-1-0001");
    match = find(HTTP_POST, "/account/a/keys/b/revoke");
    assert_ptr_equal(match.route->target, &revoke);
    assert_str(match.segments[0], "a");
    assert_str(match.segments[1], "b");
}

static void literal_segment_wins_over_parameter(void **state)
{
    assert_ptr_equal(target(HTTP_GET, "/api/v1/trades/latest"), &latest);
}

static void segments_are_decoded_before_they_are_compared(void **state)
{
    struct route_match match = find(HTTP_GET, "/api/v1/%74rades/a%2Fb%20c");
    assert_ptr_equal(match.route->target, &one);
    assert_str(match.segments[0], "a/b c");
    assert_ptr_equal(target(HTTP_GET, "/api/v1/trade%73"), &list);
    assert_ptr_equal(target(HTTP_GET, "/api/v1/trades/l%61test"), &latest);
}

static void unknown_paths_are_not_found(void **state)
{
    static const char *const paths[] = {
        "",
        "*",
        "/api/v1/trades/",
        "//api/v1/trades",
        "/api/v1",
        "/api/v1/tradesx",
        "/API/v1/trades",
        "/api/v1/trades/a/b",
        "/api/v1/trades/%",
        "/api/v1/trades/%4",
        "/api/v1/trades/%zz",
        "/api/v1/trades/a%00",
        "/api%2Fv1/trades",
        "/a/b/c/d/e/f/g/h/i/j/k",
        "api/v1/trades",
        "/account//keys/b/revoke",
        "/{x}",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct route_match match = find(HTTP_GET, paths[i]);
        if (match.allowed || match.route)
            fail_msg("\"%s\" finds something", paths[i]);
    }
}

static void wrong_method_returns_allowed_methods(void **state)
{
    struct route_match match = find(HTTP_DELETE, "/api/v1/trades");
    assert_null(match.route);
    assert_int_equal(match.allowed, READ);
    match = find(HTTP_UNKNOWN, "/account/api/keys");
    assert_null(match.route);
    assert_int_equal(match.allowed, READ | ROUTE_METHOD(HTTP_POST));
}

static void routes_of_one_path_differ_by_method(void **state)
{
    assert_ptr_equal(target(HTTP_GET, "/account/api/keys"), &keys);
    assert_ptr_equal(target(HTTP_POST, "/account/api/keys"), &mint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal_path_finds_its_route),
        cmocka_unit_test(parameter_segment_is_captured),
        cmocka_unit_test(literal_segment_wins_over_parameter),
        cmocka_unit_test(segments_are_decoded_before_they_are_compared),
        cmocka_unit_test(unknown_paths_are_not_found),
        cmocka_unit_test(wrong_method_returns_allowed_methods),
        cmocka_unit_test(routes_of_one_path_differ_by_method),
    };
    return cmocka_run_group_tests(tests, start, stop);
}

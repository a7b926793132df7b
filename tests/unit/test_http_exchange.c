/* The pools of a loop that does not run: the memory that an exchange holds, and when. */
#include "unit.h"

#include <string.h>

#include "http/conn.h"
#include "http/exchange.h"

static struct loop loop;
static struct conn conn;

static int finish(void **state)
{
    exchange_free_all(&loop);
    reply_space_free_all(&loop.spaces);
    memset(&loop, 0, sizeof loop);
    return 0;
}

static void incomplete_request_reserves_no_reply_space(void **state)
{
    struct http_exchange *x = exchange_acquire(&loop, &conn, &conn.peer);
    assert_null(x->space);
    exchange_begin(x);
    assert_non_null(x->space);
    exchange_recycle(x); /* another request may already be arriving slowly */
    assert_null(x->space);
    exchange_begin(x);
    exchange_release(x);
    assert_null(x->space);
}

static void slow_requests_share_space_of_quick_ones(void **state)
{
    enum { SLOW = 200, QUICK = 1000 };
    for (int i = 0; i < SLOW; i++)
        exchange_acquire(&loop, &conn, &conn.peer);
    for (int i = 0; i < QUICK; i++) {
        struct http_exchange *x = exchange_acquire(&loop, &conn, &conn.peer);
        exchange_begin(x);
        buf_text(http_body(x), "page");
        exchange_release(x);
    }
    assert_int_equal(loop.spaces.count, 1);
    assert_int_equal(loop.free_exchange_count, 1);
}

static void request_body_is_freed_with_its_request(void **state)
{
    struct http_exchange *x = exchange_acquire(&loop, &conn, &conn.peer);
    arena_alloc(&x->request_body, HTTP_BODY_MAX);
    exchange_release(x);
    assert_null(x->request_body.blocks);
}

static void returned_space_is_empty_and_keeps_memory(void **state)
{
    struct reply_space *space = reply_space_take(&loop.spaces);
    buf_text(&space->lines, "A: b\r\n");
    assert_non_null(buf_reserve(&space->body, REPLY_SPACE_BODY_KEEP));
    buf_commit(&space->body, REPLY_SPACE_BODY_KEEP);
    reply_space_give(&loop.spaces, space);
    assert_ptr_equal(reply_space_take(&loop.spaces), space);
    assert_int_equal(space->lines.n, 0);
    assert_int_equal(space->body.n, 0);
    assert_int_equal(space->body.cap, REPLY_SPACE_BODY_KEEP);
    assert_null(loop.spaces.first);
    reply_space_give(&loop.spaces, space);
}

static void large_body_is_not_kept(void **state)
{
    struct reply_space *space = reply_space_take(&loop.spaces);
    assert_non_null(buf_reserve(&space->body, REPLY_SPACE_BODY_KEEP + 1));
    buf_commit(&space->body, REPLY_SPACE_BODY_KEEP + 1);
    assert_null(buf_reserve(&space->body, HTTP_REPLY_MAX)); /* overflows */
    reply_space_give(&loop.spaces, space);
    assert_ptr_equal(reply_space_take(&loop.spaces), space);
    assert_int_equal(space->body.cap, 0);
    assert_int_equal(space->body.n, 0);
    assert_false(space->body.overflow);
    buf_text(&space->body, "next");
    assert_int_equal(space->body.front, REPLY_SPACE_FRONT);
    assert_int_equal(space->body.max, HTTP_REPLY_MAX);
    reply_space_give(&loop.spaces, space);
}

static void burst_leaves_at_most_one_pool(void **state)
{
    enum { BURST = EXCHANGE_POOL_MAX + 100 };
    static struct http_exchange *burst[BURST];
    for (int i = 0; i < BURST; i++) {
        burst[i] = exchange_acquire(&loop, &conn, &conn.peer);
        exchange_begin(burst[i]);
    }
    for (int i = 0; i < BURST; i++)
        exchange_release(burst[i]);
    assert_int_equal(loop.free_exchange_count, EXCHANGE_POOL_MAX);
    assert_int_equal(loop.spaces.count, REPLY_SPACES_MAX);
    int exchanges = 0;
    for (struct http_exchange *x = loop.exchanges; x; x = x->next)
        exchanges++;
    assert_int_equal(exchanges, EXCHANGE_POOL_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(incomplete_request_reserves_no_reply_space, finish),
        cmocka_unit_test_teardown(slow_requests_share_space_of_quick_ones, finish),
        cmocka_unit_test_teardown(request_body_is_freed_with_its_request, finish),
        cmocka_unit_test_teardown(returned_space_is_empty_and_keeps_memory, finish),
        cmocka_unit_test_teardown(large_body_is_not_kept, finish),
        cmocka_unit_test_teardown(burst_leaves_at_most_one_pool, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

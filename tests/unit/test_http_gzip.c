#include "unit.h"

#include <pthread.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "http/gzip.h"

enum { BODY_SIZE = 20000 };

/* Text that compresses, different for each seed. */
static char *make_body(unsigned seed)
{
    char *body = mem_alloc(BODY_SIZE);
    for (size_t i = 0; i < BODY_SIZE; i++) {
        seed = seed * 1103515245 + 12345;
        body[i] = i % 7 ? "trade{}\","[i % 9] : (char)('a' + (seed >> 16) % 26);
    }
    return body;
}

static void unfold(struct str packed, char *ret, size_t size)
{
    z_stream s = {0};
    Bytef copy[BODY_SIZE + 1000];
    assert_true(packed.n <= sizeof copy);
    memcpy(copy, packed.p, packed.n);
    assert_int_equal(inflateInit2(&s, 15 + 16), Z_OK);
    s.next_in = copy;
    s.avail_in = (uInt)packed.n;
    s.next_out = (Bytef *)ret;
    s.avail_out = (uInt)size;
    assert_int_equal(inflate(&s, Z_FINISH), Z_STREAM_END);
    assert_int_equal(s.avail_out, 0);
    inflateEnd(&s);
}

static void what_is_packed_can_be_unpacked(void **state)
{
    char *body = make_body(1), *again = mem_alloc(BODY_SIZE);
    struct buf b;
    buf_init(&b, 1 << 20);
    buf_text(&b, "before");
    assert_true(gzip_put(&b, str_of(body, BODY_SIZE)));
    assert_true(b.n < BODY_SIZE / 2);
    unfold(str_slice(buf_view(&b), 6, b.n), again, BODY_SIZE);
    assert_memory_equal(again, body, BODY_SIZE);
    buf_finish(&b);
    mem_free(body);
    mem_free(again);
}

static void the_header_holds_no_time_and_no_name(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    assert_true(gzip_put(&b, STR("text")));
    assert_memory_equal(b.p, "\x1f\x8b\x08\x00\x00\x00\x00\x00", 8);
    buf_finish(&b);
}

static void *pack_in_thread(void *arg)
{
    char *body = make_body(2);
    gzip_put(arg, str_of(body, BODY_SIZE));
    mem_free(body);
    return NULL;
}

static void the_same_bytes_come_out_of_any_thread_and_a_used_stream(void **state)
{
    struct buf first, again, elsewhere;
    buf_init(&first, 1 << 20);
    buf_init(&again, 1 << 20);
    buf_init(&elsewhere, 1 << 20);
    pack_in_thread(&first);
    struct buf other;
    buf_init(&other, 1 << 20);
    assert_true(gzip_put(&other, STR("something else in between")));
    pack_in_thread(&again);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, pack_in_thread, &elsewhere), 0);
    pthread_join(thread, NULL);
    assert_true(first.n > 0 && str_eq(buf_view(&first), buf_view(&again)));
    assert_true(str_eq(buf_view(&first), buf_view(&elsewhere)));
    buf_finish(&first);
    buf_finish(&again);
    buf_finish(&elsewhere);
    buf_finish(&other);
}

static void a_buffer_too_small_is_said(void **state)
{
    struct buf b;
    buf_init(&b, 10);
    assert_false(gzip_put(&b, STR("a text that does not fit")));
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_can_be_unpacked),
        cmocka_unit_test(the_header_holds_no_time_and_no_name),
        cmocka_unit_test(the_same_bytes_come_out_of_any_thread_and_a_used_stream),
        cmocka_unit_test(a_buffer_too_small_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

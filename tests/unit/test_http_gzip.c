#include "unit.h"

#include <pthread.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif
#include <zlib.h>

#include "base/mem.h"
#include "http/gzip.h"

enum { BODY_SIZE = 20000, NOISE_SIZE = 200000, STORED_BLOCK = 65535, FRAME = 10 + 8 };

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

/* Bytes that do not compress. */
static char *make_noise(size_t n)
{
    char *noise = mem_alloc(n);
    uint64_t word = 88172645463325252;
    for (size_t i = 0; i < n; i++) {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        noise[i] = (char)(word >> 32);
    }
    return noise;
}

/* zlib reads all of it and checks checksum and length. */
static void assert_unpacks_to(struct str packed, struct str body)
{
    z_stream s = {0};
    char *copy = mem_alloc(packed.n), *again = mem_alloc(body.n + 1);
    memcpy(copy, packed.p, packed.n);
    assert_int_equal(inflateInit2(&s, 15 + 16), Z_OK);
    s.next_in = (Bytef *)copy;
    s.avail_in = (uInt)packed.n;
    s.next_out = (Bytef *)again;
    s.avail_out = (uInt)body.n + 1;
    assert_int_equal(inflate(&s, Z_FINISH), Z_STREAM_END);
    assert_int_equal(s.avail_in, 0);
    assert_int_equal(s.total_out, body.n);
    assert_memory_equal(again, body.p, body.n);
    inflateEnd(&s);
    mem_free(copy);
    mem_free(again);
}

static size_t stored_size(size_t n)
{
    return n + 5 * (n / STORED_BLOCK + 1) + FRAME;
}

/* Compresses both ways: with codes made for another text, and with the body's own codes. */
static const struct gzip_codes *ways[2];

static int make_codes(void **state)
{
    char *sample = make_body(7);
    ways[0] = gzip_codes_create(str_of(sample, BODY_SIZE));
    mem_free(sample);
    return 0;
}

static int free_codes(void **state)
{
    union {
        const struct gzip_codes *ours;
        struct gzip_codes *its;
    } codes = {.ours = ways[0]};
    gzip_codes_destroy(codes.its);
    return 0;
}

/* Compresses both ways, each into a buffer with exactly the guaranteed size. */
static void assert_packs(struct str body, size_t size_max)
{
    for (size_t way = 0; way < 2; way++) {
        struct buf b;
        buf_init(&b, size_max);
        assert_true(gzip_put(&b, body, ways[way]));
        assert_unpacks_to(buf_view(&b), body);
        buf_finish(&b);
    }
}

static void compressed_data_decompresses(void **state)
{
    char *body = make_body(1);
    for (size_t way = 0; way < 2; way++) {
        struct buf b;
        buf_init(&b, 1 << 20);
        buf_text(&b, "before");
        assert_true(gzip_put(&b, str_of(body, BODY_SIZE), ways[way]));
        assert_true(b.n < BODY_SIZE / 2);
        assert_memory_equal(b.p, "before", 6);
        assert_unpacks_to(str_slice(buf_view(&b), 6, b.n), str_of(body, BODY_SIZE));
        buf_finish(&b);
    }
    mem_free(body);
}

static void every_short_length_decompresses(void **state)
{
    char *body = make_body(3), *noise = make_noise(1000);
    for (size_t n = 0; n <= 1000; n++) {
        assert_packs(str_of(body, n), stored_size(n));
        assert_packs(str_of(noise, n), stored_size(n));
    }
    mem_free(body);
    mem_free(noise);
}

static void incompressible_data_grows_only_by_block_headers(void **state)
{
    static const size_t sizes[] = {STORED_BLOCK - 1, STORED_BLOCK,         STORED_BLOCK + 1,
                                   2 * STORED_BLOCK, 2 * STORED_BLOCK + 1, NOISE_SIZE};
    char *noise = make_noise(NOISE_SIZE);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_packs(str_of(noise, sizes[i]), stored_size(sizes[i]));
    mem_free(noise);
}

static void body_of_many_blocks_decompresses(void **state)
{
    struct buf body;
    buf_init(&body, 4 << 20);
    for (unsigned seed = 0; body.n < 3 << 20; seed++) {
        char *part = make_body(seed);
        buf_put(&body, part, BODY_SIZE);
        mem_free(part);
    }
    assert_packs(buf_view(&body), stored_size(body.n));
    buf_finish(&body);
}

static void gzip_header_has_no_time_or_name(void **state)
{
    for (size_t way = 0; way < 2; way++) {
        struct buf b;
        buf_init(&b, 1 << 20);
        assert_true(gzip_put(&b, STR("text"), ways[way]));
        assert_memory_equal(b.p, "\x1f\x8b\x08\x00\x00\x00\x00\x00", 8);
        buf_finish(&b);
    }
}

struct packing {
    const struct gzip_codes *codes;
    struct buf packed;
};

static void *pack_in_thread(void *arg)
{
    struct packing *packing = arg;
    char *body = make_body(2);
    buf_init(&packing->packed, 1 << 20);
    gzip_put(&packing->packed, str_of(body, BODY_SIZE), packing->codes);
    mem_free(body);
    return NULL;
}

static void pack_elsewhere(struct packing *packing)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, pack_in_thread, packing), 0);
    pthread_join(thread, NULL);
}

static void use_state_otherwise(void)
{
    char *noise = make_noise(NOISE_SIZE);
    assert_packs(str_of(noise, NOISE_SIZE), stored_size(NOISE_SIZE));
    assert_packs(STR("something else in between"), 100);
    mem_free(noise);
}

static void output_is_equal_on_any_thread_and_reused_stream(void **state)
{
    struct packing first = {.codes = ways[0]}, again = first, elsewhere = first;
    pack_elsewhere(&first); /* with an unused state */
    use_state_otherwise();
    pack_in_thread(&again);
    pack_elsewhere(&elsewhere);
    assert_true(first.packed.n > 0);
    assert_true(str_eq(buf_view(&first.packed), buf_view(&again.packed)));
    assert_true(str_eq(buf_view(&first.packed), buf_view(&elsewhere.packed)));
    buf_finish(&first.packed);
    buf_finish(&again.packed);
    buf_finish(&elsewhere.packed);
}

/* ISA-L 2.30 fits codes that depend on the address of its state, at one address of some thousand:
 * another thread may write a byte more (gzip.h). */
static void fitted_codes_are_equal_on_a_reused_stream(void **state)
{
    char *body = make_body(2);
    struct packing first = {.codes = NULL}, again = first, elsewhere = first;
    pack_in_thread(&first);
    use_state_otherwise();
    pack_in_thread(&again);
    pack_elsewhere(&elsewhere);
    assert_true(str_eq(buf_view(&first.packed), buf_view(&again.packed)));
    assert_unpacks_to(buf_view(&elsewhere.packed), str_of(body, BODY_SIZE));
    buf_finish(&first.packed);
    buf_finish(&again.packed);
    buf_finish(&elsewhere.packed);
    mem_free(body);
}

static void codes_of_one_sample_are_the_same_each_time(void **state)
{
    char *sample = make_body(7);
    struct gzip_codes *again = gzip_codes_create(str_of(sample, BODY_SIZE));
    struct packing first = {.codes = ways[0]}, second = {.codes = again};
    pack_in_thread(&first);
    pack_in_thread(&second);
    assert_true(str_eq(buf_view(&first.packed), buf_view(&second.packed)));
    buf_finish(&first.packed);
    buf_finish(&second.packed);
    gzip_codes_destroy(again);
    mem_free(sample);
}

static void codes_of_empty_sample_compress_any_input(void **state)
{
    char *body = make_body(4);
    struct gzip_codes *codes = gzip_codes_create(STR(""));
    struct buf b;
    buf_init(&b, stored_size(BODY_SIZE));
    assert_true(gzip_put(&b, str_of(body, BODY_SIZE), codes));
    assert_unpacks_to(buf_view(&b), str_of(body, BODY_SIZE));
    buf_finish(&b);
    gzip_codes_destroy(codes);
    mem_free(body);
}

static void small_buffer_is_reported(void **state)
{
    for (size_t way = 0; way < 2; way++) {
        struct buf b;
        buf_init(&b, 10);
        assert_false(gzip_put(&b, STR("a text that does not fit"), ways[way]));
        assert_int_equal(b.n, 0);
        buf_finish(&b);
    }
}

/* XGETBV with 1 returns the register states in use; 4: the upper halves of the AVX registers. */
#ifdef __x86_64__
__attribute__((target("xsave"))) static bool upper_halves_in_use(void)
{
    return _xgetbv(1) & 4;
}

static bool can_tell(void)
{
    unsigned a, b, c, d;
    return __builtin_cpu_supports("avx") && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) && a & 4;
}
#else
static bool upper_halves_in_use(void)
{
    return false;
}

static bool can_tell(void)
{
    return false;
}
#endif

static void vector_registers_are_cleared(void **state)
{
    if (!can_tell()) {
        print_message("this processor does not tell which registers are in use\n");
        skip();
    }
    struct gzip_codes *codes = gzip_codes_create(STR("a sample"));
    assert_false(upper_halves_in_use());
    gzip_codes_destroy(codes);
    char *body = make_body(5);
    for (size_t way = 0; way < 2; way++) {
        struct buf b;
        buf_init(&b, 1 << 20);
        assert_true(gzip_put(&b, str_of(body, BODY_SIZE), ways[way]));
        bool in_use = upper_halves_in_use();
        assert_false(in_use);
        buf_finish(&b);
    }
    mem_free(body);
}

static void small_form_unpacks_to_the_body_and_is_smaller(void **state)
{
    char *body = make_body(1);
    struct str text = str_of(body, BODY_SIZE);
    struct buf fast, small;
    buf_init(&fast, 1 << 20);
    buf_init(&small, 1 << 20);
    assert_true(gzip_put(&fast, text, NULL));
    assert_true(gzip_put_small(&small, text, GZIP_ONCE));
    assert_unpacks_to(buf_view(&small), text);
    assert_true(small.n < fast.n);
    buf_finish(&small);
    buf_init(&small, 10);
    assert_false(gzip_put_small(&small, text, GZIP_ONCE));
    buf_finish(&small);
    buf_finish(&fast);
    mem_free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed_data_decompresses),
        cmocka_unit_test(every_short_length_decompresses),
        cmocka_unit_test(incompressible_data_grows_only_by_block_headers),
        cmocka_unit_test(body_of_many_blocks_decompresses),
        cmocka_unit_test(gzip_header_has_no_time_or_name),
        cmocka_unit_test(output_is_equal_on_any_thread_and_reused_stream),
        cmocka_unit_test(fitted_codes_are_equal_on_a_reused_stream),
        cmocka_unit_test(codes_of_one_sample_are_the_same_each_time),
        cmocka_unit_test(codes_of_empty_sample_compress_any_input),
        cmocka_unit_test(small_buffer_is_reported),
        cmocka_unit_test(vector_registers_are_cleared),
        cmocka_unit_test(small_form_unpacks_to_the_body_and_is_smaller),
    };
    return cmocka_run_group_tests(tests, make_codes, free_codes);
}

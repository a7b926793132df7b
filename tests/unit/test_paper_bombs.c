/*
 * PDFs of a few KB that unpack to 2 GB. The built program reads them under lower limits than usual;
 * each ends with a reason, and the next document is read.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "paper/extract_parts.h"

enum {
    CHUNK = 1 << 20,
    COPIES = 2048,
    SHORT_CPU_S = 1,
    LONG_MS = EXTRACT_TIME_MAX_MS, /* the processor time ends it */
};

#define WORDS "BT /F1 9 Tf 10 10 Td (one two three four five six seven eight) Tj ET\n"

struct run {
    struct arena arena;
    struct extractor *extractor;
    struct fail fail;
};

static int setup(void **state)
{
    struct run *r = MEM_NEW(struct run);
    const char *program = getenv("STOCKACT_PROGRAM");
    arena_init(&r->arena);
    assert_non_null(program);
    if (extractor_create(program, &r->extractor, &r->fail))
        fail_msg("%s", r->fail.text);
    extractor_shorten(r->extractor, LONG_MS, SHORT_CPU_S);
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    struct run *r = *state;
    extractor_destroy(r->extractor);
    arena_finish(&r->arena);
    mem_free(r);
    return 0;
}

static struct reading read_bytes(struct run *r, struct str bytes)
{
    struct reading reading;
    int fd = memfd_create("document", MFD_CLOEXEC);
    assert_true(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
    if (extract(r->extractor, fd, &r->arena, &reading, &r->fail))
        fail_msg("%s", r->fail.text);
    close(fd);
    return reading;
}

/* --- packing */

/* The bytes packed, in the arena; `flush` as zlib has it, raw where they are to be put together. */
static struct str pack(struct arena *arena, struct str bytes, int flush, bool raw)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes.p, .avail_in = (uInt)bytes.n};
    assert_int_equal(
        deflateInit2(&z, 9, Z_DEFLATED, raw ? -MAX_WBITS : MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&z, bytes.n) + 64;
    char *out = arena_alloc(arena, room);
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    int result = deflate(&z, flush);
    assert_true(result == (flush == Z_FINISH ? Z_STREAM_END : Z_OK) && z.avail_in == 0);
    size_t n = room - z.avail_out;
    deflateEnd(&z);
    return str_of(out, n);
}

/* Repeats `text` and packs it twice. A chunk that is packed separately gives the same bytes each
 * time, so the second pass sees only repetition. */
static struct str fold(struct arena *arena, const char *text, size_t copies)
{
    struct buf chunk, all;
    buf_init(&chunk, CHUNK + 1024);
    while (chunk.n < CHUNK)
        buf_text(&chunk, text);
    struct str packed = pack(arena, buf_view(&chunk), Z_FULL_FLUSH, true);
    buf_init(&all, copies * packed.n + 16);
    buf_text(&all, "\x78\x9c");
    for (size_t i = 0; i < copies; i++)
        buf_str(&all, packed);
    assert_false(all.overflow);
    struct str folded = pack(arena, buf_view(&all), Z_FINISH, false);
    buf_finish(&chunk);
    buf_finish(&all);
    return folded;
}

/* One page with this content. There is no table of objects: poppler finds them itself. */
static struct str pdf(struct arena *arena, struct str content)
{
    struct buf b;
    buf_init(&b, content.n + 1024);
    buf_text(
        &b, "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
            "2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n"
            "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R\n"
            "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> >>"
            " >>\nendobj\n4 0 obj\n<< /Filter [/FlateDecode /FlateDecode] ");
    buf_fmt(&b, "/Length %zu >>\nstream\n", content.n);
    buf_str(&b, content);
    buf_text(&b, "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF\n");
    assert_false(b.overflow);
    struct str bytes = arena_str(arena, buf_view(&b));
    buf_finish(&b);
    return bytes;
}

static struct str small_page(struct run *r)
{
    struct str once = pack(&r->arena, STR(WORDS), Z_FINISH, false);
    return pdf(&r->arena, pack(&r->arena, once, Z_FINISH, false));
}

static void assert_ends(struct run *r, const char *text, size_t copies)
{
    struct str bytes = pdf(&r->arena, fold(&r->arena, text, copies));
    assert_true(bytes.n < 32 * 1024);
    struct reading reading = read_bytes(r, bytes);
    if (reading.kind != READING_UNREADABLE || reading.reason.n == 0)
        fail_msg("kind %d: %.*s", (int)reading.kind, STR_ARG(reading.reason));
    /* The next document is read as usual. */
    reading = read_bytes(r, small_page(r));
    assert_int_equal(reading.kind, READING_REFUSED);
    assert_str(reading.reason, "this PDF is not a form of the Clerk of the House");
}

static void two_gigabytes_of_blanks_hit_the_time_limit(void **state)
{
    assert_ends(*state, " ", COPIES);
}

static void two_gigabytes_of_words_hit_the_size_limit(void **state)
{
    assert_ends(*state, WORDS, COPIES);
}

static void nested_graphics_states_end_with_a_reason(void **state)
{
    assert_ends(*state, "q ", COPIES);
}

#define BOMB_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOMB_TEST(two_gigabytes_of_blanks_hit_the_time_limit),
        BOMB_TEST(two_gigabytes_of_words_hit_the_size_limit),
        BOMB_TEST(nested_graphics_states_end_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* All pages of a scan together: the limits of their time and rows, and what pictures that no
 * scanner makes cost at most. This program is its own extraction helper. */
#include "unit.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "drawn_form.h"
#include "paper/document_copy.h"
#include "paper/extract_parts.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

enum {
    PDF_SIZE_MAX = 64 * 1024 * 1024,
    ROWS = 2, /* of the form */
    FORM_OBJECT = 3,
    PAGE_OBJECT = 5, /* the first page */
    PAGES_MAX = 60,
    PAGES_OBJECT = 2,
};

/* A picture of one colour channel. */
struct dots {
    int width, height, bits;
    struct str bytes;
};

/* A PDF whose pages all show this picture. In the arena. */
static struct str pdf_of(const struct dots *dots, int pages, struct arena *arena)
{
    struct buf b;
    buf_init(&b, PDF_SIZE_MAX);
    buf_text(&b, "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n");
    buf_fmt(&b, "%d 0 obj<</Type/Pages/Count %d/Kids[", PAGES_OBJECT, pages);
    for (int i = 0; i < pages; i++)
        buf_fmt(&b, "%d 0 R ", PAGE_OBJECT + i);
    buf_text(
        &b, "]>>endobj\n4 0 obj<</Length 32>>stream\nq 792 0 0 612 0 0 cm /I Do Q  \n"
            "endstream endobj\n");
    for (int i = 0; i < pages; i++)
        buf_fmt(
            &b,
            "%d 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 792 612]/Contents 4 0 R"
            "/Resources<</XObject<</I %d 0 R>>>>>>endobj\n",
            PAGE_OBJECT + i, FORM_OBJECT);
    buf_fmt(
        &b,
        "%d 0 obj<</Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d"
        "/ColorSpace/DeviceGray/Length %zu>>stream\n",
        FORM_OBJECT, dots->width, dots->height, dots->bits, dots->bytes.n);
    buf_str(&b, dots->bytes);
    buf_text(&b, "\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
    assert_false(b.overflow);
    struct str pdf = arena_str(arena, buf_view(&b));
    buf_finish(&b);
    return pdf;
}

/* A form with two rows, both with a type and an amount. */
static struct str form_pdf(int pages, struct arena *arena)
{
    struct drawing d = drawn_form(drawn_boxes, 4, true);
    for (int line = 0; line < ROWS; line++) {
        drawn_name(&d, line);
        drawn_mark(&d, line, 2);
        drawn_mark(&d, line, 8);
    }
    const struct dots dots = {
        d.width, d.height, 8, str_of((const char *)d.dots, (size_t)d.width * (size_t)d.height)};
    struct str pdf = pdf_of(&dots, pages, arena);
    mem_free(d.dots);
    return pdf;
}

/* Reads the scan; whole_ms, rows: its limits. */
static struct reading read_scan(struct str pdf, int whole_ms, size_t rows, struct arena *arena)
{
    struct reading reading = {.kind = READING_HOUSE_SCAN};
    struct extractor *x = NULL;
    struct fail fail = {0};
    int document = document_copy(pdf);
    assert_true(document >= 0);
    if (extractor_create("/proc/self/exe", &x, &fail))
        fail_msg("%s", fail.text);
    extractor_shorten_scan(x, whole_ms, rows);
    if (extract_scan(x, document, NULL, arena, &reading, &fail))
        fail_msg("%s", fail.text);
    extractor_destroy(x);
    close(document);
    return reading;
}

static void rows_over_the_limit_are_left_out_with_a_reason(void **state)
{
    enum { PAGES = 3 };
    static const struct {
        size_t most, rows, whole; /* rows that are read, and pages that are read in full */
    } cases[] = {{1, 0, 0}, {2, 2, 1}, {3, 2, 1}, {4, 4, 2}, {6, 6, 3}};
    struct arena arena;
    arena_init(&arena);
    struct str pdf = form_pdf(PAGES, &arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading r = read_scan(pdf, EXTRACT_SCAN_WHOLE_MAX_MS, cases[i].most, &arena);
        assert_int_equal(r.row_count, cases[i].rows);
        assert_int_equal(r.page_count, PAGES);
        for (size_t page = 0; page < PAGES; page++) {
            struct str reason = r.pages[page].reason;
            assert_str(r.pages[page].form, "house-boxes");
            assert_true(
                str_starts(reason, STR("its rows were left out: ")) == (page >= cases[i].whole));
        }
    }
    arena_finish(&arena);
}

static void pages_after_the_time_limit_are_left_out_with_a_reason(void **state)
{
    enum { TIME_MS = 1000 };
    struct arena arena;
    arena_init(&arena);
    struct str pdf = form_pdf(PAGES_MAX, &arena);
    int64_t began = clock_mono_ms();
    struct reading r = read_scan(pdf, TIME_MS, EXTRACT_SCAN_ROWS_MAX, &arena);
    int64_t taken = clock_mono_ms() - began;
    print_message("%zu pages in %lld ms\n", r.page_count, (long long)taken);
    assert_true(taken >= TIME_MS);
    assert_true(r.page_count > 0 && r.page_count < PAGES_MAX);
    const struct reading_page *last = &r.pages[r.page_count - 1];
    assert_int_equal(last->page, r.page_count);
    assert_true(str_starts(last->reason, STR("this page and all after it were not read: ")));
    assert_true(str_is_null(last->form));
    assert_int_equal(r.row_count, ROWS * (r.page_count - 1));
    arena_finish(&arena);
}

/* --- pictures that no scanner makes */

static char *noise(size_t size)
{
    uint32_t seed = 1;
    char *bytes = mem_alloc(size);
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525U + 1013904223U;
        bytes[i] = (char)(seed >> 24);
    }
    return bytes;
}

static char *photograph(size_t size, int width)
{
    char *bytes = mem_alloc(size);
    for (size_t i = 0; i < size; i++) {
        int x = (int)(i % (size_t)width), y = (int)(i / (size_t)width);
        bytes[i] = (char)(128 + (x / 4 % 256 - 128) * (y / 6 % 256 - 128) / 256);
    }
    return bytes;
}

static double cpu_s(const struct rusage *u)
{
    return (double)u->ru_utime.tv_sec + (double)u->ru_stime.tv_sec +
           (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

/* The kernel adds what the helper and its children took when they are waited for; the memory is
 * that of the largest of them. Each child alone has EXTRACT_MEMORY_MAX, and at least 10 s. */
static void a_hostile_picture_costs_little(void **state)
{
    enum { CPU_MAX_S = 20, MEMORY_MAX_KIB = 256 * 1024 };
    static const struct {
        const char *name;
        int width, height, bits;
        bool photograph;
    } cases[] = {
        {"noise", 2200, 1700, 8, false},
        {"a photograph", 2200, 1700, 8, true},
        {"noise of 20,000 dots", 20000, 20000, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        struct rusage before, after;
        int width = cases[i].width, height = cases[i].height, bits = cases[i].bits;
        size_t size = (size_t)width * (size_t)height * (size_t)bits / 8;
        char *bytes = cases[i].photograph ? photograph(size, width) : noise(size);
        const struct dots dots = {width, height, bits, str_of(bytes, size)};
        arena_init(&arena);
        struct str pdf = pdf_of(&dots, 1, &arena);
        mem_free(bytes);
        assert_int_equal(getrusage(RUSAGE_CHILDREN, &before), 0);
        struct reading r = read_scan(pdf, EXTRACT_SCAN_WHOLE_MAX_MS, EXTRACT_SCAN_ROWS_MAX, &arena);
        assert_int_equal(getrusage(RUSAGE_CHILDREN, &after), 0);
        double cpu = cpu_s(&after) - cpu_s(&before);
        print_message(
            "%s: %.2f s, at most %ld KiB; %.*s\n", cases[i].name, cpu, after.ru_maxrss,
            STR_ARG(r.pages[0].reason));
        assert_int_equal(r.row_count, 0);
        assert_int_equal(r.page_count, 1);
        assert_true(r.pages[0].reason.n > 0);
        if (!INSTRUMENTED) {
            assert_true(cpu < CPU_MAX_S);
            assert_true(after.ru_maxrss < MEMORY_MAX_KIB);
        }
        arena_finish(&arena);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "extract") == 0)
        return extract_main();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_over_the_limit_are_left_out_with_a_reason),
        cmocka_unit_test(pages_after_the_time_limit_are_left_out_with_a_reason),
        cmocka_unit_test(a_hostile_picture_costs_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Pictures of pages, drawn from the bytes in the ledger. This program is its own extraction
 * helper. */
#include "store_fixture.h"

#include "ingest/ledger.h"
#include "paper/extract_parts.h"
#include "paper/picture.h"
#include "store/public/document.h"

enum { WIDTH = 1275, HEIGHT = 1650 }; /* a letter page, with 150 dots to the inch */

/* One page with a grey picture on it and no text. */
static const struct str scan =
    STR_INIT("%PDF-1.4\n"
             "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
             "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
             "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
             "/Resources<</XObject<</I 5 0 R>>>>>>endobj\n"
             "4 0 obj<</Length 32>>stream\nq 400 0 0 400 100 200 cm /I Do Q\nendstream endobj\n"
             "5 0 obj<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8"
             "/ColorSpace/DeviceGray/Length 1>>stream\n@\nendstream endobj\n"
             "trailer<</Root 1 0 R>>\n%%EOF\n");

/* A page of 1,300 square metres. */
static const struct str vast =
    STR_INIT("%PDF-1.4\n"
             "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
             "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
             "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100000 100000]>>endobj\n"
             "trailer<</Root 1 0 R>>\n%%EOF\n");

struct picture_fixture {
    struct store_fixture *store;
    struct extractor *extractor;
    struct buf picture;
    uint8_t digest; /* first byte of the next version's */
};

static int setup(void **state)
{
    int result = store_fixture_setup(state);
    struct picture_fixture *f = MEM_NEW(struct picture_fixture);
    f->store = *state;
    assert_ok(f->store, extractor_create("/proc/self/exe", &f->extractor, &f->store->fail));
    buf_init(&f->picture, EXTRACT_PICTURE_SIZE_MAX);
    *state = f;
    return result;
}

static int teardown(void **state)
{
    struct picture_fixture *f = *state;
    *state = f->store;
    extractor_destroy(f->extractor);
    buf_finish(&f->picture);
    mem_free(f);
    return store_fixture_teardown(state);
}

/* Adds the next version of house-8220001, with its bytes if there are any. Returns its number. */
static int64_t add_version(struct picture_fixture *f, struct str bytes)
{
    struct store_fixture *s = f->store;
    const struct document_entry entry = {
        .kind = STR("house"),
        .source_id = STR("8220001"),
        .chamber = CHAMBER_HOUSE,
        .state = DOCUMENT_NEEDS_MANUAL,
        .filed_day = DAY_NONE,
        .filer_district = DOCUMENT_DISTRICT_NONE,
        .indexed_at = INSTANT_NONE,
        .index_gone_at = INSTANT_NONE,
    };
    struct document_version version = {.sha256 = {++f->digest}, .bytes = (int64_t)bytes.n};
    int64_t no = 0;
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(s, document_record(s->db, &entry, 1000, &version.document_no, &s->fail));
    assert_ok(s, document_version_add(s->db, &version, 1000, &no, &s->fail));
    if (bytes.n)
        assert_ok(s, document_bytes_add(s->db, no, bytes, &s->fail));
    assert_ok(s, db_commit(s->db, &s->fail));
    return no;
}

static enum err render(struct picture_fixture *f, const char *filing_id, int page)
{
    buf_reset(&f->picture);
    return picture_render(
        f->store->db, f->extractor, str_from(filing_id), page, &f->picture, &f->store->fail);
}

/* A number of the PNG's header. */
static int header_number(const struct picture_fixture *f, size_t at)
{
    const unsigned char *p = (const unsigned char *)f->picture.p + at;
    assert_true(f->picture.n > at + 4);
    return p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static void assert_drawn(struct picture_fixture *f)
{
    assert_ok(f->store, render(f, "house-8220001", 1));
    assert_memory_equal(f->picture.p, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(header_number(f, 16), WIDTH);
    assert_int_equal(header_number(f, 20), HEIGHT);
}

static void assert_fails(struct picture_fixture *f, int page, enum err err, const char *reason)
{
    assert_int_equal(render(f, "house-8220001", page), err);
    assert_string_equal(f->store->fail.text, reason);
    assert_int_equal(f->picture.n, 0);
}

static void page_is_drawn_as_a_png(void **state)
{
    struct picture_fixture *f = *state;
    add_version(f, scan);
    assert_drawn(f);
    assert_fails(f, 2, ERR_NOT_FOUND, "the document has no page 2");
    assert_fails(f, EXTRACT_PAGE_MAX, ERR_NOT_FOUND, "the document has no page 9999");
    assert_drawn(f);
}

static void latest_version_is_drawn(void **state)
{
    struct picture_fixture *f = *state;
    add_version(f, STR("<!DOCTYPE html><html>"));
    assert_fails(f, 1, ERR_REFUSED, "only a PDF has pictures: open this page in a browser");
    add_version(f, scan);
    assert_drawn(f);
    add_version(f, STR(""));
    assert_fails(
        f, 1, ERR_NOT_FOUND, "the file of house-8220001 was not kept: there is no picture");
}

static void unknown_document_has_no_picture(void **state)
{
    struct picture_fixture *f = *state;
    const char *const ids[] = {"house-8220001", "house-", "house", "", "-", "senate-8220001"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_int_equal(render(f, ids[i], 1), ERR_NOT_FOUND);
}

static void failed_page_gives_a_reason_and_the_next_page_is_drawn(void **state)
{
    struct picture_fixture *f = *state;
    add_version(f, STR("%PDF-1.4\nstartxref\n0\n%%EOF\n"));
    assert_fails(f, 1, ERR_INVALID, "the document cannot be read as a PDF");
    add_version(f, vast);
    assert_fails(f, 1, ERR_LIMIT, "the page is too large to draw");
    add_version(f, scan);
    assert_drawn(f);
}

/* A page of 3 m by 3 m full of noise exceeds only the limit of the picture's size. */
static void picture_size_is_limited(void **state)
{
    struct picture_fixture *f = *state;
    struct buf pdf;
    uint32_t noise = 1;
    buf_init(&pdf, 32 << 20);
    buf_text(
        &pdf, "%PDF-1.4\n"
              "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
              "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
              "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 1200 1200]/Contents 4 0 R"
              "/Resources<</XObject<</I 5 0 R>>>>>>endobj\n"
              "4 0 obj<</Length 27>>stream\n1200 0 0 1200 0 0 cm /I Do \nendstream endobj\n"
              "5 0 obj<</Type/XObject/Subtype/Image/Width 2500/Height 2500/BitsPerComponent 8"
              "/ColorSpace/DeviceRGB/Length 18750000>>stream\n");
    for (int i = 0; i < 18750000; i++) {
        noise = noise * 1664525u + 1013904223u;
        buf_char(&pdf, (char)(noise >> 24));
    }
    buf_text(&pdf, "\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
    assert_false(pdf.overflow);
    add_version(f, buf_view(&pdf));
    buf_finish(&pdf);
    assert_fails(f, 1, ERR_LIMIT, "the picture of the page is larger than 16 MiB");
}

static void tool_over_the_time_limit_is_killed(void **state)
{
    struct picture_fixture *f = *state;
    add_version(f, scan);
    extractor_shorten(f->extractor, 1, 1);
    assert_fails(f, 1, ERR_LIMIT, "drawing the page exceeds the time limit");
    extractor_shorten(f->extractor, EXTRACT_TIME_MAX_MS, EXTRACT_CPU_MAX_S);
    assert_drawn(f);
}

/* --- the bytes */

static struct str kept(struct picture_fixture *f, int64_t version)
{
    struct store_fixture *s = f->store;
    struct buf bytes;
    buf_init(&bytes, DOCUMENT_BYTES_MAX);
    enum err err = document_bytes_read(s->db, version, &bytes, &s->fail);
    struct str copy = err ? STR_NULL : arena_str(&s->arena, buf_view(&bytes));
    buf_finish(&bytes);
    if (err && err != ERR_NOT_FOUND)
        fail_msg("err %d: %s", (int)err, s->fail.text);
    return copy;
}

static void bytes_are_stored_once_and_unchanged(void **state)
{
    struct picture_fixture *f = *state;
    struct store_fixture *s = f->store;
    const struct str all = STR("a\0b\xff\\'\n");
    int64_t version = add_version(f, all), bare = add_version(f, STR(""));
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(s, document_bytes_add(s->db, version, STR("others"), &s->fail));
    assert_ok(s, db_commit(s->db, &s->fail));
    assert_true(str_eq(kept(f, version), all));
    assert_true(str_is_null(kept(f, bare)));
}

static void bytes_over_the_limit_are_not_stored(void **state)
{
    struct picture_fixture *f = *state;
    char *many = mem_alloc((size_t)DOCUMENT_BYTES_MAX + 1);
    memset(many, 'x', (size_t)DOCUMENT_BYTES_MAX + 1);
    int64_t over = add_version(f, str_of(many, (size_t)DOCUMENT_BYTES_MAX + 1));
    int64_t most = add_version(f, str_of(many, DOCUMENT_BYTES_MAX));
    assert_true(str_is_null(kept(f, over)));
    assert_true(str_eq(kept(f, most), str_of(many, DOCUMENT_BYTES_MAX)));
    mem_free(many);
}

#define PICTURE_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "extract") == 0)
        return extract_main();
    const struct CMUnitTest tests[] = {
        PICTURE_TEST(page_is_drawn_as_a_png),
        PICTURE_TEST(latest_version_is_drawn),
        PICTURE_TEST(unknown_document_has_no_picture),
        PICTURE_TEST(failed_page_gives_a_reason_and_the_next_page_is_drawn),
        PICTURE_TEST(picture_size_is_limited),
        PICTURE_TEST(tool_over_the_time_limit_is_killed),
        PICTURE_TEST(bytes_are_stored_once_and_unchanged),
        PICTURE_TEST(bytes_over_the_limit_are_not_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

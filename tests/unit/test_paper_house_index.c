/* The Clerk's index in its three formats. */
#include "unit.h"

#include <zip.h>

#include "base/buf.h"
#include "paper/readers.h"

#define XML(members)                                                                               \
    "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<FinancialDisclosure>\r\n" members  \
    "</FinancialDisclosure>"
#define MEMBER(last, id)                                                                           \
    "  <Member>\r\n    <Prefix />\r\n    <Last>" last "</Last>\r\n    <First>Robin</First>\r\n"    \
    "    <Suffix>Jr.</Suffix>\r\n    <FilingType>P</FilingType>\r\n"                               \
    "    <StateDst>CA07</StateDst>\r\n    <Year>2024</Year>\r\n"                                   \
    "    <FilingDate>5/12/2024</FilingDate>\r\n    <DocID>" id "</DocID>\r\n  </Member>\r\n"
#define TEXT_HEADER "Prefix\tLast\tFirst\tSuffix\tFilingType\tStateDst\tYear\tFilingDate\tDocID\r\n"

struct read {
    struct arena arena;
    struct reading reading;
};

static struct read *read_bytes(struct str bytes, enum paper paper)
{
    struct read *r = MEM_NEW(struct read);
    arena_init(&r->arena);
    house_index_read(bytes, paper, &r->arena, &r->reading);
    return r;
}

static void done(struct read *r)
{
    arena_finish(&r->arena);
    mem_free(r);
}

static void assert_refused(struct str bytes, enum paper paper)
{
    struct read *r = read_bytes(bytes, paper);
    assert_int_equal(r->reading.kind, READING_REFUSED);
    assert_true(r->reading.reason.n > 0 && r->reading.entry_count == 0);
    done(r);
}

static void xml_rows_are_read_in_order_with_duplicates(void **state)
{
    struct read *r = read_bytes(
        STR(XML(MEMBER("V\xc3\xa1le &amp; Sons", " 20990001 ") MEMBER("Ash", "20990001"))),
        PAPER_XML);
    const struct reading *got = &r->reading;
    assert_int_equal(got->kind, READING_HOUSE_INDEX);
    assert_int_equal(got->entry_count, 2);
    assert_true(got->checks[0].passed);
    assert_str(got->entries[0].prefix, "");
    assert_str(got->entries[0].last, "V\xc3\xa1le & Sons");
    assert_str(got->entries[0].first, "Robin");
    assert_str(got->entries[0].suffix, "Jr.");
    assert_str(got->entries[0].filing_type, "P");
    assert_str(got->entries[0].state_district, "CA07");
    assert_str(got->entries[0].year, "2024");
    assert_str(got->entries[0].filing_date, "5/12/2024");
    assert_str(got->entries[0].document_id, "20990001");
    assert_str(got->entries[1].last, "Ash");
    done(r);
}

static void index_without_rows_is_whole_and_one_of_other_elements_is_not(void **state)
{
    static const struct {
        const char *xml;
        bool whole;
    } cases[] = {
        {"<FinancialDisclosure></FinancialDisclosure>", true},
        {"<FinancialDisclosure/>", true},
        {"<FinancialDisclosure><Filer><DocID>20990001</DocID></Filer></FinancialDisclosure>",
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct read *r = read_bytes(str_from(cases[i].xml), PAPER_XML);
        assert_int_equal(r->reading.kind, READING_HOUSE_INDEX);
        assert_int_equal(r->reading.entry_count, 0);
        assert_int_equal(r->reading.checks[0].passed, cases[i].whole);
        done(r);
    }
}

static void row_without_document_id_fails_the_check(void **state)
{
    struct read *r =
        read_bytes(STR(XML(MEMBER("Ash", "20990001") MEMBER("Birch", "") "<Member/>")), PAPER_XML);
    assert_int_equal(r->reading.entry_count, 1);
    assert_false(r->reading.checks[0].passed);
    assert_str(r->reading.checks[0].detail, "1 rows, 2 not whole");
    done(r);
}

static void text_form_gives_the_same_rows(void **state)
{
    struct read *r = read_bytes(
        STR(TEXT_HEADER "Hon.\tVale\tRobin  M.\tJr.\tP\tCA07\t2024\t5/12/2024\t20990001\r\n"
                        "\r\n\tAsh\tDana\t\tC\tTX00\t2024\t5/13/2024\t10099999"),
        PAPER_INDEX_TEXT);
    assert_int_equal(r->reading.entry_count, 2);
    assert_true(r->reading.checks[0].passed);
    assert_str(r->reading.entries[0].first, "Robin M.");
    assert_str(r->reading.entries[0].document_id, "20990001");
    assert_str(r->reading.entries[1].prefix, "");
    assert_str(r->reading.entries[1].document_id, "10099999");
    done(r);
    r = read_bytes(
        STR(TEXT_HEADER "Vale\t20990001\r\n"
                        "Hon.\tVale\tRobin\tJr.\tP\tCA07\t2024\t5/12/2024\t20990001\tmore\r\n"),
        PAPER_INDEX_TEXT);
    assert_int_equal(r->reading.entry_count, 0);
    assert_str(r->reading.checks[0].detail, "0 rows, 2 not whole");
    done(r);
}

static void other_file_is_refused(void **state)
{
    assert_refused(STR("<?xml version=\"1.0\"?><rss></rss>"), PAPER_XML);
    assert_refused(STR("<FinancialDisclosure><Member>"), PAPER_XML);
    assert_refused(STR(""), PAPER_XML);
    assert_refused(STR("PK\x03\x04 not really"), PAPER_ZIP);
    assert_refused(STR("anything"), PAPER_UNKNOWN);
    assert_refused(
        STR(TEXT_HEADER "\tCaf\xe9\tR\t\tP\tCA07\t2024\t5/12/2024\t1\r\n"), PAPER_INDEX_TEXT);
}

/* Neither nested entities nor an external file are loaded. */
static void document_type_declaration_is_refused(void **state)
{
    static const struct str laughs = STR_INIT(
        "<?xml version=\"1.0\"?><!DOCTYPE d [<!ENTITY a \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\">"
        "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"
        "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">"
        "<!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">"
        "<!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\">"
        "<!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\">]>"
        "<FinancialDisclosure><Member><Last>&f;</Last><DocID>20990001</DocID></Member>"
        "</FinancialDisclosure>");
    static const struct str outside =
        STR_INIT("<?xml version=\"1.0\"?><!DOCTYPE d [<!ENTITY f SYSTEM \"file:///etc/hostname\">]>"
                 "<FinancialDisclosure><Member><Last>&f;</Last><DocID>20990001</DocID></Member>"
                 "</FinancialDisclosure>");
    assert_refused(laughs, PAPER_XML);
    assert_refused(outside, PAPER_XML);
}

/* --- zip */

struct inside {
    const char *name;
    struct str bytes;
};

static struct str make_zip(struct arena *arena, const struct inside *files, size_t count)
{
    zip_error_t error;
    zip_stat_t stat;
    zip_error_init(&error);
    zip_source_t *memory = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *archive = zip_open_from_source(memory, ZIP_TRUNCATE, &error);
    assert_non_null(archive);
    zip_source_keep(memory);
    for (size_t i = 0; i < count; i++) {
        zip_source_t *source = zip_source_buffer(archive, files[i].bytes.p, files[i].bytes.n, 0);
        assert_true(zip_file_add(archive, files[i].name, source, 0) >= 0);
    }
    assert_int_equal(zip_close(archive), 0);
    assert_int_equal(zip_source_open(memory), 0);
    assert_int_equal(zip_source_stat(memory, &stat), 0);
    char *bytes = arena_alloc(arena, stat.size + 1);
    assert_int_equal(zip_source_read(memory, bytes, stat.size), (zip_int64_t)stat.size);
    zip_source_close(memory);
    zip_source_free(memory);
    zip_error_fini(&error);
    return str_of(bytes, stat.size);
}

static void zip_is_read_as_xml_or_else_as_text(void **state)
{
    static const struct inside both[] = {
        {"2024FD.txt", STR_INIT(TEXT_HEADER "\tText\tR\t\tP\tCA07\t2024\t5/12/2024\t20990002\r\n")},
        {"2024FD.XML", STR_INIT(XML(MEMBER("Vale", "20990001")))},
    };
    struct arena arena;
    arena_init(&arena);
    struct read *r = read_bytes(make_zip(&arena, both, 2), PAPER_ZIP);
    assert_int_equal(r->reading.entry_count, 1);
    assert_str(r->reading.entries[0].last, "Vale");
    done(r);
    r = read_bytes(make_zip(&arena, both, 1), PAPER_ZIP);
    assert_int_equal(r->reading.entry_count, 1);
    assert_str(r->reading.entries[0].last, "Text");
    done(r);
    arena_finish(&arena);
}

static void zip_without_index_or_damaged_is_refused(void **state)
{
    static const struct inside other[] = {{"readme", STR_INIT("nothing")}};
    static const struct inside index[] = {{"2024FD.xml", STR_INIT(XML(MEMBER("V", "20990001")))}};
    struct arena arena;
    arena_init(&arena);
    assert_refused(make_zip(&arena, other, 1), PAPER_ZIP);
    struct str whole = make_zip(&arena, index, 1);
    for (size_t part = 1; part < 16; part++)
        assert_refused(str_slice(whole, 0, whole.n * part / 16), PAPER_ZIP);
    /* A changed byte of the packed data: the checksum does not match. */
    char *bytes = arena_alloc(&arena, whole.n);
    for (size_t i = 0; i < whole.n; i++)
        bytes[i] = whole.p[i];
    bytes[60] ^= 1;
    assert_refused(str_of(bytes, whole.n), PAPER_ZIP);
    arena_finish(&arena);
}

static void zip_entry_over_the_size_limit_is_refused(void **state)
{
    struct arena arena;
    struct buf b;
    arena_init(&arena);
    buf_init(&b, (size_t)READING_INDEX_SIZE_MAX + 1);
    assert_non_null(buf_reserve(&b, (size_t)READING_INDEX_SIZE_MAX + 1));
    for (size_t i = 0; i <= READING_INDEX_SIZE_MAX; i++)
        b.p[i] = ' ';
    buf_commit(&b, (size_t)READING_INDEX_SIZE_MAX + 1);
    const struct inside large[] = {{"2024FD.xml", buf_view(&b)}};
    struct str zip = make_zip(&arena, large, 1);
    assert_true(zip.n < 1024 * 1024);
    assert_refused(zip, PAPER_ZIP);
    buf_finish(&b);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xml_rows_are_read_in_order_with_duplicates),
        cmocka_unit_test(index_without_rows_is_whole_and_one_of_other_elements_is_not),
        cmocka_unit_test(row_without_document_id_fails_the_check),
        cmocka_unit_test(text_form_gives_the_same_rows),
        cmocka_unit_test(other_file_is_refused),
        cmocka_unit_test(document_type_declaration_is_refused),
        cmocka_unit_test(zip_is_read_as_xml_or_else_as_text),
        cmocka_unit_test(zip_without_index_or_damaged_is_refused),
        cmocka_unit_test(zip_entry_over_the_size_limit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

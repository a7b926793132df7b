#include "unit.h"

#include "base/mem.h"
#include "paper/readers.h"

static void first_bytes_decide_the_file_type(void **state)
{
    static const struct {
        struct str head;
        enum paper paper;
    } cases[] = {
        {STR_INIT("%PDF-1.4\n%\xe2\xe3"), PAPER_PDF},
        {STR_INIT("\r\n junk before %PDF-1.7"), PAPER_PDF},
        {STR_INIT("PK\x03\x04\x14"), PAPER_ZIP},
        {STR_INIT("PK\x05\x06"), PAPER_UNKNOWN},
        {STR_INIT("<!DOCTYPE HTML PUBLIC"), PAPER_HTML},
        {STR_INIT("\n\n <HTML lang=en>"), PAPER_HTML},
        {STR_INIT("\xef\xbb\xbf<html>"), PAPER_HTML},
        {STR_INIT("<?xml version=\"1.0\"?><FinancialDisclosure>"), PAPER_XML},
        {STR_INIT("\xef\xbb\xbf<?xml version=\"1.0\"?>"), PAPER_XML},
        {STR_INIT("<?xml version=\"1.0\"?><!DOCTYPE html><html>"), PAPER_HTML},
        {STR_INIT("Prefix\tLast\tFirst\tSuffix"), PAPER_INDEX_TEXT},
        {STR_INIT("\xef\xbb\xbfPrefix\tLast\tFirst\tSuffix"), PAPER_INDEX_TEXT},
        {STR_INIT("prefix,last,first"), PAPER_UNKNOWN},
        {STR_INIT("\xff\xfe<\0h\0t\0m\0l\0>\0"), PAPER_UNKNOWN},
        {STR_INIT("GIF89a"), PAPER_UNKNOWN},
        {STR_INIT("%PDF"), PAPER_UNKNOWN},
        {STR_INIT(""), PAPER_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (paper_sniff(cases[i].head) != cases[i].paper)
            fail_msg("case %zu: %.*s", i, STR_ARG(cases[i].head));
}

/* Like poppler, which looks for the mark in the first 1024 bytes. */
static void pdf_mark_is_found_in_the_first_kilobyte_only(void **state)
{
    struct arena arena;
    arena_init(&arena);
    assert_int_equal(paper_sniff(arena_fmt(&arena, "%1000s%%PDF-1.4", "")), PAPER_PDF);
    assert_int_equal(paper_sniff(arena_fmt(&arena, "%1024s%%PDF-1.4", "")), PAPER_UNKNOWN);
    assert_int_equal(paper_sniff(arena_fmt(&arena, "%4000s<html>", "")), PAPER_HTML);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_bytes_decide_the_file_type),
        cmocka_unit_test(pdf_mark_is_found_in_the_first_kilobyte_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

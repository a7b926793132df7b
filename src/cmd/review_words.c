/* Words for editors; see review_words.h. */
#include "cmd/review_words.h"

#include "base/json_in.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct word {
    const char *code, *words;
};

/* True of a document that was read right. */
static const struct word checks[] = {
    {"file_whole", "the file is whole"},
    {"pages_whole", "all pages are whole"},
    {"status_lines_equal_rows", "each row has its status line"},
    {"filing_id_printed", "the filing id is printed"},
    {"signed", "the report is signed"},
    {"table_ended", "the table has its end"},
    {"one_report", "the document is one report"},
    {"rows_found", "rows were found"},
    {"name_printed", "the filer's name is printed"},
    {"page_whole", "the page is whole"},
    {"one_table", "there is one table of trades"},
    {"rows_total", "there are as many rows as the page counts"},
    {"in_utf8", "the text is UTF-8"},
    {"filed_printed", "the time of filing is printed"},
    {"report_date_printed", "the date of the report is printed"},
    {"rows_whole", "every row has all its cells"},
    {"no_hidden_characters", "no text has hidden characters"},
    {"filing_id_of_file", "the filing id is that of the file's name"},
    {"signed_on_filing_date", "it was signed on the filing date of the index"},
    {"state_district_of_index", "state and district are those of the index"},
    {"name_of_index", "the filer's name is that of the index"},
};

/* %s: the detail behind the code. */
static const struct word doubts[] = {
    {"owner_unknown", "the owner \"%s\" is not one of the form's"},
    {"ticker_unreadable", "\"%s\" is not a symbol"},
    {"ticker_unknown", "no list of symbols has %s"},
    {"ticker_suggested", "the name may mean a symbol: %s; set ticker if it is right"},
    {"ticker_of_other_company", "the name is unlike the company of the symbol: %s"},
    {"asset_type_unknown", "the type of asset \"%s\" is not one of the form's"},
    {"date_unreadable", "the date \"%s\" cannot be read"},
    {"notified_unreadable", "the date of the notice \"%s\" cannot be read"},
    {"notified_before_traded", "the notice (%s) is before the trade"},
    {"notified_after_filed", "the notice (%s) is after the report was filed"},
    {"traded_after_filed", "the trade (%s) is after the report was filed"},
    {"traded_long_before_filed", "the trade (%s) is more than 10 years before the report"},
    {"exact_amount", "an exact amount, %s, is printed instead of a range"},
    {"row_number", "the page numbers this row %s"},
};

static const char *find(const struct word *words, size_t count, struct str code)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(code, str_from(words[i].code)))
            return words[i].words;
    return NULL;
}

struct str review_check_words(struct str name)
{
    const char *words = find(checks, COUNT(checks), name);
    return words ? str_from(words) : name;
}

struct str review_doubt_words(struct str doubt, struct arena *arena)
{
    struct str detail = doubt, code;
    str_split(&detail, ':', &code);
    const char *words = find(doubts, COUNT(doubts), code), *at = words;
    if (!words)
        return doubt;
    while (*at && !(at[0] == '%' && at[1] == 's'))
        at++;
    if (!*at)
        return str_from(words);
    return arena_fmt(
        arena, "%.*s%.*s%s", (int)(at - words), words, STR_ARG(str_trim(detail)), at + 2);
}

struct str review_does_words(enum difference_kind kind)
{
    static const struct str words[DIFFERENCE_KIND_COUNT] = {
        [DIFFERENCE_SAME] = STR_INIT("is public already"),
        [DIFFERENCE_CHANGED] = STR_INIT("corrects a trade"),
        [DIFFERENCE_ADDED] = STR_INIT("adds a trade"),
        [DIFFERENCE_REMOVED] = STR_INIT("withdraws a trade"),
        [DIFFERENCE_HELD] = STR_INIT("is held back"),
        [DIFFERENCE_OPEN] = STR_INIT("needs you to choose the trade"),
        [DIFFERENCE_OVERTAKEN] = STR_INIT("is overtaken by a later amendment"),
        [DIFFERENCE_NOTHING] = STR_INIT("does nothing"),
    };
    return words[kind];
}

size_t review_texts(struct str json, struct arena *arena, struct str *ret, size_t max)
{
    struct fail unused;
    struct json_in j;
    size_t count = 0;
    if (json_in_open(&j, STR("texts"), json, &unused) == OK)
        for (size_t i = 0; i < json_array_size(j.root) && count < max; i++) {
            const json_t *text = json_array_get(j.root, i);
            if (json_is_string(text))
                ret[count++] =
                    arena_str(arena, str_of(json_string_value(text), json_string_length(text)));
        }
    json_in_close(&j);
    return count;
}

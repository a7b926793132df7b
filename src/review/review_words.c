/* Words for editors; see review_words.h. */
#include "review/review_words.h"

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
    {"table_ended", "the end of the table was found"},
    {"letter_case", "labels have the letter case of the page"},
    {"second_reading", "a second reading found the same rows"},
    {"one_report", "the document is one report"},
    {"rows_found", "rows were found"},
    {"name_printed", "the filer's name is printed"},
    {"page_whole", "the page is whole"},
    {"one_table", "there is one table of trades"},
    {"rows_total", "the number of rows matches the page's count"},
    {"in_utf8", "the text is UTF-8"},
    {"filed_printed", "the time of filing is printed"},
    {"report_date_printed", "the date of the report is printed"},
    {"rows_whole", "every row has all its cells"},
    {"no_hidden_characters", "no text has hidden characters"},
    {"filing_id_of_file", "the filing id matches the file name"},
    {"signed_on_filing_date", "it was signed on the filing date in the index"},
    {"state_district_of_index", "state and district match the index"},
    {"name_of_index", "the filer's name matches the index"},
};

/* %s: the detail behind the code. */
static const struct word doubts[] = {
    {"owner_unknown", "the owner \"%s\" is not a choice on the form"},
    {"ticker_unreadable", "\"%s\" is not a symbol"},
    {"ticker_unknown", "no list of symbols has %s"},
    {"ticker_suggested", "the name may mean a symbol: %s; set it if it is right"},
    {"ticker_of_other_company", "the name is unlike the company of the symbol: %s"},
    {"asset_type_unknown", "the type of asset \"%s\" is not a choice on the form"},
    {"date_unreadable", "the date \"%s\" cannot be read"},
    {"notified_unreadable", "the date of the notice \"%s\" cannot be read"},
    {"notified_before_traded", "the notice (%s) is before the trade"},
    {"notified_after_filed", "the notice (%s) is after the report was filed"},
    {"traded_after_filed", "the trade (%s) is after the report was filed"},
    {"traded_long_before_filed", "the trade (%s) is more than 10 years before the report"},
    {"traded_years_before_filed", "the trade (%s) is more than 2 years before the report"},
    {"notified_long_after_traded", "the notice (%s) is more than 180 days after the trade"},
    {"traded_on_weekend", "the trade (%s) is on a weekend, when exchanges are closed"},
    {"owner_reread", "two readings of the owner differ: %s"},
    {"ticker_reread", "two readings of the symbol differ: %s"},
    {"asset_reread", "two readings of the asset differ: %s"},
    {"asset_type_reread", "two readings of the type of asset differ: %s"},
    {"type_reread", "two readings of the type of transaction differ: %s"},
    {"date_reread", "two readings of the date differ: %s"},
    {"notified_reread", "two readings of the date of the notice differ: %s"},
    {"amount_reread", "two readings of the amount differ: %s"},
    {"status_reread", "two readings of the status differ: %s"},
    {"id_reread", "two readings of the row's number differ: %s"},
    {"subholding_reread", "two readings of the account differ: %s"},
    {"location_reread", "two readings of the location differ: %s"},
    {"description_reread", "two readings of the description differ: %s"},
    {"comment_reread", "two readings of the comment differ: %s"},
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

struct str review_reason_words(struct str reason, struct arena *arena)
{
    static const struct str head = STR_INIT("failed check: "), between = STR_INIT(", ");
    ptrdiff_t at = str_find(reason, head);
    if (at < 0)
        return reason;
    size_t begin = (size_t)at + head.n;
    struct str text = str_slice(reason, 0, begin), rest = str_slice(reason, begin, reason.n);
    for (bool first = true; rest.n > 0; first = false) {
        ptrdiff_t end = str_find(rest, between);
        struct str part = str_slice(rest, 0, end < 0 ? rest.n : (size_t)end);
        ptrdiff_t space = str_find_char(part, ' ');
        size_t name_n = space < 0 ? part.n : (size_t)space;
        struct str words = review_check_words(str_slice(part, 0, name_n));
        text = arena_fmt(
            arena, "%.*s%s%.*s%.*s", STR_ARG(text), first ? "" : between.p, STR_ARG(words),
            STR_ARG(str_slice(part, name_n, part.n)));
        rest = str_slice(rest, end < 0 ? rest.n : (size_t)end + between.n, rest.n);
    }
    return text;
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

/* Before the number of a row, or a comma and the name of a field. */
static const struct word actions[] = {
    {"claim", "claimed"},
    {"accept_first", "accepted, as the first of two"},
    {"accept", "accepted"},
    {"reject", "rejected"},
    {"nothing_reported", "closed: nothing to report"},
    {"publish", "published"},
    {"supersede", "replaced by a newer version"},
    {"new", "begun"},
    {"upload", "uploaded"},
    {"document", "another file arrived"},
    {"index", "completed from an index"},
    {"scan", "scan read"},
    {"reread", "corrected from the document"},
    {"fault", "fault reported"},
    {"waive", "accepted despite a failed check"},
    {"set", "changed"},
    {"set_filer", "member changed"},
    {"add_row", "added"},
    {"delete_row", "deleted"},
    {"restore_row", "restored"},
    {"split_row", "split"},
    {"type_row", "typed blind"},
    {"count_rows", "rows counted blind"},
    {"type_all", "second entry finished"},
    {"entry_due", "waits for a second entry"},
    {"entries_differ", "waits for a third person, since two entries differ"},
    {"decide", "decided"},
    {"take_over", "draft opened as its first person"},
};

struct str review_action_words(struct str action)
{
    const char *words = find(actions, COUNT(actions), action);
    return words ? str_from(words) : action;
}

struct str review_source_words(
    const struct cell_source *source, struct str value, struct arena *arena)
{
    static const char *const words[CELL_HOW_COUNT] = {
        [CELL_NOT_READ] = "not read",
        [CELL_FROM_BOX] = "read from a box",
        [CELL_FROM_TEXT] = "read from text",
        [CELL_ENTERED] = "entered by hand",
    };
    bool none = source->how == CELL_ENTERED && !value.n;
    struct str reason = none ? STR("the page states none") : source->reason;
    const char *how = cell_source_is_unsure(source) ? "read, but not sure" : words[source->how];
    return arena_fmt(arena, "%s%s%.*s", how, reason.n ? ": " : "", STR_ARG(reason));
}

struct str review_does_words(enum difference_kind kind)
{
    static const struct str words[DIFFERENCE_KIND_COUNT] = {
        [DIFFERENCE_SAME] = STR_INIT("is already public"),
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
    SCOPED(json_in_close) struct json_in j;
    size_t count = 0;
    if (json_in_open(&j, STR("texts"), json, &unused) == OK)
        for (size_t i = 0; i < json_array_size(j.root) && count < max; i++) {
            const json_t *text = json_array_get(j.root, i);
            if (json_is_string(text))
                ret[count++] =
                    arena_str(arena, str_of(json_string_value(text), json_string_length(text)));
        }
    return count;
}

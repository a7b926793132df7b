/* What people say about conflict signals, and the trades that fit. */
#include "unit.h"

#include "mcp/about.h"

#define REASON(seats, industry, company)                                                           \
    STR_INIT("Ada Vale sits on the " seats ", which oversees " industry                            \
             ", the industry of " company "; seats as of 2025-03-19.")

static const struct api_item trades[] = {
    {.reason = REASON("House Committee on Armed Services", "aerospace and defense", "Ironway Inc."),
     .name = STR_INIT("Ada Vale"),
     .ticker = STR_INIT("IRNW")},
    {.reason = REASON(
         "Senate Committee on Health, Education, Labor, and Pensions",
         "pharmaceuticals and biotechnology", "Mildew Labs (MLDW)"),
     .name = STR_INIT("Bo Rook"),
     .ticker = STR_INIT("MLDW")},
    {.reason = REASON(
         "Subcommittee on Commodity Markets, Digital Assets of the House Committee on Agriculture",
         "capital markets", "Tallow Brokers Inc."),
     .name = STR_INIT("Cy Fern")},
    {.reason =
         REASON("House Committee on the Judiciary", "software and IT services", "Umber Cloud Inc."),
     .name = STR_INIT("Di Moor")},
    {.reason = REASON(
         "House Committee on Financial Services", "banks and consumer lending", "Oak Bank Corp."),
     .name = STR_INIT("Ed Lark")},
};

enum { TRADES = sizeof trades / sizeof *trades };

/* The place of the only trade that fits; -1: none; TRADES: several. */
static int fitting(const char *text)
{
    struct about about;
    int place = -1;
    about_init(&about, str_from(text));
    for (int i = 0; i < TRADES; i++)
        if (about_fits(&about, &trades[i]))
            place = place < 0 ? i : TRADES;
    about_finish(&about);
    return place;
}

static void phrases_of_people_are_understood(void **state)
{
    const struct {
        const char *text;
        int place;
    } said[] = {
        {"defence contractors", 0},
        {"Defense stocks while on Armed Services", 0},
        {"arms makers", 0},
        {"pharma on HELP", 1},
        {"drug companies and the health committee", 1},
        {"vaccines", 1},
        {"crypto", -1}, /* the name of a panel is no industry */
        {"big tech on Judiciary", 3},
        {"Bank stocks while on a banking committee", 4},
        {"wall street", TRADES},
        {"Tallow", 2},
        {"mldw", 1},
        {"Di Moor", 3},
        {"pharma on Judiciary", -1},
        {"oil", -1},
        {"", TRADES},
        {"trades of members", TRADES},
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (fitting(said[i].text) != said[i].place)
            fail_msg("%s: %d", said[i].text, fitting(said[i].text));
}

static void nearest_words_are_named(void **state)
{
    struct about about;
    BUF_SCOPED(b, SIZE_MAX);
    about_init(&about, STR("farmaceuticals"));
    about_put_nearest(&b, &about);
    assert_true(str_find(buf_view(&b), STR("known: pharmaceuticals, ")) > 0);
    about_finish(&about);
}

/* A call has as many words as its argument has letters, and names no more than there is room for.
 */
static void long_text_is_cut(void **state)
{
    struct about about;
    BUF_SCOPED(text, SIZE_MAX);
    for (int i = 0; i < 2 * ABOUT_PARTS_MAX; i++)
        buf_str(&text, STR("x "));
    about_init(&about, buf_view(&text));
    assert_int_equal(about.count, ABOUT_PARTS_MAX);
    about_finish(&about);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phrases_of_people_are_understood),
        cmocka_unit_test(nearest_words_are_named),
        cmocka_unit_test(long_text_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

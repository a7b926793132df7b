/* Words find the entries that have all of them, the most telling first. */
#include "unit.h"

#include "html/doc_search.h"

static struct doc_entry trades[] = {
    {1, STR_INIT("trades"), STR_INIT("Trades"), STR_INIT("Published trades, newest first.")},
    {0, STR_INIT("trades.cursor"), STR_INIT("cursor"), STR_INIT("unchanged; from the last page")},
    {0, STR_INIT("trades.limit"), STR_INIT("limit"), STR_INIT("25; rows on a page")},
};
static struct doc_entry paging[] = {
    {1, STR_INIT("cursors"), STR_INIT("Pages and cursors"), STR_INIT("nextCursor and limit")},
    {2, STR_INIT("order"), STR_INIT("The order"), STR_INIT("Trades by disclosedAt.")},
};
static const struct doc_index first = {trades, 3}, second = {paging, 2};
static const struct doc_index *const pages[] = {&first, &second};

static void word_finds_titles_before_texts(void **state)
{
    static const struct {
        const char *query;
        const char *anchors[4]; /* in this order */
    } cases[] = {
        {"cursor", {"cursors", "trades.cursor", "order"}},
        {"LIMIT", {"trades.limit", "cursors"}},
        {"disclosed", {"order"}},
        {"trades limit", {"trades.limit"}},
        {"limit cursor", {"cursors"}},
        {"order cursor", {"order"}},
        {"order nothing", {NULL}},
        {"nothing", {NULL}},
        {"  ", {NULL}},
        {"", {NULL}},
        {"page", {"cursors", "order", "trades.cursor", "trades.limit"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct doc_hit hits[DOC_HITS_MAX];
        struct doc_words words = doc_words_of(str_from(cases[i].query));
        size_t count = doc_search(pages, 2, &words, hits), expected = 0;
        while (expected < 4 && cases[i].anchors[expected])
            expected++;
        if (count != expected)
            fail_msg("%s: %zu hits, not %zu", cases[i].query, count, expected);
        for (size_t k = 0; k < count; k++)
            assert_str(hits[k].entry->anchor, cases[i].anchors[k]);
    }
}

static void best_hits_are_kept(void **state)
{
    struct doc_entry many[100];
    struct doc_hit hits[DOC_HITS_MAX];
    for (size_t i = 0; i < 100; i++)
        many[i] = (struct doc_entry){2, STR("a"), STR("other"), STR("word")};
    many[70].title = STR("word");
    const struct doc_index index = {many, 100};
    const struct doc_index *const one[] = {&index};
    struct doc_words words = doc_words_of(STR("word"));
    assert_int_equal(doc_search(one, 1, &words, hits), DOC_HITS_MAX);
    assert_ptr_equal(hits[0].entry, &many[70]);
    assert_ptr_equal(hits[1].entry, &many[0]);
    assert_ptr_equal(hits[DOC_HITS_MAX - 1].entry, &many[DOC_HITS_MAX - 2]);
}

static void long_query_has_eight_words(void **state)
{
    struct doc_words words = doc_words_of(STR("a b c d e f g h i j"));
    assert_int_equal(words.count, DOC_WORDS_MAX);
}

static void place_of_a_word_is_found(void **state)
{
    size_t length = 0;
    struct doc_words words = doc_words_of(STR("two one"));
    assert_int_equal(doc_words_find(&words, STR("a One two"), 0, &length), 2);
    assert_int_equal(length, 3);
    assert_int_equal(doc_words_find(&words, STR("a One two"), 5, &length), 6);
    assert_int_equal(doc_words_find(&words, STR("a One two"), 7, &length), -1);
    assert_int_equal(doc_words_find(&words, STR(""), 0, &length), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(word_finds_titles_before_texts),
        cmocka_unit_test(best_hits_are_kept),
        cmocka_unit_test(long_query_has_eight_words),
        cmocka_unit_test(place_of_a_word_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Any bytes as the words of a PDF, with and without stand-ins for repaired capitals (the first
 * byte): either an error, or ordered lines with their words from left to right that contain every
 * word of the text. */
#include "fuzz.h"

#include <string.h>

#include "paper/house_words.h"

/* The number of word tags with visible text. */
static size_t count_words(struct str bbox)
{
    size_t count = 0;
    struct str line;
    while (str_split(&bbox, '\n', &line)) {
        line = str_trim(line);
        if (!str_starts(line, STR("<word ")))
            continue;
        size_t from = (size_t)str_find_char(line, '>') + 1;
        size_t to = (size_t)str_find(line, STR("</word>"));
        bool visible = false;
        for (size_t i = from; i < to; i++)
            visible = visible || (line.p[i] && !ascii_is_space(line.p[i]));
        count += visible;
    }
    return count;
}

static void check_line(const struct house_line *line, int pages, struct arena *arena)
{
    assert(line->count > 0 && line->page >= 1 && line->page <= pages);
    size_t letters = 0;
    for (size_t w = 0; w < line->count; w++) {
        const struct house_word *word = &line->words[w];
        assert(word->page == line->page && word->text.n > 0);
        assert(word->top >= line->top && word->bottom <= line->bottom);
        assert(w == 0 || word->left >= word[-1].left);
        letters += word->text.n;
    }
    struct str text = house_line_text(line, 0, line->count, arena);
    assert(text.n >= letters && text.n < letters + line->count);
    assert(str_eq_nocase(text, house_line_stored(line, 0, line->count, arena)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct house_text text;
    struct str bbox = fuzz_text(data, size);
    arena_init(&arena);
    bool repaired = fuzz_byte(&bbox) % 2;
    if (house_words(bbox, repaired, &arena, &text)) {
        size_t words = 0;
        for (size_t i = 0; i < text.line_count; i++) {
            check_line(&text.lines[i], text.pages, &arena);
            assert(i == 0 || text.lines[i].page >= text.lines[i - 1].page);
            words += text.lines[i].count;
        }
        assert(words == count_words(bbox));
    }
    arena_finish(&arena);
    return 0;
}

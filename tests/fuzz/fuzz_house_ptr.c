/* Any words at any places as a House report: a scan, an error, or rows numbered from the top on
 * existing pages. The first byte selects raw output of poppler, or lines whose first three bytes
 * give the place of the rest. */
#include "reading_check.h"

#include "paper/second_reading.h"

enum { BBOX_MAX = 1 << 20, WIDE = 3, LETTER = 5 };

/* Words of printable bytes; a line that begins with "!" starts a new page. */
static void put_lines(struct buf *b, struct str rest)
{
    struct str line, word;
    int y = 0;
    buf_text(b, "<doc>\n<page >\n");
    while (str_split(&rest, '\n', &line)) {
        if (str_starts(line, STR("!"))) {
            buf_text(b, "<page >\n");
            y = 0;
        }
        int x = fuzz_byte(&line) * WIDE;
        y += fuzz_byte(&line) % 16;
        int height = fuzz_byte(&line) % 32;
        while (str_split(&line, ' ', &word)) {
            buf_fmt(
                b, "<word xMin=\"%d\" yMin=\"%d\" xMax=\"%d\" yMax=\"%d\">", x, y - height,
                x + (int)word.n * LETTER, y);
            for (size_t i = 0; i < word.n; i++)
                buf_char(b, word.p[i] > ' ' && word.p[i] < 0x7f ? word.p[i] : ' ');
            buf_text(b, "</word>\n");
            x += (int)(word.n + 1) * LETTER;
        }
    }
    buf_text(b, "</doc>");
}

/* A place for each row, on its page. */
static void check_places(struct str bbox, const struct reading *reading, struct arena *arena)
{
    struct house_place *places;
    size_t count = house_ptr_places(bbox, arena, &places);
    assert(reading->kind != READING_HOUSE_PTR || count == reading->row_count);
    for (size_t i = 0; i < count; i++) {
        assert(places[i].row == (int)i + 1 && places[i].page >= 1);
        if (reading->kind == READING_HOUSE_PTR)
            assert(places[i].page == reading->rows[i].page);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct reading reading;
    struct buf b;
    struct str rest = fuzz_text(data, size);
    arena_init(&arena);
    buf_init(&b, BBOX_MAX);
    uint8_t first = fuzz_byte(&rest);
    bool lines = first % 2;
    struct pdf_facts facts = {
        .state = first / 2 % PDF_STATE_COUNT,
        .pages = first,
        .gap = first / 16 % 2,
        .restart = first / 32 % 2,
        .capitals = first / 64 % 2,
    };
    pdf_facts_check(&facts);
    facts.boxes.page = 1;
    pdf_boxes_add(&facts.boxes, fuzz_byte(&rest) * 3, fuzz_byte(&rest) * 3, first % 2);
    if (lines)
        put_lines(&b, rest);
    if (!b.overflow) {
        house_ptr_read_twice(lines ? buf_view(&b) : rest, &facts, &arena, &reading);
        assert(
            reading.kind == READING_HOUSE_PTR || reading.kind == READING_HOUSE_SCAN ||
            reading.kind == READING_REFUSED);
        reading_check_rows(&reading);
        for (size_t i = 0; i < reading.row_count; i++) {
            assert(reading.rows[i].row == (int)i + 1 && reading.rows[i].page >= 1);
            assert(i == 0 || reading.rows[i].page >= reading.rows[i - 1].page);
        }
        if (!facts.capitals)
            check_places(lines ? buf_view(&b) : rest, &reading, &arena);
        if (lines)
            reading_check_travels(&reading, &arena);
    }
    buf_finish(&b);
    arena_finish(&arena);
    return 0;
}

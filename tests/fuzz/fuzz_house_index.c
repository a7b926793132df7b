/* Any bytes as the Clerk's index, in the format that the first byte selects: either an error, or
 * entries that each name a document. The result passes the parent's checks. */
#include "reading_check.h"

#include "paper/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum paper papers[] = {PAPER_XML, PAPER_INDEX_TEXT, PAPER_ZIP};
    struct arena arena;
    struct reading reading;
    struct str rest = fuzz_text(data, size);
    arena_init(&arena);
    enum paper paper = papers[fuzz_byte(&rest) % 3];
    house_index_read(rest, paper, &arena, &reading);
    assert(reading.kind == READING_HOUSE_INDEX || reading.kind == READING_REFUSED);
    reading_check_rows(&reading);
    assert(reading.row_count == 0 && reading.entry_count <= READING_ENTRIES_MAX);
    for (size_t i = 0; i < reading.entry_count; i++)
        assert(reading.entries[i].document_id.n > 0);
    reading_check_travels(&reading, &arena);
    arena_finish(&arena);
    return 0;
}

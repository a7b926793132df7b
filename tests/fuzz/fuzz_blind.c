/* One typed line per field of a blind row: what is read is read again as the same, and agrees with
 * itself. */
#include "fuzz.h"

#include "review/desk/blind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct fail why;
    struct blind_row row = blind_row_none, again = blind_row_none;
    struct str rest = fuzz_text(data, size);
    arena_init(&arena);
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        char space[ROW_FIELD_TEXT_MAX];
        enum blind_field field = (enum blind_field)f;
        if (blind_set(&row, field, fuzz_line(&rest), &arena, &why))
            continue;
        struct str text = blind_text(&row, field, space);
        enum err err = blind_set(&again, field, text, &arena, &why);
        assert(!err);
        char space_again[ROW_FIELD_TEXT_MAX];
        assert(str_eq(text, blind_text(&again, field, space_again)));
    }
    for (int f = 0; f < BLIND_FIELD_COUNT; f++)
        assert(blind_compare(&row, &again, (enum blind_field)f) == BLIND_AGREES);
    arena_finish(&arena);
    return 0;
}

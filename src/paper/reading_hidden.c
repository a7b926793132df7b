/* The search for hidden characters in readings; see reading_hidden.h. */
#include "paper/reading_hidden.h"

#include "base/hidden.h"

enum { PLACES_SHOWN_MAX = 4, DETAIL_SIZE_MAX = 1000 };

static const struct str check_name = STR_INIT("no_hidden_characters");

struct hidden_places {
    struct buf text;
    size_t count;
};

/* `row`: 0 for the head of the document. */
static void look(struct hidden_places *p, int row, struct str name, struct str text)
{
    char space[HIDDEN_NAME_SIZE];
    int32_t hidden = hidden_in(text);
    if (hidden == HIDDEN_NONE || ++p->count > PLACES_SHOWN_MAX)
        return;
    if (p->count > 1)
        buf_text(&p->text, ", ");
    if (row)
        buf_fmt(&p->text, "row %d ", row);
    buf_fmt(&p->text, "%.*s: %.*s", STR_ARG(name), STR_ARG(hidden_name(hidden, space)));
}

static struct str places_text(struct hidden_places *p, struct arena *arena)
{
    if (p->count > PLACES_SHOWN_MAX)
        buf_fmt(&p->text, " and %zu more", p->count - PLACES_SHOWN_MAX);
    struct str text = p->count ? arena_str(arena, buf_view(&p->text)) : STR_NULL;
    buf_finish(&p->text);
    return text;
}

/* The reader has found some that no text shows. */
static bool is_checked(const struct reading *reading)
{
    for (size_t i = 0; i < reading->check_count; i++)
        if (str_eq(reading->checks[i].name, check_name))
            return true;
    return false;
}

void reading_hidden_check(struct reading *reading, struct str filer, struct arena *arena)
{
    struct hidden_places p = {.count = 0};
    struct str name, text;
    buf_init(&p.text, DETAIL_SIZE_MAX);
    for (size_t i = 0; reading_text_at(reading, i, &name, &text); i++)
        look(&p, 0, name, text);
    look(&p, 0, STR("filer of the index"), filer);
    for (size_t i = 0; i < reading->row_count; i++)
        for (int c = 0; c < CELL_COUNT; c++)
            look(&p, reading->rows[i].row, cell_name((enum cell)c), reading->rows[i].cell[c]);
    struct str found = places_text(&p, arena);
    if (!str_is_null(found) || (reading->check_count && !is_checked(reading)))
        reading_check_add(reading, check_name, str_is_null(found), found);
}

struct str reading_hidden_entry(const struct reading *reading, struct arena *arena)
{
    struct str name, text;
    for (size_t i = 0; i < reading->entry_count; i++)
        for (size_t t = 0; reading_entry_text_at(&reading->entries[i], t, &name, &text); t++) {
            struct hidden_places p = {.count = 0};
            buf_init(&p.text, DETAIL_SIZE_MAX);
            look(&p, 0, name, text);
            struct str found = places_text(&p, arena);
            if (!str_is_null(found))
                return arena_fmt(
                    arena, "%.*s %.*s", STR_ARG(reading->entries[i].document_id), STR_ARG(found));
        }
    return STR_NULL;
}

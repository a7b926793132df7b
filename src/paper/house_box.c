/* Check boxes of rows; see house_box.h. */
#include "paper/house_box.h"

enum {
    HUNDREDTHS = 100,
    TENTH = 10,
    BELOW_MAX = 1600, /* the middle of a row's box is at most so far below its top */
    EMPTY = 0x3e,     /* "gfedc" */
    CHECKED = 0x3f,   /* with a "b" */
};

void house_box_take(struct pdf_boxes *boxes, const struct house_line *line, size_t from)
{
    unsigned letters = 0;
    const struct house_word *first = &line->words[from];
    for (size_t w = from; w < line->count; w++)
        for (size_t i = 0; i < line->words[w].text.n; i++) {
            char c = line->words[w].text.p[i];
            if (c < 'b' || c > 'g')
                return;
            letters |= 1U << (c - 'b');
        }
    boxes->page = line->page;
    if (letters == EMPTY || letters == CHECKED)
        pdf_boxes_add(
            boxes, (double)first->left / HUNDREDTHS,
            (double)(first->top + first->bottom) / 2 / HUNDREDTHS, letters == CHECKED);
}

struct str house_box_text(const struct pdf_boxes *boxes, const struct house_place *row, int left)
{
    const struct pdf_box *found = NULL;
    int count = 0;
    for (int i = 0; i < boxes->count; i++) {
        const struct pdf_box *box = &boxes->box[i];
        int top = box->top * TENTH;
        if (box->page != row->page || box->left * TENTH < left || top < row->top ||
            top > row->top + BELOW_MAX)
            continue;
        found = box;
        count++;
    }
    return count != 1 ? STR_NULL : found->checked ? STR("checked") : STR("not checked");
}

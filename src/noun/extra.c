/* The table of optional members; see extra.h. */
#include "noun/extra.h"

#include "noun/dates.h"
#include "noun/details.h"
#include "noun/lists.h"

static void put_details(struct buf *b, const struct shape_extra *extra)
{
    if (extra->details.n)
        buf_str(b, extra->details);
    else
        shape_details_json(b, STR_NULL, extra->cap_gains);
}

static void put_dates(struct buf *b, const struct shape_extra *extra)
{
    const struct shape_dates dates = shape_dates_of(extra->traded, extra->report);
    shape_object_json(b, &shape_dates, &dates);
}

static const struct {
    const struct shape_object *object;
    void (*put)(struct buf *b, const struct shape_extra *extra);
} extras[SHAPE_FIELDS_COUNT] = {
    [SHAPE_FIELDS_DETAILS] = {&shape_details, put_details},
    [SHAPE_FIELDS_DATES] = {&shape_dates, put_dates},
};

const struct shape_object *shape_extra_object(int field)
{
    return extras[field].object;
}

void shape_extra_value(struct buf *b, int field, const struct shape_extra *extra)
{
    extras[field].put(b, extra);
}

void shape_extra_json(struct buf *b, const struct shape_extra *extra)
{
    for (int field = 1; field < SHAPE_FIELDS_COUNT; field++) {
        if (!shape_extra_has(extra->fields, field))
            continue;
        buf_char(b, '"');
        buf_str(b, shape_fields.name_of(field));
        buf_text(b, "\":");
        shape_extra_value(b, field, extra);
        buf_char(b, ',');
    }
}

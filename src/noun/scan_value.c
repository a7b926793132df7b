/* Sets members from scanned values; see scan_value.h. */
#include "noun/scan_value.h"

#include "base/instant.h"

static int listed(const struct shape_list *list, struct str name)
{
    for (int value = 1; value < list->count; value++)
        if (str_eq(list->name_of(value), name))
            return value;
    return 0;
}

void scan_value_set(
    const struct shape_field *field, struct str value, struct arena *arena, void *object)
{
    void *to = (char *)object + field->offset;
    switch (field->kind) {
    case SHAPE_STRING:
        *(struct str *)to = value.n || !field->nullable ? arena_str(arena, value) : STR_NULL;
        break;
    case SHAPE_LISTED:
        *(int *)to = listed(field->list, value);
        break;
    case SHAPE_DAY:
        if (!day_parse(value, to))
            *(int32_t *)to = DAY_NONE;
        break;
    case SHAPE_INSTANT:
        if (!instant_parse(value, to))
            *(int64_t *)to = INSTANT_NONE;
        break;
    case SHAPE_PRESENT: /* the text follows in its own field */
    default:
        break;
    }
}

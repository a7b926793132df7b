/* Reads a Trade by its table of fields; see trade_read.h. */
#include "shape/trade_read.h"

#include <assert.h>

#include "shape/scan.h"
#include "shape/trade.h"

static int listed(const struct shape_list *list, struct str name)
{
    for (int value = 1; value < list->count; value++)
        if (str_eq(list->name_of(value), name))
            return value;
    return 0;
}

/* Null and the empty text are the same in what scan_scalar returns; no field of a Trade that may be
 * null is ever empty. */
static void set(
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
    case SHAPE_CONSTANT:
    case SHAPE_DOLLARS:
    case SHAPE_OBJECT:
        break;
    }
}

/* The members from `from` on. `object` NULL: they follow from another member, and are passed over.
 */
static size_t read_members(
    struct scan *scan, const struct shape_object *shape, size_t from, struct arena *arena,
    void *object)
{
    size_t i = from;
    for (; i < shape->count && !scan_at_end(scan); i++) {
        const struct shape_field *field = &shape->fields[i];
        scan_expect(scan, field->key);
        if (field->kind == SHAPE_OBJECT) {
            struct trade *trade = object;
            scan_expect(scan, STR("{"));
            read_members(
                scan, field->object, 0, arena,
                field->object == &shape_politician_ref ? &trade->politician : NULL);
        } else {
            struct str value = scan_scalar(scan);
            if (object)
                set(field, value, arena, object);
        }
        scan_member_end(scan);
    }
    return i;
}

void shape_trade_read(struct str head, struct str tail, struct arena *arena, struct trade *ret)
{
    struct scan scan;
    *ret = (struct trade){.values = {.trade_date = DAY_NONE}};
    scan_init(&scan, head);
    scan_expect(&scan, STR("{"));
    size_t at = read_members(&scan, &shape_trade, 0, arena, ret);
    scan_finish(&scan);
    scan_init(&scan, tail);
    at = read_members(&scan, &shape_trade, at, arena, ret);
    assert(at == shape_trade.count);
    scan_finish(&scan);
}

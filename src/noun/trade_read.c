/* Reads a Trade by its table of fields; see trade_read.h. */
#include "noun/trade_read.h"

#include <assert.h>

#include "noun/scan.h"
#include "noun/trade.h"

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
                scan_value_set(field, value, arena, object);
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

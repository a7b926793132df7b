/* Reads a Filing by its table of fields; see filing_read.h. */
#include "noun/filing_read.h"

#include "noun/filing.h"
#include "noun/scan.h"
#include "noun/scan_value.h"

void shape_filing_read(struct str json, struct arena *arena, struct filing *ret)
{
    struct scan scan;
    *ret = (struct filing){.published_at = INSTANT_NONE};
    scan_init(&scan, json);
    scan_expect(&scan, STR("{"));
    for (size_t i = 0; i < shape_filing.count; i++) {
        const struct shape_field *field = &shape_filing.fields[i];
        scan_expect(&scan, field->key);
        scan_value_set(field, scan_scalar(&scan), arena, ret);
        scan_member_end(&scan);
    }
    scan_finish(&scan);
}

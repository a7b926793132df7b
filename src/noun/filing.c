/* The Filing's table; see filing.h. */
#include "noun/filing.h"

#include "noun/lists.h"
#include "noun/rows.h"
#include "noun/scan.h"

/* Reads a Filing by its table of fields. */

void shape_filing_read(struct str json, struct arena *arena, struct filing *ret)
{
    SCOPED(scan_finish) struct scan scan;
    *ret = (struct filing){.published_at = INSTANT_NONE};
    scan_init(&scan, json);
    scan_expect(&scan, STR("{"));
    for (size_t i = 0; i < shape_filing.count; i++) {
        const struct shape_field *field = &shape_filing.fields[i];
        scan_expect(&scan, field->key);
        scan_value_set(field, scan_scalar(&scan), arena, ret);
        scan_member_end(&scan);
    }
}

/* spec 2.4, in its order */
static const struct shape_field filing_rows[] = {
    {TEXT("id", filing, id), SAYS("Filing identifier.")},
    {LISTED("chamber", filing, chamber, &shape_chambers),
     SAYS("Chamber that received the filing.")},
    {TEXT("sourceDocId", filing, source_doc_id), SAYS("Identifier of the source document.")},
    {TEXT("url", filing, url), URI, SAYS("Official document.")},
    {TEXT("politicianId", filing, politician_id), SAYS("Bioguide id of the filing politician.")},
    {INSTANT("filedAt", filing, filed_at), SAYS("When it was filed.")},
    {NAMED("status", SHAPE_CONSTANT), .list = &shape_filing_states,
     SAYS("Only published filings are listed.")},
};

SHAPE(filing, "Filing", "One published source document.", filing);

void shape_filing_json(struct buf *b, const struct filing *filing)
{
    shape_object_json(b, &shape_filing, filing);
}

/* The Filing's table; see filing.h. */
#include "noun/filing.h"

#include "noun/lists.h"

#define NAMED(text) .name = STR_INIT(text), .key = STR_INIT("\"" text "\":")

/* spec 2.4, in its order */
static const struct shape_field filing_fields[] = {
    {NAMED("id"), .kind = SHAPE_STRING, .offset = offsetof(struct filing, id),
     .description = STR_INIT("Filing identifier.")},
    {NAMED("chamber"), .kind = SHAPE_LISTED, .offset = offsetof(struct filing, chamber),
     .list = &shape_chambers, .description = STR_INIT("Chamber that received the filing.")},
    {NAMED("sourceDocId"), .kind = SHAPE_STRING, .offset = offsetof(struct filing, source_doc_id),
     .description = STR_INIT("Identifier of the source document.")},
    {NAMED("url"), .kind = SHAPE_STRING, .offset = offsetof(struct filing, url),
     .format = STR_INIT("uri"), .description = STR_INIT("Official document.")},
    {NAMED("politicianId"), .kind = SHAPE_STRING, .offset = offsetof(struct filing, politician_id),
     .description = STR_INIT("Bioguide id of the filing politician.")},
    {NAMED("filedAt"), .kind = SHAPE_INSTANT, .offset = offsetof(struct filing, filed_at),
     .format = STR_INIT("date-time"), .description = STR_INIT("When it was filed.")},
    {NAMED("status"), .kind = SHAPE_CONSTANT, .list = &shape_filing_states,
     .description = STR_INIT("Only published filings are listed.")},
};

const struct shape_object shape_filing = {
    STR_INIT("Filing"),
    STR_INIT("One published source document."),
    sizeof filing_fields / sizeof filing_fields[0],
    filing_fields,
};

void shape_filing_json(struct buf *b, const struct filing *filing)
{
    shape_object_json(b, &shape_filing, filing);
}

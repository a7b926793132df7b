/* The Filing's table; see filing.h. */
#include "wire/filing.h"

#include "wire/lists.h"

#define NAMED(text) .name = STR_INIT(text), .key = STR_INIT("\"" text "\":")

/* spec 2.4, in its order */
static const struct wire_field filing_fields[] = {
    {NAMED("id"), .kind = WIRE_STRING, .offset = offsetof(struct filing, id),
     .description = STR_INIT("Filing identifier.")},
    {NAMED("chamber"), .kind = WIRE_LISTED, .offset = offsetof(struct filing, chamber),
     .list = &wire_chambers, .description = STR_INIT("Chamber that received the filing.")},
    {NAMED("sourceDocId"), .kind = WIRE_STRING, .offset = offsetof(struct filing, source_doc_id),
     .description = STR_INIT("Identifier of the source document.")},
    {NAMED("url"), .kind = WIRE_STRING, .offset = offsetof(struct filing, url),
     .format = STR_INIT("uri"), .description = STR_INIT("Official document.")},
    {NAMED("politicianId"), .kind = WIRE_STRING, .offset = offsetof(struct filing, politician_id),
     .description = STR_INIT("Bioguide id of the filing politician.")},
    {NAMED("filedAt"), .kind = WIRE_INSTANT, .offset = offsetof(struct filing, filed_at),
     .format = STR_INIT("date-time"), .description = STR_INIT("When it was filed.")},
    {NAMED("status"), .kind = WIRE_CONSTANT, .list = &wire_filing_states,
     .description = STR_INIT("Only published filings are listed.")},
};

const struct wire_object wire_filing = {
    STR_INIT("Filing"),
    STR_INIT("One published source document."),
    sizeof filing_fields / sizeof filing_fields[0],
    filing_fields,
};

void wire_filing_json(struct buf *b, const struct filing *filing)
{
    wire_object_json(b, &wire_filing, filing);
}

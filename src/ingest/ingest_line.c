/* Names of the states of documents; see ingest_line.h. */
#include "ingest/ingest_line.h"

static const struct str status_names[INGEST_STATUS_COUNT] = {
    [INGEST_DRAFT] = STR_INIT("draft"),
    [INGEST_NEEDS_MANUAL] = STR_INIT("needs_manual"),
    [INGEST_REFUSED] = STR_INIT("refused"),
    [INGEST_UNCHANGED] = STR_INIT("unchanged"),
    [INGEST_INDEXED] = STR_INIT("indexed"),
    [INGEST_AWAITING_DOCUMENT] = STR_INIT("awaiting_document"),
    [INGEST_SKIPPED] = STR_INIT("skipped"),
};

struct str ingest_status_name(enum ingest_status status)
{
    return status_names[status];
}

/* The filters of filings; see filings_query.h. */
#include "site/filings_query.h"

#include "shape/lists.h"

static const struct param params[] = {
    {.name = STR_INIT("chamber"), .type = PARAM_TYPE_LISTED, .list = &shape_chambers},
};

const struct param_table filings_query_params = PARAM_TABLE(params);

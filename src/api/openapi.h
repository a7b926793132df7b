/*
 * The OpenAPI 3.1 document, made from the tables of operations, parameters, errors, headers and
 * schemas: what is not in them is not in the document, and the other way round (spec 4.5).
 *
 * The 200 of the trades feed describes JSON only, so that generated clients get one type; CSV is
 * described beside it in x-csv-response (docs/adr/0006-csv-in-openapi.md).
 */
#pragma once

#include "base/buf.h"

/* `description` is Markdown for info.description. */
void openapi_put(struct buf *b, struct str base_url, struct str description);

/*
 * The OpenAPI 3.1 document, generated from the tables of operations, parameters, errors, headers
 * and schemas (spec 4.5).
 *
 * The 200 of the trades feed describes only JSON, so that generated clients get one type. CSV is
 * described in x-csv-response (docs/adr/0006-csv-in-openapi.md).
 */
#pragma once

#include "base/buf.h"

/* Writes the document. `description` is Markdown for info.description. */
void openapi_put(struct buf *b, struct str base_url, struct str description, bool demo);

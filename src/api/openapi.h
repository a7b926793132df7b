/*
 * The OpenAPI 3.1 document, generated from the tables of operations, parameters, errors, headers
 * and schemas (spec 4.5).
 *
 * The 200 of the trades feed is JSON or CSV (docs/adr/0026-csv-as-content.md). The requests that
 * webhooks send are described under `webhooks`.
 */
#pragma once

#include "base/buf.h"

/* Writes the document. `description` is Markdown for info.description. */
void openapi_put(struct buf *b, struct str base_url, struct str description, bool demo);

/* The documentation as HTML. Private to src/site. */
#pragma once

#include "site/site_state.h"

void docs_make(struct site *site);
void docs_finish(struct site *site);

/* "/docs" or "/docs/NAME" */
struct str docs_path(const struct doc *doc, struct arena *arena);

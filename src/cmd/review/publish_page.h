/* What `stockact publish` prints on a terminal: a line for each filing. */
#pragma once

#include "cmd/term/out.h"
#include "review/publish_draft.h"

/* "✓ house-20250001  3 trades added, 1 row held back", or "✗ house-20250001  REASON". */
void publish_page_line(
    struct out *out, struct str what, const struct publish_draft_result *result, struct str reason);

/* Indents JSON for the docs. The input must be well formed. */
#pragma once

#include "base/buf.h"

void json_indent(struct buf *b, struct str json);

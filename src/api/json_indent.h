/* JSON for people: the same value over several lines. Its input is our own and well formed. */
#pragma once

#include "base/buf.h"

void json_indent(struct buf *b, struct str json);

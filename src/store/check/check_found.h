/* How the checks of `stockact check` report a problem. */
#pragma once

#include "base/str.h"

/* Called for each problem, with one line of text for a person. */
typedef void check_found(void *ctx, struct str what);

/* The limits of `tickers import`, and the report of a refused line. */
#pragma once

#include "base/str.h"

enum { TICKERS_FILE_SIZE_MAX = 64 << 20, TICKERS_LINES_MAX = 200000 };

/* A refused line. Valid during the call only. */
struct tickers_refusal {
    struct str file;
    size_t line; /* for JSON, the element of "data", from 1 */
    struct str symbol;
    const char *reason;
};

typedef void tickers_refused_fn(void *ctx, const struct tickers_refusal *refusal);

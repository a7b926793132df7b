/*
 * Content coding by Accept-Encoding (RFC 9110 12.5.3): gzip or nothing.
 */
#pragma once

#include "base/str.h"

/* Is gzip the coding to use? It is when it is acceptable (named, as x-gzip, or by "*", with q above
 * 0) and not ranked below identity. Null, empty and malformed values: no. There is no 406: who
 * refuses both gets identity. Several header lines are joined first (http_header_joined). */
bool accept_encoding_gzip(struct str value);

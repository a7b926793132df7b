/*
 * Content coding by Accept-Encoding (RFC 9110 12.5.3): gzip or nothing.
 */
#pragma once

#include "base/str.h"

/* Returns true if gzip is acceptable (named, as x-gzip, or by "*", with q above 0) and not ranked
 * below identity. Null, empty and malformed values: false. There is no 406: a client that rejects
 * both gets identity. Several header lines are joined first (http_header_joined). */
bool accept_encoding_gzip(struct str value);

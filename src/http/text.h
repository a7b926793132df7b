/*
 * The bytes allowed in parts of a message (RFC 9110 5.5 and 5.6.2, RFC 3986).
 */
#pragma once

#include <string.h>

#include "base/str.h"

/* The lower-case form of a token byte, otherwise 0. */
extern const unsigned char http_token_lower[256];

static inline bool http_is_token_char(char c)
{
    return http_token_lower[(unsigned char)c] != 0;
}

bool http_is_token(struct str s); /* not empty */

/* Field content: no control byte except tab (DEL is one). Checks eight bytes at a time. */
bool http_is_field_text(const char *p, size_t n);

/* host or host:port, as in Host and in a target: not empty, without user information. */
bool http_is_authority(struct str s);

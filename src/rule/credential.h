/*
 * The API key of a request (spec 5, decision 21). Any Authorization header takes precedence over
 * X-Api-Key, whatever it contains. An invalid credential is CREDENTIAL_BAD and never treated as
 * anonymous.
 */
#pragma once

#include "base/str.h"

enum credential_kind {
    CREDENTIAL_NONE, /* neither header is present: an anonymous caller */
    CREDENTIAL_BAD,  /* 401: not Bearer, empty, or a header more than once */
    CREDENTIAL_KEY,  /* look up `key`; its form is not checked yet */
};

struct credential {
    enum credential_kind kind;
    struct str key; /* borrowed from the header's value; null unless CREDENTIAL_KEY */
};

/* The values of every header field line of either name, in any order. */
struct credential credential_from_headers(
    const struct str *authorization, size_t authorization_count, const struct str *x_api_key,
    size_t x_api_key_count);

/*
 * Which key a request shows (spec 5, decision 21). Any Authorization header wins over X-Api-Key,
 * whatever it holds; what is there but no proper credential is BAD and never silently anonymous.
 */
#pragma once

#include "base/str.h"

enum credential_kind {
    CREDENTIAL_NONE, /* neither header is there: an anonymous caller */
    CREDENTIAL_BAD,  /* 401: not Bearer, empty, or a header more than once */
    CREDENTIAL_KEY,  /* `key` is to be looked up; its form is not checked yet */
};

struct credential {
    enum credential_kind kind;
    struct str key; /* borrowed from the header's value; null unless CREDENTIAL_KEY */
};

/* The values of every header field line of either name, in any order. */
struct credential credential_from_headers(
    const struct str *authorization, size_t authorization_count, const struct str *x_api_key,
    size_t x_api_key_count);

/*
 * The URL of a webhook: checked when it is added, and taken apart by the same rules when something
 * is sent to it, so that what was checked is what is connected to.
 *
 * https, or http where the caller allows it; no user, no fragment, nothing that parsers of URLs are
 * known to differ about (white space, backslashes, bytes beyond ASCII, percent signs in the host).
 * A host that any parser takes for an IPv4 address (decimal, hexadecimal, octal, short) is one
 * here.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"
#include "core/address.h"

enum { TARGET_URL_MAX = 2048, TARGET_HOST_MAX = 253, TARGET_LABEL_MAX = 63 };

struct target {
    struct str url;  /* in normal form: parsing it again gives the same target */
    struct str host; /* a name in lower case without a dot behind it, or an address, no brackets */
    struct str path; /* with the query, from the slash, as it was written */
    uint16_t port;
    bool tls;
    bool is_address;
    struct address address; /* where is_address */
};

/* Texts are in the arena. ERR_INVALID says what is wrong with the URL, to whom typed it. */
enum err target_parse(
    struct str url, bool plain_http, struct arena *arena, struct target *ret,
    struct fail *fail) MUST_CHECK;

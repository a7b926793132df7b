/*
 * The URL of a webhook. It is checked when it is added and parsed by the same rules when it is
 * used, so that the checked host is the one connected to.
 *
 * https, or http if the caller allows it; no user, no fragment, and nothing that URL parsers
 * disagree on (white space, backslashes, bytes beyond ASCII, percent signs in the host). A host
 * that any parser reads as an IPv4 address (decimal, hexadecimal, octal, short) is one here.
 */
#pragma once

#include "address/address.h"
#include "base/mem.h"

enum { TARGET_URL_MAX = 2048, TARGET_HOST_MAX = 253, TARGET_LABEL_MAX = 63 };

struct target {
    struct str url;  /* normalized: parsing it again gives the same target */
    struct str host; /* a lower-case name without a final dot, or an address; no brackets */
    struct str path; /* with the query, from the slash, unchanged */
    uint16_t port;
    bool tls;
    bool is_address;
    struct address address; /* if is_address */
};

/* Texts are in the arena. ERR_INVALID explains the error to the person who typed the URL. */
enum err target_parse(
    struct str url, bool plain_http, struct arena *arena, struct target *ret, struct fail *fail);

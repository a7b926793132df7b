/*
 * Names of hosts that the public DNS never has: special-use domains (RFC 6761 and its successors),
 * top-level domains that are not delegated and that private networks use, and names without a dot.
 */
#pragma once

#include "base/str.h"

struct special_name {
    struct str suffix; /* "local"; null: a name without a dot */
    const char *what;  /* "names of Tor": as printed in reasons */
    bool is_private;   /* false: no DNS has such names, a private one neither */
};

/* `host` in lower case, without a final dot. NULL: an ordinary name. */
const struct special_name *special_name_of(struct str host);

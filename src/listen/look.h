/* How the lines of `stockact listen` are coloured for a person at a terminal. */
#pragma once

#include "base/buf.h"

enum listen_tone { LISTEN_FAINT, LISTEN_GOOD, LISTEN_BAD };

struct listen_look {
    void (*paint)(const void *ctx, struct buf *to, enum listen_tone tone, struct str text);
    const void *ctx;
};

/* Texts that the build compressed into the program (script/embed --compressed). */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct compressed {
    const char *name; /* of the file that it was made from */
    const char *bytes;
    size_t size;
    size_t full_size;
};

/* Appends the text. ERR_CORRUPT: the bytes are damaged. */
enum err inflate_text(const struct compressed *from, struct buf *to, struct fail *fail);

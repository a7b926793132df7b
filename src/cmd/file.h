/* Whole files into memory. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* Appends the file to `to`. ERR_LIMIT: it is longer than the buffer's maximum. ERR_IO names it. */
enum err file_read(const char *path, struct buf *to, struct fail *fail) MUST_CHECK;

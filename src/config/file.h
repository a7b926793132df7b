/* Whole files, into memory and out of it. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* Appends the file to `to`. ERR_LIMIT: it is longer than the buffer's maximum. ERR_IO names it. */
enum err file_read(const char *path, struct buf *to, struct fail *fail) MUST_CHECK;

/* Makes the file, or replaces what it holds. An error names it, and leaves no half of it behind. */
enum err file_write(const char *path, struct str bytes, struct fail *fail) MUST_CHECK;

/* Reads and writes whole files. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* Appends the file to `to`. ERR_LIMIT: it exceeds the buffer's maximum. ERR_IO: it is unreadable.
 */
enum err file_read(const char *path, struct buf *to, struct fail *fail);

/* Creates the file (mode 0600) or replaces its content. A failed write removes the file. */
enum err file_write(const char *path, struct str bytes, struct fail *fail);

/* The settings file that the build names (the option config_file of meson). */

/* NULL: the build names none. The file may be missing. */
const char *default_file(void);

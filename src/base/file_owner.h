/* Whose file it is, for messages that say as which user to run a command. */
#pragma once

#include <stdbool.h>

enum { FILE_OWNER_SIZE = 64 };

/* True if another user than this process's should work with the file, and writes that user's name.
 * The user is the owner of the file, or of the nearest folder above it that can be looked at. For
 * something that root owns, it is the user who has the name of its group. False: it is this
 * process's own, nobody else's, or its owner has no name on this machine. */
bool file_owner_other(const char *path, char ret[static FILE_OWNER_SIZE]);

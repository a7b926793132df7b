/* Files in memory, without a name. No program that the process starts inherits them. */
#pragma once

#include "base/err.h"

/* `name` is only for people, in /proc. -1: errno. */
int memory_file_create(const char *name) MUST_CHECK;

/* From now on nobody can change its bytes or its size. -1: errno. */
int memory_file_seal(int fd);

void memory_file_close(int fd); /* -1 is ignored */

/*
 * The end of a process that has no memory left. The message names the limit that is the cause: the
 * address space (RLIMIT_AS, `ulimit -v`) or the data (RLIMIT_DATA, `ulimit -d`). The functions
 * allocate nothing and may be called in a signal handler.
 */
#pragma once

#include <stddef.h>

enum { NO_MEMORY_CAUSE_SIZE = 256 };

/* Writes the message to standard error and aborts. `size` could not be allocated; 0: unknown. */
_Noreturn void no_memory(size_t size);

/* From now on an abort by a library, such as libuv without memory for its threads, names the limit
 * too. Call it when the program starts. */
void no_memory_watch(void);

/* The limit that leaves no room for `size` more bytes, its value and how to raise it, as the end of
 * a sentence that begins with a colon. Empty: no such limit. */
void no_memory_cause(char ret[static NO_MEMORY_CAUSE_SIZE], size_t size);

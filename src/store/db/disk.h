/* Maps operating system errors. Errors that mean "no space" become ERR_FULL, which ends when there
 * is space again. */
#pragma once

#include <errno.h>
#include <stdbool.h>

#include "base/err.h"

static inline bool disk_is_full(int system_error)
{
    return system_error == ENOSPC || system_error == EDQUOT;
}

static inline enum err disk_err(int system_error)
{
    return disk_is_full(system_error) ? ERR_FULL : ERR_IO;
}

/* Which errors of the operating system mean that there is no room: they heal when there is some. */
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

/* The settings file that the build names; see default_file.h. */
#include "config/default_file.h"

#include <stddef.h>

const char *default_file(void)
{
    return *STOCKACT_CONFIG_FILE ? STOCKACT_CONFIG_FILE : NULL;
}

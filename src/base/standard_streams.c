/* Keeps the standard streams open; see standard_streams.h. */
#include "base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

void standard_streams_hold(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* Files in memory; see memory_file.h. */
#include "base/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int memory_file_create(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int memory_file_seal(int fd)
{
    return fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK);
}

/* tests/tsan_suppressions.c names it. */
void memory_file_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

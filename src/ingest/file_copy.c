/* Copies of documents; see file_copy.h. */
#include "ingest/file_copy.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/memory_file.h"
#include "paper/extract.h"

enum { COPY_CHUNK = 64 * 1024 };

/* Writes to the memory file. A failure is the machine's, not the document's: a limit of the size of
 * files covers memory files too. */
static enum err write_all(int to, struct str bytes, struct fail *fail)
{
    if (disk_write(to, bytes))
        return OK;
    return fail_set(
        fail, disk_err(errno), "cannot copy a document into a memory file: %s", disk_reason(errno));
}

/* Copies into the memory file. Returns NULL, or what is wrong with the document. */
static const char *copy_bytes(
    int from, int to, int64_t *ret_bytes, enum err *ret_err, struct fail *fail)
{
    char chunk[COPY_CHUNK];
    for (ssize_t n; (n = read(from, chunk, sizeof chunk)) != 0;) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return strerror(errno);
        *ret_err = write_all(to, str_of(chunk, (size_t)n), fail);
        if (*ret_err)
            return NULL;
        *ret_bytes += n;
        if (*ret_bytes > EXTRACT_FILE_SIZE_MAX)
            return "the file is larger than 256 MiB";
    }
    return NULL;
}

/* Seals the copy against writes, so that the hash covers exactly the bytes that are read and
 * stored. */
static const char *seal_copy(int copy, struct ledger_file *file)
{
    size_t size = (size_t)file->bytes;
    if (memory_file_seal(copy) < 0)
        return strerror(errno);
    void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, copy, 0) : NULL;
    if (bytes == MAP_FAILED)
        return strerror(errno);
    file->content = str_of(bytes ? bytes : "", size);
    sha256(file->content, file->sha256);
    return NULL;
}

void file_copy_unmap(const struct ledger_file *file)
{
    if (file->content.n)
        munmap((void *)(uintptr_t)file->content.p, file->content.n);
}

const char *file_copy_take(
    int fd, int to, struct ledger_file *file, enum err *ret_err, struct fail *fail)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return "the path is not a regular file";
    const char *wrong = copy_bytes(fd, to, &file->bytes, ret_err, fail);
    return wrong || *ret_err ? wrong : seal_copy(to, file);
}

const char *file_copy_take_bytes(
    struct str bytes, int to, struct ledger_file *file, enum err *ret_err, struct fail *fail)
{
    *ret_err = write_all(to, bytes, fail);
    if (*ret_err)
        return NULL;
    file->bytes = (int64_t)bytes.n;
    return seal_copy(to, file);
}

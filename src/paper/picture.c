/* Pictures of pages; see picture.h. */
#include "paper/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "paper/readers.h"
#include "store/document.h"
#include "store/document_bytes.h"

/* "house-8220001": the document's kind and its official id. */
static enum err latest_version(
    struct db *db, struct str filing_id, struct document_version *ret, struct fail *fail)
{
    struct document_entry entry;
    struct arena arena;
    struct str source_id = filing_id, kind;
    arena_init(&arena);
    str_split(&source_id, '-', &kind);
    enum err err = document_find(db, kind, source_id, &arena, &entry, fail);
    if (!err)
        err = document_version_latest(db, entry.no, ret, fail);
    arena_finish(&arena);
    return err == ERR_NOT_FOUND ? fail_set(
                                      fail, err, "no file of %.*s is imported: there is no picture",
                                      STR_ARG(filing_id))
                                : err;
}

static enum err latest_bytes(struct db *db, struct str filing_id, struct buf *to, struct fail *fail)
{
    struct document_version version;
    enum err err = latest_version(db, filing_id, &version, fail);
    if (!err)
        err = document_bytes_read(db, version.no, to, fail);
    else
        return err;
    return err == ERR_NOT_FOUND
               ? fail_set(
                     fail, err, "the file of %.*s was not kept: there is no picture",
                     STR_ARG(filing_id))
               : err;
}

int picture_memory_file(struct str bytes)
{
    int fd = memfd_create("stockact-document", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    while (fd >= 0 && bytes.n) {
        ssize_t n = write(fd, bytes.p, bytes.n);
        if (n < 0 && errno != EINTR) {
            int failed = errno;
            close(fd);
            errno = failed;
            return -1;
        }
        bytes = str_slice(bytes, n > 0 ? (size_t)n : 0, bytes.n);
    }
    if (fd >= 0)
        fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK);
    return fd;
}

static enum err draw(
    struct extractor *x, struct str bytes, int page, struct buf *ret, struct fail *fail)
{
    size_t head = bytes.n < PAPER_SNIFF_SIZE ? bytes.n : PAPER_SNIFF_SIZE;
    if (paper_sniff(str_slice(bytes, 0, head)) != PAPER_PDF)
        return fail_set(fail, ERR_REFUSED, "only a PDF has pictures: open this page in a browser");
    int fd = picture_memory_file(bytes);
    if (fd < 0)
        return fail_set(
            fail, ERR_IO, "cannot create a memory file for the document: %s", strerror(errno));
    enum err err = extract_picture(x, fd, page, ret, fail);
    close(fd);
    return err;
}

enum err picture_render(
    struct db *db, struct extractor *x, struct str filing_id, int page, struct buf *ret,
    struct fail *fail)
{
    struct buf bytes;
    buf_init(&bytes, DOCUMENT_BYTES_MAX);
    enum err err = latest_bytes(db, filing_id, &bytes, fail);
    if (!err)
        err = draw(x, buf_view(&bytes), page, ret, fail);
    buf_finish(&bytes);
    return err;
}

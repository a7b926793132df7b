/* Copies for confined children; see document_copy.h. */
#include "paper/document_copy.h"

#include <errno.h>

#include "base/memory_file.h"
#include "paper/readers.h"

int document_copy(struct str bytes)
{
    int fd = memory_file_create("stockact-document");
    if (fd >= 0 && !disk_write(fd, bytes)) {
        int failed = errno;
        memory_file_close(fd);
        errno = failed;
        return -1;
    }
    if (fd >= 0)
        memory_file_seal(fd);
    return fd;
}

int document_copy_pdf(struct str document, enum err *ret_err, struct fail *fail)
{
    size_t head = document.n < PAPER_SNIFF_SIZE ? document.n : PAPER_SNIFF_SIZE;
    if (paper_sniff(str_slice(document, 0, head)) != PAPER_PDF) {
        *ret_err =
            fail_set(fail, ERR_REFUSED, "only a PDF has pictures: open this page in a browser");
        return -1;
    }
    int fd = document_copy(document);
    *ret_err = fd >= 0 ? OK
                       : fail_set(
                             fail, ERR_IO, "cannot create a memory file for the document: %s",
                             strerror(errno));
    return fd;
}

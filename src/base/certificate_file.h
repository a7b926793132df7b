/* A file of certificates in PEM, such as the authorities that a connection trusts: when they end.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct certificate_file {
    size_t count;
    size_t over;           /* of these, expired */
    int64_t next_end_ms;   /* the earliest end of the others; INSTANT_NONE: all are expired */
    int64_t newest_end_ms; /* the latest end of all; INSTANT_NONE: there is no certificate */
};

/* Text around the certificates and anything else in the file is skipped. ERR_IO: the file cannot be
 * read. */
enum err certificate_file_read(
    const char *path, int64_t now_ms, struct certificate_file *ret, struct fail *fail);

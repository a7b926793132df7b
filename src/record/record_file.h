/*
 * One file of a snapshot. Rows are compressed as they come; equal rows give equal bytes, because
 * the header of gzip has no time and no name. An error stays: later rows are dropped, and the end
 * reports it.
 */
#pragma once

#include "base/crypto.h"
#include "base/err.h"

struct gzFile_s;

struct record_file {
    const char *path; /* borrowed */
    struct gzFile_s *gz;
    int fd;
    int64_t rows;
    int system_error; /* 0: none */
};

enum err record_file_begin(struct record_file *file, const char *path, struct fail *fail);
void record_file_put(struct record_file *file, struct str bytes);
/* Flushes it to the disk and closes it, also after an error. ERR_FULL, ERR_IO. */
enum err record_file_end(struct record_file *file, struct fail *fail);

/* A small file, whole and on the disk. */
enum err record_file_write(const char *path, struct str bytes, struct fail *fail);

/* ERR_NOT_FOUND: there is none. ERR_IO. */
enum err record_file_digest(
    const char *path, uint8_t ret[static SHA256_SIZE], int64_t *ret_bytes, struct fail *fail);

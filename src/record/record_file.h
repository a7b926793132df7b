/*
 * One file of a snapshot. Rows are compressed as they come; equal rows give equal bytes, because
 * the header of gzip has no time and no name. An error stays: later rows are dropped, and the end
 * reports it.
 */
#pragma once

#include "db/db.h"
#include "record/manifest.h"

struct feed;
struct feed_filter;
struct gzFile_s;
struct progress_hook;

/* Where rows come from, and where a reader's knowledge ends. */
struct record_from {
    const struct feed *feed;
    const struct feed_filter *filter;     /* of trades; NULL: all */
    const struct progress_hook *progress; /* of trades; or NULL */
    int64_t total;                        /* of them; 0: not known */
    struct db *db;
    int64_t until_ms; /* published before; INSTANT_NONE: everything */
    int32_t today;
    /* For changes. */
    struct str before;           /* folder of the snapshot before; null: there is none */
    struct str fresh;            /* the folder that is being written */
    const struct manifest *done; /* with the files that are in it */
};

struct record_file {
    const char *path; /* borrowed */
    struct gzFile_s *gz;
    int (*take)(void *ctx, struct str rows); /* instead of `gz`: whole ones; returns errno */
    void *ctx;
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

/* Flushes a file that something else wrote. */
enum err record_file_flush(const char *path, struct fail *fail);

/* The lines of a compressed file. */
struct record_lines {
    struct gzFile_s *gz;
    struct buf text; /* read and not yet given */
    size_t at;
    bool failed;
};

/* A file that is missing has no lines. */
void record_lines_open(struct record_lines *l, struct str path);
void record_lines_close(struct record_lines *l);
/* Without its end, and valid until the next call. False: there are no more, or `failed`. */
bool record_lines_next(struct record_lines *l, struct str *ret);

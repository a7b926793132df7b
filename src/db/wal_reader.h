/*
 * Reads the committed pages of an SQLite write-ahead log, beside the programs that write it
 * (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). A frame counts if its salts and
 * the checksum over all frames up to it are right, and if a commit follows: what is half written is
 * read the next time. Private to src/db.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { WAL_PAGE_MAX = 65536 };

struct wal_reader {
    int fd; /* of the log; -1: not open */
    bool known, big_endian;
    uint32_t page_size, salt[2], sum[2];
    int64_t at; /* behind the last commit that was read */
};

/* The pages that changed, each once, by number; page_count: of the database. */
struct wal_pages {
    struct wal_page {
        uint32_t no;
        int64_t at; /* of its newest bytes, in the log */
    } * items;
    size_t count, cap;
    uint32_t page_count;
};

void wal_reader_init(struct wal_reader *r);
void wal_reader_finish(struct wal_reader *r);

/* Replaces *ret by what was committed since the last call. A caller misses
 * nothing if a read transaction was held since before the last call: until it ends, SQLite discards
 * no frame that was appended after it began. */
enum err wal_reader_read(
    struct wal_reader *r, const char *path, struct wal_pages *ret, struct fail *fail) MUST_CHECK;
/* Reads the bytes of a page: r->page_size. */
enum err wal_reader_page(
    const struct wal_reader *r, const struct wal_page *page, uint8_t *ret,
    struct fail *fail) MUST_CHECK;

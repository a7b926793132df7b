/*
 * Rows of any table, read from a query that selects all its columns: their key as text, their
 * canonical bytes, and how to write them into another database.
 *
 * The text of a key has its columns with spaces between them: a number in decimal digits, a text or
 * bytes in lower-case hexadecimal digits. Triggers write the same (copy_guard.c).
 *
 * The canonical bytes of a row are those of its columns by name: `n` for null, `i` and 8 bytes, `t`
 * or `b`, the length in 8 bytes, and the bytes. Numbers are big-endian.
 */
#pragma once

#include "base/crypto.h"
#include "store/copy/copy_schema.h"

enum { COPY_KEY_SIZE_MAX = 1 << 20, COPY_ROW_SIZE_MAX = 1 << 30 };

/* The order of the table's keys, as ORDER BY has it. */
int copy_row_compare_keys(const struct copy_table *table, struct str a, struct str b);

/* Replaces the content of `to`. */
void copy_row_key(struct buf *to, const struct query *q, const struct copy_table *table);

/* Binds the columns of a key; their bytes live in the arena. A text that is no key of this table
 * fails the query with ERR_CORRUPT. */
void copy_row_bind_key(
    struct query *q, const struct copy_table *table, struct str key, struct arena *arena);

/* A chunk: some rows in the order of keys, of about 8 MB. This starts the query for at most `rows`
 * rows after the row with this key (NULL: from the first row on). The arena must live as long as
 * the query. */
void copy_chunk_start(
    struct query *q, struct db *db, const struct copy_table *table, const struct buf *key,
    int64_t rows, struct arena *arena);

/* The number of rows for the next chunk, if the last one had `rows` rows with `bytes` in total. 0
 * rows: a small number, for the first chunk of a table. */
int64_t copy_chunk_rows(int64_t rows, int64_t bytes);

/* "trade 17", for messages. */
struct str copy_row_name(const struct copy_table *table, struct str key, struct arena *arena);

/* The error for a key or for bytes that did not fit into their buffer. */
enum err copy_row_too_long(const struct copy_table *table, struct fail *fail);

/* Appends. */
void copy_row_bytes(struct buf *to, const struct query *q, const struct copy_table *table);

/* Writes the row into the other database. */
void copy_row_write(struct bulk *bulk, const struct query *q, const struct copy_table *table);

/* The digest of a table: SHA-256 of the digest so far and the SHA-256 of the next row's bytes, in
 * the order of keys. Before the first row it is that of the names and types of the columns. */
struct copy_digest {
    uint8_t bytes[SHA256_SIZE];
};

void copy_digest_begin(struct copy_digest *digest, const struct copy_table *table);
void copy_digest_add(struct copy_digest *digest, struct str row);

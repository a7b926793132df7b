/*
 * The master key of a database: reads the file, and compares it with the mark that the database has
 * (store/account/key_mark.h). Completes a `stockact secret rotate` that was killed before it
 * renamed the new file.
 */
#pragma once

#include "config/secret_key.h"
#include "store/account/key_mark.h"

enum master_key_use {
    MASTER_KEY_READ,   /* the file must exist */
    MASTER_KEY_CREATE, /* creates it for a database that has no mark and nothing sealed */
};

/* `file` may be null. Marks a database that has no mark, unless db is read-only; everything in it
 * must be sealed with this key. ERR_REFUSED: there is no file, or it is another database's key. */
enum err master_key_open(
    struct str file, struct db *db, enum master_key_use use, bool read_only,
    uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail);

/* How a file fits a database. Changes nothing. */
enum master_key_fit {
    MASTER_KEY_FITS,      /* it is its key, or a killed rotation left its key to be renamed */
    MASTER_KEY_MISSING,   /* there is no file, and the database needs one */
    MASTER_KEY_DIFFERS,   /* it is another database's key */
    MASTER_KEY_NOT_NEEDED /* there is no file, and the database has no mark and nothing sealed */
};

/* ret_needed: the mark; empty if the database has none. */
enum err master_key_compare(
    struct str file, struct db *db, enum master_key_fit *ret, struct key_mark *ret_needed,
    struct fail *fail);

/* The database's key in another file beside `file`, with a name that begins with its name: a
 * rotation keeps old keys so. ret: the path, in the arena; null: there is none. */
enum err master_key_beside(
    struct str file, struct db *db, struct arena *arena, struct str *ret, struct fail *fail);

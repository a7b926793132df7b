/*
 * Wrappers of SQLite's functions that write and read files.
 *
 * SQLite reports only ENOSPC as SQLITE_FULL. Other write errors of a commit are I/O errors without
 * a cause, because sqlite3_system_errno is not set. So this wrapper of SQLite's write function
 * reports an exceeded quota or file-size limit as ENOSPC too. SQLite rolls such a commit back,
 * because its last page, which makes it valid, was not written.
 *
 * SQLite takes a read that failed (EIO) for a damaged file. With the wrapper it reports a failed
 * read.
 */
#pragma once

/* Installs the functions, once. Call before SQLite opens a file. */
void sqlite_full_install(void);

/* The system's error behind the last SQLITE_FULL of this thread: ENOSPC, EDQUOT or EFBIG. */
int sqlite_full_errno(void);

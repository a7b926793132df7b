/*
 * SQLite reports only ENOSPC as SQLITE_FULL. Its other write errors are I/O errors, which a commit
 * does not explain: sqlite3_system_errno is not set then. So SQLite's writes go through a function
 * that reports a used up quota and a file-size limit as ENOSPC too. SQLite rolls such a commit
 * back: its last page, which makes it valid, was not written.
 */
#pragma once

/* Installs the function, once. Call before SQLite opens a file. */
void sqlite_full_install(void);

/* The system's error behind the last SQLITE_FULL of this thread: ENOSPC, EDQUOT or EFBIG. */
int sqlite_full_errno(void);

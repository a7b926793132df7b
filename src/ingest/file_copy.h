/* A document's copy in a memory file (base/memory_file.h), so that later changes to it have no
 * effect. Sealed against writes, so that the hash covers exactly the bytes that are read and
 * stored. Private to src/ingest. */
#pragma once

#include "ingest/ledger.h"

/* Copies the open file, or the bytes, into the memory file, and sets the file's size, content and
 * hash. Returns NULL, or what is wrong with the document; *ret_err: the machine failed. */
const char *file_copy_take(
    int fd, int to, struct ledger_file *file, enum err *ret_err, struct fail *fail);
const char *file_copy_take_bytes(
    struct str bytes, int to, struct ledger_file *file, enum err *ret_err, struct fail *fail);

void file_copy_unmap(const struct ledger_file *file);

/* Checks snapshots: signatures, the chain of manifests to its first link, and every file. */
#pragma once

#include "base/mem.h"
#include "base/err.h"

/* `what` is wrong with the file or folder at `path`. */
typedef void record_fault_fn(void *ctx, struct str path, const char *what);

struct record_verified {
    int64_t snapshots, files, faults;
    struct str newest; /* null: there is none */
    struct str key;    /* of the newest, as minisign prints it; null: it cannot be read */
};

/* `place`: a folder, or the URL under which a server has it ("https://HOST/data"): then the
 * manifests lead from the newest to the first. `key`: of the newest snapshot, from somewhere else;
 * null: that beside the files is taken, and only changes by those without the key are found. The
 * newest manifest proves the older ones, whose keys can be others. An error: nothing was checked.
 */
enum err record_verify(
    struct str place, struct str key, record_fault_fn *fault, void *ctx, struct arena *arena,
    struct record_verified *ret, struct fail *fail);

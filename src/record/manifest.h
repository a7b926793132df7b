/*
 * The manifest of a snapshot: what each file is, and the digest of the manifest before it, so that
 * the manifests are a chain. `manifest.json` is signed byte for byte; it is never printed again
 * from what was read.
 */
#pragma once

#include "base/buf.h"
#include "base/crypto.h"
#include "base/err.h"
#include "base/mem.h"

enum { MANIFEST_FILES_MAX = 32, MANIFEST_SIZE_MAX = 1 << 20 };

#define MANIFEST_NAME "manifest.json"
#define MANIFEST_SIGNATURE_NAME MANIFEST_NAME ".minisig"
#define MANIFEST_KEY_NAME "stockact.pub"

struct manifest_file {
    struct str name;
    int64_t bytes, rows;
    uint8_t sha256[SHA256_SIZE];
};

struct manifest {
    struct str day;   /* the name of the folder */
    int64_t sequence; /* from 1 */
    int64_t created_at;
    int64_t until_ms;    /* rows published before; INSTANT_NONE: all */
    bool whole;          /* the operator asked for rows that visitors do not see yet */
    int64_t withheld;    /* rows left out because they are damaged */
    struct str previous; /* the folder before; null: this is the first */
    uint8_t previous_sha256[SHA256_SIZE];
    struct manifest_file files[MANIFEST_FILES_MAX];
    size_t file_count;
};

void manifest_put(struct buf *b, const struct manifest *m);

/* Whether a snapshot has a file of this name. */
bool manifest_names(const struct manifest *m, struct str name);

/* Strings are in the arena. ERR_INVALID says what is wrong. */
enum err manifest_read(
    struct str text, struct arena *arena, struct manifest *ret, struct fail *fail);

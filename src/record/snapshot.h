/*
 * One snapshot: the files of what is published, as of the visitors' line, with their signed
 * manifest, in a folder of the day (docs/adr/0043-snapshots.md).
 */
#pragma once

#include "record/record_folder.h"

struct feed;

struct snapshot_want {
    struct str folder;       /* ends in NUL */
    const struct feed *feed; /* loaded, and nobody writes to it */
    struct db *db;           /* for what the feed lacks: seats and corrections */
    int64_t now_ms;
    int64_t until_ms; /* rows published before; INSTANT_NONE: all */
    bool whole;       /* stands in the manifest: a folder has one kind */
    const struct minisign_key *key;
};

/* ret: the manifest, in the arena. ERR_BUSY: another run. ERR_EXISTS: there is one of today.
 * ERR_REFUSED: there is one of a later day, or of the other kind. ERR_CORRUPT: the newest one is
 * damaged. ERR_FULL, ERR_IO. After an error there is no folder of today. */
enum err snapshot_write(
    const struct snapshot_want *want, struct arena *arena, struct manifest *ret, struct fail *fail);

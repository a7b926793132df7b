/*
 * The folder of snapshots: one folder for each day, `latest`, a link to the newest, and `.new`, the
 * one that is being written. `.new` is renamed when all of it is on the disk, so that a day's
 * folder is whole. What a killed run left in `.new` is removed by the next one.
 */
#pragma once

#include "db/backup.h"
#include "record/manifest.h"
#include "record/minisign.h"

struct client; /* net/client.h */

/* The folders of days, the oldest first. */
enum err record_folder_days(
    struct str folder, struct arena *arena, struct backup_list *ret, struct fail *fail);

/* The last part of a path. */
struct str record_folder_name(struct str path);

/* What a day's folder says of itself. */
struct record_day {
    struct manifest manifest;
    uint8_t sha256[SHA256_SIZE]; /* of manifest.json */
    struct minisign_public key;
};

/* Reads the manifest of a day's folder, and its signature by the key beside it. `day` is a path, or
 * with `web` a URL. The error names the file. ERR_CORRUPT, ERR_INVALID, ERR_IO, ERR_NOT_FOUND. */
enum err record_folder_read(
    struct client *web, struct str day, struct arena *arena, struct record_day *ret,
    struct fail *fail);

/* The text at a URL. ERR_NOT_FOUND: there is none. */
enum err record_fetch(
    struct client *web, struct str url, struct arena *arena, struct str *ret, struct fail *fail);

struct record_writing {
    struct str folder, fresh; /* fresh: FOLDER/.new */
    int lock;
};

/* Creates the folder if it is missing, locks it, and makes an empty `.new`. ERR_BUSY: another run
 * writes there. */
enum err record_folder_begin(
    struct str folder, struct arena *arena, struct record_writing *ret, struct fail *fail);
/* Makes `.new` the folder of the day, and `latest` a link to it. */
enum err record_folder_publish(
    const struct record_writing *w, struct str day, struct arena *arena, struct fail *fail);
/* The link alone. */
enum err record_folder_link(
    struct str folder, struct str day, struct arena *arena, struct fail *fail);
/* Removes `.new`, if it is there, and unlocks. */
void record_folder_end(struct record_writing *w);

/*
 * Month counts to and from the database (decision 26). These functions implement limits_load and
 * limits_flush, which limits.h describes.
 */
#pragma once

#include "base/err.h"
#include "limits/shard.h"

struct db;
struct month_flush;

/* `shards` holds the counts to write and outlives the flush. */
struct month_flush *month_flush_create(const struct shard_set *shards);
void month_flush_destroy(struct month_flush *flush);

/* The time of a flush. */
struct month_flush_now {
    int32_t month;       /* by the clock of the windows */
    uint64_t steps_back; /* how often the clock was set back; an increase makes the flush write all
                            counts */
};

/* Loads the counts of this month and of the previous one. */
enum err month_flush_load(
    struct month_flush *flush, struct db *db, int32_t month, struct fail *fail);
enum err month_flush_write(
    struct month_flush *flush, struct db *db, struct month_flush_now now, struct fail *fail);
enum err month_flush_write_last(
    struct month_flush *flush, struct db *db, struct month_flush_now now, struct fail *fail);
void month_flush_done(struct month_flush *flush, enum err err);

/*
 * Dated acts of committees about companies: the committee heard the company, wrote to it,
 * subpoenaed it, or reported on it (data/oversight.csv, docs/conflict.md). On the days of an act
 * the committee oversees that company's industry, for that company alone (market/conflict.h). Pure.
 */
#pragma once

#include "base/import_file.h"
#include "market/industry.h"

enum oversight_kind {
    OVERSIGHT_HEARING,
    OVERSIGHT_LETTER,
    OVERSIGHT_REPORT,
    OVERSIGHT_SUBPOENA,
    OVERSIGHT_KIND_COUNT
};

struct oversight {
    struct str key;       /* oversight_key of the company; the key of equal_range */
    int64_t line;         /* of the file */
    struct str committee; /* id */
    struct str symbol;    /* of the company on `from`, in normal form */
    struct str company;   /* as the file names it */
    int32_t from, to;     /* the day of the act, or the first and the last day of an inquiry */
    enum oversight_kind kind;
    struct str about;  /* what for, in a few words */
    struct str source; /* an official address */
};

struct oversight_list {
    const struct oversight *items; /* in the order of the file */
    size_t count;
};

/* The acts that ship with the program; they live as long as the process. */
struct oversight_list oversight_shipped(void);

/* What the symbol's company is called on that day, which all its classes of shares have in common;
 * the symbol, if only an imported list has a company. Borrowed from either. */
struct str oversight_key(struct str symbol, int32_t day);

enum { OVERSIGHT_FILE_SIZE_MAX = 4 << 20 };

/* Reads a file in the form of data/oversight.csv. ERR_INVALID names the file, the line and the
 * fault. Whether committee and symbol existed is for the caller to look up. Strings are the file's
 * or live in the arena. */
enum err oversight_read(
    const struct import_file *file, int32_t today, struct arena *arena, struct oversight_list *ret,
    struct fail *fail);

/* The acts about that company, of a list in the order of keys. */
const struct oversight *oversight_of(
    const struct oversight_list *list, struct str key, size_t *ret_count);

/* How many of the acts have begun and how many have ended by that day: between two days with equal
 * numbers the same acts count. */
uint32_t oversight_epoch(const struct oversight *acts, size_t count, int32_t day);

/* The acts that count on that day as entries that the committee oversees the industry, in the
 * arena. */
const struct committee_entry *oversight_entries(
    const struct oversight *acts, size_t count, int32_t day, int industry, struct arena *arena,
    size_t *ret_count);

/* "the committee wrote to the company about prices of drugs on 2021-05-18" */
void oversight_put(struct buf *b, const struct oversight *act);

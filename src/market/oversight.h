/*
 * Dated acts of committees about companies: the committee heard the company, wrote to it,
 * subpoenaed it, or reported on it (data/oversight.csv, docs/conflict.md). On the days of an act
 * the committee oversees that company's industry, for that company alone (market/conflict.h). Pure.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/import_file.h"
#include "base/mem.h"
#include "rule/model.h"

enum oversight_kind {
    OVERSIGHT_HEARING,
    OVERSIGHT_LETTER,
    OVERSIGHT_REPORT,
    OVERSIGHT_SUBPOENA,
    OVERSIGHT_KIND_COUNT
};

struct oversight {
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

enum { OVERSIGHT_FILE_SIZE_MAX = 4 << 20 };

/* Reads a file in the form of data/oversight.csv. ERR_INVALID names the file, the line and the
 * fault. Whether committee and symbol existed is for the caller to look up. Strings are the file's
 * or live in the arena. */
enum err oversight_read(
    const struct import_file *file, int32_t today, struct arena *arena, struct oversight_list *ret,
    struct fail *fail) MUST_CHECK;

static inline bool oversight_counts(const struct oversight *act, int32_t day)
{
    return act->from <= day && day <= act->to;
}

struct str oversight_kind_name(enum oversight_kind kind); /* as the file and the API print it */

/* "The committee wrote to the company about prices of drugs on 2021-05-18." */
void oversight_put(struct buf *b, const struct oversight *act);

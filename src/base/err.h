/*
 * How functions fail. A fallible function returns an enum err that must be checked; where a person
 * needs to know why, it also fills one struct fail, at the place that knows.
 */
#pragma once

#include <stdbool.h>

enum err {
    OK = 0,
    ERR_INVALID,     /* the input is not of the form that is asked for */
    ERR_NOT_FOUND,   /* the thing named does not exist */
    ERR_EXISTS,      /* it exists already */
    ERR_REFUSED,     /* well formed, but a rule forbids it */
    ERR_LIMIT,       /* a cap (plan, count, size) would be passed */
    ERR_BUSY,        /* somebody else holds it; trying again later may work */
    ERR_FULL,        /* no space on the disk; heals when there is some */
    ERR_IO,          /* the operating system or a peer failed */
    ERR_UNAVAILABLE, /* a service that is needed does not answer; trying again may work */
    ERR_CORRUPT,     /* stored data is not what was written, or is not ours */
    ERR_TIMEOUT,
};

#define MUST_CHECK __attribute__((warn_unused_result))

/* One reason in plain English for a person: no secrets, no newline, no final stop. */
struct fail {
    enum err err;
    char text[480];
};

/* Fills *f (which may be NULL) and returns err, so that `return fail_set(f, ERR_IO, ...)` works. */
enum err fail_set(struct fail *f, enum err err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

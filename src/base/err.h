/*
 * Errors. A function that can fail returns an enum err, which the compiler makes the caller check.
 * If a person needs the reason, the function that detects the error also fills one struct fail.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

#ifdef __clang__
#define ENUM_MUST_CHECK __attribute__((warn_unused_result))
#elif defined __cppcheck__
#define ENUM_MUST_CHECK
#else
#define ENUM_MUST_CHECK [[nodiscard]]
#endif

/* The compiler refuses a call that does not look at what it returns. */
enum ENUM_MUST_CHECK err {
    OK = 0,
    ERR_INVALID,     /* the input does not have the required form */
    ERR_NOT_FOUND,   /* the named thing does not exist */
    ERR_EXISTS,      /* exists already */
    ERR_REFUSED,     /* well formed, but a rule forbids it */
    ERR_LIMIT,       /* exceeds a maximum (plan, count, size) */
    ERR_BUSY,        /* another caller holds it; a retry may work */
    ERR_FULL,        /* no space on the disk; a retry works once there is space */
    ERR_IO,          /* the operating system or a peer failed */
    ERR_UNAVAILABLE, /* a required service does not answer; a retry may work */
    ERR_CORRUPT,     /* stored data is damaged or not ours */
    ERR_TIMEOUT,
};

#define MUST_CHECK __attribute__((warn_unused_result)) /* the same for another type */

/* Returns the error of a call, if it has one. For functions that hold nothing at that place but
 * what is freed where its block ends (ARENA_SCOPED and the like). */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        enum err tried_ = (call);                                                                  \
        if (tried_)                                                                                \
            return tried_;                                                                         \
    } while (0)

/* One reason in plain English for a person: no secrets, no newline, no final stop. */
struct fail {
    enum err err;
    char text[480];
    bool unsure; /* the connection was lost during a commit: the change may have been made */
};

/* Fills *f (which may be NULL) and returns err, so that `return fail_set(f, ERR_IO, ...)` works. */
enum err fail_set(struct fail *f, enum err err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum err fail_set_va(struct fail *f, enum err err, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/*
 * The errors of requests for pages: one table with the status, the code for programs, and the words
 * for people. An error page says what happened and what to do next.
 */
#pragma once

#include "base/str.h"

enum page_problem {
    PROBLEM_BAD_REQUEST,
    PROBLEM_SIGN_IN,    /* a program without session */
    PROBLEM_FORBIDDEN,  /* the account has not the role */
    PROBLEM_OTHER_SITE, /* another site sent the form */
    PROBLEM_STALE,      /* the form's token is not of this session */
    PROBLEM_PROOF,      /* a program that must send the password again */
    PROBLEM_NOT_FOUND,
    PROBLEM_METHOD,
    PROBLEM_TIMEOUT,
    PROBLEM_SENT,      /* the form was sent before */
    PROBLEM_UPLOADING, /* another upload of the session is still arriving */
    PROBLEM_GONE,
    PROBLEM_LINK, /* a link from an e-mail that was used or has expired */
    PROBLEM_TOO_LARGE,
    PROBLEM_UPLOAD, /* too many files, or too many bytes */
    PROBLEM_URI,
    PROBLEM_RANGE,   /* a file has no such bytes */
    PROBLEM_INVALID, /* a program's form has faults; people see them beside the fields */
    PROBLEM_TOO_MANY,
    PROBLEM_HEADERS,
    PROBLEM_INTERNAL,
    PROBLEM_NOT_IMPLEMENTED,
    PROBLEM_UNAVAILABLE,
    PROBLEM_READING, /* an upload takes longer than its client can be kept waiting */
    PROBLEM_WORKING, /* another request does */
    PROBLEM_COUNT
};

struct page_problem_info {
    int status;
    struct str code;     /* {"error": code} */
    struct str title;    /* of the page */
    struct str sentence; /* what happened and what to do */
};

const struct page_problem_info *page_problem_info(enum page_problem problem);

/* The problem with this status; PROBLEM_INTERNAL for others. */
enum page_problem page_problem_from_status(int status);

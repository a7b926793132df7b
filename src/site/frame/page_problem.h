/*
 * The errors of requests for pages: one table with the status, the code for programs, and the words
 * for people. An error page says what happened and what to do next.
 */
#pragma once

#include "base/closed_list.h"
#include "base/str.h"

/* The problems: status, code, title and sentence, as struct page_problem_info says. */
#define PAGE_PROBLEMS(ENTRY)                                                                       \
    ENTRY(                                                                                         \
        PROBLEM_BAD_REQUEST, 400, "bad_request", "This request is not valid",                      \
        "Your browser sent a request that this server cannot read. Load the page again.")          \
    /* a program without session */                                                                \
    ENTRY(                                                                                         \
        PROBLEM_SIGN_IN, 401, "sign_in_required", "Sign in first",                                 \
        "This address needs a session. Sign in, and send its cookie.")                             \
    /* the account has not the role */                                                             \
    ENTRY(                                                                                         \
        PROBLEM_FORBIDDEN, 403, "forbidden", "You cannot open this page",                          \
        "Your account does not have the role that this page needs. An admin can change the role.") \
    /* another site sent the form */                                                               \
    ENTRY(                                                                                         \
        PROBLEM_OTHER_SITE, 403, "other_site", "This form came from another site",                 \
        "Nothing was changed. If you meant to do this, open the page here and send the form "      \
        "again.")                                                                                  \
    /* the form's token is not of this session */                                                  \
    ENTRY(                                                                                         \
        PROBLEM_STALE, 403, "invalid_csrf_token", "This form is no longer valid",                  \
        "Nothing was changed. Load the page and send the form again.")                             \
    /* a program that must send the password again */                                              \
    ENTRY(                                                                                         \
        PROBLEM_PROOF, 403, "password_required", "Enter your password again",                      \
        "Send the password of the account as confirm_password, and the code of the second factor " \
        "as confirm_code if there is one.")                                                        \
    ENTRY(                                                                                         \
        PROBLEM_NOT_FOUND, 404, "not_found", "Nothing is here",                                    \
        "This address does not exist. Check it for typos.")                                        \
    ENTRY(                                                                                         \
        PROBLEM_METHOD, 405, "method_not_allowed", "This address does not work that way",          \
        "It cannot be opened, or nothing can be sent to it. Go back and use the form.")            \
    ENTRY(                                                                                         \
        PROBLEM_TIMEOUT, 408, "request_timeout", "The request took too long to arrive",            \
        "Nothing was changed. Try again.")                                                         \
    /* the form was sent before */                                                                 \
    ENTRY(                                                                                         \
        PROBLEM_SENT, 409, "already_sent", "This form was already sent",                           \
        "It was carried out the first time, and only once. If it made a key or a secret that you " \
        "did not see, make a new one.")                                                            \
    /* another upload of the session is still arriving */                                          \
    ENTRY(                                                                                         \
        PROBLEM_UPLOADING, 409, "upload_in_progress", "Another upload of yours is arriving",       \
        "Each person can send one upload at a time, and an earlier one, perhaps in another "       \
        "window, has not ended. Nothing from this one was imported. Send it again when the other " \
        "has arrived; an interrupted upload ends within a minute.")                                \
    ENTRY(                                                                                         \
        PROBLEM_GONE, 410, "gone", "This was withdrawn",                                           \
        "It existed, and is no longer published.")                                                 \
    /* a link from an e-mail that was used or has expired */                                       \
    ENTRY(                                                                                         \
        PROBLEM_LINK, 410, "link_over", "This link no longer works",                               \
        "It was used, or it has expired.")                                                         \
    ENTRY(                                                                                         \
        PROBLEM_TOO_LARGE, 413, "content_too_large", "This is too much text",                      \
        "A form can have 64 KiB. Nothing was changed. Go back and shorten the text.")              \
    /* too many files, or too many bytes */                                                        \
    ENTRY(                                                                                         \
        PROBLEM_UPLOAD, 413, "upload_too_large", "This upload is too large",                       \
        "An upload can have 100 files and 96 MiB. Nothing was imported. Go back and send the "     \
        "files in several uploads.")                                                               \
    ENTRY(                                                                                         \
        PROBLEM_URI, 414, "uri_too_long", "This address is too long",                              \
        "An address can have 8,192 bytes. Shorten the search or the filters.")                     \
    /* a file has no such bytes */                                                                 \
    ENTRY(                                                                                         \
        PROBLEM_RANGE, 416, "range_not_satisfiable", "The file has no such bytes",                 \
        "The range begins after the end of the file. Download all of it.")                         \
    /* a program's form has faults; people see them beside the fields */                           \
    ENTRY(                                                                                         \
        PROBLEM_INVALID, 422, "invalid_form", "This form has errors",                              \
        "Correct the fields that are named, and send it again.")                                   \
    ENTRY(                                                                                         \
        PROBLEM_TOO_MANY, 429, "rate_limited", "Too many attempts",                                \
        "Wait a moment, then try again.")                                                          \
    ENTRY(                                                                                         \
        PROBLEM_HEADERS, 431, "headers_too_large", "Your browser sent too many headers",           \
        "Clear the cookies of this site, then try again.")                                         \
    ENTRY(                                                                                         \
        PROBLEM_INTERNAL, 500, "internal_error", "The server failed",                              \
        "This is our fault. Try again. If it keeps failing, report the request ID below.")         \
    ENTRY(                                                                                         \
        PROBLEM_NOT_IMPLEMENTED, 501, "not_implemented", "This request is not known",              \
        "The server does not know this method.")                                                   \
    ENTRY(                                                                                         \
        PROBLEM_UNAVAILABLE, 503, "service_unavailable", "The server cannot answer right now",     \
        "It is starting, stopping or overloaded, or its database does not answer. Nothing was "    \
        "changed. Try again in a moment.")                                                         \
    /* an upload takes longer than its client can be kept waiting */                               \
    ENTRY(                                                                                         \
        PROBLEM_READING, 503, "still_reading", "The server is still reading this upload",          \
        "The import goes on without this page. Its drafts appear on the desk one after the "       \
        "other. To see what became of each file, send the files again later: a document that was " \
        "already imported is listed with its draft.")                                              \
    /* another request does */                                                                     \
    ENTRY(                                                                                         \
        PROBLEM_WORKING, 503, "still_working", "This takes longer than expected",                  \
        "The server is still working on it. What you sent may still be carried out: look at the "  \
        "page again in a minute, before you send it once more.")

enum page_problem { PAGE_PROBLEMS(LIST_NAME) PROBLEM_COUNT };

struct page_problem_info {
    int status;
    struct str code;     /* {"error": code} */
    struct str title;    /* of the page */
    struct str sentence; /* what happened and what to do */
};

const struct page_problem_info *page_problem_info(enum page_problem problem);

/* The problem with this status; PROBLEM_INTERNAL for others. */
enum page_problem page_problem_from_status(int status);

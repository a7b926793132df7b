/* The table of errors of pages; see page_problem.h. */
#include "site/frame/page_problem.h"

#include <assert.h>

static const struct page_problem_info problems[PROBLEM_COUNT] = {
    [PROBLEM_BAD_REQUEST] =
        {400, STR_INIT("bad_request"), STR_INIT("This request is not valid"),
         STR_INIT(
             "Your browser sent a request that this server cannot read. Load the page again.")},
    [PROBLEM_SIGN_IN] =
        {401, STR_INIT("sign_in_required"), STR_INIT("Sign in first"),
         STR_INIT("This address needs a session. Sign in, and send its cookie.")},
    [PROBLEM_FORBIDDEN] =
        {403, STR_INIT("forbidden"), STR_INIT("You cannot open this page"),
         STR_INIT("Your account does not have the role that this page needs. An admin can change "
                  "the role.")},
    [PROBLEM_OTHER_SITE] =
        {403, STR_INIT("other_site"), STR_INIT("This form came from another site"),
         STR_INIT("Nothing was changed. If you meant to do this, open the page here and send the "
                  "form again.")},
    [PROBLEM_STALE] =
        {403, STR_INIT("invalid_csrf_token"), STR_INIT("This form is no longer valid"),
         STR_INIT("Nothing was changed. Load the page and send the form again.")},
    [PROBLEM_PROOF] =
        {403, STR_INIT("password_required"), STR_INIT("Enter your password again"),
         STR_INIT(
             "Send the password of the account as confirm_password, and the code of the second "
             "factor as confirm_code if there is one.")},
    [PROBLEM_NOT_FOUND] =
        {404, STR_INIT("not_found"), STR_INIT("Nothing is here"),
         STR_INIT("This address does not exist. Check it for typos.")},
    [PROBLEM_METHOD] =
        {405, STR_INIT("method_not_allowed"), STR_INIT("This address does not work that way"),
         STR_INIT("It cannot be opened, or nothing can be sent to it. Go back and use the form.")},
    [PROBLEM_TIMEOUT] =
        {408, STR_INIT("request_timeout"), STR_INIT("The request took too long to arrive"),
         STR_INIT("Nothing was changed. Try again.")},
    [PROBLEM_SENT] =
        {409, STR_INIT("already_sent"), STR_INIT("This form was already sent"),
         STR_INIT(
             "It was carried out the first time, and only once. If it made a key or a secret that "
             "you did not see, make a new one.")},
    [PROBLEM_UPLOADING] =
        {409, STR_INIT("upload_in_progress"), STR_INIT("Another upload of yours is arriving"),
         STR_INIT("Each person can send one upload at a time, and an earlier one, perhaps in "
                  "another window, has not ended. Nothing from this one was imported. Send it "
                  "again when the other has arrived; an interrupted upload ends within a minute.")},
    [PROBLEM_GONE] =
        {410, STR_INIT("gone"), STR_INIT("This was withdrawn"),
         STR_INIT("It existed, and is no longer published.")},
    [PROBLEM_LINK] =
        {410, STR_INIT("link_over"), STR_INIT("This link no longer works"),
         STR_INIT("It was used, or it has expired.")},
    [PROBLEM_TOO_LARGE] =
        {413, STR_INIT("content_too_large"), STR_INIT("This is too much text"),
         STR_INIT("A form can have 64 KiB. Nothing was changed. Go back and shorten the text.")},
    [PROBLEM_UPLOAD] =
        {413, STR_INIT("upload_too_large"), STR_INIT("This upload is too large"),
         STR_INIT(
             "An upload can have 100 files and 96 MiB. Nothing was imported. Go back and send the "
             "files in several uploads.")},
    [PROBLEM_URI] =
        {414, STR_INIT("uri_too_long"), STR_INIT("This address is too long"),
         STR_INIT("An address can have 8,192 bytes. Shorten the search or the filters.")},
    [PROBLEM_RANGE] =
        {416, STR_INIT("range_not_satisfiable"), STR_INIT("The file has no such bytes"),
         STR_INIT("The range begins after the end of the file. Download all of it.")},
    [PROBLEM_INVALID] =
        {422, STR_INIT("invalid_form"), STR_INIT("This form has errors"),
         STR_INIT("Correct the fields that are named, and send it again.")},
    [PROBLEM_TOO_MANY] =
        {429, STR_INIT("rate_limited"), STR_INIT("Too many attempts"),
         STR_INIT("Wait a moment, then try again.")},
    [PROBLEM_HEADERS] =
        {431, STR_INIT("headers_too_large"), STR_INIT("Your browser sent too many headers"),
         STR_INIT("Clear the cookies of this site, then try again.")},
    [PROBLEM_INTERNAL] =
        {500, STR_INIT("internal_error"), STR_INIT("The server failed"),
         STR_INIT("This is our fault. Try again. If it keeps failing, report the request ID "
                  "below.")},
    [PROBLEM_NOT_IMPLEMENTED] =
        {501, STR_INIT("not_implemented"), STR_INIT("This request is not known"),
         STR_INIT("The server does not know this method.")},
    [PROBLEM_UNAVAILABLE] =
        {503, STR_INIT("service_unavailable"), STR_INIT("The server cannot answer right now"),
         STR_INIT(
             "It is starting, stopping or overloaded, or its database does not answer. Nothing "
             "was changed. Try again in a moment.")},
    [PROBLEM_READING] =
        {503, STR_INIT("still_reading"), STR_INIT("The server is still reading this upload"),
         STR_INIT(
             "The import goes on without this page. Its drafts appear on the desk one after the "
             "other. To see what became of each file, send the files again later: a document "
             "that was already imported is listed with its draft.")},
    [PROBLEM_WORKING] =
        {503, STR_INIT("still_working"), STR_INIT("This takes longer than expected"),
         STR_INIT(
             "The server is still working on it. What you sent may still be carried out: look at "
             "the page again in a minute, before you send it once more.")},
};

const struct page_problem_info *page_problem_info(enum page_problem problem)
{
    assert(problem < PROBLEM_COUNT);
    return &problems[problem];
}

enum page_problem page_problem_from_status(int status)
{
    if (status == 403)
        return PROBLEM_FORBIDDEN;
    for (int i = 0; i < PROBLEM_COUNT; i++)
        if (problems[i].status == status)
            return (enum page_problem)i;
    return PROBLEM_INTERNAL;
}

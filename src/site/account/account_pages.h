/*
 * Shared by the pages around sign-in and the settings. Private to src/site/account.
 */
#pragma once

#include "account/sign_in.h"
#include "site/frame/page_call.h"

/* Reports an action's error. Too many attempts are 429, with the page and the time of the next try;
 * other errors are returned to the gate. */
enum err account_page_refuse(
    struct page_call *call, enum err err, int64_t retry_s, const struct fail *fail) MUST_CHECK;

/* The token of a link from an e-mail, or of the form on its page. Null: there is none. */
struct str account_page_token(const struct page_call *call);

/* Replies 410, because the link was used or has expired, and says how to get another. Always OK. */
enum err account_page_link_over(struct page_call *call, enum token_purpose purpose);

/* Ends the browser's previous session, in the transaction of an action that may have begun a new
 * one, unless it is over already. The cookie is replaced, and a copy of the old cookie must not
 * stay valid. */
enum err account_page_end_old(
    const struct act *act, const struct page_call *call,
    const struct sign_in_done *done) MUST_CHECK;

/* Begins the session that an action has made, or asks for the code of the second factor; then goes
 * to `next` (null: /account). Wipes the token. */
void account_page_enter(struct page_call *call, struct sign_in_done *done, struct str next);

/* proof: the fields for the password, and the code, if the page's POST will ask for them. */
void account_page_proof_fields(struct page_call *call);

/* The value of a field without white space around it; never null. */
struct str account_page_value(const struct page_call *call, const char *name);

/* codesLeft, and codesLeftText in words: the account's recovery codes. */
enum err account_page_put_codes_left(struct page_call *call, struct view *v, struct fail *fail)
    MUST_CHECK;

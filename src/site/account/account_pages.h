/*
 * Shared by the pages around sign-in and the settings. Private to src/site/account.
 */
#pragma once

#include "account/sign_in.h"
#include "site/frame/page_call.h"

/* Reports an action's error. Too many attempts are 429, with the page and the time of the next try;
 * other errors are returned to the gate. */
enum err account_page_refuse(
    struct page_call *call, enum err err, int64_t retry_s, const struct fail *fail);

/* The token of a link from an e-mail, or of the form on its page. Null: there is none. */
struct str account_page_token(const struct page_call *call);

/* Replies 410, because the link was used or has expired, and says how to get another. Always OK. */
enum err account_page_link_over(struct page_call *call, enum token_purpose purpose);

/* What was typed, and where: email, password, code, and the token of a link. */
struct arrival account_page_arrival(const struct page_call *call);

/* The second half of an arrival, by page_write. It also ends the browser's previous session if a
 * new one begins: the cookie is replaced, and a copy of the old cookie must not stay valid. */
enum err account_page_enter_by(
    struct page_call *call, act_run *write, struct arrival *is, struct fail *fail);

/* Begins the session that came of it, or asks for the code of the second factor; then goes to
 * `next` (null: /account). Wipes the token. */
void account_page_enter(struct page_call *call, struct sign_in_done *done, struct str next);

/* Comes in by a link of this purpose: both halves, and the reply. `fault`: the error of the first
 * half that is about the password. */
struct account_page_link {
    enum token_purpose purpose;
    act_run *prepare, *write;
    enum err fault;
};
enum err account_page_enter_by_link(
    struct page_call *call, const struct account_page_link *link, struct fail *fail);

/* proof: the fields for the password, and the code, if the page's POST will ask for them. */
void account_page_proof_fields(struct page_call *call);

/* The value of a field without white space around it; never null. */
struct str account_page_value(const struct page_call *call, const char *name);

/* codesLeft, and codesLeftText in words: the account's recovery codes. */
enum err account_page_put_codes_left(struct page_call *call, struct view *v, struct fail *fail);

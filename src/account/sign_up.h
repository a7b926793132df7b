/*
 * Sign-up and invitations. An account exists only after its address was confirmed, by the link and,
 * for a sign-up, the password that was chosen with it. So somebody who signs up with the address of
 * another person gets no account when that person opens the link.
 *
 *     sign_up_prepare (worker) -> sign_up_write (writer: e-mail) -> link
 *         -> sign_up_find (page) -> sign_up_confirm_check (worker) -> sign_up_confirm (writer)
 *
 *     invite_send (writer: e-mail) -> link
 *         -> join_find (page) -> join_prepare (worker) -> join_write (writer)
 */
#pragma once

#include "account/sign_in.h"

/* --- sign-up */

struct sign_up {
    struct str email; /* borrowed */
    char hash[PASSWORD_HASH_SIZE];
};

/* ERR_REFUSED: sign-up is not open, or no mail server is set. ERR_INVALID: the address or the
 * password; *ret_field is then "email" or "password". ERR_LIMIT and others: as in sign_in_check. */
enum err sign_up_prepare(
    const struct account_config *config, struct attempts *attempts, struct str email,
    struct str password, const struct address *client, int64_t now_ms, struct sign_up *ret,
    const char **ret_field, int64_t *ret_retry_s, struct fail *fail) MUST_CHECK;

/* Sends the link, or a message that the address has an account. Says nothing of which. An address
 * gets one message of a kind in five minutes. */
enum err sign_up_write(const struct act *act, const struct sign_up *sign_up) MUST_CHECK;

/* For the page of the link. ERR_NOT_FOUND: expired or used. *ret_email lives in the arena. */
enum err sign_up_find(const struct act *act, struct str token, struct str *ret_email) MUST_CHECK;

/* *ret is for sign_up_confirm; its strings live in the arena. ERR_REFUSED: not the password of this
 * sign-up. ERR_NOT_FOUND: the link. */
enum err sign_up_confirm_check(
    const struct act *act, struct attempts *attempts, struct str token, struct str password,
    const struct address *client, struct token *ret, int64_t *ret_retry_s) MUST_CHECK;

/* Makes the account (Scout, member) and its first session. ERR_EXISTS: the address has an account
 * by now. ERR_NOT_FOUND: the link was used. */
enum err sign_up_confirm(
    const struct act *act, const struct token *confirmed, const struct session_origin *origin,
    struct sign_in_done *ret) MUST_CHECK;

/* --- invitations */

/* Over a struct subject: sends an invitation to its address, which replaces an earlier one.
 * ERR_REFUSED: the actor is no admin, or invitations are off (STOCKACT_SIGNUP). ERR_EXISTS: the
 * address has an account. ERR_INVALID: not an address. */
act_run invite_send;

/* Over its number, an int64_t: withdraws an open invitation (store/account/invitation.h): its link
 * no longer works. ERR_REFUSED: the actor is no admin. ERR_NOT_FOUND: it is not open. */
act_run invite_withdraw;

/* For the page of the link. */
enum err join_find(const struct act *act, struct str token, struct token *ret) MUST_CHECK;

/* Hashes the password that the invited person chose. Others as in sign_up_prepare. */
enum err join_prepare(
    const struct account_config *config, struct attempts *attempts, const struct token *token,
    struct str password, const struct address *client, int64_t now_ms,
    char ret_hash[static PASSWORD_HASH_SIZE], int64_t *ret_retry_s, struct fail *fail) MUST_CHECK;

/* Makes the account and its first session. ERR_EXISTS, ERR_NOT_FOUND: as in sign_up_confirm. */
enum err join_write(
    const struct act *act, const struct token *token, struct str hash,
    const struct session_origin *origin, struct sign_in_done *ret) MUST_CHECK;

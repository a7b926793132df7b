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

/* Each over a struct arrival.
 *
 * Prepare. ERR_REFUSED: sign-up is not open, or no mail server is set. ERR_INVALID: the address or
 * the password; `field` says which. ERR_LIMIT and others: as in sign_in_check.
 *
 * Write sends the link, or a message that the address has an account. Says nothing of which. An
 * address gets one message of a kind in five minutes. */
act_run sign_up_prepare, sign_up_write;

/* For the page of the link. ERR_NOT_FOUND: expired or used. *ret_email lives in the arena. */
enum err sign_up_find(const struct act *act, struct str token, struct str *ret_email);

/* Each over a struct arrival. Check. ERR_REFUSED: not the password of this sign-up. ERR_NOT_FOUND:
 * the link. Confirm makes the account (Scout, member) and its first session. ERR_EXISTS: the
 * address has an account by now. ERR_NOT_FOUND: the link was used. */
act_run sign_up_confirm_check, sign_up_confirm;

/* --- invitations */

/* Over a struct subject: sends an invitation to its address, which replaces an earlier one.
 * ERR_REFUSED: the actor is no admin, or invitations are off (STOCKACT_SIGNUP). ERR_EXISTS: the
 * address has an account. ERR_INVALID: not an address. */
act_run invite_send;

/* Over its number, an int64_t: withdraws an open invitation (store/account/invitation.h): its link
 * no longer works. ERR_REFUSED: the actor is no admin. ERR_NOT_FOUND: it is not open. */
act_run invite_withdraw;

/* For the page of the link. */
enum err join_find(const struct act *act, struct str token, struct token *ret);

/* Each over a struct arrival. Prepare finds the invitation, and hashes the password that the
 * invited person chose; errors as in sign_up_prepare and join_find. Write makes the account and its
 * first session. ERR_EXISTS, ERR_NOT_FOUND: as in sign_up_confirm. */
act_run join_prepare, join_write;

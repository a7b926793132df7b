/*
 * Limits of sign-ins (and whatever else takes a password, a code or sends mail): fixed minute
 * windows of part `limits`, shared by all servers through Redis. Passwords are counted per client
 * address, per account and network, and per account; those from a browser that has signed in before
 * (sign_in.h), or in a session, by that browser or session alone, so that nobody else can use
 * up its tries. An account is counted by a keyed hash of the address that was typed, so that an
 * unknown address is limited like a known one. A success does not count.
 *
 * The instance has keys of its own, derived from the master key: its counts are apart from the
 * API's. Forms of people who are signed in have windows of their own here. Used on workers: with
 * Redis a call waits for its answer.
 */
#pragma once

#include "address/address.h"
#include "limits/limits.h"

enum {
    ATTEMPTS_PER_ACCOUNT = 5,  /* a minute, per /24 or /48, or of a known browser or session */
    ATTEMPTS_STRANGERS = 10,   /* a minute: of an account, from all browsers that are not known */
    ATTEMPTS_SUCCEEDED = 10,   /* a minute: sign-ins of an account with the right password */
    ATTEMPTS_PER_ADDRESS = 20, /* a minute, per /32 or /64; 10 and 100 times that per /48 and /32 */
};

enum { ATTEMPTS_FORMS = 60 };  /* a minute, of an account */
enum { ATTEMPTS_KEEPS = 120 }; /* likewise: what is kept while somebody types, every 2 seconds */
enum {
    ATTEMPTS_PICTURES = 120
}; /* a minute, per /32, /64 or account: pictures that must be drawn */

struct attempts;

/* `options`: the master key and the Redis of the limits, read only during create. */
enum err attempts_create(
    const struct limits_options *options, struct attempts **ret, struct fail *fail);
void attempts_destroy(struct attempts *attempts); /* NULL is ignored */

enum { ATTEMPT_ADDRESS, ATTEMPT_ACCOUNT, ATTEMPT_STRANGERS, ATTEMPT_SUCCESS, ATTEMPT_WINDOWS };

/* One attempt that was drawn. */
struct attempt_draw {
    struct limits_caller callers[ATTEMPT_WINDOWS];
    struct limits_answer answers[ATTEMPT_WINDOWS];
};

/* Draws for the client's address and for the account. `purpose` separates counts: "reset". Either
 * can be NULL or null; somebody who is signed in is counted by account alone. ERR_LIMIT: too many;
 * *ret_retry_s says when to try again. ERR_UNAVAILABLE: Redis does not answer. NULL attempts
 * (commands) draw nothing. */
enum err attempts_draw(
    struct attempts *attempts, struct str purpose, struct str email, const struct address *client,
    int64_t now_ms, struct attempt_draw *ret, int64_t *ret_retry_s, struct fail *fail);

/* The same for a password, before it is hashed, and one of the account's successes. `known`: the id
 * of the known browser or of the session, which counts instead; null: there is none. One of the
 * three below follows; none, if the password was right and a code is asked for. */
enum err attempts_draw_password(
    struct attempts *attempts, struct str email, struct str known, const struct address *client,
    int64_t now_ms, struct attempt_draw *ret, int64_t *ret_retry_s, struct fail *fail);
void attempts_succeeded(struct attempts *attempts, struct attempt_draw *draw);
void attempts_failed(struct attempts *attempts, struct attempt_draw *draw);
void attempts_untried(struct attempts *attempts, struct attempt_draw *draw); /* busy */

/* One picture that is drawn for the client, whose address counts; for an account, if it is not
 * null, which counts alone: many reviewers may have one address. ERR_LIMIT: too many; *ret_retry_s
 * says when to try again. If Redis does not answer, it is granted. */
enum err attempts_draw_picture(
    struct attempts *attempts, struct str account_id, const struct address *client, int64_t now_ms,
    int64_t *ret_retry_s, struct fail *fail);

/* One form that an account sends, whatever it is for; `keeps`: one that only keeps what is typed,
 * which is counted apart. ERR_LIMIT: too many; *ret_retry_s says when to try again. If Redis does
 * not answer, it is granted: an owner can always revoke a key. */
enum err attempts_draw_form(
    struct attempts *attempts, struct str account_id, bool keeps, int64_t now_ms,
    int64_t *ret_retry_s, struct fail *fail);

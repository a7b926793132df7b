/*
 * Sessions of people who are signed in (docs/adr/0024-accounts.md). The cookie has 256 random bits;
 * only its SHA-256 is stored. A session ends 14 days after its last use, and 90 days after its
 * sign-in in any case. Ending one deletes its row.
 *
 * Functions that write are called inside a write transaction. session_find only reads.
 */
#pragma once

#include "base/instant.h"
#include "store/account/account.h"

enum {
    SESSION_TOKEN_SIZE = 43, /* base64url of 32 bytes */
    SESSION_ID_SIZE = 20,    /* "ses_" + 16 hex digits */
    SESSION_TOUCH_MS = MINUTE_MS,
    SESSION_PROOF_MS = 10 * MINUTE_MS,
    SESSION_PLACE_MAX = 64,
    SESSION_BROWSER_MAX = 64,
    SESSION_COUNT_MAX = 50, /* of an account: a newer one ends the oldest */
};

#define SESSION_IDLE_MS ((int64_t)14 * DAY_MS)
#define SESSION_LIFE_MS ((int64_t)90 * DAY_MS)

/* From where: a network such as "203.0.113.0/24", and a name such as "Firefox on Linux". Either may
 * be null. */
struct session_origin {
    struct str place, browser;
};

struct session {
    int64_t no;
    struct str id; /* "ses_" + 16 hex digits: for lists and the log, no secret */
    int64_t created_at;
    int64_t seen_at;
    int64_t expires_at;
    int64_t proved_at; /* when the person last gave the password (and the code) */
    struct session_origin origin;
};

/* Writes the cookie's value to `token`, which the caller wipes. Strings live in the arena. */
enum err session_create(
    const struct act *act, int64_t account_no, const struct session_origin *origin,
    char token[static SESSION_TOKEN_SIZE], struct session *ret);

/* The session with this cookie and its account. ERR_NOT_FOUND: malformed, unknown or expired, or
 * the account is disabled or deleted. */
enum err session_find(
    const struct act *act, struct str token, struct session *ret, struct account *ret_account);

/* For a write that this session asked for: locks the account until the end of the transaction, so
 * that its sessions and its role stay as they are. ERR_NOT_FOUND: the session has ended, or the
 * account is disabled or deleted. ERR_REFUSED: the account's role is not `role` any more. */
enum err session_confirm(
    struct db *db, int64_t no, int64_t account_no, enum role role, int64_t now_ms,
    struct fail *fail);

/* True a minute after the last touch, or if the clock was set back: session_touch is due. */
bool session_touch_due(const struct session *session, int64_t now_ms);
/* Records a use, and moves the end of the idle time. Nothing changes if the session has ended. */
enum err session_touch(
    struct db *db, int64_t no, const struct session_origin *origin, int64_t now_ms,
    struct fail *fail);

/* True if the person gave the password in the last ten minutes. */
bool session_is_proved(const struct session *session, int64_t now_ms);
/* Records that the person just gave it. ERR_NOT_FOUND: the session has ended. */
enum err session_prove(const struct act *act, int64_t no);

struct session_list {
    struct session *items;
    size_t count;
};

/* Those that have not ended, the most recently used first. */
enum err session_list(const struct act *act, int64_t account_no, struct session_list *ret);

/* ERR_NOT_FOUND: the account has no such session. */
enum err session_end(const struct act *act, int64_t account_no, struct str id);
/* Ends all of the account's sessions but the one with the id `but`; null: all. */
enum err session_end_all(
    const struct act *act, int64_t account_no, struct str but, int64_t *ret_count);

/* Deletes expired rows, at most `limit`. */
enum err session_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

/*
 * Reset of the password by e-mail. Functions with `struct db` write inside a transaction unless
 * they say otherwise.
 */
#pragma once

#include "account/sign_in.h"

/* Queues the link for the account with this address; says nothing of whether there is one. The
 * address gets one link in five minutes; a newer link replaces the older. By the operator
 * (`stockact accounts reset-password`): ERR_NOT_FOUND and ERR_REFUSED are said, the pace does not
 * count, and *ret_link, in the arena, is the link (null for visitors). */
enum err reset_ask(
    struct db *db, const struct account_config *config, const struct actor *actor, struct str email,
    int64_t now_ms, struct arena *arena, struct str *ret_link, struct fail *fail) MUST_CHECK;

/* Limits how often a client asks; reads nothing. Call it on a worker before reset_ask. */
enum err reset_ask_check(
    const struct account_config *config, struct attempts *attempts, const struct address *client,
    int64_t now_ms, int64_t *ret_retry_s, struct fail *fail) MUST_CHECK;

struct reset {
    struct token token;
    char hash[PASSWORD_HASH_SIZE];
};

/* For the page of the link; reads. ERR_NOT_FOUND: expired or used. *ret_email lives in the arena.
 */
enum err reset_find(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct str *ret_email,
    struct fail *fail) MUST_CHECK;

/* Reads, and hashes the password. ERR_INVALID: its rules. */
enum err reset_prepare(
    struct db *db, struct attempts *attempts, struct str token, struct str password,
    const struct address *client, int64_t now_ms, struct arena *arena, struct reset *ret,
    int64_t *ret_retry_s, struct fail *fail) MUST_CHECK;

/* Sets the password, ends all sessions, and begins one (or asks for the code of the second factor:
 * a reset does not replace it). ERR_NOT_FOUND: the link was used in between. */
enum err reset_write(
    struct db *db, const struct account_config *config, const struct reset *reset,
    const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail) MUST_CHECK;

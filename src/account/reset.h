/*
 * Reset of the password by e-mail. Functions with `struct db` write inside a transaction unless
 * they say otherwise.
 */
#pragma once

#include "account/sign_in.h"
#include "account/subject.h"

/* Over a struct subject: queues the link for its address; says nothing of whether it has an
 * account. The address gets one link in five minutes; a newer link replaces the older. By the
 * operator
 * (`stockact accounts reset-password`): ERR_NOT_FOUND and ERR_REFUSED are said, the pace does not
 * count, and it gets the link. */
act_run reset_ask;

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
enum err reset_find(const struct act *act, struct str token, struct str *ret_email) MUST_CHECK;

/* Reads, and hashes the password. ERR_INVALID: its rules. */
enum err reset_prepare(
    const struct act *act, struct attempts *attempts, struct str token, struct str password,
    const struct address *client, struct reset *ret, int64_t *ret_retry_s) MUST_CHECK;

/* Sets the password, ends all sessions, and begins one (or asks for the code of the second factor:
 * a reset does not replace it). ERR_NOT_FOUND: the link was used in between. */
enum err reset_write(
    const struct act *act, const struct reset *reset, const struct session_origin *origin,
    struct sign_in_done *ret) MUST_CHECK;

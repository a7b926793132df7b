/*
 * Reset of the password by e-mail. Functions with `struct db` write inside a transaction unless
 * they say otherwise.
 */
#pragma once

#include "account/sign_in.h"

/* Over a struct subject: queues the link for its address; says nothing of whether it has an
 * account. The address gets one link in five minutes; a newer link replaces the older. By the
 * operator
 * (`stockact accounts reset-password`): ERR_NOT_FOUND and ERR_REFUSED are said, the pace does not
 * count, and it gets the link. */
act_run reset_ask;

/* Over a struct arrival, before reset_ask: limits how often a client asks; reads nothing. */
act_run reset_ask_check;

/* For the page of the link; reads. ERR_NOT_FOUND: expired or used. *ret_email lives in the arena.
 */
enum err reset_find(const struct act *act, struct str token, struct str *ret_email);

/* Each over a struct arrival. Prepare reads, and hashes the password. ERR_INVALID: its rules.
 *
 * Write sets the password, ends all sessions, and begins one (or asks for the code of the second
 * factor: a reset does not replace it). ERR_NOT_FOUND: the link was used in between. */
act_run reset_prepare, reset_write;

/*
 * What a judge found, into the store; and the signals of trades that are being published or
 * corrected: judged and stored in the transaction that makes them public.
 */
#pragma once

#include "conflict/judge.h"

/* Stores a finding of a judge that has no number yet, and gives it one. NULL (no signal) is fine.
 */
enum err signal_store(struct db *db, struct finding *finding, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

/* Stores what was found for new trades: findings[i] of trades[i]. Nothing is told to servers: the
 * publication's notice covers it. */
enum err signal_put_new(
    struct db *db, const int64_t *trades, struct finding *const *findings, size_t n, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* A public trade judged anew, after a correction, whose notice covers it. */
enum err signal_refresh(struct db *db, struct str trade_id, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

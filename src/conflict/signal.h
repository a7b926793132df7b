/*
 * Stores the findings of a judge, and judges trades in the transaction that publishes or corrects
 * them.
 */
#pragma once

#include "conflict/judge.h"

/* Stores a finding that has no number yet, and sets its number. NULL (no signal) is ignored. */
enum err signal_store(struct db *db, struct finding *finding, int64_t now_ms, struct fail *fail);

/* Stores the findings of new trades: findings[i] belongs to trades[i]. Adds no change notice; the
 * publication's notice is enough. */
enum err signal_put_new(
    struct db *db, const int64_t *trades, struct finding *const *findings, size_t n, int64_t now_ms,
    struct fail *fail);

/* Judges a public trade again after a correction. Adds no change notice; the correction's notice is
 * enough. */
enum err signal_refresh(struct db *db, struct str trade_id, int64_t now_ms, struct fail *fail);

/* The same for several public trades, with one judge. */
enum err signal_refresh_all(
    struct db *db, const struct str *trade_ids, size_t n, int64_t now_ms, struct fail *fail);

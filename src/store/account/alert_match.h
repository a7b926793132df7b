/*
 * What alerts matched, by passes over the sequence of changes (store/public/change_log.h), which is
 * the durable record of what is to be matched. A pass takes the entries after the last one that was
 * matched, at most ALERT_PASS_MAX, and stores one row for each alert that matches any of them:
 *
 *     alert_pass_read, alert_each_rule, alert_each_sent   reading, on any connection
 *     alert_match_put    some rows at a time; a pass that is repeated replaces them
 *     alert_pass_end     moves the position; rows are sent only up to it
 *
 * Functions that write are called inside a write transaction.
 */
#pragma once

#include "rule/alert.h"
#include "store/public/trade.h"

enum {
    ALERT_PASS_MAX = 512,
    ALERT_BITS_SIZE = ALERT_PASS_MAX / 8,
    ALERT_MATCH_GROUP = 8, /* rows of one statement */
    ALERT_KEPT_DAYS = 90,  /* matches that were sent: corrections find them */
};

/* The entries of a pass, as bits. */
struct alert_bits {
    uint8_t bytes[ALERT_BITS_SIZE];
};

static inline void alert_bits_set(struct alert_bits *bits, int64_t i)
{
    bits->bytes[i / 8] |= (uint8_t)(1u << (i % 8));
}

static inline bool alert_bits_has(const struct alert_bits *bits, int64_t i)
{
    return i >= 0 && i < ALERT_PASS_MAX && (bits->bytes[i / 8] >> (i % 8) & 1);
}

bool alert_bits_any(const struct alert_bits *bits);
void alert_bits_add(struct alert_bits *bits, const struct alert_bits *more);

/* --- a pass */

/* An entry about a trade, with the trade as it is now. */
struct alert_entry {
    int64_t seq;
    enum change_kind kind;
    int64_t trade_no;
    int64_t member_no;
    enum chamber chamber;
    struct str ticker;  /* null: none */
    struct str company; /* that a reviewer confirmed; null: none */
    struct str asset_name;
    enum asset_type asset_type;
    enum bracket bracket;
    int32_t day; /* of the trade, or of the filing if the trade has none */
    int64_t disclosed_at;
    int64_t at; /* of the entry */
    bool is_public;
    bool is_backfill; /* of bulk history: no e-mail mentions it */
    bool is_flagged;
};

/* What a pass would read. */
struct alert_bounds {
    int64_t after, last; /* entries with after < seq <= last; equal: there is nothing to match */
    bool is_idle;        /* no alert is enabled: `last` is the newest entry */
};

enum err alert_pass_bounds(struct db *db, struct alert_bounds *ret, struct fail *fail);

struct alert_pass {
    int64_t after, last; /* of its bounds */
    bool is_idle;        /* of its bounds; no entry was read */
    struct alert_entry *entries;
    size_t count;
};

/* Strings and entries live in the arena. */
enum err alert_pass_read(
    struct db *db, struct arena *arena, struct alert_pass *ret, struct fail *fail);

/* Visits the rules of enabled alerts whose account works and has a confirmed address, with the last
 * entry that is too old for them. By alert. Strings are valid during the call. */
typedef void alert_rule_visit(
    void *ctx, int64_t alert_no, int64_t after_seq, const struct alert_rule *rule);
enum err alert_each_rule(struct db *db, alert_rule_visit *visit, void *ctx, struct fail *fail);

/* Visits the rows that were sent and begin with an entry from `first` to `last`. */
typedef void alert_sent_visit(
    void *ctx, int64_t alert_no, int64_t first_seq, const struct alert_bits *bits);
enum err alert_each_sent(
    struct db *db, int64_t first, int64_t last, alert_sent_visit *visit, void *ctx,
    struct fail *fail);

/* The entries of a trade up to `last`, in the arena. */
enum err alert_trade_seqs(
    struct db *db, int64_t trade_no, int64_t last, struct arena *arena, int64_t **ret,
    size_t *ret_count, struct fail *fail);

struct alert_match {
    int64_t alert_no;
    struct alert_bits bits;
};

/* `after` is that of the pass. */
enum err alert_match_put(
    struct db *db, int64_t after, const struct alert_match *matches, size_t count,
    struct fail *fail);

/* *ret_done is false if another server ended the pass before. */
enum err alert_pass_end(
    struct db *db, const struct alert_pass *pass, bool *ret_done, struct fail *fail);

/* The last entry that was matched. */
enum err alert_position(struct db *db, int64_t *ret, struct fail *fail);

/* What no pass has matched yet. */
struct alert_behind {
    int64_t entries;
    int64_t oldest_at; /* of the oldest of these entries; INSTANT_NONE: none */
};

enum err alert_behind(struct db *db, struct alert_behind *ret, struct fail *fail);

/* --- what is to be sent */

/* The day whose digests of this pace, daily or weekly, were sent last (alert_period_day). */
enum err alert_digest_day(struct db *db, enum alert_pace pace, int32_t *ret, struct fail *fail);
enum err alert_digest_done(struct db *db, enum alert_pace pace, int32_t day, struct fail *fail);

/* What an entry of the sequence does not say of its trade: numbers and dates of the row.
 * ERR_NOT_FOUND: it is about none. */
enum err alert_entry_trade(struct db *db, int64_t seq, struct trade_row *ret, struct fail *fail);

/* A row that waits, of an alert of the account. */
struct alert_waiting {
    int64_t account_no, alert_no;
    int64_t first_seq; /* bit 0 */
    struct alert_bits bits;
};

struct alert_waiting_list {
    struct alert_waiting *items; /* by account, then by first_seq */
    size_t count;
    bool more; /* the limit cut the list, perhaps within an account */
};

/* Rows up to the position, of enabled alerts of this pace, of accounts after this one. */
enum err alert_waiting_read(
    struct db *db, enum alert_pace pace, int64_t position, int64_t after_account, int64_t limit,
    struct arena *arena, struct alert_waiting_list *ret, struct fail *fail);

/* Visits all alerts of these accounts, also those that have ended. */
typedef void alert_owner_visit(void *ctx, int64_t alert_no, int64_t account_no);
enum err alert_each_owner(
    struct db *db, int64_t first_account, int64_t last_account, alert_owner_visit *visit, void *ctx,
    struct fail *fail);

/* Whether the e-mail with this id was queued. */
enum err alert_mail_exists(struct db *db, struct str stable_id, bool *ret, struct fail *fail);

/* What an e-mail was made from: the waiting rows of these alerts, up to the position. */
struct alert_told {
    int64_t account_no;
    enum alert_pace pace;
    int64_t position;
    const int64_t *alerts;
    size_t count;
};

/* Marks these rows as sent, and counts the e-mail in the alerts that had one. An alert that was
 * changed, paused or ended since keeps its rows. *ret_count: how many rows. */
enum err alert_mark_sent(
    struct db *db, const struct alert_told *told, int64_t now_ms, int64_t *ret_count,
    struct fail *fail);
/* The same for rows that make no e-mail: their trades are gone, or were sent. They are deleted. */
enum err alert_mark_void(struct db *db, const struct alert_told *told, struct fail *fail);

/* Deletes rows that were sent more than ALERT_KEPT_DAYS ago, at most `limit`. */
enum err alert_match_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

/* Deletes rows that wait of alerts that are not enabled, or are gone: a pass wrote them after the
 * alert was paused or ended. At most `limit`. */
enum err alert_match_prune_orphans(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

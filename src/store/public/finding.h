/*
 * Findings of the conflict rule: a reason with its evidence, stored once for each distinct text;
 * which public trade has which finding; and an append-only history of changes. A trade without a
 * row has no signal. Functions that write are called inside a write transaction. A caller that
 * changes findings of public trades adds the notice `findings` with the key from finding_key,
 * unless another notice makes servers read those trades again.
 */
#pragma once

#include "base/crypto.h"
#include "db/db.h"
#include "rule/model.h"

struct finding {
    int64_t no;                  /* 0: not stored yet */
    uint8_t sha256[SHA256_SIZE]; /* SHA-256 of reason and evidence, which identifies it */
    struct str reason;
    struct str evidence; /* JSON: {industry, committees, mapEntry} (decision 40) */
};

/* Sets sha256 from the texts. */
void finding_identify(struct finding *finding);

/* Returns the stored number; 0: not stored. */
enum err finding_look_up(
    struct db *db, const struct finding *finding, int64_t *ret, struct fail *fail);
/* Like finding_look_up, and stores a missing finding. */
enum err finding_put(
    struct db *db, const struct finding *finding, struct str rule_version, int64_t now_ms,
    int64_t *ret, struct fail *fail);

struct finding_pair {
    int64_t trade_no;
    int64_t finding_no; /* 0: no signal */
};

/* The numbers of the history lines that a transaction added. publication_lock keeps lines of other
 * transactions out. */
struct finding_lines {
    int64_t first, last; /* 0: none */
    size_t count;
};

enum { FINDING_PAIRS_MAX = 1000 };

/* Sets the findings of public trades, each with a line in the history and an entry in the sequence
 * of changes (change_log.h). A trade that already has its finding is unchanged. */
enum err finding_set(
    struct db *db, const struct finding_pair *pairs, size_t n, int64_t now_ms,
    struct finding_lines *ret, struct fail *fail);
/* The first findings of trades that this transaction publishes: the entry of their publication is
 * enough. None is 0. */
enum err finding_set_new(
    struct db *db, const struct finding_pair *pairs, size_t n, int64_t now_ms, struct fail *fail);

enum { FINDING_KEY_SIZE_MAX = 48 };

/* The key of the notice `findings`. */
struct str finding_key(const struct finding_lines *lines, char ret[static FINDING_KEY_SIZE_MAX]);
bool finding_key_parse(struct str key, struct finding_lines *ret); /* false: not such a key */

/* The facts that the rule needs about a public trade, and its stored finding. */
struct finding_case {
    int64_t trade_no;
    int64_t filing_no;
    int64_t member_no;
    enum chamber chamber;
    struct str ticker; /* or the company that a reviewer confirmed; null: none */
    bool confirmed;    /* that company's */
    enum asset_type asset_type;
    int32_t day;        /* of the trade, or of the filing if the trade has none */
    int64_t finding_no; /* 0: no signal */
};

typedef void finding_case_visit(void *ctx, const struct finding_case *item);

/* A position in the order of cases: by filing, then by trade. */
struct finding_place {
    int64_t filing_no, trade_no;
};

/* Visits public trades after `after` and up to `until` (NULL: to the end), at most `limit`. Strings
 * are valid during the call. */
enum err finding_each_case(
    struct db *db, struct finding_place after, const struct finding_place *until, int64_t limit,
    finding_case_visit *visit, void *ctx, struct fail *fail);

/* The number of public trades. */
enum err finding_count_cases(struct db *db, int64_t *ret, struct fail *fail);

/* Finds one public trade. ERR_NOT_FOUND: none. */
enum err finding_case_of(
    struct db *db, struct str trade_id, struct arena *arena, struct finding_case *ret,
    struct fail *fail);

/* Separate, because the rule seldom needs it. */
enum err finding_asset_name(
    struct db *db, int64_t trade_no, struct arena *arena, struct str *ret, struct fail *fail);

/* A public trade with its current finding. */
struct finding_trade {
    struct str id;
    int64_t disclosed_at;
    struct str reason; /* null: no signal */
    bool damaged;
};

typedef void finding_trade_visit(void *ctx, const struct finding_trade *trade);

/* Visits the trades of those lines, once for each line. Strings are valid during the call. */
enum err finding_each_changed(
    struct db *db, const struct finding_lines *lines, finding_trade_visit *visit, void *ctx,
    struct fail *fail);

/* `damaged`: the stored texts do not give the stored SHA-256. Do not serve them. */

/* Visits every trade that has a finding, in order of the trades' numbers. */
typedef void finding_pair_visit(void *ctx, const struct finding_pair *pair);

enum err finding_each_pair(struct db *db, finding_pair_visit *visit, void *ctx, struct fail *fail);

/* Visits the findings with a number above `after` (0: all), in order. Strings are valid during the
 * call. */
typedef void finding_text_visit(void *ctx, const struct finding *finding, bool damaged);
enum err finding_each_after(
    struct db *db, int64_t after, finding_text_visit *visit, void *ctx, struct fail *fail);

/* Visits every finding with its SHA-256, for looking up many (finding_look_up finds one). */
typedef void finding_digest_visit(void *ctx, int64_t no, const uint8_t sha256[static SHA256_SIZE]);

enum err finding_each_digest(
    struct db *db, finding_digest_visit *visit, void *ctx, struct fail *fail);

/* The pairs of one publication's public trades. */
enum err finding_each_pair_of(
    struct db *db, int64_t publication_no, finding_pair_visit *visit, void *ctx, struct fail *fail);
/* Reads one reason into the arena; ret_damaged may be NULL. ERR_NOT_FOUND: no such number. */
enum err finding_reason(
    struct db *db, int64_t finding_no, struct arena *arena, struct str *ret, bool *ret_damaged,
    struct fail *fail);

/* The evidence that GET /trades/{id} shows (decision 40). */
struct finding_shown {
    struct str evidence;
    struct str rule_version; /* the rule version that first found it */
    int64_t since;           /* when the trade got it */
    bool damaged;
};

/* *ret_found is false if the trade has no signal. */
enum err finding_of_trade(
    struct db *db, struct str trade_id, struct arena *arena, bool *ret_found,
    struct finding_shown *ret, struct fail *fail);

/* A line of a trade's history; a null reason means no signal. */
struct finding_line {
    int64_t at;
    struct str old_reason, new_reason;
};

typedef void finding_line_visit(void *ctx, const struct finding_line *line);

/* Visits oldest first. */
enum err finding_each_line(
    struct db *db, struct str trade_id, finding_line_visit *visit, void *ctx, struct fail *fail);

/*
 * The conflict rule (core/conflict.h) with what it needs from the store: versions of committees,
 * seats of members, companies of base maps. Everything is looked up once and kept, and so is each
 * finding, so that a judge passes a million trades at the price of a few hundred questions. It
 * knows the store as it stood when it asked: make one for a publication or a sweep, not for longer.
 */
#pragma once

#include "store/finding.h"

struct judge;

struct judge *judge_create(void);
void judge_destroy(struct judge *judge); /* NULL is fine */

/* For whoever judges many trades: which findings are stored is read at once, not one by one. */
enum err judge_know_findings(struct judge *judge, struct db *db, struct fail *fail) MUST_CHECK;

struct judge_trade {
    int64_t member_no;
    enum chamber chamber; /* the filing's */
    struct str ticker;    /* null: none */
    enum asset_type asset_type;
    int32_t day; /* of the trade; of the filing where that is not stated */
    /* Asked for only where the asset itself is judged: its name, or the trade to read it of. */
    struct str asset_name; /* null: */
    int64_t trade_no;
};

/* *ret NULL: no signal. Its number is 0 until it is stored; who stores it sets the number. The
 * finding lives as long as the judge. */
enum err judge_find(
    struct judge *judge, struct db *db, const struct judge_trade *trade, struct finding **ret,
    struct fail *fail) MUST_CHECK;

/* The same for a public trade. */
enum err judge_case(
    struct judge *judge, struct db *db, const struct finding_case *is, struct finding **ret,
    struct fail *fail) MUST_CHECK;

/*
 * The conflict rule (market/conflict.h) with its data from the store: seats of members, companies
 * of base maps. The judge caches every look-up and every finding, so that a million trades cost
 * only a few hundred queries. The cache is never refreshed: create one judge per publication or
 * sweep.
 */
#pragma once

#include "market/conflict.h"
#include "store/public/finding.h"

struct judge;

struct judge *judge_create(void);
void judge_destroy(struct judge *judge); /* NULL is fine */

/* Loads all stored findings at once, for a caller that judges many trades. */
enum err judge_know_findings(struct judge *judge, struct db *db, struct fail *fail);

struct judge_trade {
    int64_t member_no;
    enum chamber chamber; /* of the filing */
    struct str ticker;    /* or the company that a reviewer confirmed; null: none */
    enum asset_type asset_type;
    int32_t day;    /* of the trade, or of the filing if the trade has none */
    bool confirmed; /* `ticker` is that company's */
    /* Used only for assets that are judged by name: the name, or the trade to read it from. */
    struct str asset_name; /* null: */
    int64_t trade_no;
};

/* Judges a trade. *ret NULL: no signal. The number of the finding is 0 until the caller stores it
 * and sets the number. The finding lives as long as the judge. */
enum err judge_find(
    struct judge *judge, struct db *db, const struct judge_trade *trade, struct finding **ret,
    struct fail *fail);

/* The industry of the trade's asset by the rule; 0: it has none that counts. */
enum err judge_industry(
    struct judge *judge, struct db *db, const struct judge_trade *trade, int *ret,
    struct fail *fail);

/* The grade of the trade's signal; CONFLICT_NO_GRADE: it has none. */
enum err judge_grade(
    struct judge *judge, struct db *db, const struct judge_trade *trade, enum conflict_grade *ret,
    struct fail *fail) MUST_CHECK;

/* Tells whether any list of the Congress of that day has the member in that chamber. Without one no
 * trade of that day has a signal. */
enum err judge_has_list(
    struct judge *judge, struct db *db, int64_t member_no, enum chamber chamber, int32_t day,
    bool *ret, struct fail *fail);

/* Judges a public trade. */
enum err judge_case(
    struct judge *judge, struct db *db, const struct finding_case *is, struct finding **ret,
    struct fail *fail);

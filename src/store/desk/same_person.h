/*
 * People by their e-mail addresses, as drafts, their history and corrections name them. Two
 * addresses are the same person's if they are equal without letter case, or if both are or were of
 * one account. An address that one account gave up and another has now is both people's: to be on
 * the safe side.
 */
#pragma once

#include "db/db.h"

/* Begins a statement. The table `person` has all addresses of the person with the address $1. */
#define WITH_PERSON_1                                                                              \
    "WITH person (email) AS (SELECT lower($1)"                                                     \
    " UNION SELECT n.email_folded FROM account_address o JOIN account n ON n.no = o.account_no"    \
    " WHERE o.email = lower($1)"                                                                   \
    " UNION SELECT o.email FROM account_address o WHERE o.account_no IN"                           \
    " (SELECT n.no FROM account n WHERE n.email_folded = lower($1)"                                \
    " UNION SELECT p.account_no FROM account_address p WHERE p.email = lower($1))) "
/* Follows lower(column). */
#define IS_PERSON " IN (SELECT email FROM person)"

/* Visits the former addresses of the account, in lower case. */
typedef void former_address_visit(void *ctx, struct str email);
enum err former_address_each(
    struct db *db, int64_t account_no, former_address_visit *visit, void *ctx, struct fail *fail);

/* Null is nobody. */
enum err same_person(struct db *db, struct str a, struct str b, bool *ret, struct fail *fail);

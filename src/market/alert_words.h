/* An alert in words, for e-mails, pages and commands; and the links that end alerts. */
#pragma once

#include "base/crypto.h"
#include "rule/alert.h"

enum { ALERT_WORDS_MAX = 2048 };

/* "trades by Robin Vale in NVDA, flagged only, $50,001 and more". member_name: of rule->member_no,
 * printed as it is; null: none. */
void alert_put_rule(struct buf *b, const struct alert_rule *rule, struct str member_name);

struct str alert_pace_words(enum alert_pace pace); /* "once a day" */

/* The name of a committee by its id; the id, if no list of the program has it. */
struct str alert_committee_name(struct str id);

/* The secret part of the link that ends something: an alert by its id, or all of an account by the
 * account's. end_key is the account's (store/account/alert.h); the text is base64url. */
enum { ALERT_END_TOKEN_SIZE = 22 };
void alert_end_token(
    const uint8_t end_key[static SHA256_SIZE], struct str id,
    char ret[static ALERT_END_TOKEN_SIZE]);
/* In constant time. */
bool alert_end_token_valid(
    const uint8_t end_key[static SHA256_SIZE], struct str id, struct str token);

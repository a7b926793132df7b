/* Words and links of alerts; see alert_words.h. */
#include "market/alert_words.h"

#include <assert.h>

#include "base/codec.h"
#include "market/conflict.h"
#include "market/industry.h"
#include "market/seats_shipped.h"

enum { TOKEN_BYTES = 16 };

struct str alert_pace_words(enum alert_pace pace)
{
    static const struct str words[ALERT_PACE_COUNT] = {
        [ALERT_NOW] = STR_INIT("at once"),
        [ALERT_DAILY] = STR_INIT("once a day"),
        [ALERT_WEEKLY] = STR_INIT("once a week"),
    };
    assert(pace < ALERT_PACE_COUNT);
    return words[pace];
}

struct str alert_committee_name(struct str id)
{
    struct str name = seats_shipped_name(id, INT32_MAX);
    return str_is_null(name) ? id : name;
}

/* "50,001" */
static void put_dollars(struct buf *b, int64_t dollars)
{
    if (dollars >= 1000) {
        put_dollars(b, dollars / 1000);
        buf_fmt(b, ",%03d", (int)(dollars % 1000));
    } else {
        buf_fmt(b, "%d", (int)dollars);
    }
}

void alert_put_rule(struct buf *b, const struct alert_rule *rule, struct str member_name)
{
    buf_text(b, "trades");
    if (rule->member_no) {
        buf_text(b, " reported by ");
        buf_str(b, member_name);
    }
    if (!str_is_null(rule->committee)) {
        buf_text(b, rule->member_no ? " while on the " : " reported by members of the ");
        buf_str(b, alert_committee_name(rule->committee));
    }
    if (!str_is_null(rule->ticker))
        buf_fmt(b, " in %.*s", STR_ARG(rule->ticker));
    if (rule->chamber != CHAMBER_NONE)
        buf_text(b, rule->chamber == CHAMBER_HOUSE ? ", House only" : ", Senate only");
    if (rule->industry)
        buf_fmt(b, ", industry %.*s", STR_ARG(industry_get(rule->industry)->name));
    if (rule->grade)
        buf_fmt(
            b, ", flagged with grade %.*s%s only",
            STR_ARG(conflict_grade_name((enum conflict_grade)rule->grade)),
            rule->grade == CONFLICT_GRADE_A ? "" : " or better");
    else if (rule->flagged)
        buf_text(b, ", flagged only");
    if (rule->minimum != BRACKET_NONE) {
        buf_text(b, ", $");
        put_dollars(b, bracket_info(rule->minimum)->min);
        buf_text(b, " and more");
    }
}

void alert_end_token(
    const uint8_t end_key[static SHA256_SIZE], struct str id, char ret[static ALERT_END_TOKEN_SIZE])
{
    uint8_t sum[SHA256_SIZE];
    struct buf text = buf_over(ret, ALERT_END_TOKEN_SIZE);
    hmac_sha256(str_of((const char *)end_key, SHA256_SIZE), id, sum);
    base64url_encode(&text, sum, TOKEN_BYTES);
    assert(text.n == ALERT_END_TOKEN_SIZE && !text.overflow);
}

bool alert_end_token_valid(
    const uint8_t end_key[static SHA256_SIZE], struct str id, struct str token)
{
    char expected[ALERT_END_TOKEN_SIZE];
    alert_end_token(end_key, id, expected);
    return token.n == sizeof expected && crypto_equal(token.p, expected, sizeof expected);
}

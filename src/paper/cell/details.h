/*
 * What was traded beyond the asset's name (decision 48): the terms of an option, coupon and
 * maturity of a bond, company and description of a private asset, the two sides of an exchange.
 *
 * Drafts, corrections and the store keep details as one line of text, which people read and write:
 *
 *     put, strike 250.00, expires 2025-01-17
 *     coupon 2.41% variable, matures 2031-08-15, description "Corporate bond"
 *
 *     line    = member *( ", " member )             each member at most once
 *     member  = "call" / "put" / "short sale" / "neither call nor put"
 *             / "strike " decimal                   dollars; without "$", which shells expand
 *             / "expires " yyyy-mm-dd
 *             / "coupon " decimal "%" [ " fixed" / " floating" / " variable" ]
 *             / "matures " yyyy-mm-dd
 *             / "gave " quoted / "received " quoted / "received ticker " symbol
 *             / "company " quoted / "platform " quoted / "description " quoted
 *     quoted  = DQUOTE 1*( any byte but a control byte or DQUOTE / 2DQUOTE ) DQUOTE
 *
 * details_put writes the members in the order above, and details_parse reads what it wrote. Numbers
 * stay decimal text: the digits after the point are the document's. A member that the document does
 * not state, or states in an unknown form, is null.
 */
#pragma once

#include "rule/model.h"

/*
 * The values of details (details.h) in the forms that documents print. Each function returns
 * the value as the line of details has it; false: another form.
 */

enum { DETAILS_TEXT_MAX = 600 }; /* bytes of each quoted member */

/* A decimal in the arena: "$1,500.00" gives "1500.00", ".94" gives "0.94". */
bool details_decimal(struct str printed, struct arena *arena, struct str *ret);
/* Percent in the arena: digits and a point, at most two digits before it. */
bool details_coupon(struct str printed, struct arena *arena, struct str *ret);
/* M/D/YYYY, M/D/YY (20YY), the same with dashes, and YYYY-MM-DD; years 1950 to 2199. */
bool details_day(struct str printed, int32_t *ret);
/* A real date in one of these years. */
bool details_day_from_civil(int year, int month, int day, int32_t *ret);
/* A free text as a member: trimmed, control bytes replaced by spaces, cut after DETAILS_TEXT_MAX
 * bytes, where it ends in an ellipsis; null if it is empty. */
struct str details_text(struct str printed, struct arena *arena);

/* The choices of the Senate's form; House reports state call or put. */
enum option_type {
    OPTION_TYPE_NONE,
    OPTION_CALL,
    OPTION_PUT,
    OPTION_SHORT_SALE,
    OPTION_NEITHER, /* such as options from an employer */
    OPTION_TYPE_COUNT
};

enum coupon_type {
    COUPON_TYPE_NONE,
    COUPON_FIXED,
    COUPON_FLOATING,
    COUPON_VARIABLE,
    COUPON_TYPE_COUNT
};

struct details {
    enum option_type option_type;
    struct str strike; /* dollars, such as "250.00" */
    int32_t expiry;    /* DAY_NONE: not stated */
    struct str coupon; /* percent a year */
    enum coupon_type coupon_type;
    int32_t maturity;    /* DAY_NONE: not stated */
    struct str given;    /* exchange: the asset given up */
    struct str received; /* exchange: the asset received */
    struct str received_ticker;
    struct str company; /* of an asset that is not traded publicly, with its place if stated */
    struct str platform;
    struct str description;
    enum cap_gains cap_gains; /* not part of the line: a column of its own */
};

#define DETAILS_NONE ((struct details){.expiry = DAY_NONE, .maturity = DAY_NONE})

enum {
    DETAILS_LINE_MAX = 7000, /* bytes of a line: fits all members with every quote doubled */
};

/* "call", "short_sale"; "fixed"; the null string for "not stated". The API's names. */
struct str option_type_name(enum option_type type);
struct str coupon_type_name(enum coupon_type type);

bool details_are_none(const struct details *details);

/* Writes the line; nothing if all members are null. */
void details_put(struct buf *b, const struct details *details);

/* The line in the arena; null if all members are null. */
struct str details_line(const struct details *details, struct arena *arena);

/* Reads a line. Also accepts other orders of the members. An empty line is DETAILS_NONE. false:
 * another form; *ret is then undefined. Texts live in the line or the arena. */
bool details_parse(struct str line, struct arena *arena, struct details *ret);

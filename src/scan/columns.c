/* Columns by their widths; see columns.h. */
#include "scan/columns.h"

#include <string.h>

enum {
    BEFORE_ASSET_MAX = 3,
    TYPES_MIN = 3,
    TYPES_MAX = 5,
    DATES_MAX = 2,
    SENATE_TYPES = 3,         /* and one date */
    TYPES_WITH_TWO_DATES = 4, /* and eleven amounts: the House's own form */
    AMOUNTS_MIN = 10,
    AMOUNTS_MAX = 11,
};

#define ASSET_LEAST 2.0 /* times the mean of the types, and of the amounts */
#define DATE_LEAST 1.25 /* times the larger of both */
#define AMOUNT_MOST 1.6 /* times their mean */
#define TYPE_MOST 1.4
#define DATES_APART 1.5  /* one to the other */
#define TEN_TYPE 0.71    /* times an amount, where there are ten: the House's ruled form */
#define TEN_DATE 1.93    /* times an amount */
#define SENATE_TYPE 1.0  /* times an amount */
#define SENATE_DATE 3.15 /* times an amount */
#define SENATE_SALE 1.05 /* times each type beside it, at least */
#define FORM_OTHER 0.09  /* how far a page may be from the widths of its form, as a share */
#define SENATE_UNEVEN 0.08
#define DATE_WEIGHT 2.0
#define ONE_DATE_COST 0.15 /* of lists, most of which have two */
#define TYPES_WEIGHT 1.0
#define AMOUNTS_WEIGHT 2.0
#define COST_MAX 0.75

static double mean(const int *width, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += width[i];
    return sum / count;
}

/* The mean distance from the mean, as a share of it. */
static double unevenness(const int *width, int count)
{
    double m = mean(width, count), sum = 0;
    for (int i = 0; i < count; i++)
        sum += width[i] > m ? width[i] - m : m - width[i];
    return sum / count / m;
}

static bool near(double value, double usual)
{
    return value > usual * (1 - FORM_OTHER) && value < usual * (1 + FORM_OTHER);
}

/* Whether two columns are taken for one, since the line between them is missing on the page: then
 * one is too wide for its kind. */
static bool merged(const int *width, int asset, int types, int dates, int amounts)
{
    const int *type = width + asset + 1, *date = type + types, *amount = date + dates;
    double t = mean(type, types), a = mean(amount, amounts), d = mean(date, dates);
    for (int i = 0; i < types; i++)
        if (type[i] > TYPE_MOST * t)
            return true;
    for (int i = 0; i < amounts; i++)
        if (amount[i] > AMOUNT_MOST * a && (i + 1 < amounts || amounts < AMOUNTS_MAX))
            return true;
    if (dates == DATES_MAX && (date[0] > DATES_APART * date[1] || date[1] > DATES_APART * date[0]))
        return true;
    if (dates == 1 && types == SENATE_TYPES)
        return !near(d / a, SENATE_DATE) || !near(t / a, SENATE_TYPE) ||
               type[1] < SENATE_SALE * type[0] || type[1] < SENATE_SALE * type[2];
    return amounts == AMOUNTS_MIN && (!near(d / a, TEN_DATE) || !near(t / a, TEN_TYPE));
}

/* Negative: these are not the columns of a form. */
static double cost_of(const int *width, int asset, int types, int dates, int amounts)
{
    const int *type = width + asset + 1, *date = type + types, *amount = date + dates;
    double t = mean(type, types), a = mean(amount, amounts), d = mean(date, dates);
    double wide = t > a ? t : a;
    if (width[asset] < ASSET_LEAST * t || width[asset] < ASSET_LEAST * a || width[asset] < d)
        return -1;
    for (int i = 0; i < asset; i++)
        if (2 * width[i] > 3 * width[asset])
            return -1;
    if (merged(width, asset, types, dates, amounts))
        return -1;
    if (dates == 1 && types == SENATE_TYPES && unevenness(amount, amounts) > SENATE_UNEVEN)
        return -1;
    double narrow = DATE_LEAST - d / wide;
    return TYPES_WEIGHT * unevenness(type, types) + AMOUNTS_WEIGHT * unevenness(amount, amounts) +
           unevenness(date, dates) + (narrow > 0 ? DATE_WEIGHT * narrow : 0) +
           (dates == 1 && types == TYPES_MAX ? ONE_DATE_COST : 0);
}

static void assign(struct columns *c, int asset, int types, int dates, int amounts)
{
    memset(c->nth, 0, sizeof c->nth);
    c->types = types;
    c->dates = dates;
    c->amounts = amounts;
    for (int i = 0; i < c->count; i++) {
        int k = i - asset - 1;
        c->role[i] = k >= types + dates ? COLUMN_AMOUNT
                     : k > types        ? COLUMN_NOTIFIED
                     : k == types       ? COLUMN_DATE
                     : k >= 0           ? COLUMN_TYPE
                     : k == -1          ? COLUMN_ASSET
                     : k == -2          ? COLUMN_OWNER
                                        : COLUMN_OTHER;
        if (c->role[i] == COLUMN_AMOUNT)
            c->nth[i] = k - types - dates;
        else if (c->role[i] == COLUMN_TYPE)
            c->nth[i] = k;
    }
}

bool columns_match(const int *at, int lines, struct columns *ret)
{
    int width[COLUMNS_MAX];
    bool found = false;
    int count = lines - 1;
    if (count < 1 || count > COLUMNS_MAX)
        return false;
    for (int i = 0; i < count; i++)
        width[i] = at[i + 1] - at[i];
    for (int asset = 0; asset <= BEFORE_ASSET_MAX; asset++)
        for (int types = TYPES_MIN; types <= TYPES_MAX; types++)
            for (int dates = 1; dates <= DATES_MAX; dates++) {
                int amounts = count - asset - 1 - types - dates;
                if (dates == 1 && types == TYPES_WITH_TWO_DATES)
                    continue;
                if (types == TYPES_WITH_TWO_DATES && amounts < AMOUNTS_MAX)
                    continue;
                if (amounts < AMOUNTS_MIN || amounts > AMOUNTS_MAX)
                    continue;
                double cost = cost_of(width, asset, types, dates, amounts);
                if (cost < 0 || cost > COST_MAX || (found && cost >= ret->cost))
                    continue;
                found = true;
                ret->count = count;
                ret->cost = cost;
                memcpy(ret->at, at, (size_t)lines * sizeof *at);
                assign(ret, asset, types, dates, amounts);
            }
    return found;
}

/* The table of a page; see table.h. */
#include "scan/table.h"

#include <stdlib.h>

/* Columns by their widths. */

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

/* Whether tables with these lines are forms. */
static bool columns_match(const int *at, int lines, struct columns *ret)
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

#include "base/search.h"

enum {
    SAME_DOTS = 9,      /* between a line of the columns and that of a band */
    AGREE_PERCENT = 80, /* of the lines of the columns that a band must have */
    PERCENT = 100,
    COLUMNS_MIN = 15, /* lines, at least */
    COMMON_PART = 3,  /* one of so many bands must have a line */
    OUTSIDE_MAX = 2,  /* lines on each side of the table: the edge of the paper */
};

#define COST_SAME 0.05
#define COST_ANY 9.0
#define COST_REPAIRED 0.2 /* of columns whose lines were changed */

/* The band's line at this place; NULL: it has none there. */
static const struct page_rule *line_near(const struct band *band, int at, int *ret_at)
{
    const struct page_rule *best = NULL;
    int least = SAME_DOTS + 1;
    for (int i = 0; i < band->count; i++)
        if (abs(band->at[i] - at) < least) {
            least = abs(band->at[i] - at);
            best = band->line[i];
            *ret_at = band->at[i];
        }
    return best;
}

/* Whether the line parts two columns of different kinds. Those between types, and between amounts,
 * can hide behind printed boxes. */
static bool parts_kinds(const struct columns *columns, int line)
{
    return line == 0 || line == columns->count || columns->role[line - 1] != columns->role[line];
}

static bool agrees(const struct band *band, const struct columns *columns)
{
    int found = 0, of = 0, at;
    for (int i = 0; i <= columns->count; i++)
        if (parts_kinds(columns, i)) {
            found += line_near(band, columns->at[i], &at) ? 1 : 0;
            of++;
        }
    return PERCENT * found >= AGREE_PERCENT * of;
}

static int count_agreeing(const struct bands *bands, const struct columns *columns)
{
    int count = 0;
    for (int i = 0; i < bands->count; i++)
        count += agrees(&bands->band[i], columns) ? 1 : 0;
    return count;
}

static void mirror_columns(struct columns *columns, int width)
{
    for (int i = 0, k = columns->count; i <= k; i++, k--) {
        int left = columns->at[i];
        columns->at[i] = width - 1 - columns->at[k];
        columns->at[k] = width - 1 - left;
    }
}

/* The best columns so far, and what they rest on. */
struct table_search {
    const struct bands *bands;
    int width;
    int most; /* bands that agree */
    struct page_table *table;
};

/* Columns that half as many bands agree on count as well, if they are more like those of a form. */
static bool better(const struct table_search *s, int count, double cost)
{
    if (s->most == 0 || 2 * s->most < count)
        return true;
    double before = s->table->columns.cost;
    return 2 * count >= s->most &&
           (cost < before - COST_SAME || (cost < before && count >= s->most));
}

/* Whether these lines are a form's, in either direction. */
static bool consider(struct table_search *s, const int *at, int lines, double cost_max)
{
    bool matches = false;
    int mirrored[BAND_LINES_MAX + 1];
    for (int i = 0; i < lines; i++)
        mirrored[i] = s->width - 1 - at[lines - 1 - i];
    for (int reversed = 0; reversed < 2; reversed++) {
        struct columns columns;
        if (!columns_match(reversed ? mirrored : at, lines, &columns) || columns.cost > cost_max)
            continue;
        matches = true;
        if (reversed)
            mirror_columns(&columns, s->width);
        int count = count_agreeing(s->bands, &columns);
        if (!better(s, count, columns.cost))
            continue;
        s->most = count;
        s->table->columns = columns;
        s->table->reversed = reversed;
    }
    return matches;
}

enum { WAYS = 3 };

/* Where a line may be missing after this one: so that the new column is as wide as its neighbour on
 * the left, or on the right, or as the rest of its own. */
static int missing_line(const struct band *band, int after, int way)
{
    const int *at = band->at + after;
    if (way == 0)
        return (at[0] + at[1]) / 2;
    if (way == 1)
        return after > 0 ? at[0] + (at[0] - at[-1]) : 0;
    return after + 2 < band->count ? at[1] - (at[2] - at[1]) : 0;
}

/* The band's lines. If they are no form's: the same without those outside of the table, without
 * each one of them, since a stroke of the pen may look like a line, and with one more, since one
 * may be missing. */
static void consider_band(struct table_search *s, const struct band *band)
{
    int at[BAND_LINES_MAX + 1];
    if (band->count < COLUMNS_MIN - 1 || band->count > COLUMNS_MAX + 1)
        return;
    if (consider(s, band->at, band->count, COST_ANY))
        return;
    for (int left = 0; left <= OUTSIDE_MAX; left++)
        for (int right = left == 0; right <= OUTSIDE_MAX; right++)
            consider(s, band->at + left, band->count - left - right, COST_REPAIRED);
    for (int without = 1; without + 1 < band->count; without++) {
        int lines = 0;
        for (int i = 0; i < band->count; i++)
            if (i != without)
                at[lines++] = band->at[i];
        consider(s, at, lines, COST_REPAIRED);
    }
    for (int after = 0; after + 1 < band->count && band->count < BAND_LINES_MAX; after++)
        for (int way = 0; way < WAYS; way++) {
            int added = missing_line(band, after, way), lines = 0;
            if (added <= band->at[after] || added >= band->at[after + 1])
                continue;
            for (int i = 0; i < band->count; i++) {
                at[lines++] = band->at[i];
                if (i == after)
                    at[lines++] = added;
            }
            consider(s, at, lines, COST_REPAIRED);
        }
}

/* The lines that at least a third of the bands with many lines share. */
static void consider_common(struct table_search *s, struct arena *arena)
{
    int at[BAND_LINES_MAX], lines = 0, all = 0, voters = 0;
    int *places = ARENA_ARRAY(arena, int, (size_t)s->bands->count *BAND_LINES_MAX + 1);
    for (int i = 0; i < s->bands->count; i++) {
        const struct band *band = &s->bands->band[i];
        if (band->count < COLUMNS_MIN)
            continue;
        voters++;
        for (int k = 0; k < band->count; k++)
            places[all++] = band->at[k];
    }
    qsort(places, (size_t)all, sizeof *places, order_ints);
    for (int i = 0; i < all && lines < BAND_LINES_MAX;) {
        int from = i, sum = 0;
        for (; i < all && places[i] - places[from] <= SAME_DOTS; i++)
            sum += places[i];
        if (COMMON_PART * (i - from) >= voters)
            at[lines++] = sum / (i - from);
    }
    if (lines >= COLUMNS_MIN && lines <= COLUMNS_MAX + 1)
        consider(s, at, lines, COST_ANY);
}

bool table_find(const struct bands *bands, int width, struct arena *arena, struct page_table *ret)
{
    struct table_search s = {.bands = bands, .width = width, .table = ret};
    *ret = (struct page_table){.band_count = 0};
    for (int i = 0; i < bands->count; i++)
        consider_band(&s, &bands->band[i]);
    consider_common(&s, arena);
    if (s.most == 0)
        return false;
    ret->band = ARENA_ARRAY(arena, const struct band *, 2 * (size_t)s.most);
    for (int i = 0; i < bands->count; i++) {
        if (agrees(&bands->band[i], &ret->columns))
            ret->band[ret->band_count++] = &bands->band[i];
        else if (ret->band_count == 0)
            ret->above++;
    }
    return true;
}

void table_split(struct page_table *table, int band, struct arena *arena)
{
    const struct band *whole = table->band[band];
    struct band *halves = ARENA_ARRAY(arena, struct band, 2);
    struct page_rule *between = ARENA_NEW(arena, struct page_rule);
    struct rule_piece *piece = ARENA_NEW(arena, struct rule_piece);
    int left = table->columns.at[0], right = table->columns.at[table->columns.count];
    *piece = (struct rule_piece){
        left, right, (rule_at(whole->above, left) + rule_at(whole->below, left)) / 2,
        (rule_at(whole->above, right) + rule_at(whole->below, right)) / 2};
    *between =
        (struct page_rule){piece, 1, left, right, right - left, (whole->top + whole->bottom) / 2};
    halves[0] = halves[1] = *whole;
    halves[0].below = halves[1].above = between;
    halves[0].bottom = halves[1].top = between->at;
    for (int i = table->band_count++; i > band + 1; i--)
        table->band[i] = table->band[i - 1];
    table->band[band] = &halves[0];
    table->band[band + 1] = &halves[1];
}

int table_column_at(const struct page_table *table, const struct band *band, int column)
{
    int at = table->columns.at[column];
    line_near(band, table->columns.at[column], &at);
    return at;
}

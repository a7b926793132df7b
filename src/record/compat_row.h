/*
 * Trades as the files of two volunteer projects had them, Senate Stock Watcher and House Stock
 * Watcher, and those of their successor. Programs read some files by the position of a value, so
 * that the order of each table is fixed.
 */
#pragma once

#include "rule/lateness.h"
#include "store/public/trade.h"

/* Each value of a row, and how it is found: the rest of the list can use what is above. */
/* clang-format off */
#define COMPAT_VALUES(V)                                                                           \
    V(NONE, STR_NULL)                                                                              \
    V(EMPTY, STR(""))                                                                              \
    V(ASSET, t->values.asset_name)                                                                 \
    V(BIOGUIDE, source->politician_id)                                                             \
    V(BRANCH, STR("congress"))                                                                     \
    V(CHAMBER, chamber_name(who->chamber))                                                         \
    V(COMMENT, cells[house ? CELL_DESCRIPTION : CELL_COMMENT])                                     \
    V(DOCUMENT, source->document_id)                                                               \
    V(FILED, us_day(a, filed, '/'))                                                                \
    V(FILED_ISO, day_str(a, filed))                                                                \
    V(FILED_NAME, us_day(a, filed, '_'))                                                           \
    V(FILER, filer_of(a, v[V_CHAMBER], who->slug)) /* senate_susan_collins */                      \
    V(FILING, FMT("%.*s_%.*s", STR_ARG(v[V_CHAMBER]), STR_ARG(v[V_DOCUMENT])))                     \
    V(FIRST, filer->first)                                                                         \
    V(ID, FMT("%.*s_t%d", STR_ARG(v[V_FILING]), source->row - 1))                                  \
    V(INDUSTRY, industry_of(&t->values))                                                           \
    V(INGESTED, FMT("%.10s %.8s", at, at + DAY_TEXT_SIZE + 1))                                     \
    V(LABEL, label_of(bracket, a))                                                                 \
    V(LAST, filer->last)                                                                           \
    V(NAME, who->name)                                                                             \
    V(NOTIFIED, day_str(a, source->notified_date))                                                 \
    V(PARTY, who->party)                                                                           \
    V(PARTY_LETTER, str_is_null(who->party) ? STR_NULL : str_slice(who->party, 0, 1))              \
    V(PREFIX, STR("Hon."))                                                                         \
    V(REPORT, STR("PTR"))                                                                          \
    V(SIDE, str_from(sides[t->values.side][1]))                                                    \
    V(HOUSE_SIDE, str_from(sides[t->values.side][0]))                                              \
    V(STATE, who->state)                                                                           \
    V(DISTRICT, filer->district < 0 ? who->state                                                   \
                                    : FMT("%.*s%02d", STR_ARG(who->state), filer->district))       \
    V(SOURCE, house ? STR("house_clerk") : STR("senate_efd"))                                      \
    V(OFFICE, FMT("U.S. %s \u00b7 %.*s", house ? "Representative" : "Senator",                     \
                  STR_ARG(v[house ? V_DISTRICT : V_STATE])))                                       \
    V(SYMBOL, t->values.ticker)                                                                    \
    V(TICKER, either(house ? STR_NULL : cells[CELL_TICKER], either(v[V_SYMBOL], STR("--"))))       \
    V(TRADED, day_str(a, t->values.trade_date))                                                    \
    V(TYPE, house ? STR_NULL : cells[CELL_ASSET_TYPE])                                             \
    V(URL, t->filing_url)                                                                          \
    V(AMOUNT, amount_of(t->values.bracket, house, v[V_LABEL]))                                     \
    V(OWNER_WORD, str_from(owners[t->values.owner][!house]))                                       \
    V(OWNER, house ? cells[CELL_OWNER] : v[V_OWNER_WORD])                                          \
    V(HOUSE_NAME, FMT("Hon. %.*s", STR_ARG(v[V_NAME])))                                            \
    V(SENATE_NAME, FMT("%.*s %.*s", STR_ARG(v[V_FIRST]), STR_ARG(v[V_LAST])))                      \
    V(SENATE_OFFICE, FMT("%.*s, %.*s (Senator)", STR_ARG(v[V_LAST]), STR_ARG(v[V_FIRST])))         \
    V(SENATE_DATE, either(us_day(a, t->values.trade_date, '/'), cells[CELL_DATE]))                 \
    V(SENATE_TYPE, either(cells[CELL_ASSET_TYPE], type_of(t->values.asset_type)))                  \
    /* with the markup of the page */                                                              \
    V(SENATE_ASSET, compat_markup_asset(either(cells[CELL_ASSET], v[V_ASSET]),                     \
                                        cells[CELL_ASSET_DETAIL], a))                              \
    V(SENATE_COMMENT, compat_markup(either(cells[CELL_COMMENT], STR("--")), a))                    \
    V(SENATE_LINK, compat_markup_link(v[V_TICKER], cells[CELL_TICKER_TWO], a))                     \
    /* numbers and truths, which JSON has without quotes */                                        \
    V(DAYS, traded == DAY_NONE ? STR_NULL : FMT("%d", filed - traded))                             \
    V(GAINS, t->cap_gains == CAP_GAINS_YES ? STR("true") : STR("false"))                           \
    V(HIGH, bracket->max == BRACKET_OPEN ? STR_NULL : FMT("%lld", (long long)bracket->max))        \
    V(LATE, late == LATE_UNKNOWN ? STR_NULL : late == LATE_LATE ? STR("1") : STR("0"))             \
    V(LOW, FMT("%lld", (long long)bracket->min))                                                   \
    V(YEAR, FMT("%d", day_year(filed)))
/* clang-format on */

#define COMPAT_VALUE_NAME(name, unused) V_##name,
enum compat_value { COMPAT_VALUES(COMPAT_VALUE_NAME) V_COUNT, V_AS_IT_IS = V_DAYS };

struct compat_row {
    enum chamber chamber;
    int row;
    int32_t filed; /* day in Washington */
    struct str v[V_COUNT];
};

/* The strings live in the arena. */
void compat_row_fill(
    struct compat_row *r, const struct trade_row *row, const struct trade_source *source,
    const struct trade_filer *filer, enum late_status late, struct arena *arena);

struct compat_columns {
    const struct compat_column {
        const char *name;
        enum compat_value value;
    } * items;
    size_t count;
};

extern const struct compat_columns compat_house, compat_house_day, compat_house_filing,
    compat_house_filing_end, compat_senate, compat_senate_early, compat_senate_day,
    compat_senate_long, compat_senate_filing, compat_senate_filing_end, compat_senate_ticker,
    compat_successor, compat_successor_filer;

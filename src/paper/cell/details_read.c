/* From cells to details; see details_read.h. */
#include "paper/cell/details_read.h"

#include <assert.h>

#include "paper/cell/cells.h"
#include "paper/cell/printed.h"

/* Phrases of options and bonds. */

enum { WORDS_MAX = 200, SYMBOL_LETTERS_MAX = 5, OCC_TAIL = 15, OCC_ROOT_MAX = 6 };

struct words {
    struct str at[WORDS_MAX]; /* without punctuation around them */
    size_t n;
};

static bool is_around(char c)
{
    return str_find_char(STR("()[]\"',;:."), c) >= 0;
}

static struct str without_punctuation(struct str word)
{
    while (word.n && is_around(word.p[word.n - 1]))
        word.n--;
    while (word.n && word.p[0] != '.' && is_around(word.p[0]))
        word = str_slice(word, 1, word.n);
    return word;
}

/* Words after WORDS_MAX are not read. A dash that stands alone is no word. */
static void split(struct str text, struct words *ret)
{
    struct str part;
    ret->n = 0;
    while (ret->n < WORDS_MAX && !str_is_null(text) && str_split(&text, ' ', &part)) {
        part = without_punctuation(part);
        if (part.n && !str_eq(part, STR("-")) && !str_eq(part, STR("=")))
            ret->at[ret->n++] = part;
    }
}

static struct str word(const struct words *w, size_t i)
{
    return i < w->n ? w->at[i] : STR("");
}

static bool is_one_of(struct str text, const struct str *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(text, list[i]))
            return true;
    return false;
}

#define IS_ONE_OF(text, list) is_one_of((text), (list), sizeof(list) / sizeof *(list))

/* --- values */

/* _NONE: another word */
static enum coupon_type details_coupon_type(struct str text)
{
    for (int t = 1; t < COUPON_TYPE_COUNT; t++)
        if (str_eq_nocase(text, coupon_type_name((enum coupon_type)t)))
            return (enum coupon_type)t;
    return COUPON_TYPE_NONE;
}

/* A value found in a text. */
struct details_finding {
    struct str text; /* null: nothing */
    bool disputed;   /* two different values */
};

static void find_value(struct details_finding *f, struct str value)
{
    f->disputed |= !str_is_null(f->text) && !str_eq(f->text, value);
    f->text = value;
}

struct details_day_finding {
    int32_t day;
    bool disputed;
};

static void find_day(struct details_day_finding *f, int32_t day)
{
    f->disputed |= f->day != DAY_NONE && f->day != day;
    f->day = day;
}

/* The number of the month that the text is the name of; 0: none. */
static int month_of(struct str text)
{
    static const struct str names[] = {
        STR_INIT("january"),   STR_INIT("february"), STR_INIT("march"),    STR_INIT("april"),
        STR_INIT("may"),       STR_INIT("june"),     STR_INIT("july"),     STR_INIT("august"),
        STR_INIT("september"), STR_INIT("october"),  STR_INIT("november"), STR_INIT("december"),
    };
    for (int m = 0; m < 12; m++)
        if (str_eq_nocase(text, names[m]) || str_eq_nocase(text, str_slice(names[m], 0, 3)))
            return m + 1;
    return str_eq_nocase(text, STR("sept")) ? 9 : 0;
}

static bool number_of(struct str text, size_t digits_min, size_t digits_max, int *ret)
{
    int64_t number = 0;
    if (text.n < digits_min || text.n > digits_max)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        if (!ascii_is_digit(text.p[i]))
            return false;
        number = number * 10 + (text.p[i] - '0');
    }
    *ret = (int)number;
    return true;
}

/* A date that begins at word i. */
static bool day_at(const struct words *w, size_t i, int32_t *ret)
{
    struct str first = word(w, i);
    size_t letters = 0;
    int day, year;
    if (details_day(first, ret))
        return true;
    while (letters < first.n && ascii_is_alpha(first.p[letters]))
        letters++;
    int month = month_of(str_slice(first, 0, letters));
    bool glued = letters < first.n; /* "JUN15" */
    struct str day_text = glued ? str_slice(first, letters, first.n) : word(w, i + 1);
    return month && number_of(day_text, 1, 2, &day) &&
           number_of(word(w, i + (glued ? 1 : 2)), 4, 4, &year) &&
           details_day_from_civil(year, month, day, ret);
}

static size_t skip(const struct words *w, size_t i, const struct str *list, size_t count)
{
    while (i < w->n && is_one_of(w->at[i], list, count))
        i++;
    return i;
}

static const struct str before_date[] = {
    STR_INIT("date"), STR_INIT("of"), STR_INIT("on"), STR_INIT("is")};
static const struct str before_price[] = {
    STR_INIT("price"), STR_INIT("of"), STR_INIT("at"), STR_INIT("is")};

/* Days behind one of the words. */
static struct details_day_finding find_days(
    const struct words *w, const struct str *list, size_t count)
{
    struct details_day_finding f = {.day = DAY_NONE};
    int32_t day;
    for (size_t i = 0; i < w->n; i++) {
        if (!is_one_of(w->at[i], list, count))
            continue;
        size_t from = skip(w, i + 1, before_date, sizeof before_date / sizeof *before_date);
        if (day_at(w, from, &day))
            find_day(&f, day);
    }
    return f;
}

/* --- options */

/* The terms that one text states. */
struct option_terms {
    enum option_type type;
    struct details_finding strike;
    struct details_day_finding expiry;
    bool combined; /* calls and puts in one text */
};

static enum option_type option_type_of(struct str text)
{
    if (str_eq_nocase(text, STR("call")) || str_eq_nocase(text, STR("calls")))
        return OPTION_CALL;
    if (str_eq_nocase(text, STR("put")) || str_eq_nocase(text, STR("puts")))
        return OPTION_PUT;
    return OPTION_TYPE_NONE;
}

static void find_type(struct option_terms *t, enum option_type type)
{
    t->combined |= t->type != OPTION_TYPE_NONE && t->type != type;
    t->type = type;
}

static void find_types(const struct words *w, struct option_terms *t)
{
    for (size_t i = 0; i < w->n; i++) {
        enum option_type type = option_type_of(w->at[i]);
        if (type != OPTION_TYPE_NONE)
            find_type(t, type);
    }
}

static bool is_dollars(struct str text)
{
    return str_starts(text, STR("$"));
}

static void find_strikes(const struct words *w, struct arena *arena, struct details_finding *f)
{
    static const struct str joins[] = {
        STR_INIT("and"), STR_INIT("or"), STR_INIT("to"), STR_INIT("&"), STR_INIT("/")};
    struct str number, second;
    for (size_t i = 0; i < w->n; i++) {
        if (!str_eq_nocase(w->at[i], STR("strike")))
            continue;
        size_t at = skip(w, i + 1, before_price, sizeof before_price / sizeof *before_price);
        if (details_decimal(word(w, at), arena, &number)) {
            find_value(f, number);
            /* "of $100 and $110" */
            if (IS_ONE_OF(word(w, at + 1), joins) &&
                details_decimal(word(w, at + 2), arena, &second))
                find_value(f, second);
        } else if (i && is_dollars(w->at[i - 1]) && details_decimal(w->at[i - 1], arena, &number)) {
            find_value(f, number);
        }
    }
}

/* "CALL SPDR S&P 500 ETF TR $470 EXP 09/19/25": the only amount in the text. */
static void find_broker_strike(
    const struct words *w, struct arena *arena, struct details_finding *f)
{
    struct str number, found = STR_NULL;
    size_t amounts = 0;
    if (option_type_of(word(w, 0)) == OPTION_TYPE_NONE)
        return;
    for (size_t i = 1; i < w->n; i++) {
        if (!is_dollars(w->at[i]))
            continue;
        amounts++;
        if (str_eq_nocase(word(w, i + 1), STR("exp")) && details_decimal(w->at[i], arena, &number))
            found = number;
    }
    if (amounts == 1 && !str_is_null(found))
        find_value(f, found);
}

/* "EXP 01/17/25 CLASS B C 300.00" */
static void find_letter_strike(const struct words *w, struct arena *arena, struct option_terms *t)
{
    struct str number;
    if (w->n < 2)
        return;
    struct str letter = w->at[w->n - 2], last = w->at[w->n - 1];
    bool call = str_eq(letter, STR("C"));
    if ((!call && !str_eq(letter, STR("P"))) || str_find_char(last, '.') < 0 ||
        !details_decimal(last, arena, &number))
        return;
    find_type(t, call ? OPTION_CALL : OPTION_PUT);
    find_value(&t->strike, number);
}

static struct option_terms read_terms(struct str text, struct arena *arena)
{
    static const struct str expires[] = {STR_INIT("exp"),        STR_INIT("expires"),
                                         STR_INIT("expire"),     STR_INIT("expiring"),
                                         STR_INIT("expiration"), STR_INIT("expiry")};
    struct option_terms t = {.expiry.day = DAY_NONE};
    struct words w;
    split(text, &w);
    find_types(&w, &t);
    find_strikes(&w, arena, &t.strike);
    find_broker_strike(&w, arena, &t.strike);
    find_letter_strike(&w, arena, &t);
    t.expiry = find_days(&w, expires, sizeof expires / sizeof *expires);
    return t;
}

/* Root, yymmdd, C or P, and the strike in thousandths of a dollar, eight digits. */
static bool read_symbol(struct str text, struct arena *arena, struct option_terms *ret)
{
    int year, month, day, dollars, thousandths;
    if (text.n <= OCC_TAIL || text.n > OCC_TAIL + OCC_ROOT_MAX)
        return false;
    struct str tail = str_slice(text, text.n - OCC_TAIL, text.n);
    for (size_t i = 0; i < text.n - OCC_TAIL; i++)
        if (!ascii_is_alpha(text.p[i]))
            return false;
    char type = ascii_upper(tail.p[6]);
    if ((type != 'C' && type != 'P') || !number_of(str_slice(tail, 0, 2), 2, 2, &year) ||
        !number_of(str_slice(tail, 2, 4), 2, 2, &month) ||
        !number_of(str_slice(tail, 4, 6), 2, 2, &day) ||
        !number_of(str_slice(tail, 7, 12), 5, 5, &dollars) ||
        !number_of(str_slice(tail, 12, 15), 3, 3, &thousandths))
        return false;
    *ret = (struct option_terms){.type = type == 'C' ? OPTION_CALL : OPTION_PUT};
    struct str strike = arena_fmt(arena, "%d.%03d", dollars, thousandths);
    while (str_ends(strike, STR("0")) || str_ends(strike, STR(".")))
        if (strike.p[--strike.n] == '.')
            break;
    ret->strike.text = strike;
    return day_from_civil(2000 + year, month, day, &ret->expiry.day);
}

static bool is_stated(const struct option_terms *t)
{
    return t->type != OPTION_TYPE_NONE || !str_is_null(t->strike.text) || t->expiry.day != DAY_NONE;
}

static bool is_whole(const struct option_terms *t)
{
    return t->type != OPTION_TYPE_NONE && !str_is_null(t->strike.text) && !t->strike.disputed &&
           t->expiry.day != DAY_NONE && !t->expiry.disputed;
}

static void fill_option(const struct option_terms *t, struct details *d)
{
    if (t->combined)
        return;
    if (d->option_type == OPTION_TYPE_NONE)
        d->option_type = t->type;
    if (str_is_null(d->strike) && !t->strike.disputed)
        d->strike = t->strike.text;
    if (d->expiry == DAY_NONE && !t->expiry.disputed)
        d->expiry = t->expiry.day;
}

/* "CRWD PUT": a symbol and the type. */
static bool is_symbol_and_type(const struct words *w)
{
    if (w->n < 2 || option_type_of(w->at[w->n - 1]) == OPTION_TYPE_NONE)
        return false;
    for (size_t i = 0; i < w->n; i++) {
        if (w->at[i].n > SYMBOL_LETTERS_MAX)
            return false;
        for (size_t c = 0; c < w->at[i].n; c++)
            if (w->at[i].p[c] < 'A' || w->at[i].p[c] > 'Z')
                return false;
    }
    return true;
}

/* Names that state the type and nothing else: "CRWD PUT", "Call Dec 22 CBT Corn", "PUT Standard &
 * Poors Dep Rec at 180". A stock whose name begins with "Call" is a company's. */
static void read_name_type(const struct details_source *source, struct details *d)
{
    struct words w;
    split(source->asset, &w);
    enum option_type first = option_type_of(word(&w, 0));
    bool stock = source->asset_type == ASSET_STOCK;
    if (d->option_type != OPTION_TYPE_NONE || w.n < 2)
        return;
    if (is_symbol_and_type(&w))
        d->option_type = option_type_of(w.at[w.n - 1]);
    else if (stock ? str_eq(w.at[0], STR("PUT")) : first != OPTION_TYPE_NONE)
        d->option_type = first;
}

static void details_words_option(
    const struct details_source *source, struct arena *arena, struct details *d)
{
    const struct str texts[] = {source->description, source->asset, source->comment};
    bool option = source->asset_type == ASSET_OPTION;
    bool open = source->asset_type == ASSET_NONE || source->asset_type == ASSET_OTHER;
    bool may_be = option || open || source->asset_type == ASSET_STOCK ||
                  source->asset_type == ASSET_COMMODITY;
    struct option_terms t;
    if (!may_be)
        return;
    if (read_symbol(str_trim(source->ticker), arena, &t) ||
        read_symbol(str_trim(source->asset), arena, &t))
        fill_option(&t, d);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && (option || open); i++) {
        t = read_terms(texts[i], arena);
        if (!(option ? is_stated(&t) : is_whole(&t)))
            continue;
        fill_option(&t, d);
        if (t.combined)
            return;
    }
    read_name_type(source, d);
}

/* --- bonds */

static bool is_bond(enum asset_type type)
{
    return type == ASSET_BOND || type == ASSET_MUNICIPAL_BOND || type == ASSET_GOVERNMENT_SECURITY;
}

struct bond_terms {
    struct details_finding coupon;
    enum coupon_type type;
    struct details_day_finding maturity;
};

/* The number before the % at `percent`. "4 1/2%" is no number. */
static bool number_before(struct str text, size_t percent, struct arena *arena, struct str *ret)
{
    size_t to = percent, from;
    if (to && text.p[to - 1] == ' ')
        to--;
    for (from = to; from && (ascii_is_digit(text.p[from - 1]) || text.p[from - 1] == '.');)
        from--;
    bool free = from == 0 || text.p[from - 1] == ' ' || text.p[from - 1] == ';';
    return free && details_coupon(str_slice(text, from, to), arena, ret);
}

/* Coupons with the date behind them, if there is one: "05.000%AUG01 2033". */
static void find_coupons(struct str text, struct arena *arena, struct bond_terms *t)
{
    struct details_day_finding behind = {.day = DAY_NONE};
    struct words w;
    struct str number;
    int32_t day;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '%')
            continue;
        if (!number_before(text, i, arena, &number)) {
            t->coupon.disputed = true;
            continue;
        }
        find_value(&t->coupon, number);
        split(str_slice(text, i + 1, text.n), &w);
        t->type = details_coupon_type(word(&w, 0));
        if (day_at(&w, 0, &day))
            find_day(&behind, day);
    }
    if (t->maturity.day == DAY_NONE)
        t->maturity = behind;
}

/* "Corporate Bond; Maturity Date - 03/20/2055; Coupon Rate - 6% Fixed" */
static void find_coupon_word(const struct words *w, struct arena *arena, struct bond_terms *t)
{
    static const struct str rates[] = {STR_INIT("coupon"), STR_INIT("rate")};
    struct str number;
    for (size_t i = 0; i + 1 < w->n; i++) {
        struct str next = w->at[i + 1];
        if (!IS_ONE_OF(w->at[i], rates) || !str_ends(next, STR("%")) ||
            !details_coupon(str_slice(next, 0, next.n - 1), arena, &number))
            continue;
        find_value(&t->coupon, number);
        t->type = details_coupon_type(word(w, i + 2));
    }
}

static void fill_bond(const struct bond_terms *t, struct details *d)
{
    if (str_is_null(d->coupon) && !str_is_null(t->coupon.text) && !t->coupon.disputed) {
        d->coupon = t->coupon.text;
        d->coupon_type = t->type;
    }
    if (d->maturity == DAY_NONE && !t->maturity.disputed)
        d->maturity = t->maturity.day;
}

static struct bond_terms read_bond_name(struct str name, struct arena *arena)
{
    static const struct str matures[] = {
        STR_INIT("due"), STR_INIT("matures"), STR_INIT("maturing"), STR_INIT("maturity"),
        STR_INIT("mature")};
    struct bond_terms t = {.maturity.day = DAY_NONE};
    struct words w;
    split(name, &w);
    t.maturity = find_days(&w, matures, sizeof matures / sizeof *matures);
    find_coupons(name, arena, &t);
    return t;
}

static struct bond_terms read_bond_description(struct str text, struct arena *arena)
{
    static const struct str matures[] = {
        STR_INIT("matures"), STR_INIT("maturing"), STR_INIT("maturity")};
    struct bond_terms t = {.maturity.day = DAY_NONE};
    struct words w;
    split(text, &w);
    t.maturity = find_days(&w, matures, sizeof matures / sizeof *matures);
    find_coupon_word(&w, arena, &t);
    return t;
}

static void details_words_bond(
    const struct details_source *source, struct arena *arena, struct details *d)
{
    struct bond_terms name = read_bond_name(source->asset, arena), description;
    bool whole = !str_is_null(name.coupon.text) && !name.coupon.disputed &&
                 name.maturity.day != DAY_NONE && !name.maturity.disputed;
    if (is_bond(source->asset_type)) {
        description = read_bond_description(source->description, arena);
        fill_bond(&name, d);
        fill_bond(&description, d);
    } else if ((source->asset_type == ASSET_NONE || source->asset_type == ASSET_OTHER) && whole) {
        fill_bond(&name, d);
    }
}

struct details_reader {
    const struct details_source *source;
    struct arena *arena;
    struct details *out;
};

/* --- labelled values */

static void add_description(struct details_reader *r, struct str text)
{
    struct str before = r->out->description;
    text = str_trim(text);
    if (text.n)
        r->out->description =
            before.n ? arena_fmt(r->arena, "%.*s; %.*s", STR_ARG(before), STR_ARG(text)) : text;
}

static bool set_option_type(struct details_reader *r, struct str value)
{
    static const struct str printed[OPTION_TYPE_COUNT] = {
        [OPTION_CALL] = STR_INIT("Call"),
        [OPTION_PUT] = STR_INIT("Put"),
        [OPTION_SHORT_SALE] = STR_INIT("Short Sale"),
        [OPTION_NEITHER] = STR_INIT("Neither"),
    };
    for (int t = 1; t < OPTION_TYPE_COUNT; t++)
        if (str_eq_nocase(value, printed[t])) {
            r->out->option_type = (enum option_type)t;
            return true;
        }
    return false;
}

static bool set_strike(struct details_reader *r, struct str value)
{
    return details_decimal(value, r->arena, &r->out->strike);
}

static bool set_expiry(struct details_reader *r, struct str value)
{
    return details_day(value, &r->out->expiry);
}

/* "5.0%", "6.7", "4.40 %", "2.41% - Variable" */
static bool set_coupon(struct details_reader *r, struct str value)
{
    enum coupon_type type = COUPON_TYPE_NONE;
    struct str number = value, coupon;
    ptrdiff_t dash = str_find(value, STR(" - "));
    if (dash >= 0) {
        type = details_coupon_type(str_trim(str_slice(value, (size_t)dash + 3, value.n)));
        number = str_slice(value, 0, (size_t)dash);
        if (type == COUPON_TYPE_NONE)
            return false;
    }
    number = str_trim(number);
    if (str_ends(number, STR("%")))
        number = str_trim(str_slice(number, 0, number.n - 1));
    if (!details_coupon(number, r->arena, &coupon))
        return false;
    r->out->coupon = coupon;
    r->out->coupon_type = type;
    return true;
}

static bool set_maturity(struct details_reader *r, struct str value)
{
    return details_day(value, &r->out->maturity);
}

static bool set_platform(struct details_reader *r, struct str value)
{
    r->out->platform = details_text(value, r->arena);
    return true;
}

static bool set_company(struct details_reader *r, struct str value)
{
    r->out->company = details_text(value, r->arena);
    return true;
}

static bool set_description(struct details_reader *r, struct str value)
{
    add_description(r, value);
    return true;
}

/* In the order in which the site prints them. */
static const struct label {
    struct str name;
    bool (*set)(struct details_reader *r, struct str value);
} labels[] = {
    {STR_INIT("Option Type"), set_option_type}, {STR_INIT("Strike price"), set_strike},
    {STR_INIT("Expires"), set_expiry},          {STR_INIT("Rate/Coupon"), set_coupon},
    {STR_INIT("Matures"), set_maturity},        {STR_INIT("Exchange/Platform"), set_platform},
    {STR_INIT("Company"), set_company},         {STR_INIT("Description"), set_description},
};

enum { LABEL_COUNT = sizeof labels / sizeof *labels };

/* The size of "NAME:" or "NAME :" at the start of the text; 0: something else. */
static size_t label_size(struct str text, const struct label *label)
{
    size_t n = label->name.n;
    if (text.n <= n || !str_eq_nocase(str_slice(text, 0, n), label->name))
        return 0;
    while (n < text.n && text.p[n] == ' ')
        n++;
    return n < text.n && text.p[n] == ':' ? n + 1 : 0;
}

/* The first label from `first` on that begins at a word of the text; LABEL_COUNT: none. */
static size_t find_label(struct str text, size_t first, size_t *ret_at, size_t *ret_size)
{
    for (size_t at = 0; at < text.n; at++) {
        if (at && text.p[at - 1] != ' ')
            continue;
        for (size_t l = first; l < LABEL_COUNT; l++) {
            *ret_size = label_size(str_slice(text, at, text.n), &labels[l]);
            *ret_at = at;
            if (*ret_size)
                return l;
        }
    }
    return LABEL_COUNT;
}

/* A value ends at the next label that the site prints behind its own. */
static void read_labels(struct details_reader *r, struct str text)
{
    size_t at = 0, size = 0, label = find_label(text, 0, &at, &size);
    add_description(r, str_slice(text, 0, label < LABEL_COUNT ? at : text.n));
    while (label < LABEL_COUNT) {
        struct str from = str_slice(text, at, text.n);
        struct str rest = str_slice(from, size, from.n);
        size_t value_from = size, next = find_label(rest, label + 1, &at, &size);
        size_t value_to = value_from + (next < LABEL_COUNT ? at : rest.n);
        struct str value = str_trim(str_slice(from, value_from, value_to));
        if (!printed_is_empty(value) && !labels[label].set(r, value))
            add_description(r, str_slice(from, 0, value_to));
        text = rest;
        label = next;
    }
}

/* --- exchanges */

/* "X (Exchanged) Y (Received)" */
static void read_exchange(struct details_reader *r)
{
    static const struct str given = STR_INIT("(Exchanged)"), received = STR_INIT("(Received)");
    struct str asset = str_trim(r->source->asset);
    ptrdiff_t at = str_find(asset, given);
    char symbol[TICKER_SIZE_MAX];
    size_t n;
    if (at > 0 && str_ends(asset, received)) {
        struct str rest = str_slice(asset, (size_t)at + given.n, asset.n - received.n);
        r->out->given = details_text(str_slice(asset, 0, (size_t)at), r->arena);
        r->out->received = details_text(rest, r->arena);
    }
    if (!printed_is_empty(r->source->ticker_two) &&
        (n = printed_ticker(r->source->ticker_two, symbol)) > 0)
        r->out->received_ticker = arena_str(r->arena, str_of(symbol, n));
}

/* --- all */

void details_read(const struct details_source *source, struct arena *arena, struct details *ret)
{
    struct details_reader r = {source, arena, ret};
    *ret = DETAILS_NONE;
    read_labels(&r, source->detail);
    add_description(&r, source->description);
    read_exchange(&r);
    details_words_option(source, arena, ret);
    details_words_bond(source, arena, ret);
    ret->description = details_text(ret->description, arena);
}

struct str details_of_cells(
    const struct str cells[static CELL_COUNT], const struct row_values *values, struct arena *arena)
{
    const struct details_source source = {
        .asset_type = values->asset_type,
        .asset = values->asset_name,
        .ticker = cells[CELL_TICKER],
        .ticker_two = cells[CELL_TICKER_TWO],
        .detail = cells[CELL_ASSET_DETAIL],
        .description = cells[CELL_DESCRIPTION],
        .comment = cells[CELL_COMMENT],
    };
    struct details details;
    details_read(&source, arena, &details);
    return details_line(&details, arena);
}

struct str details_of_printed(
    struct str printed, const struct row_values *values, struct arena *arena)
{
    struct str cells[CELL_COUNT];
    if (str_is_null(printed) || !cells_read(printed, arena, cells))
        return STR_NULL;
    return details_of_cells(cells, values, arena);
}

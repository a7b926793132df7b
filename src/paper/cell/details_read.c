/* From cells to details; see details_read.h. */
#include "paper/cell/details_read.h"

#include "paper/cell/cells.h"
#include "paper/cell/printed.h"

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

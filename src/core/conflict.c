/* The rule; see conflict.h. */
#include "core/conflict.h"

#include <assert.h>
#include <stdlib.h>

/* decision 12's classes; docs/conflict.md prints the same reasons */
static const struct {
    enum conflict_class judged;
    struct str industry; /* code */
    struct str why;
} classes[ASSET_COUNT] = {
    [ASSET_NONE] = {CONFLICT_COMPANY, STR_NULL, STR_INIT("not stated: judged by its symbol")},
    [ASSET_STOCK] = {CONFLICT_COMPANY, STR_NULL, STR_INIT("a share of the company")},
    [ASSET_OPTION] = {CONFLICT_COMPANY, STR_NULL, STR_INIT("the underlying company counts")},
    [ASSET_BOND] =
        {CONFLICT_COMPANY, STR_NULL,
         STR_INIT("the issuer counts where the filing names its symbol")},
    [ASSET_MUNICIPAL_BOND] =
        {CONFLICT_NEVER, STR_NULL, STR_INIT("states and cities are no industry")},
    [ASSET_GOVERNMENT_SECURITY] =
        {CONFLICT_NEVER, STR_NULL, STR_INIT("the United States are no industry")},
    [ASSET_FUND] =
        {CONFLICT_NEVER, STR_NULL, STR_INIT("a fund's holdings are not the member's choice")},
    [ASSET_PRIVATE_EQUITY] =
        {CONFLICT_NEVER, STR_NULL, STR_INIT("what the fund or company owns is not on record")},
    [ASSET_CRYPTO] =
        {CONFLICT_ITSELF, STR_INIT("digital_assets"), STR_INIT("the asset is the industry")},
    [ASSET_REAL_ESTATE] =
        {CONFLICT_NEVER, STR_NULL,
         STR_INIT("a building or partnership, not an industry's company")},
    [ASSET_COMMODITY] = {CONFLICT_NEVER, STR_NULL, STR_INIT("a price, not a company")},
    [ASSET_ANNUITY_OR_INSURANCE] =
        {CONFLICT_NEVER, STR_NULL,
         STR_INIT("a contract of the holder, not a stake in the insurer")},
    [ASSET_RETIREMENT_ACCOUNT] =
        {CONFLICT_NEVER, STR_NULL, STR_INIT("an account; what it holds is not on record")},
    [ASSET_OTHER] = {CONFLICT_COMPANY, STR_NULL, STR_INIT("judged by its symbol")},
};

struct conflict_class_info conflict_class_of(enum asset_type type)
{
    assert(type >= 0 && type < ASSET_COUNT);
    return (struct conflict_class_info){
        .judged = classes[type].judged,
        .industry = industry_from_code(classes[type].industry),
        .why = classes[type].why,
    };
}

static struct conflict_asset company_of(
    const struct conflict_trade *trade, const struct company_import *imported)
{
    struct company company;
    if (!company_on(trade->ticker, trade->day, imported, &company))
        return (struct conflict_asset){.industry = 0};
    return (struct conflict_asset){
        company.industry, company.symbol,
        str_is_null(company.name) ? trade->asset_name : company.name, company.business,
        company.source};
}

struct conflict_asset conflict_asset_of(
    const struct conflict_trade *trade, const struct company_import *imported)
{
    struct conflict_class_info class = conflict_class_of(trade->asset_type);
    if (class.judged == CONFLICT_ITSELF)
        return (struct conflict_asset){
            .industry = class.industry, .company = trade->asset_name, .source = class.why};
    if (class.judged == CONFLICT_COMPANY && !str_is_null(trade->ticker))
        return company_of(trade, imported);
    return (struct conflict_asset){.industry = 0};
}

int conflict_version_of(const struct conflict_seats *seats, int32_t day)
{
    size_t n = seats->day_count;
    while (n > 1 && seats->days[n - 1] > day)
        n--;
    return (int)n - 1;
}

/* The start of the version's seats with that id or a greater one. */
static size_t find_place(const struct conflict_seats *seats, int version, struct str id)
{
    size_t from = 0, to = seats->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const struct seat *seat = &seats->items[middle];
        if (seat->version < version || (seat->version == version && str_cmp(seat->id, id) < 0))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static const struct seat *find_seat(
    const struct conflict_seats *seats, int version, struct str id, enum chamber chamber)
{
    size_t place = find_place(seats, version, id);
    const struct seat *seat = &seats->items[place];
    bool found = place < seats->count && seat->version == version && str_eq(seat->id, id) &&
                 seat->chamber == chamber;
    return found ? seat : NULL;
}

/* True if that version has the same seat. The id of a subcommittee can name another one there. */
static bool is_held_in(const struct conflict_seats *seats, const struct seat *seat, int version)
{
    const struct seat *other = find_seat(seats, version, seat->id, seat->chamber);
    return other && (!seat->subcommittee || str_eq_nocase(other->name, seat->name));
}

/* The versions around the seat's own in which it is held without interruption. */
static void set_run(const struct conflict_seats *seats, struct conflict_seat *s)
{
    const struct seat *seat = s->seat;
    int first = seat->version, after = seat->version + 1;
    while (first > 0 && is_held_in(seats, seat, first - 1))
        first--;
    while ((size_t)after < seats->day_count && is_held_in(seats, seat, after))
        after++;
    s->from = seats->days[first];
    s->to = (size_t)after < seats->day_count ? seats->days[after] : DAY_NONE;
}

bool conflict_entry_is_of(const struct committee_entry *entry, const struct seat *seat)
{
    return str_eq(entry->committee, seat->id) &&
           (!seat->subcommittee || str_eq_nocase(entry->name, seat->name));
}

/* The committee's entry for that industry; NULL: it does not oversee it. */
static const struct committee_entry *entry_of(const struct seat *seat, int industry)
{
    size_t n;
    const struct committee_entry *entries = industry_of_committee(seat->id, &n);
    for (size_t i = 0; i < n; i++)
        if (entries[i].industry == industry && conflict_entry_is_of(&entries[i], seat))
            return &entries[i];
    return NULL;
}

static int seat_order(const void *a, const void *b)
{
    const struct seat *x = ((const struct conflict_seat *)a)->seat;
    const struct seat *y = ((const struct conflict_seat *)b)->seat;
    if (x->subcommittee != y->subcommittee)
        return x->subcommittee ? 1 : -1;
    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    return str_cmp(x->id, y->id);
}

bool conflict_find(
    const struct conflict_trade *trade, const struct conflict_asset *asset,
    const struct conflict_seats *seats, struct conflict *ret)
{
    int version = conflict_version_of(seats, trade->day);
    if (version < 0 || !asset->industry)
        return false;
    *ret = (struct conflict){
        .asset = *asset,
        .as_of = seats->days[version],
        .after_trade = seats->days[version] > trade->day,
    };
    for (size_t i = find_place(seats, version, STR("")); i < seats->count; i++) {
        const struct seat *seat = &seats->items[i];
        if (seat->version != version || ret->seat_count == CONFLICT_SEATS_MAX)
            break;
        const struct committee_entry *entry =
            seat->chamber == trade->chamber ? entry_of(seat, asset->industry) : NULL;
        if (entry)
            ret->seats[ret->seat_count++] = (struct conflict_seat){.seat = seat, .entry = entry};
    }
    for (size_t i = 0; i < ret->seat_count; i++)
        set_run(seats, &ret->seats[i]);
    qsort(ret->seats, ret->seat_count, sizeof *ret->seats, seat_order);
    return ret->seat_count > 0;
}

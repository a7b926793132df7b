/* The rule; see conflict.h. */
#include "market/conflict.h"

#include <assert.h>
#include <stdlib.h>

#include "base/search.h"
#include "market/congress.h"

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

static bool counts_in(const struct seat *seat, int list, enum chamber chamber)
{
    return seat->first <= list && list < seat->after &&
           (seat->chamber == chamber || seat->chamber == CHAMBER_NONE);
}

static bool list_has_member(const struct conflict_seats *seats, int list, enum chamber chamber)
{
    for (size_t i = 0; i < seats->count; i++)
        if (counts_in(&seats->items[i], list, chamber))
            return true;
    return false;
}

/* Number of lists up to that day. */
static size_t lists_until(const struct conflict_seats *seats, int32_t day)
{
    return FIRST_NOT(i, seats->day_count, seats->days[i] <= day);
}

struct conflict_list conflict_list_of(
    const struct conflict_seats *seats, enum chamber chamber, int32_t day)
{
    int congress = congress_of(day);
    int32_t opens = congress_first_day(congress), closes = congress_first_day(congress + 1);
    size_t later = lists_until(seats, day);
    for (size_t n = later; n > 0 && seats->days[n - 1] >= opens; n--)
        if (list_has_member(seats, (int)n - 1, chamber))
            return (struct conflict_list){CONFLICT_IN_FORCE, (int)n - 1};
    for (size_t i = later; i < seats->day_count && seats->days[i] < closes; i++)
        if (list_has_member(seats, (int)i, chamber))
            return (struct conflict_list){CONFLICT_LATER_LIST, (int)i};
    return (struct conflict_list){CONFLICT_NO_LIST, -1};
}

bool conflict_seat_counts(
    const struct seat *seat, const struct conflict_list *list, enum chamber chamber)
{
    return counts_in(seat, list->index, chamber);
}

/* True if that is the same seat, perhaps in another role. The id of a subcommittee can name another
 * one in another list. */
static bool is_same_seat(const struct seat *a, const struct seat *b)
{
    return str_eq(a->id, b->id) && (!a->subcommittee || str_eq_nocase(a->name, b->name));
}

static bool in_one_congress(const struct conflict_seats *seats, int a, int b)
{
    return congress_of(seats->days[a]) == congress_of(seats->days[b]);
}

int32_t conflict_seat_from(const struct conflict_seats *seats, const struct seat *seat)
{
    int first = seat->first;
    for (size_t i = 0; i < seats->count; i++) {
        const struct seat *other = &seats->items[i];
        if (other->after == first && is_same_seat(other, seat) &&
            in_one_congress(seats, other->first, first)) {
            first = other->first;
            i = (size_t)-1; /* look for what precedes that */
        }
    }
    return seats->days[first];
}

/* A seat in the last list of a Congress ends with it, once there is a list of the next. */
int32_t conflict_seat_to(const struct conflict_seats *seats, const struct seat *seat)
{
    int after = seat->after;
    int32_t closes = congress_first_day(congress_of(seats->days[seat->first]) + 1);
    for (size_t i = 0; i < seats->count; i++) {
        const struct seat *other = &seats->items[i];
        if (other->first == after && is_same_seat(other, seat) &&
            in_one_congress(seats, other->first, seat->first)) {
            after = other->after;
            i = (size_t)-1;
        }
    }
    if ((size_t)after < seats->day_count && seats->days[after] < closes)
        return seats->days[after];
    return seats->newest >= closes ? closes : DAY_NONE;
}

static const struct str strengths[CONFLICT_STRENGTH_COUNT] = {
    [CONFLICT_FULL_COMMITTEE] = STR_INIT("full_committee"),
    [CONFLICT_SUBCOMMITTEE] = STR_INIT("subcommittee"),
    [CONFLICT_APPROPRIATIONS] = STR_INIT("appropriations"),
};

struct str conflict_strength_name(enum conflict_strength strength)
{
    return strengths[strength];
}

struct str conflict_basis_name(enum conflict_basis basis)
{
    static const struct str names[] = {
        [CONFLICT_NO_LIST] = STR_NULL,
        [CONFLICT_IN_FORCE] = STR_INIT("in_force"),
        [CONFLICT_LATER_LIST] = STR_INIT("later_list"),
    };
    return names[basis];
}

enum conflict_basis conflict_basis_from_name(struct str name)
{
    return str_eq(name, conflict_basis_name(CONFLICT_LATER_LIST)) ? CONFLICT_LATER_LIST
                                                                  : CONFLICT_IN_FORCE;
}

enum conflict_strength conflict_strength_of(struct str committee)
{
    return committee_id_is_appropriations(committee) ? CONFLICT_APPROPRIATIONS
           : committee_id_is_panel(committee)        ? CONFLICT_SUBCOMMITTEE
                                                     : CONFLICT_FULL_COMMITTEE;
}

bool conflict_entry_is_of(
    const struct committee_entry *entry, const struct seat *seat, int32_t as_of)
{
    return str_eq(entry->committee, seat->id) && days_include(entry->from, entry->to, as_of) &&
           (!seat->subcommittee || str_eq_nocase(entry->name, seat->name));
}

/* The committee's entry for that industry; NULL: it does not oversee it. */
static const struct committee_entry *entry_of(const struct seat *seat, int industry, int32_t as_of)
{
    size_t n;
    const struct committee_entry *entries = industry_of_committee(seat->id, &n);
    for (size_t i = 0; i < n; i++)
        if (entries[i].industry == industry && conflict_entry_is_of(&entries[i], seat, as_of))
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
    struct conflict_list list = conflict_list_of(seats, trade->chamber, trade->day);
    if (list.basis == CONFLICT_NO_LIST || !asset->industry)
        return false;
    *ret = (struct conflict){
        .asset = *asset,
        .basis = list.basis,
        .as_of = seats->days[list.index],
        .is_past = seats->days[list.index] < seats->newest,
        .strength = CONFLICT_APPROPRIATIONS,
    };
    for (size_t i = 0; i < seats->count && ret->seat_count < CONFLICT_SEATS_MAX; i++) {
        const struct seat *seat = &seats->items[i];
        if (!conflict_seat_counts(seat, &list, trade->chamber))
            continue;
        const struct committee_entry *entry = entry_of(seat, asset->industry, ret->as_of);
        if (!entry)
            continue;
        enum conflict_strength strength = conflict_strength_of(seat->id);
        ret->seats[ret->seat_count++] = (struct conflict_seat){
            seat, entry, strength, conflict_seat_from(seats, seat), conflict_seat_to(seats, seat)};
        if (strength < ret->strength)
            ret->strength = strength;
    }
    qsort(ret->seats, ret->seat_count, sizeof *ret->seats, seat_order);
    return ret->seat_count > 0;
}

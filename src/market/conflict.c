/* The rule; see conflict.h. */
#include "market/conflict.h"

#include <assert.h>
#include <stdlib.h>

#include "base/search.h"
#include "market/commodity.h"
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
        {CONFLICT_FUND, STR_NULL,
         STR_INIT("a broad fund's holdings are not the member's choice; one asset or sector is")},
    [ASSET_PRIVATE_EQUITY] =
        {CONFLICT_NEVER, STR_NULL, STR_INIT("what the fund or company owns is not on record")},
    [ASSET_CRYPTO] =
        {CONFLICT_ITSELF, STR_INIT("digital_assets"), STR_INIT("the asset is the industry")},
    [ASSET_REAL_ESTATE] =
        {CONFLICT_NEVER, STR_NULL,
         STR_INIT("a building or partnership, not an industry's company")},
    [ASSET_COMMODITY] =
        {CONFLICT_NAMED, STR_NULL, STR_INIT("the industry that produces the commodity counts")},
    [ASSET_ANNUITY_OR_INSURANCE] =
        {CONFLICT_NEVER, STR_NULL,
         STR_INIT("a contract of the holder, not a stake in the insurer")},
    [ASSET_RETIREMENT_ACCOUNT] =
        {CONFLICT_NEVER, STR_NULL, STR_INIT("an account; what it holds is not on record")},
    [ASSET_OTHER] =
        {CONFLICT_COMPANY, STR_NULL,
         STR_INIT("judged by its symbol; without one, as a future if it names an exchange")},
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

bool conflict_is_by_name(const struct conflict_trade *trade)
{
    enum conflict_class judged = classes[trade->asset_type].judged;
    return judged == CONFLICT_ITSELF || judged == CONFLICT_NAMED ||
           (trade->asset_type == ASSET_OTHER && str_is_null(trade->ticker));
}

bool conflict_judges(const struct conflict_asset *asset, int industry)
{
    for (size_t i = 0; i < asset->item_count; i++)
        if (asset->items[i].industry == industry && asset->items[i].kind != BUSINESS_MINOR)
            return true;
    return false;
}

static struct conflict_asset with_item(
    struct conflict_asset asset, int industry, enum business_kind kind, struct str source)
{
    if (industry)
        asset.items[asset.item_count++] =
            (struct business){.industry = industry, .kind = kind, .source = source};
    asset.industry = industry;
    return asset;
}

static struct conflict_asset named_of(const struct conflict_trade *trade)
{
    struct conflict_class_info class = conflict_class_of(trade->asset_type);
    struct conflict_asset asset = {.company = trade->asset_name, .source = class.why};
    if (class.judged == CONFLICT_ITSELF)
        return with_item(asset, class.industry, BUSINESS_PRIMARY, class.why);
    bool needs_exchange = class.judged != CONFLICT_NAMED;
    int industry = commodity_of(trade->asset_name, needs_exchange, &asset.why_not);
    return with_item(asset, industry, BUSINESS_ASSET, class.why);
}

/* A business of the list that is the company's industry says its share. */
static void add_businesses(struct conflict_asset *asset, const struct business *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct business *first = &asset->items[0];
        if (asset->item_count && first->industry == lines[i].industry) {
            first->share = lines[i].share;
            first->source = lines[i].source;
        } else {
            asset->items[asset->item_count++] = lines[i];
        }
    }
}

/* What a fund holds comes before the industry of its own. */
static struct conflict_asset company_of(
    const struct conflict_trade *trade, const struct company_import *imported)
{
    static const struct str broad = STR_INIT("the fund is broad, or no list has what it holds");
    size_t n;
    const struct business *lines = business_on(trade->ticker, trade->day, &n);
    bool holds = n && lines->kind >= BUSINESS_ASSET;
    struct company company = {.symbol = trade->ticker};
    if (!company_on(trade->ticker, trade->day, imported, &company) && !holds)
        return (struct conflict_asset){.industry = 0};
    struct conflict_asset asset = {
        .symbol = company.symbol,
        .confirmed = trade->confirmed,
        .company = str_is_null(company.name) ? trade->asset_name : company.name,
        .business = holds ? lines->source : company.business,
        .source = company.source,
    };
    bool fund = classes[trade->asset_type].judged == CONFLICT_FUND;
    if (!holds && (fund || company.industry == industry_from_code(STR("funds"))))
        asset.why_not = broad;
    if (!holds && !fund)
        asset = with_item(asset, company.industry, BUSINESS_PRIMARY, company.source);
    if (holds || !fund)
        add_businesses(&asset, lines, n);
    asset.industry = asset.item_count ? asset.items[0].industry : 0;
    return asset;
}

struct conflict_asset conflict_asset_of(
    const struct conflict_trade *trade, const struct company_import *imported)
{
    if (conflict_is_by_name(trade))
        return named_of(trade);
    if (classes[trade->asset_type].judged == CONFLICT_NEVER || str_is_null(trade->ticker))
        return (struct conflict_asset){.industry = 0};
    return company_of(trade, imported);
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
           (!seat->subcommittee || str_is_null(entry->name) ||
            str_eq_nocase(entry->name, seat->name));
}

static const struct str grades[CONFLICT_GRADE_COUNT] = {
    [CONFLICT_GRADE_A] = STR_INIT("A"),
    [CONFLICT_GRADE_B] = STR_INIT("B"),
    [CONFLICT_GRADE_C] = STR_INIT("C"),
};

struct str conflict_grade_name(enum conflict_grade grade)
{
    return grades[grade];
}

enum conflict_grade conflict_grade_from_name(struct str name)
{
    int grade = CONFLICT_GRADE_A;
    while (grade < CONFLICT_GRADE_COUNT && !str_eq(grades[grade], name))
        grade++;
    return grade < CONFLICT_GRADE_COUNT ? (enum conflict_grade)grade : CONFLICT_NO_GRADE;
}

static enum conflict_grade grade_of(
    enum conflict_basis basis, const struct seat *seat, const struct committee_entry *entry,
    const struct business *item)
{
    if (basis == CONFLICT_LATER_LIST || item->kind == BUSINESS_SECTOR ||
        entry->ground == GROUND_PART || entry->ground == GROUND_APPROPRIATIONS)
        return CONFLICT_GRADE_C;
    bool by_panel = entry->ground == GROUND_PANEL && !seat->subcommittee;
    return by_panel || item->kind == BUSINESS_SECONDARY ? CONFLICT_GRADE_B : CONFLICT_GRADE_A;
}

/* Takes the entry if it is of that seat and better than what the seat has. */
static void consider(
    const struct conflict *c, const struct committee_entry *entry, const struct business *item,
    struct conflict_seat *seat)
{
    enum conflict_grade grade = grade_of(c->basis, seat->seat, entry, item);
    if (item->kind != BUSINESS_MINOR && entry->industry == item->industry && grade < seat->grade &&
        conflict_entry_is_of(entry, seat->seat, c->as_of)) {
        seat->entry = entry;
        seat->item = item;
        seat->grade = grade;
    }
}

/* Sets what the committee oversees of the asset, by its best entry; false: nothing. Acts make a
 * committee oversee the first item alone. */
static bool oversees(const struct conflict *c, struct conflict_seat *seat)
{
    size_t n;
    const struct committee_entry *entries = industry_of_committee(seat->seat->id, &n);
    seat->grade = CONFLICT_GRADE_COUNT;
    for (size_t k = 0; k < c->asset->item_count; k++)
        for (size_t i = 0; i < n; i++)
            consider(c, &entries[i], &c->asset->items[k], seat);
    for (size_t i = 0; i < c->asset->act_count; i++)
        consider(c, &c->asset->acts[i], &c->asset->items[0], seat);
    return seat->entry != NULL;
}

static int seat_order(const void *a, const void *b)
{
    const struct conflict_seat *of_a = a, *of_b = b;
    const struct seat *x = of_a->seat, *y = of_b->seat;
    if (of_a->is_named != of_b->is_named)
        return of_a->is_named ? -1 : 1;
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
        .asset = asset,
        .basis = list.basis,
        .as_of = seats->days[list.index],
        .is_past = seats->days[list.index] < seats->newest,
        .strength = CONFLICT_APPROPRIATIONS,
        .grade = CONFLICT_GRADE_COUNT,
    };
    for (size_t i = 0; i < seats->count && ret->seat_count < CONFLICT_SEATS_MAX; i++) {
        struct conflict_seat seat = {.seat = &seats->items[i]};
        if (!conflict_seat_counts(seat.seat, &list, trade->chamber) || !oversees(ret, &seat))
            continue;
        seat.strength = conflict_strength_of(seat.seat->id);
        seat.from = conflict_seat_from(seats, seat.seat);
        seat.to = conflict_seat_to(seats, seat.seat);
        if (seat.strength < ret->strength)
            ret->strength = seat.strength;
        if (seat.grade < ret->grade || (seat.grade == ret->grade && seat.item < ret->item)) {
            ret->grade = seat.grade;
            ret->item = seat.item;
        }
        ret->seats[ret->seat_count++] = seat;
    }
    for (struct conflict_seat *seat = ret->seats; seat < ret->seats + ret->seat_count; seat++) {
        seat->is_named = seat->item == ret->item && seat->grade == ret->grade;
        ret->named_count += seat->is_named;
    }
    qsort(ret->seats, ret->seat_count, sizeof *ret->seats, seat_order);
    return ret->seat_count > 0;
}

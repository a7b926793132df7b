/* Committees on a day; see feed.h. */
#include <stdlib.h>

#include "base/search.h"
#include "feed/feed_internal.h"
#include "market/congress.h"
#include "market/seats_shipped.h"

/* --- flagged trades */

struct conflict_sums {
    const struct topics *topics;
    int64_t *committees; /* by number of topics.h */
    uint32_t committee_count;
    int64_t industries[INDUSTRY_COUNT + 1];
};

static void add_signal(void *ctx, const struct feed_signal *signal, int64_t trades)
{
    struct conflict_sums *sums = ctx;
    const struct signal_topic *topic = signal->topic;
    uint32_t numbers[2 * CONFLICT_SEATS_MAX], n = 0;
    if (!topic)
        return;
    sums->industries[topic->industry] += trades;
    for (uint32_t i = 0; i < 2 * topic->committee_count && n < 2 * CONFLICT_SEATS_MAX; i++) {
        uint32_t number = topic->committees[i / 2], known = 0;
        number = i % 2 ? topics_committee(sums->topics, number)->parent : number;
        while (known < n && numbers[known] != number)
            known++;
        if (known == n && number < sums->committee_count) {
            numbers[n++] = number;
            sums->committees[number] += trades;
        }
    }
}

static void read_sums(const struct committee_query *query, struct conflict_sums *ret)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.conflicts_only = true;
    filter.line_ms = query->until_ms;
    *ret = (struct conflict_sums){.topics = feed_topics(query->feed)};
    ret->committee_count = topics_committee_count(ret->topics);
    ret->committees = ARENA_ARRAY(query->arena, int64_t, ret->committee_count + 1);
    feed_each_signal(query->feed, &filter, add_signal, ret);
}

static int64_t conflicts_of(const struct conflict_sums *sums, struct str committee)
{
    uint32_t number = topics_committee_with(sums->topics, committee);
    return number < sums->committee_count ? sums->committees[number] : 0;
}

/* --- seats */

static const struct committee_book *book_of(const struct feed *feed)
{
    static const struct committee_book empty = {.count = 0};
    const struct committee_book *book =
        atomic_load_explicit(&feed_read(feed)->committees, memory_order_acquire);
    return book ? book : &empty;
}

bool feed_committee_days(const struct feed *feed, int32_t *ret_first, int32_t *ret_last)
{
    const struct committee_book *book = book_of(feed);
    if (!book->day_count)
        return false;
    *ret_first = book->days[0];
    *ret_last = congress_first_day(congress_of(book->days[book->day_count - 1]) + 1) - 1;
    return true;
}

/* The seats of a committee that count on a day. */
struct seats_on {
    enum conflict_basis basis;
    int32_t day; /* the day, or that of the later list */
    int64_t count;
    const struct feed_seat *first;
};

static bool seat_has(const struct feed_seat *seat, int32_t day)
{
    return seat->from <= day && day < seat->until;
}

static int64_t count_on(
    const struct feed_committee *committee, int32_t day, const struct feed_seat **ret_first)
{
    int64_t n = 0;
    for (size_t i = committee->count; i-- > 0;)
        if (seat_has(&committee->seats[i], day)) {
            *ret_first = &committee->seats[i];
            n++;
        }
    return n;
}

static void read_seats(const struct feed_committee *committee, int32_t day, struct seats_on *ret)
{
    int congress = congress_of(day);
    *ret = (struct seats_on){.basis = CONFLICT_IN_FORCE, .day = day};
    ret->count = count_on(committee, day, &ret->first);
    for (size_t i = 0; i < committee->count && !ret->count; i++) {
        const struct feed_seat *seat = &committee->seats[i];
        if (seat->from > day && seat->congress == congress)
            *ret = (struct seats_on){
                CONFLICT_LATER_LIST, seat->from, count_on(committee, seat->from, &ret->first),
                seat};
    }
    if (!ret->count)
        ret->basis = CONFLICT_NO_LIST;
}

static struct committee_summary summary_of(
    const struct feed_seat *seat, int64_t members, const struct conflict_sums *sums)
{
    return (struct committee_summary){
        .id = seat->is.id,
        .name = seat->is.title,
        .chamber = committee_id_chamber(seat->is.id),
        .parent = seat->is.subcommittee ? str_slice(seat->is.id, 0, COMMITTEE_ID_SIZE) : STR_NULL,
        .members = members,
        .conflicts = conflicts_of(sums, seat->is.id)};
}

static int member_order(const void *a, const void *b)
{
    const struct committee_member *x = a, *y = b;
    int order = (x->role > y->role) - (x->role < y->role);
    return order ? order : str_cmp(x->politician.slug, y->politician.slug);
}

static void put_members(
    const struct feed_committee *committee, const struct seats_on *on, struct arena *arena,
    struct committee_detail *ret)
{
    struct committee_member *members =
        ARENA_ARRAY(arena, struct committee_member, (size_t)on->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < committee->count && n < (size_t)on->count; i++) {
        const struct feed_seat *seat = &committee->seats[i];
        if (!seat->person || !seat_has(seat, on->day))
            continue;
        const struct people_profile *profile =
            atomic_load_explicit(&seat->person->profile, memory_order_acquire);
        members[n++] = (struct committee_member){
            {.slug = seat->person->slug,
             .name = profile->name,
             .chamber = seat->chamber,
             .party = seat->party,
             .state = seat->state},
            seat->is.role,
            seat->from,
            seat->is_open ? DAY_NONE : seat->until};
    }
    qsort(members, n, sizeof *members, member_order);
    ret->members = members;
    ret->member_count = n;
}

static void put_congresses(
    const struct feed_committee *committee, struct arena *arena, struct committee_detail *ret)
{
    size_t n = 0, room = 0;
    struct committee_congress *list = NULL;
    for (size_t i = committee->count; i-- > 0;) {
        const struct feed_seat *seat = &committee->seats[i];
        if (!n || list[n - 1].congress != seat->congress) {
            list = arena_grow(arena, list, n, &room, sizeof *list);
            list[n++] = (struct committee_congress){seat->congress, seat->from, seat->until, 0};
        }
        struct committee_congress *last = &list[n - 1];
        last->from = seat->from;
        if (last->to != DAY_NONE && seat->until > last->to)
            last->to = seat->until;
        if (seat->is_open)
            last->to = DAY_NONE;
        bool seen = false;
        for (size_t k = i + 1;
             k < committee->count && !seen && committee->seats[k].congress == seat->congress; k++)
            seen = seat->person && committee->seats[k].person == seat->person;
        last->members += !seen;
    }
    ret->congresses = list;
    ret->congress_count = n;
}

static void put_oversees(
    const struct seat *seat, int32_t as_of, struct arena *arena, struct committee_detail *ret)
{
    size_t count, n = 0;
    const struct committee_entry *entries = industry_of_committee(seat->id, &count);
    struct committee_oversight *list = ARENA_ARRAY(arena, struct committee_oversight, count + 1);
    for (size_t i = 0; i < count; i++)
        if (entries[i].industry && conflict_entry_is_of(&entries[i], seat, as_of))
            list[n++] = (struct committee_oversight){
                ret->is,           entries[i].industry, entries[i].ground, entries[i].jurisdiction,
                entries[i].source, entries[i].from,     entries[i].to};
    ret->oversees = list;
    ret->oversees_count = n;
}

static void put_panels(
    const struct committee_query *query, const struct conflict_sums *sums,
    const struct feed_committee *committee, struct committee_detail *ret)
{
    const struct committee_book *book = book_of(query->feed);
    const struct feed_committee *next = committee + 1, *end = book->items + book->count;
    struct committee_summary *list =
        ARENA_ARRAY(query->arena, struct committee_summary, (size_t)(end - next) + 1);
    for (; next < end && str_starts(next->id, committee->id); next++) {
        struct seats_on on;
        read_seats(next, ret->on, &on);
        if (on.count)
            list[ret->panel_count++] = summary_of(on.first, on.count, sums);
    }
    ret->panels = list;
}

/* NULL: no list has it. */
static const struct feed_committee *committee_with(const struct committee_book *book, struct str id)
{
    size_t at = FIRST_NOT(i, book->count, str_cmp(book->items[i].id, id) < 0);
    return at < book->count && str_eq(book->items[at].id, id) ? &book->items[at] : NULL;
}

bool feed_has_committee(const struct feed *feed, struct str id)
{
    return committee_with(book_of(feed), id);
}

static bool is_committee(const struct feed *feed, struct str id)
{
    size_t count;
    (void)industry_of_committee(id, &count);
    return feed_has_committee(feed, id) || count || seats_shipped_name(id, INT32_MAX).n;
}

/* The subcommittees, or of an id that is none, the committees. */
static void put_committees(const struct feed *feed, struct str id, struct buf *fits)
{
    const struct committee_book *book = book_of(feed);
    struct str parent = str_slice(id, 0, COMMITTEE_ID_SIZE);
    bool panels = committee_id_is_panel(id) && feed_has_committee(feed, parent);
    if (panels)
        buf_fmt(fits, "Subcommittees of %.*s: ", STR_ARG(parent));
    else
        buf_text(fits, "Committees: ");
    size_t none = fits->n;
    for (size_t i = 0; i < book->count; i++)
        if (committee_id_is_panel(book->items[i].id) == panels &&
            (!panels || str_starts(book->items[i].id, parent)))
            buf_fmt(fits, "%s%.*s", fits->n > none ? ", " : "", STR_ARG(book->items[i].id));
    if (fits->n == none)
        buf_text(fits, "none");
}

bool feed_value_exists(
    const struct feed *feed, const struct param *param, const struct param_value *value,
    bool of_members, struct buf *fits)
{
    enum { LISTED_MAX = 900 };
    if (param->type == PARAM_TYPE_COMMITTEE) {
        bool known = is_committee(feed, value->text);
        if (!known)
            put_committees(feed, value->text, fits);
        return known;
    }
    if (param->type != PARAM_TYPE_PARTY || value->number || /* one that is always known */
        parties_find(&feed_read(feed)->parties, value->text) ||
        (of_members && feed_has_member_party(feed, value->text)))
        return true;
    buf_text(fits, "Parties of trades: ");
    size_t none = fits->n;
    parties_put(&feed_read(feed)->parties, fits, STR(", "), LISTED_MAX);
    if (fits->n == none)
        buf_text(fits, "none");
    return false;
}

bool feed_committee(
    const struct committee_query *query, struct str id, struct committee_detail *ret)
{
    const struct committee_book *book = book_of(query->feed);
    const struct feed_committee *committee = committee_with(book, id);
    if (!committee)
        return false;
    struct conflict_sums sums;
    struct seats_on on;
    read_sums(query, &sums);
    read_seats(committee, query->on, &on);
    const struct feed_seat *seat = on.count ? on.first : &committee->seats[committee->count - 1];
    *ret = (struct committee_detail){
        .is = summary_of(seat, on.count, &sums),
        .congress = congress_of(query->on),
        .on = query->on,
        .as_of = on.day,
        .basis = on.basis};
    put_congresses(committee, query->arena, ret);
    if (on.basis == CONFLICT_NO_LIST)
        return true;
    if (on.basis == CONFLICT_IN_FORCE)
        ret->as_of = book->days[FIRST_NOT(i, book->day_count, book->days[i] <= query->on) - 1];
    put_members(committee, &on, query->arena, ret);
    put_panels(query, &sums, committee, ret);
    put_oversees(&seat->is, ret->as_of, query->arena, ret);
    return true;
}

size_t feed_committee_list(
    const struct committee_query *query, enum chamber chamber, struct str after, size_t limit,
    struct committee_summary *ret)
{
    const struct committee_book *book = book_of(query->feed);
    struct conflict_sums sums;
    size_t n = 0;
    read_sums(query, &sums);
    for (size_t i = 0; i < book->count && n < limit; i++) {
        const struct feed_committee *committee = &book->items[i];
        struct seats_on on;
        bool passes = chamber == CHAMBER_NONE || committee_id_chamber(committee->id) == chamber;
        if (!passes || (!str_is_null(after) && str_cmp(committee->id, after) <= 0))
            continue;
        read_seats(committee, query->on, &on);
        if (on.count)
            ret[n++] = summary_of(on.first, on.count, &sums);
    }
    return n;
}

/* --- industries */

static struct committee_summary committee_of(
    const struct committee_entry *entry, struct arena *arena)
{
    struct str parent = str_slice(entry->committee, 0, COMMITTEE_ID_SIZE);
    size_t count;
    BUF_SCOPED(title, SIZE_MAX);
    const struct committee_entry *whole = industry_of_committee(parent, &count);
    bool is_panel = committee_id_is_panel(entry->committee);
    if (is_panel && count)
        committee_title(
            &title, str_is_null(entry->name) ? entry->committee : entry->name, whole->name);
    return (struct committee_summary){
        .id = entry->committee,
        .name = title.n ? arena_str(arena, buf_view(&title)) : entry->name,
        .chamber = committee_id_chamber(entry->committee),
        .parent = is_panel ? parent : STR_NULL};
}

static struct industry_summary industry_of(
    const struct committee_query *query, const struct conflict_sums *sums, int industry)
{
    size_t count;
    const struct committee_entry *entries = industry_committees(&count);
    struct industry_summary ret = {.industry = industry, .conflicts = sums->industries[industry]};
    struct str last = STR_NULL;
    for (size_t i = 0; i < count; i++) {
        const struct committee_entry *entry = &entries[i];
        if (entry->industry != industry || str_eq(entry->committee, last) ||
            !days_include(entry->from, entry->to, query->on))
            continue;
        last = entry->committee;
        ret.committees++;
    }
    return ret;
}

void feed_industries(
    const struct committee_query *query, struct industry_summary ret[static INDUSTRY_COUNT])
{
    struct conflict_sums sums;
    read_sums(query, &sums);
    for (int industry = 1; industry <= INDUSTRY_COUNT; industry++)
        ret[industry - 1] = industry_of(query, &sums, industry);
}

void feed_industry(const struct committee_query *query, int industry, struct industry_detail *ret)
{
    struct conflict_sums sums;
    size_t count;
    const struct committee_entry *entries = industry_committees(&count);
    struct committee_oversight *list =
        ARENA_ARRAY(query->arena, struct committee_oversight, count + 1);
    read_sums(query, &sums);
    *ret = (struct industry_detail){industry_of(query, &sums, industry), list, 0};
    for (size_t i = 0; i < count; i++)
        if (entries[i].industry == industry)
            list[ret->overseen_count++] = (struct committee_oversight){
                committee_of(&entries[i], query->arena),
                industry,
                entries[i].ground,
                entries[i].jurisdiction,
                entries[i].source,
                entries[i].from,
                entries[i].to};
}

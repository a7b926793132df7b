/* Values of trades in the dimensions of groups; see group_values.h. */
#include "feed/group_values.h"

#include "noun/trade_read.h"

enum { ROOM_FIRST = 64 };

int32_t group_day(uint32_t day)
{
    return day ? (int32_t)((int64_t)day - (int64_t)slices_day(0)) : DAY_NONE;
}

void group_row_read(struct group_row *row, const struct walk *w)
{
    const struct series_facts *facts = &series_record(&w->view, row->ordinal)->facts;
    struct slice_place place = slices_place(SLICE_LATE);
    uint64_t late = series_late(facts, w->line_ms);
    row->day = facts->dated ? (uint32_t)slices_day(facts->day) : 0;
    row->code = (row->code & ~(place.mask << place.shift)) | late << place.shift;
    row->who = (row->who & ~(uint64_t)SERIES_DAYS_MASK) | series_days(facts, w->line_ms);
}

_Static_assert(
    PARTIES_MAX >> (SERIES_SENATE - SERIES_PARTY_SHIFT) == 0, "a party fits beside the code");

/* Has the slices' place of a field, or one of its own. */
static const struct dimension {
    enum slice_field field;
    struct slice_place place;
    bool of_who, of_listed, by_date, by_list;
} dimensions[GROUP_DIMENSION_COUNT] = {
    [GROUP_POLITICIAN] =
        {.place = {SERIES_PERSON_SHIFT, (1 << POSTING_INDEX_BITS) - 1}, .of_who = true},
    [GROUP_TICKER] =
        {.place = {SERIES_COMPANY_SHIFT, (1 << POSTING_INDEX_BITS) - 1}, .of_who = true},
    [GROUP_PARTY] = {.place = {SERIES_PARTY_SHIFT, PARTIES_MAX}},
    [GROUP_CHAMBER] = {.place = {SERIES_SENATE, 1}},
    [GROUP_STATE] = {SLICE_STATE},
    [GROUP_SECTOR] = {.place = {0, (1 << LISTED_SECTOR_BITS) - 1}, .of_listed = true},
    [GROUP_SEAT] =
        {.place = {LISTED_SECTOR_BITS, UINT32_MAX >> LISTED_SECTOR_BITS},
         .of_listed = true,
         .by_list = true},
    [GROUP_SIDE] = {SLICE_SIDE},
    [GROUP_OWNER] = {SLICE_OWNER},
    [GROUP_BRACKET] = {SLICE_BRACKET},
    [GROUP_ASSET_TYPE] = {SLICE_ASSET_TYPE},
    [GROUP_LATE_STATUS] = {SLICE_LATE},
    [GROUP_MONTH] = {SLICE_DAY, .by_date = true},
    [GROUP_YEAR] = {SLICE_DAY, .by_date = true},
    [GROUP_FLAG_INDUSTRY] = {SLICE_SIGNAL, .by_list = true},
    [GROUP_FLAG_COMMITTEE] = {SLICE_SIGNAL, .by_list = true},
};

void group_values_init(struct group_values *v, enum group_dimension dimension)
{
    const struct dimension *d = &dimensions[dimension];
    *v = (struct group_values){
        .dimension = dimension,
        .place = d->field ? slices_place(d->field) : d->place,
        .of_who = d->of_who,
        .of_listed = d->of_listed,
        .by_date = d->by_date,
        .by_list = d->by_list};
}

void group_values_finish(struct group_values *v)
{
    mem_free(v->by_field);
    if (v->by_date || v->by_list)
        mem_free(v->by_key);
    mem_free(v->by_tail);
    mem_free(v->lists);
    mem_free(v->keys);
    mem_free(v->newest);
}

/* Doubles an array until it has the place `at`. */
static void make_room(uint32_t **items, uint32_t *end, uint32_t at)
{
    uint32_t larger = *end ? *end : ROOM_FIRST;
    while (larger <= at)
        larger *= 2;
    if (larger == *end)
        return;
    *items = mem_realloc(*items, larger * sizeof **items);
    memset(*items + *end, 0, (larger - *end) * sizeof **items);
    *end = larger;
}

static uint32_t number_of(struct group_values *v, uint32_t key, uint32_t ordinal)
{
    make_room(&v->by_key, &v->key_end, key);
    if (!v->by_key[key]) {
        if (v->count + 1 >= v->room) {
            v->room = v->room ? 2 * v->room : ROOM_FIRST;
            v->keys = mem_realloc(v->keys, v->room * sizeof *v->keys);
            v->newest = mem_realloc(v->newest, v->room * sizeof *v->newest);
        }
        v->by_key[key] = ++v->count;
        v->keys[v->count] = key;
        v->newest[v->count] = ordinal;
    }
    return v->by_key[key];
}

static uint32_t date_key(const struct group_values *v, uint32_t day)
{
    int year, month, unused;
    if (!day)
        return 0;
    day_to_civil(group_day(day), &year, &month, &unused);
    return (uint32_t)(v->dimension == GROUP_YEAR ? year : 12 * year + month);
}

static void add_number(uint32_t *numbers, size_t *n, uint32_t number)
{
    for (size_t i = 0; i < *n; i++)
        if (numbers[i] == number)
            return;
    if (*n < GROUP_VALUES_MAX)
        numbers[(*n)++] = number;
}

/* The key of a committee is its number in topics.h, from 1. */
static size_t topic_numbers(
    struct group_values *v, const struct edition *e, const struct signal_topic *topic,
    uint32_t ordinal, uint32_t ret[static GROUP_VALUES_MAX])
{
    size_t n = 0;
    if (topic && v->dimension == GROUP_FLAG_INDUSTRY)
        ret[n++] = number_of(v, (uint32_t)topic->industry, ordinal);
    for (uint32_t i = 0;
         topic && v->dimension == GROUP_FLAG_COMMITTEE && i < topic->committee_count; i++) {
        uint32_t own = topic->committees[i], parent = topics_committee(&e->topics, own)->parent;
        add_number(ret, &n, number_of(v, 1 + own, ordinal));
        add_number(ret, &n, number_of(v, 1 + parent, ordinal));
    }
    if (!n)
        ret[n++] = number_of(v, 0, ordinal);
    return n;
}

/* Many rows share a tail, and a topic is far away in memory. */
static size_t signal_numbers(
    struct group_values *v, const struct edition *e, const struct walk *w,
    const struct group_row *row, uint32_t ret[static GROUP_VALUES_MAX])
{
    uint32_t tail = tails_index(series_tail(&w->view, row->ordinal));
    make_room(&v->by_tail, &v->tail_end, tail);
    uint32_t *place = &v->by_tail[tail];
    if (!*place) {
        const struct signal_topic *topic = tail ? tails_get(&e->tails, tail)->topic : NULL;
        size_t n = topic_numbers(v, e, topic, row->ordinal, ret);
        *place = v->lists_n ? v->lists_n : 1;
        v->lists_n = *place + 1 + (uint32_t)n;
        make_room(&v->lists, &v->list_end, v->lists_n);
        v->lists[*place] = (uint32_t)n;
        memcpy(v->lists + *place + 1, ret, n * sizeof *ret);
    }
    size_t n = v->lists[*place];
    memcpy(ret, v->lists + *place + 1, n * sizeof *ret);
    return n;
}

static size_t seat_numbers(
    struct group_values *v, const struct edition *e, const struct group_row *row,
    uint32_t ret[static GROUP_VALUES_MAX])
{
    const struct listed_set *set = listed_seats(&e->listed, row->listed);
    size_t n = 0;
    for (uint32_t i = 0; i < set->count; i++)
        add_number(ret, &n, number_of(v, 1 + set->committees[i], row->ordinal));
    return n;
}

size_t group_values_of(
    struct group_values *v, const struct edition *e, const struct walk *w,
    const struct group_row *row, uint32_t ret[static GROUP_VALUES_MAX])
{
    uint64_t word = v->of_who ? row->who : v->of_listed ? row->listed : row->code;
    uint32_t field = (uint32_t)(word >> v->place.shift & v->place.mask);
    size_t n = 1;
    if (v->by_list && field)
        return v->of_listed ? seat_numbers(v, e, row, ret) : signal_numbers(v, e, w, row, ret);
    ret[0] = number_of(v, v->by_date ? date_key(v, row->day) : field, row->ordinal);
    if (!v->by_date && !v->by_list) {
        v->by_field = v->by_key;
        v->field_end = v->key_end;
    } else if (!(row->who & SERIES_ODD)) {
        make_room(&v->by_field, &v->field_end, field);
        v->by_field[field] = ret[0];
    }
    return n;
}

void group_values_text(
    const struct group_values *v, const struct edition *e, const struct walk *w, uint32_t number,
    uint32_t newest, struct arena *arena, struct group_value *ret)
{
    enum group_dimension dimension = v->dimension;
    uint32_t key = v->keys[number];
    const struct series_record *record = series_record(&w->view, newest);
    const struct shape_list *list = group_dimension_field(dimension)->list;
    struct str became[RENAMES_CHAIN_MAX];
    struct trade trade;
    *ret = (struct group_value){.text = STR_NULL};
    if (dimension == GROUP_CHAMBER)
        key = key ? CHAMBER_SENATE : CHAMBER_HOUSE;
    if (!key)
        return;
    if (list) {
        ret->text = list->name_of((int)key);
        return;
    }
    shape_trade_read(
        series_record_json(record), tails_get(&e->tails, TAILS_NONE)->json, arena, &trade);
    switch (dimension) {
    case GROUP_POLITICIAN:
        ret->politician = trade.politician;
        ret->text = trade.politician.slug;
        break;
    case GROUP_TICKER:
        if (!str_is_null(trade.values.ticker))
            ret->text = arena_str(
                arena, became
                           [renames_successors(
                                &e->renames, trade.values.ticker, record->facts.day, became) -
                            1]);
        break;
    case GROUP_PARTY:
        ret->text = trade.politician.party;
        break;
    case GROUP_STATE:
        ret->text = trade.politician.state;
        break;
    case GROUP_MONTH:
        ret->text = arena_fmt(arena, "%04u-%02u", (key - 1) / 12, (key - 1) % 12 + 1);
        break;
    case GROUP_YEAR:
        ret->text = arena_fmt(arena, "%04u", key);
        break;
    case GROUP_SEAT:
        ret->text = e->listed.committees[key - 1];
        break;
    case GROUP_FLAG_COMMITTEE:
        ret->text = topics_committee(&e->topics, key - 1)->id;
        break;
    default:
        break;
    }
}

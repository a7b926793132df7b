/* A finding in words and as JSON; see conflict.h. */
#include <assert.h>

#include "base/json_out.h"
#include "market/conflict.h"

/* The sentence names the list's seats in the past tense unless the list is the newest one. */
static const struct {
    struct str present, past;
} role_phrases[SEAT_ROLE_COUNT] = {
    [SEAT_NONE] = {STR_INIT("sits on "), STR_INIT("sat on ")},
    [SEAT_CHAIR] = {STR_INIT("chairs "), STR_INIT("chaired ")},
    [SEAT_RANKING_MEMBER] = {STR_INIT("is ranking member of "), STR_INIT("was ranking member of ")},
    [SEAT_VICE_CHAIR] = {STR_INIT("is vice chair of "), STR_INIT("was vice chair of ")},
    [SEAT_MEMBER] = {STR_INIT("sits on "), STR_INIT("sat on ")},
};

/* Between the industry and the asset. */
static const struct str relations[BUSINESS_KIND_COUNT] = {
    [BUSINESS_PRIMARY] = STR_INIT(", the industry of "),
    [BUSINESS_SECONDARY] = STR_INIT(", a business of "),
    [BUSINESS_ASSET] = STR_INIT(", the industry behind "),
    [BUSINESS_SECTOR] = STR_INIT(", the sector of "),
};

/* How much of it the sentence spells out. The evidence has everything in full. */
struct detail {
    size_t named;                                  /* committees; the others are counted */
    size_t committee_max, company_max, member_max; /* bytes of a name */
    size_t act_max;                                /* bytes of an act of oversight */
    bool symbol_only;                              /* for a company: not its name */
};

enum { WHOLE = 4096 };

/* From full to short: the first one that fits is used. The last one always does. */
static const struct detail details[] = {
    {2, WHOLE, WHOLE, WHOLE, WHOLE, false},
    {2, WHOLE, 60, WHOLE, WHOLE, false},
    {2, WHOLE, 40, WHOLE, WHOLE, false},
    {1, WHOLE, WHOLE, WHOLE, WHOLE, false},
    {1, WHOLE, 60, WHOLE, WHOLE, false},
    {1, WHOLE, 40, WHOLE, WHOLE, false},
    {1, 100, 40, WHOLE, 100, false},
    {1, 60, 30, 60, 60, false},
    {1, 44, 20, 36, 40, true},
};

struct sentence {
    struct buf *out;
    const struct conflict *conflict;
    const struct detail *detail;
};

static bool is_tail_byte(char c)
{
    return ((uint8_t)c & 0xc0) == 0x80;
}

/* Ends the name before a word, without what cannot stand at the end: ", " or " of the". */
static struct str cut_name(struct str name, size_t max)
{
    static const struct str loose[] = {
        STR_INIT(","),    STR_INIT(";"),    STR_INIT(" and"), STR_INIT(" of"), STR_INIT(" on"),
        STR_INIT(" the"), STR_INIT(" for"), STR_INIT(" to"),  STR_INIT(" &"),  STR_INIT(" ")};
    size_t n = max;
    while (n > 0 && name.p[n] != ' ')
        n--;
    if (n == 0) /* one long word */
        for (n = max; n > 0 && is_tail_byte(name.p[n]);)
            n--;
    name = str_slice(name, 0, n);
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++)
        if (name.n > loose[i].n && str_eq(str_slice(name, name.n - loose[i].n, name.n), loose[i])) {
            name = str_slice(name, 0, name.n - loose[i].n);
            i = (size_t)-1; /* look again */
        }
    return name;
}

static void put_name(struct buf *b, struct str name, size_t max)
{
    if (name.n <= max) {
        buf_str(b, name);
        return;
    }
    buf_str(b, cut_name(name, max));
    buf_text(b, "\xe2\x80\xa6"); /* an ellipsis */
}

static void put_role(const struct sentence *s, enum seat_role role)
{
    buf_str(s->out, s->conflict->is_past ? role_phrases[role].past : role_phrases[role].present);
}

/* Inside a sentence: "Oil and gas" becomes "oil and gas", "IT services" stays. */
static void put_lower(struct buf *b, struct str name)
{
    bool acronym = name.n > 1 && name.p[1] >= 'A' && name.p[1] <= 'Z';
    if (name.n)
        buf_char(b, acronym ? name.p[0] : ascii_lower(name.p[0]));
    buf_str(b, str_slice(name, 1, name.n));
}

/* Writes "its Subcommittee on Forestry" after the parent committee. */
static void put_body(const struct sentence *s, const struct seat *seat, const struct seat *before)
{
    if (before && !before->subcommittee && str_starts(seat->id, before->id)) {
        char space[WHOLE];
        struct buf title = buf_over(space, sizeof space);
        subcommittee_title(&title, seat->name);
        buf_text(s->out, "its ");
        put_name(s->out, buf_view(&title), s->detail->committee_max);
    } else {
        buf_text(s->out, "the ");
        put_name(s->out, seat->title, s->detail->committee_max);
    }
}

static bool is_plain(const struct seat *seat)
{
    return seat->role == SEAT_MEMBER;
}

static void put_committees(const struct sentence *s)
{
    const struct conflict *c = s->conflict;
    struct buf *b = s->out;
    size_t named = c->named_count <= s->detail->named ? c->named_count : s->detail->named;
    size_t others = c->named_count - named;
    const struct seat *before = NULL;
    for (size_t i = 0; i < named; i++) {
        const struct seat *seat = c->seats[i].seat;
        bool last = i + 1 == named && !others;
        buf_text(b, !before ? "" : last ? " and " : ", ");
        if (before && is_plain(before) && is_plain(seat)) /* one verb for both */
            buf_text(b, "on ");
        else
            put_role(s, seat->role);
        put_body(s, seat, before);
        before = seat;
    }
    if (others) {
        buf_text(b, " and ");
        if (before && is_plain(before))
            buf_text(b, "on ");
        else
            put_role(s, SEAT_MEMBER);
        buf_fmt(b, "%zu other panel%s", others, others == 1 ? "" : "s");
    }
}

static void put_asset(const struct sentence *s)
{
    const struct conflict_asset *asset = s->conflict->asset;
    bool company = !str_is_null(asset->symbol);
    if (company && (s->detail->symbol_only || str_eq(asset->company, asset->symbol))) {
        buf_str(s->out, asset->symbol);
        return;
    }
    put_name(s->out, asset->company, s->detail->company_max);
    if (company) {
        buf_text(s->out, " (");
        buf_str(s->out, asset->symbol);
        buf_char(s->out, ')');
    }
}

/* Why the committee oversees it, if no rule says so. */
static void put_act(const struct sentence *s)
{
    const struct committee_entry *entry = s->conflict->seats[0].entry;
    if (entry->ground != GROUND_ACT)
        return;
    buf_text(s->out, ": ");
    put_name(s->out, entry->jurisdiction, s->detail->act_max);
}

static void put_sentence(const struct sentence *s, struct str member)
{
    const struct conflict *c = s->conflict;
    struct buf *b = s->out;
    char day[DAY_TEXT_SIZE];
    day_print(c->as_of, day);
    put_name(b, member, s->detail->member_max);
    buf_char(b, ' ');
    put_committees(s);
    buf_text(
        b, c->is_past            ? ", which oversaw "
           : c->named_count == 1 ? ", which oversees "
                                 : ", which oversee ");
    put_lower(b, industry_get(c->item->industry)->name);
    buf_str(
        b, c->item->kind != BUSINESS_PRIMARY       ? relations[c->item->kind]
           : str_is_null(c->asset->symbol)         ? STR(", among them ")
           : c->item->share && c->item->share < 50 ? STR(", the largest business of ")
                                                   : relations[BUSINESS_PRIMARY]);
    put_asset(s);
    put_act(s);
    buf_text(b, "; seats as of ");
    buf_put(b, day, sizeof day);
    buf_text(b, c->basis == CONFLICT_LATER_LIST ? ", a list later than the trade." : ".");
}

void conflict_put_reason(struct buf *b, const struct conflict *c, struct str member)
{
    char space[CONFLICT_REASON_MAX];
    struct buf out = buf_over(space, sizeof space);
    for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
        out = buf_over(space, sizeof space);
        const struct sentence s = {&out, c, &details[i]};
        put_sentence(&s, member);
        if (!out.overflow)
            break;
    }
    assert(!out.overflow);
    buf_str(b, buf_view(&out));
}

static void put_seat(struct json_out *j, const struct conflict_seat *s)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "id", s->seat->id);
    JSON_KEY_STR(j, "name", s->seat->title);
    JSON_KEY_STR(j, "role", seat_role_name(s->seat->role));
    JSON_KEY_STR(j, "strength", conflict_strength_name(s->strength));
    JSON_KEY_STR(j, "grade", conflict_grade_name(s->grade));
    JSON_KEY_DAY(j, "from", s->from);
    JSON_KEY_DAY(j, "to", s->to);
    json_object_end(j);
}

static void put_jurisdiction(struct json_out *j, const struct committee_entry *entry)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "id", entry->committee);
    JSON_KEY_STR(j, "industry", industry_get(entry->industry)->name);
    JSON_KEY_STR(j, "ground", committee_ground_name(entry->ground));
    JSON_KEY_STR(j, "jurisdiction", entry->jurisdiction);
    JSON_KEY_STR(j, "source", entry->source);
    json_object_end(j);
}

/* The entry that decides, and what else the committee did about the company then. */
static void put_grounds(struct json_out *j, const struct conflict *c, const struct conflict_seat *s)
{
    put_jurisdiction(j, s->entry);
    for (size_t i = 0; i < c->asset->act_count; i++) {
        const struct committee_entry *act = &c->asset->acts[i];
        if (act != s->entry && conflict_entry_is_of(act, s->seat, c->as_of))
            put_jurisdiction(j, act);
    }
}

static void put_industry(struct json_out *j, const struct business *item)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "code", industry_get(item->industry)->code);
    json_key(j, STR("share"));
    if (item->share)
        json_i64(j, item->share);
    else
        json_no_value(j);
    JSON_KEY_STR(j, "kind", business_kind_name(item->kind));
    JSON_KEY_STR(j, "source", item->source);
    json_object_end(j);
}

void conflict_put_industries(
    struct json_out *j, const struct conflict_asset *asset, const struct business *first)
{
    json_array_begin(j);
    if (first)
        put_industry(j, first);
    for (size_t i = 0; i < asset->item_count; i++)
        if (&asset->items[i] != first)
            put_industry(j, &asset->items[i]);
    json_array_end(j);
}

void conflict_put_evidence(struct buf *b, const struct conflict *c)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "industry", industry_get(c->item->industry)->name);
    json_key(&j, STR("industries"));
    conflict_put_industries(&j, c->asset, c->item);
    JSON_KEY_STR(&j, "basis", conflict_basis_name(c->basis));
    JSON_KEY_STR(&j, "strength", conflict_strength_name(c->strength));
    JSON_KEY_STR(&j, "grade", conflict_grade_name(c->grade));
    JSON_KEY_DAY(&j, "seatsAsOf", c->as_of);
    JSON_KEY_ARRAY(&j, "committees");
    for (size_t i = 0; i < c->seat_count; i++)
        put_seat(&j, &c->seats[i]);
    json_array_end(&j);
    JSON_KEY_OBJECT(&j, "mapEntry");
    JSON_KEY_STR(&j, "symbol", c->asset->symbol);
    JSON_KEY_STR(
        &j, "symbolBasis",
        str_is_null(c->asset->symbol) ? STR_NULL
        : c->asset->confirmed         ? STR("reviewer")
                                      : STR("filed"));
    JSON_KEY_STR(&j, "company", c->asset->company);
    JSON_KEY_STR(&j, "business", c->asset->business);
    JSON_KEY_STR(&j, "source", c->asset->source);
    JSON_KEY_ARRAY(&j, "committees");
    for (size_t i = 0; i < c->seat_count; i++)
        put_grounds(&j, c, &c->seats[i]);
    json_array_end(&j);
    json_object_end(&j);
    json_object_end(&j);
}

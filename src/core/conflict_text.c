/* A finding in words and as JSON; see conflict.h. */
#include "base/json_out.h"
#include "core/conflict.h"

enum { NAMED_MAX = 2 }; /* committees that the sentence names; the evidence has all */

static const struct str role_phrases[SEAT_ROLE_COUNT] = {
    [SEAT_NONE] = STR_INIT("sits on "),
    [SEAT_CHAIR] = STR_INIT("chairs "),
    [SEAT_RANKING_MEMBER] = STR_INIT("is ranking member of "),
    [SEAT_VICE_CHAIR] = STR_INIT("is vice chair of "),
    [SEAT_MEMBER] = STR_INIT("sits on "),
};

/* Inside a sentence: "Oil and gas" becomes "oil and gas", "IT services" stays. */
static void put_lower(struct buf *b, struct str name)
{
    bool acronym = name.n > 1 && name.p[1] >= 'A' && name.p[1] <= 'Z';
    if (name.n)
        buf_char(b, acronym ? name.p[0] : ascii_lower(name.p[0]));
    buf_str(b, str_slice(name, 1, name.n));
}

/* Writes "its Subcommittee on Forestry" after the parent committee. */
static void put_body(struct buf *b, const struct seat *seat, const struct seat *before)
{
    if (before && !before->subcommittee && str_starts(seat->id, before->id)) {
        buf_text(b, "its ");
        subcommittee_title(b, seat->name);
    } else {
        buf_text(b, "the ");
        buf_str(b, seat->title);
    }
}

static bool is_plain(const struct seat *seat)
{
    return seat->role == SEAT_MEMBER;
}

static void put_committees(struct buf *b, const struct conflict *c)
{
    size_t named = c->seat_count <= NAMED_MAX ? c->seat_count : NAMED_MAX;
    size_t others = c->seat_count - named;
    const struct seat *before = NULL;
    for (size_t i = 0; i < named; i++) {
        const struct seat *seat = c->seats[i].seat;
        bool last = i + 1 == named && !others;
        buf_text(b, !before ? "" : last ? " and " : ", ");
        if (before && is_plain(before) && is_plain(seat)) /* one verb for both */
            buf_text(b, "on ");
        else
            buf_str(b, role_phrases[seat->role]);
        put_body(b, seat, before);
        before = seat;
    }
    if (others) {
        buf_text(b, before && is_plain(before) ? " and on " : " and sits on ");
        buf_fmt(b, "%zu other panel%s", others, others == 1 ? "" : "s");
    }
}

void conflict_put_reason(struct buf *b, const struct conflict *c, struct str member)
{
    char day[DAY_TEXT_SIZE];
    day_print(c->as_of, day);
    buf_str(b, member);
    buf_char(b, ' ');
    put_committees(b, c);
    buf_text(b, c->seat_count == 1 ? ", which oversees " : ", which oversee ");
    put_lower(b, industry_get(c->asset.industry)->name);
    buf_text(b, str_is_null(c->asset.symbol) ? ", among them " : ", the industry of ");
    buf_str(b, c->asset.company);
    if (!str_is_null(c->asset.symbol)) {
        buf_text(b, " (");
        buf_str(b, c->asset.symbol);
        buf_char(b, ')');
    }
    buf_text(b, "; seats as of ");
    buf_put(b, day, sizeof day);
    buf_text(b, c->after_trade ? ", the earliest list on record, later than the trade." : ".");
}

static void put_seat(struct json_out *j, const struct conflict_seat *s)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "id", s->seat->id);
    JSON_KEY_STR(j, "name", s->seat->title);
    JSON_KEY_STR(j, "role", seat_role_name(s->seat->role));
    json_key(j, STR("from"));
    json_day(j, s->from);
    json_key(j, STR("to"));
    json_day(j, s->to);
    json_object_end(j);
}

static void put_jurisdiction(struct json_out *j, const struct committee_entry *entry)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "id", entry->committee);
    JSON_KEY_STR(j, "jurisdiction", entry->jurisdiction);
    JSON_KEY_STR(j, "source", entry->source);
    json_object_end(j);
}

void conflict_put_evidence(struct buf *b, const struct conflict *c)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "industry", industry_get(c->asset.industry)->name);
    json_key(&j, STR("committees"));
    json_array_begin(&j);
    for (size_t i = 0; i < c->seat_count; i++)
        put_seat(&j, &c->seats[i]);
    json_array_end(&j);
    json_key(&j, STR("mapEntry"));
    json_object_begin(&j);
    JSON_KEY_STR(&j, "symbol", c->asset.symbol);
    JSON_KEY_STR(&j, "company", c->asset.company);
    JSON_KEY_STR(&j, "business", c->asset.business);
    JSON_KEY_STR(&j, "source", c->asset.source);
    json_key(&j, STR("committees"));
    json_array_begin(&j);
    for (size_t i = 0; i < c->seat_count; i++)
        put_jurisdiction(&j, c->seats[i].entry);
    json_array_end(&j);
    json_object_end(&j);
    json_object_end(&j);
}

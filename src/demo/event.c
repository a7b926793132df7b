/* Makes invented events; see event.h. */
#include "demo/event.h"

#include "base/codec.h"
#include "demo/maker.h"
#include "event/body.h"
#include "store/public/trade.h"

enum { RANDOM_BYTES = 8, ROWS_MAX = 4, ONE_ROW = 1 };

/* An invented filing that is public. */
struct published {
    struct draft_filing draft;
    struct filing filing;
    struct politician_ref politician;
    int64_t disclosed_at;
};

static struct str random_digits(struct arena *arena)
{
    uint8_t bytes[RANDOM_BYTES];
    char digits[2 * sizeof bytes];
    random_bytes(bytes, sizeof bytes);
    hex_encode(bytes, sizeof bytes, digits);
    return arena_str(arena, str_of(digits, sizeof digits));
}

static struct politician_ref politician_of(
    const struct member *people, size_t count, const struct draft_filing *draft)
{
    size_t i = 0;
    while (i < count - 1 && !str_eq(people[i].id, draft->politician_id))
        i++;
    return (struct politician_ref){
        .slug = people[i].slug,
        .name = people[i].name,
        .chamber = draft->chamber,
        .party = draft->party,
        .state = draft->state,
    };
}

/* Filed the day before, because review takes time. */
static void make_published(
    struct arena *arena, struct demo_maker *maker, int rows, int64_t now_ms, struct published *ret)
{
    struct draft_filing *draft = &ret->draft;
    demo_maker_make(maker, random_digits(arena), now_ms - DAY_MS, rows, draft);
    ret->disclosed_at = now_ms;
    ret->politician = politician_of(maker->people, maker->people_count, draft);
    ret->filing = (struct filing){
        .id = draft->id,
        .chamber = draft->chamber,
        .source_doc_id = draft->source_doc_id,
        .url = draft->url,
        .politician_id = draft->politician_id,
        .filed_at = draft->filed_at,
        .published_at = now_ms,
    };
}

static void put_published(struct buf *b, const struct published *p)
{
    struct finding *const none[ROWS_MAX] = {NULL};
    const bool all_are_new[ROWS_MAX + 1] = {false}; /* by the number of the row */
    event_body_put(b, &p->filing, &p->politician, &p->draft, none, all_are_new, p->disclosed_at);
}

/* --- changes */

/* What was published before a correction. */
static enum bracket bracket_beside(enum bracket bracket)
{
    return bracket > BRACKET_1K_15K ? (enum bracket)(bracket - 1) : BRACKET_15K_50K;
}

static struct str reason_of(enum change_kind kind)
{
    switch (kind) {
    case CHANGE_CORRECTED:
        return STR("The amount was read from the wrong line of the form.");
    case CHANGE_WITHDRAWN:
        return STR("The filing was published twice.");
    case CHANGE_REINSTATED:
        return STR("The withdrawal was a mistake.");
    default:
        return STR_NULL;
    }
}

static void put_change(
    struct buf *b, struct arena *arena, const struct published *p, enum event_type type,
    enum change_kind kind)
{
    const struct row_values *values = &p->draft.rows[0].values;
    bool corrected = kind == CHANGE_CORRECTED;
    char id[TRADE_ID_SIZE_MAX];
    struct str trade_id =
        arena_str(arena, str_of(id, trade_id_make(p->filing.id, p->draft.rows[0].row, id)));
    const struct change_entry entry = {
        .seq = 1,
        .at = p->disclosed_at,
        .kind = kind,
        .trade_id = trade_id,
        .filing_id = p->filing.id,
        .field = corrected ? STR("amountBucket") : STR_NULL,
        .old = corrected ? bracket_key(bracket_beside(values->bracket)) : STR_NULL,
        .new = corrected ? bracket_key(values->bracket) : STR_NULL,
        .reason = reason_of(kind),
        .trade_is_public = kind != CHANGE_WITHDRAWN,
        .filing_is_public = kind != CHANGE_WITHDRAWN,
        .trade =
            {
                .id = trade_id,
                .politician = p->politician,
                .values = *values,
                .disclosed_at = p->disclosed_at - DAY_MS,
                .filing_url = p->filing.url,
            },
        .filing = p->filing,
        .politician = p->politician,
    };
    event_body_put_changes(b, event_type_name(type), &entry, 1);
}

/* The kind of change that sends this event. */
static enum change_kind kind_of(enum event_type type)
{
    int kind = CHANGE_NONE + 1;
    while (kind < CHANGE_KIND_COUNT - 1 && event_type_of_change((enum change_kind)kind) != type)
        kind++;
    return (enum change_kind)kind;
}

void demo_event_make(
    struct arena *arena, enum event_type type, int64_t now_ms, struct demo_event *ret)
{
    struct demo_companies companies;
    SCOPED(demo_maker_finish) struct demo_maker maker;
    struct published published;
    BUF_SCOPED(body, EVENT_BODY_SIZE_MAX);
    uint64_t seed;
    bool change = type != EVENT_TRADE_PUBLISHED;
    random_bytes(&seed, sizeof seed);
    const struct member *people = demo_people(arena, instant_day_utc(now_ms));
    demo_companies_read(arena, &companies);
    demo_maker_init(&maker, seed, people, DEMO_MEMBERS, &companies);
    int rows = change ? ONE_ROW : 1 + (int)dice_below(&maker.dice, ROWS_MAX);
    make_published(arena, &maker, rows, now_ms, &published);
    if (change)
        put_change(&body, arena, &published, type, kind_of(type));
    else
        put_published(&body, &published);
    *ret = (struct demo_event){
        .id = arena_fmt(arena, "evt_%.*s", STR_ARG(random_digits(arena))),
        .type = event_type_name(type),
        .body = arena_str(arena, buf_view(&body)),
    };
}

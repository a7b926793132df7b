/* A member's seats and trades on one axis; see member_drawing.h. */
#include "site/data/member_drawing.h"

#include "html/link.h"
#include "noun/trade_read.h"
#include "site/frame/trade_words.h"

enum {
    ASSET_MAX = 48,
    TITLE_SIZE_MAX = 1024,
    LANE_BOUGHT = 0,
    LANE_SOLD,
    LANE_EXCHANGED,
    PANELS_KEPT = 3,
    GAP_DAYS = 45,
    SLIVER_SHARE = 100, /* of the axis: a shorter seat cannot be seen */
};

static const struct timeline_lane lanes[] = {
    [LANE_BOUGHT] = {"bought", TIMELINE_UP, false, false},
    [LANE_SOLD] = {"sold", TIMELINE_DOWN, true, true},
    [LANE_EXCHANGED] = {"exchanged", TIMELINE_DIAMOND, true, false},
};

static uint8_t lane_of(enum side side)
{
    return side == SIDE_BUY ? LANE_BOUGHT : side == SIDE_EXCHANGE ? LANE_EXCHANGED : LANE_SOLD;
}

/* The spouse's bracket without an upper bound begins where this one does. */
static uint8_t size_of(enum bracket bracket)
{
    return (uint8_t)(bracket == BRACKET_OVER_1M_SPOUSE ? BRACKET_1M_5M : bracket);
}

_Static_assert((int)BRACKET_OVER_50M < (int)TIMELINE_SIZES, "a size for each bracket");

/* What the drawing asks for its links. */
struct context {
    const struct member_drawn *drawn;
    size_t *trades;                  /* of the marks: places in drawn->trades */
    const struct member_seat **rows; /* drawn ones */
    size_t row_count;
};

/* --- the axis */

/* A report of a trade follows it; a day after the report is a slip of the pen. */
static bool is_plausible(const struct member_trade *trade)
{
    int32_t day = trade->traded, first;
    (void)day_from_civil(2008, 1, 1, &first);
    return day != DAY_NONE && day >= first && day <= trade->filed;
}

static int32_t year_start(int32_t day)
{
    (void)day_from_civil(day_year(day), 1, 1, &day);
    return day;
}

static int32_t next_month(int32_t day)
{
    int year, month, of_month;
    day_to_civil(day, &year, &month, &of_month);
    (void)day_from_civil(month == 12 ? year + 1 : year, month % 12 + 1, 1, &day);
    return day;
}

static int32_t earlier(int32_t a, int32_t b)
{
    return a == DAY_NONE || (b != DAY_NONE && b < a) ? b : a;
}

static int32_t later(int32_t a, int32_t b)
{
    return a == DAY_NONE || (b != DAY_NONE && b > a) ? b : a;
}

/* The days of most trades of a report: a trade is due this many days after it. */
static struct timeline_span gap_of(int32_t filed)
{
    return (struct timeline_span){
        filed == DAY_NONE ? DAY_NONE : filed - GAP_DAYS, filed == DAY_NONE ? DAY_NONE : filed + 1};
}

/* Gaps in ascending order: the reports are newest first. */
static size_t make_gaps(struct page_call *call, const struct missing *m, struct timeline_span **ret)
{
    size_t count = 0;
    *ret = ARENA_ARRAY(call->arena, struct timeline_span, m->count + 1);
    for (size_t i = m->count; i > 0; i--)
        if (m->items[i - 1].filed_day != DAY_NONE)
            (*ret)[count++] = gap_of(m->items[i - 1].filed_day);
    return count;
}

/* From the year of the first trade to the last one, or to today. Without trades, as long as there
 * are seats. */
static struct member_period axis_of(const struct member_drawn *d)
{
    struct member_period axis = {DAY_NONE, d->in_office ? d->today : DAY_NONE};
    for (size_t i = 0; i < d->trades->count; i++)
        if (is_plausible(&d->trades->items[i])) {
            axis.from = earlier(axis.from, d->trades->items[i].traded);
            axis.to = later(axis.to, d->trades->items[i].traded);
        }
    for (size_t i = 0; i < d->missing->count; i++) {
        axis.from = earlier(axis.from, gap_of(d->missing->items[i].filed_day).from);
        axis.to = later(axis.to, d->missing->items[i].filed_day);
    }
    bool has_trades = axis.from != DAY_NONE;
    for (size_t i = 0; i < d->seats->count && !has_trades; i++) {
        const struct member_seat *row = &d->seats->rows[i];
        axis.from = earlier(axis.from, row->spans[0].from);
        axis.to = later(axis.to, row->spans[row->span_count - 1].to);
    }
    if (axis.from == DAY_NONE)
        return axis;
    axis.from = year_start(axis.from);
    axis.to = next_month(axis.to == DAY_NONE || axis.to < axis.from ? d->today : axis.to);
    return axis;
}

/* The period that was asked for, or the whole. `to` is the first day after it, in this month at the
 * latest: an open seat is a bar to the end of the axis. */
static struct member_period shown(const struct member_drawn *d)
{
    struct member_period axis = axis_of(d), asked = d->period;
    if (asked.from != DAY_NONE)
        axis.from = asked.from;
    if (asked.to != DAY_NONE)
        axis.to = earlier(asked.to + 1, next_month(d->today));
    if (axis.from != DAY_NONE && (axis.to == DAY_NONE || axis.to <= axis.from))
        axis.to = axis.from + 1;
    return axis;
}

/* --- rows */

/* The days of a seat in the period. An open seat counts until today. */
static int32_t days_in(const struct member_seat *seat, struct member_period axis, int32_t today)
{
    int32_t days = 0;
    for (size_t i = 0; i < seat->span_count; i++) {
        const struct timeline_span *span = &seat->spans[i];
        int32_t from = later(span->from, axis.from);
        int32_t to = earlier(span->to == DAY_NONE ? today + 1 : span->to, axis.to);
        days += to > from ? to - from : 0;
    }
    return days;
}

/* The seats in the period with this property, as bits. One that would be an invisible line, such as
 * three days of January before a new Congress, is in it only if a flagged trade rests on it. */
static uint64_t seats_in(
    const struct member_drawn *d, struct member_period axis, bool panels, uint64_t flagged)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < d->seats->count; i++) {
        uint64_t bit = UINT64_C(1) << i;
        int32_t days = days_in(&d->seats->rows[i], axis, d->today);
        int32_t least = flagged & bit ? 1 : 1 + (axis.to - axis.from) / SLIVER_SHARE;
        if (d->seats->rows[i].panel == panels && days >= least)
            bits |= bit;
    }
    return bits;
}

/* The lowest `room` bits. */
static uint64_t first_bits(uint64_t bits, int room)
{
    uint64_t first = 0;
    for (; bits && room > 0; room--) {
        first |= bits & -bits;
        bits &= bits - 1;
    }
    return first;
}

/* Which rows are drawn, as bits: committees that a flagged trade rests on, other committees, such
 * subcommittees, other subcommittees. If there is not room for all, some of it is kept for
 * subcommittees that a flagged trade rests on. */
static uint64_t choose(const struct member_drawn *d, struct member_period axis, uint64_t flagged)
{
    uint64_t committees = seats_in(d, axis, false, flagged);
    uint64_t panels = seats_in(d, axis, true, flagged);
    uint64_t kept = first_bits(panels & flagged, PANELS_KEPT);
    const uint64_t turns[] = {committees & flagged, kept, committees, panels & flagged, panels};
    uint64_t chosen = 0;
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        chosen |= first_bits(turns[i] & ~chosen, TIMELINE_ROWS_MAX - __builtin_popcountll(chosen));
    return chosen;
}

static struct timeline_row *make_rows(
    struct page_call *call, const struct member_drawn *d, uint64_t chosen, struct context *c)
{
    struct timeline_row *rows = ARENA_ARRAY(call->arena, struct timeline_row, TIMELINE_ROWS_MAX);
    c->rows = ARENA_ARRAY(call->arena, const struct member_seat *, TIMELINE_ROWS_MAX);
    for (size_t i = 0; i < d->seats->count; i++) {
        const struct member_seat *seat = &d->seats->rows[i];
        if (!(chosen >> i & 1))
            continue;
        rows[c->row_count] = (struct timeline_row){
            .key = seat->key,
            .label = seat->name,
            .title = seat->title,
            .minor = seat->panel,
            .spans = seat->spans,
            .span_count = seat->span_count,
        };
        c->rows[c->row_count++] = seat;
    }
    return rows;
}

static uint16_t drawn_rows(const struct member_drawn *d, const struct context *c, uint64_t seats)
{
    uint16_t bits = 0;
    for (size_t i = 0; i < c->row_count; i++)
        if (seats >> (size_t)(c->rows[i] - d->seats->rows) & 1)
            bits |= (uint16_t)(1U << i);
    return bits;
}

/* --- links */

/* The first characters, for the name of a link. */
static struct str cut(struct str text)
{
    size_t n = text.n < ASSET_MAX ? text.n : ASSET_MAX;
    while (n < text.n && n > 0 && ((unsigned char)text.p[n] & 0xC0) == 0x80)
        n--;
    return str_slice(text, 0, n);
}

static void put_seats(struct buf *b, const struct member_drawn *d, uint64_t seats)
{
    for (size_t i = 0; i < d->seats->count; i++)
        if (seats >> i & 1) {
            buf_char(b, ' ');
            buf_str(b, d->seats->rows[i].key);
        }
}

/* "2024-03-02 bought NWTB, $1,001 – $15,000, 51 days, 6 late, flagged A" */
static struct timeline_link mark_link(void *ctx, struct arena *arena, size_t index)
{
    const struct context *c = ctx;
    const struct member_trade *item = &c->drawn->trades->items[c->trades[index]];
    char space[TITLE_SIZE_MAX], day[DAY_TEXT_SIZE];
    struct buf b = buf_over(space, sizeof space);
    struct trade trade;
    shape_trade_read(item->head, item->tail, arena, &trade);
    const struct row_values *values = &trade.values;
    struct str asset = values->ticker.n ? values->ticker : cut(values->asset_name);
    int32_t late = member_trade_late(item);
    day_print(values->trade_date, day);
    buf_put(&b, day, sizeof day);
    buf_fmt(
        &b, " %.*s %.*s, %.*s", STR_ARG(words_side(values->side)), STR_ARG(asset),
        STR_ARG(bracket_info(values->bracket)->label));
    if (item->lateness.days_to_report >= 0)
        buf_fmt(&b, ", %d days", item->lateness.days_to_report);
    if (late)
        buf_fmt(&b, ", %d late", late);
    if (item->basis) {
        buf_text(&b, ", flagged");
        put_seats(&b, c->drawn, item->seats);
    }
    return (struct timeline_link){
        arena_fmt(arena, "/trades/%.*s", STR_ARG(item->id)), arena_str(arena, buf_view(&b))};
}

static struct str period_href(void *ctx, struct arena *arena, int32_t from, int32_t to, int lane)
{
    static const struct str sides[] = {
        [LANE_BOUGHT] = STR_INIT("buy"),
        [LANE_SOLD] = STR_INIT("sell"),
        [LANE_EXCHANGED] = STR_INIT("exchange")};
    char first[DAY_TEXT_SIZE], last[DAY_TEXT_SIZE];
    day_print(from, first);
    day_print(to, last);
    const struct link_param params[] = {
        {STR("traded_from"), str_of(first, sizeof first)},
        {STR("traded_to"), str_of(last, sizeof last)},
        {STR("side"), lane < 0 ? STR_NULL : sides[lane]}};
    /* relative to the page itself, because there are many */
    struct str href = link_make(arena, STR(""), params, sizeof params / sizeof *params);
    return arena_fmt(arena, "%.*s%s", STR_ARG(href), lane < 0 ? "#drawing" : "#trades");
}

/* --- the whole */

static size_t make_marks(
    struct page_call *call, const struct member_drawn *d, struct member_period axis,
    struct context *c, struct timeline_mark **ret)
{
    struct timeline_mark *marks =
        ARENA_ARRAY(call->arena, struct timeline_mark, d->trades->count + 1);
    size_t count = 0;
    c->trades = ARENA_ARRAY(call->arena, size_t, d->trades->count + 1);
    for (size_t i = 0; i < d->trades->count; i++) {
        const struct member_trade *item = &d->trades->items[i];
        if (item->traded == DAY_NONE || item->traded < axis.from || item->traded >= axis.to)
            continue;
        c->trades[count] = i;
        marks[count++] = (struct timeline_mark){
            .day = item->traded,
            .lane = lane_of(item->side),
            .size = size_of(item->bracket),
            .strong = item->basis != CONFLICT_NO_LIST,
            .underlined = member_trade_late(item) > 0,
            .rows = drawn_rows(d, c, item->seats),
        };
    }
    *ret = marks;
    return count;
}

static uint64_t flagged_rows(const struct member_drawn *d, struct member_period axis)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < d->trades->count; i++) {
        int32_t day = d->trades->items[i].traded;
        if (day != DAY_NONE && day >= axis.from && day < axis.to)
            rows |= d->trades->items[i].seats;
    }
    return rows;
}

static bool has_exchanges(const struct timeline_mark *marks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (marks[i].lane == LANE_EXCHANGED)
            return true;
    return false;
}

static struct str text_of(struct arena *arena, const struct member_drawn *d, struct member_period a)
{
    char from[DAY_TEXT_SIZE], to[DAY_TEXT_SIZE];
    day_print(a.from, from);
    day_print(a.to - 1, to);
    return arena_fmt(
        arena,
        "From %.10s to %.10s. Each seat of %.*s is a row of bars; below, each trade is a link. The "
        "tables after the chart have the same data.",
        from, to, STR_ARG(d->name));
}

void member_drawing_put(struct page_call *call, const struct member_drawn *d)
{
    struct member_period axis = shown(d);
    struct context context = {.drawn = d};
    struct timeline_mark *marks;
    struct timeline_span *gaps;
    struct str sizes[TIMELINE_SIZES] = {STR("")};
    view_null(call->view, "drawing");
    view_null(call->view, "drawingHidden");
    view_bool(call->view, "seatsHidden", false);
    if (axis.from == DAY_NONE)
        return;
    uint64_t chosen = choose(d, axis, flagged_rows(d, axis));
    struct timeline_row *rows = make_rows(call, d, chosen, &context);
    size_t count = make_marks(call, d, axis, &context, &marks);
    size_t gap_count = make_gaps(call, d->missing, &gaps);
    for (int i = 1; i <= BRACKET_OVER_50M; i++)
        sizes[i] = bracket_info((enum bracket)i)->label;
    struct timeline timeline = {
        .id = "s",
        .title = STR("Seats and trades"),
        .description = text_of(call->arena, d, axis),
        .from = axis.from,
        .to = axis.to,
        .rows = rows,
        .row_count = context.row_count,
        .lanes = lanes,
        .lane_count = has_exchanges(marks, count) ? 3 : 2,
        .marks = marks,
        .mark_count = count,
        .mark_link = mark_link,
        .period_href = period_href,
        .ctx = &context,
        .strong_noun = "flagged",
        .strong_label = "flagged: a committee of the member oversaw the industry",
        .underlined_label = "reported late",
        .gaps = gaps,
        .gap_count = gap_count,
        .gap_label = "45 days before a report that is not here",
        .size_labels = sizes,
    };
    timeline_put(call->view, "drawing", &timeline);
    uint64_t all = seats_in(d, axis, false, UINT64_MAX) | seats_in(d, axis, true, UINT64_MAX);
    view_bool(call->view, "seatsHidden", (all & ~chosen) != 0);
    if (d->period.from == DAY_NONE && d->period.to == DAY_NONE && count < d->trades->count)
        view_count(call->view, "drawingHidden", (int64_t)(d->trades->count - count));
}

/* Any bytes as a file of seats over time, up to a line "=", and as a file of names behind it.
 * Either an error that names one of the files, or seats of one Congress each that never overlap. */
#include "fuzz.h"

#include "conflict/spans_read.h"
#include "market/bioguide.h"
#include "market/congress.h"

enum { TODAY = 20700 };

static void ignore_odd(void *ctx, const struct spans_odd *odd)
{
    size_t *count = ctx;
    assert(odd->what && odd->line > 1);
    *count += 1;
}

static void check_span(const struct seat_span *s, const struct seat_span *before)
{
    assert(committee_id_valid(s->committee) && bioguide_is_valid(s->member));
    assert(s->from <= TODAY && (s->to == DAY_NONE || s->from < s->to));
    assert(s->to == DAY_NONE || congress_of(s->from) == congress_of(s->to - 1));
    if (before && str_eq(before->member, s->member) && str_eq(before->committee, s->committee))
        assert(before->to != DAY_NONE && before->to <= s->from);
}

static void check(struct spans_read *r)
{
    size_t count;
    for (size_t i = 1; i < r->day_count; i++)
        assert(r->days[i - 1] < r->days[i]);
    for (size_t i = 1; i < r->naming_count; i++)
        assert(
            !str_eq(r->namings[i - 1].committee, r->namings[i].committee) ||
            r->namings[i - 1].from < r->namings[i].from);
    const struct seat_span *spans =
        seat_spans_split(r->spans, r->span_count, r->days[r->day_count - 1], r->arena, &count);
    for (size_t i = 0; i < count; i++) {
        check_span(&spans[i], i ? &spans[i - 1] : NULL);
        assert(seat_spans_find(spans, count, spans[i].member) <= i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct fail fail = {0};
    size_t odd = 0;
    struct str text = fuzz_text(data, size);
    ptrdiff_t at = str_find(text, STR("\n=\n"));
    struct import_file seats = {STR("seats"), text}, names = {STR("names"), STR_NULL};
    if (at >= 0) {
        seats.text = str_slice(text, 0, (size_t)at);
        names.text = str_slice(text, (size_t)at + 3, text.n);
    }
    arena_init(&arena);
    struct spans_read read = {.arena = &arena, .today = TODAY, .odd = ignore_odd, .ctx = &odd};
    enum err err = spans_read_seats(&read, &seats, &fail);
    if (!err && at >= 0)
        err = spans_read_names(&read, &names, &fail);
    assert(odd == read.left_out);
    if (err) {
        struct str reason = str_from(fail.text);
        assert(err == ERR_INVALID);
        assert(str_starts(reason, STR("seats: ")) || str_starts(reason, STR("names: ")));
    } else {
        check(&read);
    }
    arena_finish(&arena);
    return 0;
}

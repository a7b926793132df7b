#include "unit.h"
#include "day_from.h"

#include <zip.h>

#include "base/json_in.h"
#include "people/match.h"
#include "real_members.h"

/* Invented people. */
static struct member_term dated[] = {
    {CHAMBER_SENATE, STR_INIT("OR"), MEMBER_DISTRICT_NONE, STR_INIT("Democrat"), 17000, 19000},
};
static struct member_term house[] = {
    {CHAMBER_HOUSE, STR_INIT("TX"), 7, STR_INIT("Democrat"), 17000, 17730},
    {CHAMBER_HOUSE, STR_INIT("TX"), 9, STR_INIT("Democrat"), 17730, 18460},
};
static struct member_term undated[] = {
    {CHAMBER_SENATE, STR_INIT("ME"), MEMBER_DISTRICT_NONE, STR_INIT("Republican"), DAY_NONE,
     DAY_NONE},
};
static struct member_name junior[] = {{STR_INIT("Walter"), STR_INIT("Pinebrook Jr.")}};
static struct member_name senior[] = {{STR_INIT("Walter"), STR_INIT("Pinebrook Sr.")}};

enum { ADA, BEN, OLD_BEN, JUNIOR, SENIOR, PEOPLE };

static struct member made_up[PEOPLE] = {
    [ADA] =
        {.id = STR_INIT("A000001"),
         .first = STR_INIT("Ada"),
         .last = STR_INIT("Winterhall"),
         .birthday = DAY_NONE,
         .terms = house,
         .term_count = 2},
    [BEN] =
        {.id = STR_INIT("B000001"),
         .first = STR_INIT("Ben"),
         .last = STR_INIT("Ferncastle"),
         .birthday = DAY_NONE,
         .terms = dated,
         .term_count = 1},
    [OLD_BEN] =
        {.id = STR_INIT("B000002"),
         .first = STR_INIT("Ben"),
         .last = STR_INIT("Ferncastle"),
         .birthday = -7300 /* 1950 */,
         .terms = undated,
         .term_count = 1},
    [JUNIOR] =
        {.id = STR_INIT("P000001"),
         .first = STR_INIT("Walter"),
         .last = STR_INIT("Pinebrook"),
         .birthday = DAY_NONE,
         .terms = dated,
         .term_count = 1,
         .names = junior,
         .name_count = 1},
    [SENIOR] =
        {.id = STR_INIT("P000002"),
         .first = STR_INIT("Walter"),
         .last = STR_INIT("Pinebrook"),
         .birthday = DAY_NONE,
         .terms = dated,
         .term_count = 1,
         .names = senior,
         .name_count = 1},
};

static struct match_answer find(
    const char *first, const char *last, enum chamber chamber, const char *state, int district,
    int32_t date)
{
    struct member_list list = {made_up, PEOPLE};
    struct match *m = match_create(&list);
    struct match_query q = {str_from(first), str_from(last), chamber,
                            str_from(state), district,       date};
    struct match_answer a = match_find(m, &q);
    match_destroy(m);
    return a;
}

static void term_must_cover_the_date(void **state)
{
    enum chamber h = CHAMBER_HOUSE;
    struct match_answer a = find("Ada", "Winterhall", h, "TX", 7, 17100);
    assert_ptr_equal(a.member, &made_up[ADA]);
    assert_ptr_equal(a.term, &house[0]);
    assert_int_equal(find("Ada", "Winterhall", h, "TX", 7, 16999).verdict, MATCH_NO_TERM);
    assert_int_equal(find("Ada", "Winterhall", h, "TX", 9, 18460 + 366).verdict, MATCH_ONE);
    assert_int_equal(find("Ada", "Winterhall", h, "TX", 9, 18460 + 367).verdict, MATCH_NO_TERM);
}

static void state_district_and_chamber_must_agree(void **state)
{
    assert_int_equal(
        find("Ada", "Winterhall", CHAMBER_HOUSE, "TX", 8, 17100).verdict, MATCH_NO_TERM);
    assert_int_equal(
        find("Ada", "Winterhall", CHAMBER_HOUSE, "KY", 7, 17100).verdict, MATCH_NO_TERM);
    assert_int_equal(
        find("Ada", "Winterhall", CHAMBER_SENATE, NULL, -1, 17100).verdict, MATCH_NO_TERM);
    assert_int_equal(
        find("Eve", "Winterhall", CHAMBER_HOUSE, "TX", 7, 17100).verdict, MATCH_NO_NAME);
}

static void dated_term_wins_over_undated_term(void **state)
{
    struct match_answer a = find("Ben", "Ferncastle", CHAMBER_SENATE, NULL, -1, 18000);
    assert_ptr_equal(a.member, &made_up[BEN]);
    /* If the dated term does not cover the day, the undated one may, at a plausible age. */
    a = find("Ben", "Ferncastle", CHAMBER_SENATE, NULL, -1, 16000);
    assert_ptr_equal(a.member, &made_up[OLD_BEN]);
    a = find("Ben", "Ferncastle", CHAMBER_SENATE, NULL, -1, -7300 + 93 * 365);
    assert_int_equal(a.verdict, MATCH_NO_TERM);
}

/* Without a state, a short form counts for a senator with a dated term, and for nobody else. */
static void short_form_matches_a_serving_senator(void **state)
{
    enum chamber s = CHAMBER_SENATE, h = CHAMBER_HOUSE;
    assert_ptr_equal(find("Benjamin", "Ferncastle", s, NULL, -1, 18000).member, &made_up[BEN]);
    assert_int_equal(find("Benjamin", "Ferncastle", s, NULL, -1, 16000).verdict, MATCH_NO_TERM);
    assert_int_equal(
        find("Benedict Jonah", "Ferncastle", s, NULL, -1, 18000).verdict, MATCH_NO_NAME);
    assert_int_equal(find("Walt", "Pinebrook", s, NULL, -1, 18000).verdict, MATCH_AMBIGUOUS);
    assert_ptr_equal(find("Walt", "Pinebrook Jr", s, NULL, -1, 18000).member, &made_up[JUNIOR]);
    assert_int_equal(find("Adie", "Winterhall", h, NULL, -1, 17100).verdict, MATCH_NO_NAME);
}

static void two_matching_members_match_none(void **state)
{
    struct match_answer a = find("Walter", "Pinebrook", CHAMBER_SENATE, NULL, -1, 18000);
    assert_int_equal(a.verdict, MATCH_AMBIGUOUS);
    assert_null(a.member);
    a = find("Walter", "Pinebrook, Sr.", CHAMBER_SENATE, NULL, -1, 18000);
    assert_ptr_equal(a.member, &made_up[SENIOR]);
    a = find("Walter", "Pinebrook III", CHAMBER_SENATE, NULL, -1, 18000);
    assert_int_equal(a.verdict, MATCH_NO_NAME);
}

static void two_printed_forms_must_agree(void **state)
{
    struct match_answer none = {.verdict = MATCH_NO_NAME};
    struct match_answer ada = {MATCH_ONE, &made_up[ADA], &house[0]};
    struct match_answer ben = {MATCH_ONE, &made_up[BEN], &dated[0]};
    assert_ptr_equal(match_agree(none, ada).member, &made_up[ADA]);
    assert_ptr_equal(match_agree(ada, none).member, &made_up[ADA]);
    assert_int_equal(match_agree(ada, ben).verdict, MATCH_AMBIGUOUS);
}

struct real {
    struct real_members members;
    struct arena arena;
    struct match *match;
};

static bool real_open(struct real *r)
{
    if (!real_members_open(&r->members))
        return false;
    arena_init(&r->arena);
    r->match = match_create(&r->members.list);
    return true;
}

static void real_close(struct real *r)
{
    match_destroy(r->match);
    arena_finish(&r->arena);
    real_members_close(&r->members);
}

static struct str house_find(
    struct real *r, const char *first, const char *last, const char *district, const char *date)
{
    int64_t number;
    assert_true(str_to_i64(str_from(district + 2), &number));
    struct match_query q = {str_from(first),     str_from(last), CHAMBER_HOUSE,
                            str_of(district, 2), (int)number,    day_from(date)};
    struct match_answer a = match_find(r->match, &q);
    return a.verdict == MATCH_ONE ? a.member->id : STR("nobody");
}

static void known_traps_match_the_right_member_or_none(void **state)
{
    struct real r;
    if (!real_open(&r))
        skip();
    assert_str(house_find(&r, "Elizabeth", "Fletcher", "TX07", "2019-04-23"), "F000468");
    assert_str(house_find(&r, "E.", "Fletcher", "TX07", "2019-04-23"), "nobody");
    assert_str(house_find(&r, "Nicholas", "Begich III", "AK00", "2025-06-01"), "B001323");
    assert_str(house_find(&r, "Nicholas", "Begich III", "AK00", "2024-06-01"), "nobody");
    assert_str(house_find(&r, "Nicholas", "Begich", "AK00", "2025-06-01"), "B001323");
    assert_str(house_find(&r, "Nicholas", "Begich", "AK00", "2024-08-01"), "nobody");
    assert_str(house_find(&r, "Ashley", "Hinson Arenholz", "IA01", "2021-04-05"), "H001091");
    assert_str(house_find(&r, "Ada Norah", "Henriquez", "PR00", "2023-05-02"), "nobody");
    /* terms before the last one */
    assert_str(house_find(&r, "Matt", "Cartwright", "PA17", "2016-05-05"), "C001090");
    assert_str(house_find(&r, "Michael", "Garcia", "CA25", "2021-05-05"), "G000061");
    assert_str(house_find(&r, "Markwayne", "Mullin", "OK02", "2020-05-05"), "M001190");
    assert_str(house_find(&r, "Alan", "Grayson", "FL09", "2014-05-05"), "G000556");
    assert_str(house_find(&r, "Alan Mark", "Grayson", "FL11", "2017-03-10"), "nobody");
    assert_str(house_find(&r, "Nancy", "Pelosi", "CA12", "2020-04-05"), "P000197");
    assert_str(house_find(&r, "Nancy", "Pelosi", "CA11", "2020-04-05"), "nobody");
    real_close(&r);
}

/* The days on which the member's reports can come from the Senate; false: none. */
static bool senate_days(const struct member *m, int32_t *from, int32_t *to)
{
    *from = INT32_MAX, *to = INT32_MIN;
    for (size_t i = 0; i < m->term_count; i++) {
        const struct member_term *t = &m->terms[i];
        if (t->chamber != CHAMBER_SENATE || t->end == DAY_NONE)
            continue;
        *from = t->start < *from ? t->start : *from;
        *to = t->end + MEMBER_AFTER_TERM_DAYS > *to ? t->end + MEMBER_AFTER_TERM_DAYS : *to;
    }
    return *from <= *to;
}

/* Why short forms are safe without a state: no form of a senator's name is that of another. */
static void no_two_senators_share_a_last_name_and_a_short_form(void **state)
{
    struct real r;
    if (!real_open(&r))
        skip();
    size_t senators = 0, forms = 0;
    for (size_t i = 0; i < r.members.list.count; i++) {
        const struct member *m = &r.members.list.items[i];
        int32_t from, to;
        if (!senate_days(m, &from, &to) || to < day_from("2012-04-04"))
            continue;
        senators++;
        from = from < day_from("2012-04-04") ? day_from("2012-04-04") : from;
        for (size_t k = 0; k < m->name_count; k++) {
            const struct member_name *name = &m->names[k];
            struct match_query q = {
                .first = name->first,
                .last = str_is_null(name->last) ? m->last : name->last,
                .chamber = CHAMBER_SENATE,
                .district = MEMBER_DISTRICT_NONE,
            };
            int32_t days[] = {from, to, from + (to - from) / 2};
            for (size_t d = 0; d < sizeof days / sizeof *days; d++, forms++) {
                q.date = days[d];
                struct match_answer a = match_find(r.match, &q);
                if (a.verdict == MATCH_ONE && a.member != m)
                    fail_msg("%.*s is %.*s", STR_ARG(m->name), STR_ARG(a.member->name));
            }
        }
    }
    print_message("%zu senators, %zu forms and days\n", senators, forms);
    struct match_query q = {
        .last = STR("James Banks"),
        .chamber = CHAMBER_SENATE,
        .district = MEMBER_DISTRICT_NONE,
        .date = day_from("2025-06-01")};
    assert_str(match_find(r.match, &q).member->id, "B001299");
    real_close(&r);
}

struct tally {
    size_t names, matched_names; /* a name counts as matched if any filing matches */
    size_t filings, matched_filings;
};

struct seen {
    struct str key; /* prefix, first, last, suffix, district */
    bool matched;
};

static size_t seen_at(struct seen *seen, size_t count, struct str key)
{
    size_t i = 0;
    while (i < count && !str_eq(seen[i].key, key))
        i++;
    return i;
}

/* One yearly index in its tab separated form: Prefix Last First Suffix FilingType StateDst Year
 * FilingDate DocID. */
static void index_match(
    struct real *r, struct str text, struct seen *seen, size_t *seen_count, struct tally *tally)
{
    struct str line, f[9];
    str_split(&text, '\n', &line);
    while (str_split(&text, '\n', &line)) {
        int n = 0, y, m, d;
        line = str_trim(line).n ? line : STR("");
        while (n < 9 && str_split(&line, '\t', &f[n]))
            n++;
        if (n < 9 || !str_eq(f[4], STR("P")))
            continue;
        char date[12] = {0};
        memcpy(date, f[7].p, f[7].n < 11 ? f[7].n : 11);
        char *end = date;
        m = (int)strtol(end, &end, 10), d = (int)strtol(end + 1, &end, 10);
        y = (int)strtol(end + 1, &end, 10);
        struct match_query q = {
            f[2],
            arena_fmt(&r->arena, "%.*s %.*s", STR_ARG(f[1]), STR_ARG(f[3])),
            CHAMBER_HOUSE,
            str_slice(f[5], 0, 2),
            (f[5].p[2] - '0') * 10 + f[5].p[3] - '0',
            0};
        assert_true(day_from_civil(y, m, d, &q.date));
        struct match_answer a = match_find(r->match, &q);
        tally->filings++;
        tally->matched_filings += a.verdict == MATCH_ONE;
        struct str key =
            arena_fmt(&r->arena, "%.*s|%.*s|%.*s", STR_ARG(f[2]), STR_ARG(f[1]), STR_ARG(f[5]));
        size_t at = seen_at(seen, *seen_count, key);
        if (at == *seen_count)
            seen[(*seen_count)++] = (struct seen){key, false};
        seen[at].matched |= a.verdict == MATCH_ONE;
        if (getenv("SHOW_MATCHES") && a.verdict == MATCH_ONE)
            fprintf(stderr, "MATCH\t%.*s\t%.*s\n", STR_ARG(key), STR_ARG(a.member->name));
    }
}

/* The element's text inside the record; empty if there is none. */
static struct str element(struct arena *arena, struct str record, const char *name)
{
    struct str open = arena_fmt(arena, "<%s>", name), close = arena_fmt(arena, "</%s>", name);
    ptrdiff_t at = str_find(record, open);
    if (at < 0)
        return STR("");
    struct str rest = str_slice(record, (size_t)at + open.n, record.n);
    return str_slice(rest, 0, (size_t)str_find(rest, close));
}

/* An index in its XML form as lines of the other form. */
static struct str xml_text(struct arena *arena, struct str xml)
{
    static const char *const names[] = {"Prefix",   "Last", "First",      "Suffix", "FilingType",
                                        "StateDst", "Year", "FilingDate", "DocID"};
    struct buf b;
    buf_init(&b, SIZE_MAX);
    buf_str(&b, STR("header\n"));
    for (ptrdiff_t at; (at = str_find(xml, STR("<Member>"))) >= 0;) {
        xml = str_slice(xml, (size_t)at + 1, xml.n);
        struct str record = str_slice(xml, 0, (size_t)str_find(xml, STR("</Member>")));
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            buf_str(&b, element(arena, record, names[i]));
            buf_char(&b, i + 1 < sizeof names / sizeof *names ? '\t' : '\n');
        }
    }
    struct str text = arena_str(arena, buf_view(&b));
    buf_finish(&b);
    return text;
}

static struct str zip_text(struct arena *arena, struct str bytes)
{
    zip_error_t error;
    zip_source_t *source = zip_source_buffer_create(bytes.p, bytes.n, 0, &error);
    zip_t *zip = zip_open_from_source(source, ZIP_RDONLY, &error);
    assert_non_null(zip);
    for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); i++) {
        zip_stat_t stat;
        if (zip_stat_index(zip, (zip_uint64_t)i, 0, &stat) ||
            !str_ends(str_from(stat.name), STR(".txt")))
            continue;
        char *text = arena_alloc(arena, stat.size + 1);
        zip_file_t *file = zip_fopen_index(zip, (zip_uint64_t)i, 0);
        zip_int64_t n = zip_fread(file, text, stat.size);
        zip_fclose(file);
        zip_close(zip);
        assert_true(n == (zip_int64_t)stat.size);
        return str_of(text, (size_t)n);
    }
    fail_msg("no .txt in the zip");
    return STR_NULL;
}

static void nearly_every_house_filer_is_matched(void **state)
{
    struct real r;
    if (!real_open(&r))
        skip();
    struct seen *seen = mem_array(4000, sizeof *seen);
    struct tally tally = {0};
    for (int year = 2013; year <= 2025; year++)
        for (int earlier = 0; earlier < 2; earlier++) {
            if (earlier ? year < 2023 : year > 2024)
                continue; /* not in the collection */
            struct str path =
                arena_fmt(&r.arena, "house/index%s/%dFD.zip", earlier ? "-earlier" : "", year);
            struct str bytes = shared_data_read(&r.arena, path.p);
            if (!str_is_null(bytes))
                index_match(&r, zip_text(&r.arena, bytes), seen, &tally.names, &tally);
        }
    struct str xml = shared_data_read(&r.arena, "house/index/2025FD.xml");
    if (!str_is_null(xml))
        index_match(&r, xml_text(&r.arena, xml), seen, &tally.names, &tally);
    for (size_t i = 0; i < tally.names; i++) {
        tally.matched_names += seen[i].matched;
        if (!seen[i].matched)
            fprintf(stderr, "never matched: %.*s\n", STR_ARG(seen[i].key));
    }
    fprintf(
        stderr, "house: %zu of %zu names, %zu of %zu filings\n", tally.matched_names, tally.names,
        tally.matched_filings, tally.filings);
    assert_true(tally.matched_names * 400 >= tally.names * 397); /* sources.md 4 */
    mem_free(seen);
    real_close(&r);
}

static void every_senate_heading_is_matched(void **state)
{
    struct real r;
    if (!real_open(&r))
        skip();
    struct json_in j;
    struct fail fail;
    struct str text = shared_data_read(&r.arena, "senate/ptr-rows.json");
    if (str_is_null(text))
        skip();
    assert_int_equal(json_in_open(&j, STR("ptr-rows.json"), text, &fail), OK);
    for (size_t i = 0; i < json_array_size(j.root); i++) {
        const json_t *page = json_array_get(j.root, i);
        struct str filer = json_in_str(&j, page, "filer"), filed = json_in_str(&j, page, "filed");
        struct str us = arena_fmt(&r.arena, "%.4s-%.2s-%.2s", filed.p + 6, filed.p, filed.p + 3);
        struct match_query q = {
            .last = str_slice(filer, 0, (size_t)str_find_char(filer, '(')),
            .chamber = CHAMBER_SENATE,
            .state = STR_NULL,
            .district = MEMBER_DISTRICT_NONE,
            .date = day_from(us.p)};
        struct match_answer a = match_find(r.match, &q);
        struct str rest = str_slice(filer, q.last.n + 1, filer.n);
        ptrdiff_t comma = str_find_char(rest, ',');
        if (comma > 0) {
            q.last = str_slice(rest, 0, (size_t)comma);
            q.first = str_slice(rest, (size_t)comma + 1, rest.n - 1);
            a = match_agree(a, match_find(r.match, &q));
        }
        if (a.verdict != MATCH_ONE)
            fprintf(stderr, "%.*s: %s\n", STR_ARG(filer), match_verdict_text(a.verdict));
        else if (getenv("SHOW_MATCHES"))
            fprintf(stderr, "SENATE\t%.*s\t%.*s\n", STR_ARG(filer), STR_ARG(a.member->name));
        assert_int_equal(a.verdict, MATCH_ONE);
    }
    json_in_close(&j);
    real_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(term_must_cover_the_date),
        cmocka_unit_test(state_district_and_chamber_must_agree),
        cmocka_unit_test(dated_term_wins_over_undated_term),
        cmocka_unit_test(short_form_matches_a_serving_senator),
        cmocka_unit_test(two_matching_members_match_none),
        cmocka_unit_test(two_printed_forms_must_agree),
        cmocka_unit_test(known_traps_match_the_right_member_or_none),
        cmocka_unit_test(no_two_senators_share_a_last_name_and_a_short_form),
        cmocka_unit_test(nearly_every_house_filer_is_matched),
        cmocka_unit_test(every_senate_heading_is_matched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* One build of the feed; see edition.h. */
#include "feed/edition.h"

#include <assert.h>

#include "feed/edition_parts.h"
#include "feed/group_answers.h"
#include "noun/details.h"
#include "noun/filing.h"
#include "noun/trade.h"
#include "store/public/trade.h"

enum {
    ROW_JSON_MAX = 1 << 20,
    RETIRED_MAX = 256, /* retired blocks kept before the writer waits for readers */
};

struct edition *edition_create(void)
{
    struct edition *e = MEM_NEW(struct edition);
    series_init(&e->trades, &e->retired);
    e->answers = group_answers_create();
    series_init(&e->filings, &e->retired);
    postings_init(&e->trade_lists, &e->retired);
    postings_init(&e->filing_lists, &e->retired);
    filing_index_init(&e->filing_index, &e->retired);
    people_init(&e->people, &e->retired);
    symbols_init(&e->symbols, &e->renames, &e->retired);
    parties_init(&e->parties, &e->retired);
    tails_init(&e->tails);
    topics_init(&e->topics);
    listed_init(&e->listed, &e->retired);
    buf_init(&e->json, ROW_JSON_MAX);
    struct fail fail;
    enum err err =
        renames_parse(str_of(ticker_renames_csv, ticker_renames_csv_size), &e->renames, &fail);
    assert(err == OK); /* a unit test parses the same bytes */
    return e;
}

void edition_destroy(struct edition *e)
{
    if (!e)
        return;
    e->shared = false;
    series_finish(&e->trades);
    group_answers_destroy(e->answers);
    series_finish(&e->filings);
    postings_finish(&e->trade_lists);
    postings_finish(&e->filing_lists);
    filing_index_finish(&e->filing_index);
    people_finish(&e->people);
    committee_book_free(atomic_load(&e->committees));
    symbols_finish(&e->symbols);
    parties_finish(&e->parties);
    tails_finish(&e->tails);
    topics_finish(&e->topics);
    listed_finish(&e->listed);
    renames_finish(&e->renames);
    buf_finish(&e->json);
    rcu_retired_free(&e->retired);
    mem_free(e);
}

/* Frees retired memory in batches, because waiting for readers is expensive. */
void edition_settle(struct edition *e)
{
    if (e->shared && e->retired.n >= RETIRED_MAX) {
        rcu_retired_free(&e->retired);
    } else if (!e->shared) {
        for (size_t i = 0; i < e->retired.n; i++)
            mem_free(e->retired.items[i]);
        e->retired.n = 0;
    }
}

void edition_put_member(struct edition *e, const struct people_profile *profile)
{
    people_put(&e->people, profile);
    series_changed(&e->trades);
    edition_settle(e);
}

void edition_put_committees(struct edition *e, struct committee_book *book)
{
    struct committee_book *before =
        atomic_exchange_explicit(&e->committees, book, memory_order_acq_rel);
    if (e->shared && before)
        rcu_wait_readers();
    committee_book_free(before);
}

void edition_put_ticker(struct edition *e, struct str symbol, struct symbol_company company)
{
    symbols_set_company(&e->symbols, symbols_get(&e->symbols, symbol), company);
    series_changed(&e->trades);
    edition_settle(e);
}

void edition_put_seats(struct edition *e, struct str id, const struct conflict_seats *seats)
{
    const struct person *person = people_find(&e->people, id);
    if (person)
        listed_put(&e->listed, person->index, seats);
}

static struct conflict_trade judged_of(
    const struct edition *e, const struct series_facts *facts, struct str asset_name)
{
    return (struct conflict_trade){
        .chamber = (enum chamber)facts->chamber,
        .asset_type = (enum asset_type)facts->asset_type,
        .ticker = facts->ticker ? e->symbols.by_index[facts->ticker]->text : STR_NULL,
        .asset_name = asset_name,
        .day = facts->day,
    };
}

static uint32_t listed_word(
    struct edition *e, const struct series_facts *facts, const struct conflict_trade *trade)
{
    const struct symbol *symbol = facts->ticker ? e->symbols.by_index[facts->ticker] : NULL;
    const struct symbol_company *company = symbol ? atomic_load(&symbol->company) : NULL;
    struct company_import imported;
    if (company)
        imported = (struct company_import){company->name, company->industry, company->source};
    return listed_of(&e->listed, facts->politician, trade, company ? &imported : NULL);
}

void edition_relist(struct edition *e)
{
    struct series_view v = series_writer_view(&e->trades);
    for (uint32_t ordinal = 0; ordinal < v.count; ordinal++) {
        const struct series_facts *facts = &series_record(&v, ordinal)->facts;
        const struct conflict_trade trade = judged_of(e, facts, STR(""));
        uint32_t word = listed_word(e, facts, &trade);
        if (conflict_is_by_name(&trade)) /* no list has such an asset */
            word += listed_sector(series_listed(series_chunk(&v, ordinal), ordinal)) -
                    listed_sector(word);
        series_list(&e->trades, ordinal, word);
    }
}

static bool trade_is_live(const void *edition, uint32_t ordinal)
{
    const struct edition *e = edition;
    struct series_view v = series_writer_view(&e->trades);
    return series_is_live(&v, ordinal);
}

void edition_edit_trade_lists(struct edition *e, struct posting_edit *edits, size_t n)
{
    postings_edit(&e->trade_lists, edits, n, trade_is_live, e);
}

static bool filing_is_live(const void *edition, uint32_t ordinal)
{
    const struct edition *e = edition;
    struct series_view v = series_writer_view(&e->filings);
    return series_is_live(&v, ordinal);
}

void edition_places(struct edition *e, const struct series_facts *facts, struct edition_places *ret)
{
    struct str successors[RENAMES_CHAIN_MAX];
    ret->person = e->people.by_index[facts->politician];
    ret->symbol_count = 0;
    if (facts->ticker)
        ret->symbols[ret->symbol_count++] = e->symbols.by_index[facts->ticker];
    if (facts->ticker && ret->symbols[0]->renamed) {
        size_t n = renames_successors(&e->renames, ret->symbols[0]->text, facts->day, successors);
        for (; ret->symbol_count < n; ret->symbol_count++)
            ret->symbols[ret->symbol_count] =
                symbols_get(&e->symbols, successors[ret->symbol_count]);
    }
    ret->key_count = 0;
    for (size_t t = 0; t <= ret->symbol_count; t++) {
        uint32_t ticker = t ? ret->symbols[t - 1]->index : 0;
        for (int politician = 0; politician < 2; politician++)
            for (int chamber = 0; chamber < 2; chamber++)
                ret->keys[ret->key_count++] = posting_key_of(
                    politician ? facts->politician : 0, ticker,
                    chamber ? (enum chamber)facts->chamber : CHAMBER_NONE, false);
    }
}

uint32_t edition_trades_of_pair(
    const struct edition *e, const struct person *person, const struct symbol *symbol)
{
    struct posting_view v = postings_find(
        &e->trade_lists, posting_key_of(person->index, symbol->index, CHAMBER_NONE, false));
    return v.n - v.dead;
}

void edition_tally(
    struct edition *e, const struct edition_places *places, const struct series_facts *facts,
    uint32_t tail, int step)
{
    enum side side = (enum side)facts->side;
    enum signal_mark mark = tails_mark(tail);
    tails_step(&e->tails, tail, step);
    tally_count(&e->tally, side, mark, facts->late, step);
    tally_count(&places->person->tally, side, mark, facts->late, step);
    for (size_t i = 0; i < places->symbol_count; i++)
        tally_count(&places->symbols[i]->tally, side, mark, facts->late, step);
}

/* step: 1 before the trade enters its lists, -1 after it has left them. */
static void count(
    struct edition *e, const struct edition_places *places, const struct series_facts *facts,
    uint32_t tail, int step)
{
    edition_tally(e, places, facts, tail, step);
    for (size_t i = 0; i < places->symbol_count; i++)
        if (edition_trades_of_pair(e, places->person, places->symbols[i]) == 0)
            atomic_fetch_add_explicit(
                &places->symbols[i]->politicians, (uint32_t)step, memory_order_relaxed);
}

static struct person *person_of(struct edition *e, const struct politician_ref *ref)
{
    struct person *person = people_find(&e->people, ref->slug);
    if (person)
        return person;
    struct people_profile profile = {
        .id = ref->slug,
        .slug = ref->slug,
        .name = ref->name,
        .chamber = ref->chamber,
        .party = ref->party,
        .state = ref->state,
        .district = -1,
    };
    return people_put(&e->people, &profile);
}

static struct series_facts facts_of(struct edition *e, const struct edition_trade *t)
{
    const struct trade *trade = &t->is;
    int32_t traded = trade->values.trade_date;
    struct trade_report before = lateness_known(&t->report, t->report.settled_at);
    struct lateness late = lateness_of(traded, &t->report), was = lateness_of(traded, &before);
    struct series_facts facts = {
        .politician = person_of(e, &trade->politician)->index,
        .report = t->report,
        .day = traded == DAY_NONE ? t->report.filed : traded,
        .late = late.reason == was.reason && late.first_filed == was.first_filed
                    ? (uint8_t)lateness_status(&late)
                    : LATE_BY_READER,
        .party = parties_intern(&e->parties, trade->politician.party),
        .side = (uint8_t)trade->values.side,
        .chamber = (uint8_t)trade->politician.chamber,
        .owner = (uint8_t)trade->values.owner,
        .asset_type = (uint8_t)trade->values.asset_type,
        .bracket = (uint8_t)trade->values.bracket,
        .cap_gains = (uint8_t)trade->cap_gains,
        .dated = traded != DAY_NONE,
    };
    if (trade->politician.state.n == sizeof facts.state)
        memcpy(facts.state, trade->politician.state.p, sizeof facts.state);
    if (!str_is_null(trade->values.ticker)) {
        const struct symbol *symbol = symbols_get(&e->symbols, trade->values.ticker);
        facts.ticker = facts.company = symbol->index;
        if (symbol->renamed) {
            struct str became[RENAMES_CHAIN_MAX];
            size_t n = renames_successors(&e->renames, symbol->text, facts.day, became);
            facts.company = symbols_get(&e->symbols, became[n - 1])->index;
        }
    }
    return facts;
}

/* The JSON has every fact except these. */
static bool is_record(
    const struct series_record *record, struct str json, struct str details,
    const struct series_facts *facts)
{
    const struct trade_report *a = &record->facts.report, *b = &facts->report;
    return record->facts.day == facts->day && a->filed_at == b->filed_at && a->filed == b->filed &&
           a->first_published_at == b->first_published_at && a->first_filed == b->first_filed &&
           a->notified == b->notified && a->page == b->page && a->first == b->first &&
           a->first_before == b->first_before && a->settled_at == b->settled_at &&
           a->first_filed_before == b->first_filed_before &&
           record->facts.cap_gains == facts->cap_gains &&
           str_eq(series_record_json(record), json) &&
           str_eq(series_record_details(record), details);
}

const struct series_record *edition_record(
    struct edition *e, const struct edition_trade *t, const struct series_record *old)
{
    const struct trade *trade = &t->is;
    struct series_facts facts = facts_of(e, t);
    const struct conflict_trade judged = judged_of(e, &facts, trade->values.asset_name);
    facts.listed = listed_word(e, &facts, &judged);
    buf_reset(&e->json);
    shape_trade_head(&e->json, trade);
    size_t head = e->json.n;
    if (!str_is_null(trade->values.details))
        shape_details_json(&e->json, trade->values.details, trade->cap_gains);
    assert(!e->json.overflow);
    struct str all = buf_view(&e->json);
    struct str json = str_slice(all, 0, head), details = str_slice(all, head, all.n);
    if (old && is_record(old, json, details, &facts))
        return old;
    return series_write(&e->trades, trade->id, json, details, &facts);
}

/* Compares this instant and id with the existing rows. */
static enum edition_push place_of(const struct series *s, int64_t at_ms, struct str id)
{
    struct series_view v = series_writer_view(s);
    uint32_t ordinal;
    if (v.count) {
        int64_t last_at = series_at(&v, v.count - 1);
        struct str last_id = series_record_id(series_record(&v, v.count - 1));
        if (at_ms < last_at || (at_ms == last_at && str_cmp(id, last_id) <= 0))
            return series_find(&v, at_ms, id, &ordinal) ? EDITION_PRESENT : EDITION_DISORDER;
    }
    return EDITION_PUSHED;
}

enum edition_push edition_push_trade(struct edition *e, const struct edition_trade *t)
{
    const struct trade *trade = &t->is;
    enum edition_push place = place_of(&e->trades, trade->disclosed_at, trade->id);
    if (place != EDITION_PUSHED)
        return place;
    const struct series_record *record = edition_record(e, t, NULL);
    uint32_t tail = edition_tail(e, trade->conflict_reason, record->facts.politician);
    uint32_t ordinal = series_push(&e->trades, trade->disclosed_at, record, tail);
    filing_index_add_trade(&e->filing_index, trade_id_filing(trade->id), ordinal);
    struct edition_places places;
    edition_places(e, &record->facts, &places);
    postings_warm(&e->trade_lists, places.keys, places.key_count);
    count(e, &places, &record->facts, tail, 1);
    for (size_t i = 0; i < places.key_count; i++) {
        if (i)
            postings_append(&e->trade_lists, places.keys[i], ordinal);
        if (tail != TAILS_NONE)
            postings_append(&e->trade_lists, edition_with_conflict(places.keys[i]), ordinal);
    }
    edition_settle(e);
    return EDITION_PUSHED;
}

static const struct series_record *write_filing(struct edition *e, const struct filing *filing)
{
    struct person *person = people_find(&e->people, filing->politician_id);
    struct series_facts facts = {
        .politician = person ? person->index : 0,
        .chamber = (uint8_t)filing->chamber,
        .report.filed_at = filing->filed_at,
        .report.filed = instant_day_new_york(filing->filed_at)};
    buf_reset(&e->json);
    shape_filing_json(&e->json, filing);
    assert(!e->json.overflow);
    return series_write(&e->filings, filing->id, buf_view(&e->json), STR(""), &facts);
}

enum { FILING_LISTS_MAX = 3 };

/* The lists of a filing: its chamber's, and then, if its member is known, the member's. */
static size_t filing_keys(
    const struct series_facts *facts, posting_key ret[static FILING_LISTS_MAX])
{
    enum chamber chamber = (enum chamber)facts->chamber;
    ret[0] = posting_key_of(0, 0, chamber, false);
    ret[1] = posting_key_of(facts->politician, 0, CHAMBER_NONE, false);
    ret[2] = posting_key_of(facts->politician, 0, chamber, false);
    return facts->politician ? FILING_LISTS_MAX : 1;
}

enum edition_push edition_push_filing(struct edition *e, const struct filing *filing)
{
    enum edition_push place = place_of(&e->filings, filing->published_at, filing->id);
    if (place != EDITION_PUSHED)
        return place;
    const struct series_record *record = write_filing(e, filing);
    uint32_t ordinal = series_push(&e->filings, filing->published_at, record, TAILS_NONE);
    filing_index_put(&e->filing_index, filing->id, ordinal);
    posting_key keys[FILING_LISTS_MAX];
    size_t n = filing_keys(&record->facts, keys);
    for (size_t i = 0; i < n; i++)
        postings_append(&e->filing_lists, keys[i], ordinal);
    edition_settle(e);
    return EDITION_PUSHED;
}

void edition_show(struct edition *e)
{
    series_show(&e->filings);
    series_show(&e->trades);
    people_sort(&e->people);
    symbols_sort(&e->symbols);
    edition_settle(e);
}

/* Finds the ordinal of the visible trade; false: none. */
static bool find_live(const struct series *s, int64_t at_ms, struct str id, uint32_t *ret)
{
    struct series_view v = series_writer_view(s);
    return series_find(&v, at_ms, id, ret) && series_is_live(&v, *ret);
}

bool edition_has_trade(const struct edition *e, int64_t disclosed_at, struct str id)
{
    uint32_t ordinal;
    return find_live(&e->trades, disclosed_at, id, &ordinal);
}

bool edition_withdraw_trade(struct edition *e, int64_t disclosed_at, struct str id)
{
    uint32_t ordinal;
    if (!find_live(&e->trades, disclosed_at, id, &ordinal))
        return false;
    struct series_view v = series_writer_view(&e->trades);
    const struct series_facts *facts = &series_record(&v, ordinal)->facts;
    uint32_t tail = series_tail(&v, ordinal);
    struct edition_places places;
    edition_places(e, facts, &places);
    series_hide(&e->trades, ordinal);
    for (size_t i = 0; i < places.key_count; i++) {
        if (i)
            postings_bury(&e->trade_lists, places.keys[i], ordinal, trade_is_live, e);
        if (tail != TAILS_NONE)
            postings_bury(
                &e->trade_lists, edition_with_conflict(places.keys[i]), ordinal, trade_is_live, e);
    }
    count(e, &places, facts, tail, -1);
    edition_settle(e);
    return true;
}

bool edition_withdraw_filing(struct edition *e, int64_t published_at, struct str id)
{
    uint32_t ordinal;
    if (!find_live(&e->filings, published_at, id, &ordinal))
        return false;
    struct series_view v = series_writer_view(&e->filings);
    const struct series_facts *facts = &series_record(&v, ordinal)->facts;
    series_hide(&e->filings, ordinal);
    posting_key keys[FILING_LISTS_MAX];
    size_t n = filing_keys(facts, keys);
    for (size_t i = 0; i < n; i++)
        postings_bury(&e->filing_lists, keys[i], ordinal, filing_is_live, e);
    edition_settle(e);
    return true;
}

/* A list may still have the ordinal of a withdrawn filing, so it leaves its former member's lists
 * also if it was not live. */
static void relist_filing(
    struct edition *e, const struct series_facts *old, const struct series_facts *new,
    uint32_t ordinal, bool was_live)
{
    struct posting_edit edits[2 * FILING_LISTS_MAX];
    posting_key before[FILING_LISTS_MAX], after[FILING_LISTS_MAX];
    size_t count = 0, n = filing_keys(old, before), m = filing_keys(new, after);
    bool moves = old->politician != new->politician;
    for (size_t i = 1; i < n && moves; i++)
        edits[count++] = (struct posting_edit){before[i], ordinal, false};
    for (size_t i = 0; i < m; i++)
        if (!was_live || (moves && i > 0))
            edits[count++] = (struct posting_edit){after[i], ordinal, true};
    postings_edit(&e->filing_lists, edits, count, filing_is_live, e);
}

bool edition_put_filing(struct edition *e, const struct filing *filing)
{
    struct series_view v = series_writer_view(&e->filings);
    uint32_t ordinal;
    if (!series_find(&v, filing->published_at, filing->id, &ordinal))
        return false;
    bool live = series_is_live(&v, ordinal);
    const struct series_record *old = series_record(&v, ordinal);
    const struct series_record *new = write_filing(e, filing);
    if (live && old->tag == new->tag && old->facts.politician == new->facts.politician)
        return true;
    series_replace(&e->filings, ordinal, new);
    if (!live)
        series_reveal(&e->filings, ordinal);
    relist_filing(e, &old->facts, &new->facts, ordinal, live);
    edition_settle(e);
    return true;
}

size_t edition_set_conflicts(struct edition *e, const struct edition_conflict *conflicts, size_t n)
{
    struct posting_edit *edits = NULL;
    size_t edit_count = 0, capacity = 0, changed = 0;
    struct series_view v = series_writer_view(&e->trades);
    for (size_t i = 0; i < n; i++) {
        uint32_t ordinal;
        if (!find_live(&e->trades, conflicts[i].disclosed_at, conflicts[i].id, &ordinal))
            continue;
        const struct series_facts *facts = &series_record(&v, ordinal)->facts;
        uint32_t tail = edition_tail(e, conflicts[i].reason, facts->politician);
        uint32_t old = series_tail(&v, ordinal);
        if (tail == old)
            continue;
        changed++;
        series_set_tail(&e->trades, ordinal, tail);
        tails_step(&e->tails, old, -1);
        tails_step(&e->tails, tail, 1);
        enum signal_mark from = tails_mark(old), to = tails_mark(tail);
        struct edition_places places;
        edition_places(e, facts, &places);
        tally_move(&e->tally, from, to);
        tally_move(&places.person->tally, from, to);
        for (size_t j = 0; j < places.symbol_count; j++)
            tally_move(&places.symbols[j]->tally, from, to);
        if ((tail == TAILS_NONE) == (old == TAILS_NONE))
            continue;
        if (edit_count + KEYS_MAX > capacity) {
            capacity = 2 * capacity + KEYS_MAX;
            edits = mem_realloc(edits, capacity * sizeof *edits);
        }
        for (size_t j = 0; j < places.key_count; j++)
            edits[edit_count++] = (struct posting_edit){
                edition_with_conflict(places.keys[j]), ordinal, tail != TAILS_NONE};
    }
    edition_edit_trade_lists(e, edits, edit_count);
    mem_free(edits);
    edition_settle(e);
    return changed;
}

size_t edition_bytes(const struct edition *e)
{
    return sizeof *e + atomic_load_explicit(&e->trades.bytes, memory_order_relaxed) +
           atomic_load_explicit(&e->filings.bytes, memory_order_relaxed) +
           atomic_load_explicit(&e->trade_lists.bytes, memory_order_relaxed) +
           atomic_load_explicit(&e->filing_lists.bytes, memory_order_relaxed);
}

/* The rule with its caches; see judge.h. */
#include "conflict/judge.h"

#include <assert.h>

#include "base/hash.h"
#include "base/intmap.h"
#include "conflict/oversight.h"
#include "store/public/member.h"
#include "store/public/roster.h"
#include "store/public/ticker.h"

enum {
    TEXT_SIZE_MAX = 64 * 1024,
    LATER_BITS = 1,
    CHAMBER_BITS = 2,
    LIST_BITS = 14,
    ASSET_BITS = 24,
};

/* A member, with the fields that the rule needs. */
struct holder {
    uint64_t index;
    struct str name;
    struct conflict_seats seats;
};

/* The base map entry of a symbol, or the fact that it has none. */
struct base_entry {
    struct base_entry *next; /* of the same hash */
    struct str symbol;
    bool known;
    struct company_import base;
};

/* The company of a symbol on a day with its businesses and the acts about it then, or the asset of
 * a name. The entries of a company have one key, the address of what names it: one symbol can have
 * several companies over time. */
struct asset_entry {
    uint64_t index;
    struct asset_entry *next; /* of the company, on other days */
    uint32_t businesses;      /* number of the first line; 0: none */
    uint32_t epoch;           /* of the acts */
    struct conflict_asset asset;
};

/* A finding, or none. */
struct verdict {
    bool found;
    enum conflict_grade grade;
    struct finding finding;
};

/* A stored finding, by the first bytes of its digest. */
struct judge_finding {
    struct judge_finding *next; /* with the same first bytes */
    int64_t no;
    uint8_t sha256[SHA256_SIZE];
};

struct judge {
    struct arena arena;
    const struct roster *roster; /* NULL: not loaded yet */
    struct intmap holders;       /* by member number */
    struct intmap bases;         /* by hash of the symbol */
    struct oversight_list acts;  /* loaded with the roster */
    struct intmap assets;        /* by company, or hash of the asset's name */
    struct intmap verdicts; /* by holder, asset, chamber, list, and whether the list is later than
                               the trade */
    struct intmap stored;
    bool has_stored; /* `stored` holds all findings of the database */
    uint64_t holder_count, asset_count;
    struct buf reason, evidence;
};

struct judge *judge_create(void)
{
    struct judge *j = MEM_NEW(struct judge);
    arena_init(&j->arena);
    intmap_init(&j->holders);
    intmap_init(&j->bases);
    intmap_init(&j->assets);
    intmap_init(&j->verdicts);
    intmap_init(&j->stored);
    buf_init(&j->reason, TEXT_SIZE_MAX);
    buf_init(&j->evidence, TEXT_SIZE_MAX);
    return j;
}

void judge_destroy(struct judge *j)
{
    if (!j)
        return;
    intmap_finish(&j->holders);
    intmap_finish(&j->bases);
    intmap_finish(&j->assets);
    intmap_finish(&j->verdicts);
    intmap_finish(&j->stored);
    buf_finish(&j->reason);
    buf_finish(&j->evidence);
    arena_finish(&j->arena);
    mem_free(j);
}

/* --- look-ups */

static enum err need_roster(struct judge *j, struct db *db, struct fail *fail)
{
    if (j->roster)
        return OK;
    TRY(oversight_load(db, &j->arena, &j->acts, fail));
    return roster_load(db, &j->arena, &j->roster, fail);
}

static enum err find_holder(
    struct judge *j, struct db *db, int64_t member_no, struct holder **ret, struct fail *fail)
{
    *ret = intmap_get(&j->holders, (uint64_t)member_no);
    if (*ret)
        return OK;
    struct holder *h = ARENA_NEW(&j->arena, struct holder);
    TRY(roster_seats_of(db, j->roster, member_no, &j->arena, &h->seats, fail));
    if (h->seats.count)
        TRY(member_name_of(db, member_no, &j->arena, &h->name, fail));
    h->index = ++j->holder_count;
    intmap_put(&j->holders, (uint64_t)member_no, h);
    *ret = h;
    return OK;
}

static enum err find_base(
    struct judge *j, struct db *db, struct str symbol, struct base_entry **ret, struct fail *fail)
{
    uint64_t key = hash_str(symbol);
    struct base_entry *first = intmap_get(&j->bases, key);
    for (*ret = first; *ret; *ret = (*ret)->next)
        if (str_eq((*ret)->symbol, symbol))
            return OK;
    struct ticker ticker;
    enum err err = ticker_find(db, symbol, &j->arena, &ticker, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    struct base_entry *entry = ARENA_NEW(&j->arena, struct base_entry);
    *entry =
        (struct base_entry){.next = first, .symbol = arena_str(&j->arena, symbol), .known = !err};
    if (!err)
        entry->base = (struct company_import){ticker.company, ticker.industry, ticker.source};
    intmap_put(&j->bases, key, entry);
    *ret = entry;
    return OK;
}

/* Adds the asset under its key. */
static struct asset_entry *keep_asset(
    struct judge *j, uint64_t key, const struct conflict_trade *trade,
    const struct company_import *base)
{
    struct asset_entry *entry = ARENA_NEW(&j->arena, struct asset_entry);
    *entry =
        (struct asset_entry){.index = ++j->asset_count, .asset = conflict_asset_of(trade, base)};
    assert(entry->index < 1u << ASSET_BITS);
    intmap_put(&j->assets, key, entry);
    return entry;
}

/* *ret NULL: the company is unknown, or a broad fund. */
static enum err find_company(
    struct judge *j, struct db *db, const struct conflict_trade *trade, struct asset_entry **ret,
    struct fail *fail)
{
    size_t n, act_count;
    struct company company = {.origin = NULL};
    struct base_entry *base = NULL;
    const struct business *lines = business_on(trade->ticker, trade->day, &n);
    if (trade->asset_type == ASSET_FUND && (!lines || lines->kind < BUSINESS_ASSET))
        return OK;
    bool known = company_on(trade->ticker, trade->day, NULL, &company);
    if (!known || company.basis != COMPANY_CURATED) {
        TRY(find_base(j, db, trade->ticker, &base, fail));
    }
    const struct company_import *imported = base && base->known ? &base->base : NULL;
    if (!known && !company_on(trade->ticker, trade->day, imported, &company) && !lines)
        return OK;
    struct str name = known ? company.name : trade->ticker;
    const struct oversight *acts = oversight_of(&j->acts, name, &act_count);
    uint32_t epoch = oversight_epoch(acts, act_count, trade->day);
    uint64_t key = (uint64_t)(uintptr_t)(company.origin ? company.origin : lines);
    struct asset_entry *first = intmap_get(&j->assets, key);
    for (*ret = first; *ret; *ret = (*ret)->next)
        if ((*ret)->businesses == (lines ? lines->number : 0) && (*ret)->epoch == epoch &&
            (*ret)->asset.confirmed == trade->confirmed)
            return OK;
    struct conflict_trade kept = *trade;
    kept.ticker = base ? base->symbol : trade->ticker;
    kept.asset_name = kept.ticker; /* for imported lists without a company name */
    *ret = keep_asset(j, key, &kept, imported);
    (*ret)->next = first;
    (*ret)->businesses = lines ? lines->number : 0;
    (*ret)->epoch = epoch;
    struct conflict_asset *asset = &(*ret)->asset;
    asset->acts = oversight_entries(
        acts, act_count, trade->day, asset->industry, &j->arena, &asset->act_count);
    return OK;
}

/* Sets the highest bit, which an address never has. A coin's name can be a commodity's. */
static uint64_t name_key(const struct conflict_trade *is)
{
    return hash_seeded(is->asset_name, (uint64_t)is->asset_type) | (uint64_t)1 << 63;
}

static enum err find_by_name(
    struct judge *j, struct db *db, const struct judge_trade *trade, struct conflict_trade *is,
    struct asset_entry **ret, struct fail *fail)
{
    enum err err = OK;
    is->asset_name = arena_str(&j->arena, trade->asset_name);
    if (str_is_null(is->asset_name))
        err = finding_asset_name(db, trade->trade_no, &j->arena, &is->asset_name, fail);
    if (err)
        return err;
    *ret = intmap_get(&j->assets, name_key(is));
    if (!*ret || !str_eq((*ret)->asset.company, is->asset_name))
        *ret = keep_asset(j, name_key(is), is, NULL);
    return OK;
}

/* *ret NULL: the class is not judged, or the company is unknown. */
static enum err find_asset(
    struct judge *j, struct db *db, const struct judge_trade *trade, struct conflict_trade *is,
    struct asset_entry **ret, struct fail *fail)
{
    *ret = NULL;
    if (conflict_is_by_name(is))
        return find_by_name(j, db, trade, is, ret, fail);
    bool never = conflict_class_of(is->asset_type).judged == CONFLICT_NEVER;
    return never || str_is_null(is->ticker) ? OK : find_company(j, db, is, ret, fail);
}

/* --- stored findings */

static uint64_t digest_key(const uint8_t sha256[static SHA256_SIZE])
{
    uint64_t key;
    memcpy(&key, sha256, sizeof key);
    return key;
}

static void keep_stored(void *ctx, int64_t no, const uint8_t sha256[static SHA256_SIZE])
{
    struct judge *j = ctx;
    struct judge_finding *stored = ARENA_NEW(&j->arena, struct judge_finding);
    stored->next = intmap_get(&j->stored, digest_key(sha256));
    stored->no = no;
    memcpy(stored->sha256, sha256, SHA256_SIZE);
    intmap_put(&j->stored, digest_key(sha256), stored);
}

enum err judge_know_findings(struct judge *j, struct db *db, struct fail *fail)
{
    enum err err = finding_each_digest(db, keep_stored, j, fail);
    j->has_stored = !err;
    return err;
}

/* 0 if not cached; finding_add looks it up again. */
static enum err number_of(
    const struct judge *j, struct db *db, const struct finding *finding, int64_t *ret,
    struct fail *fail)
{
    if (!j->has_stored)
        return finding_look_up(db, finding, ret, fail);
    const struct judge_finding *stored = intmap_get(&j->stored, digest_key(finding->sha256));
    while (stored && memcmp(stored->sha256, finding->sha256, SHA256_SIZE) != 0)
        stored = stored->next;
    *ret = stored ? stored->no : 0;
    return OK;
}

/* --- judging */

static enum err make_verdict(
    struct judge *j, struct db *db, const struct conflict_trade *trade,
    const struct asset_entry *asset, const struct holder *holder, struct verdict *v,
    struct fail *fail)
{
    struct conflict conflict;
    v->found = conflict_find(trade, &asset->asset, &holder->seats, &conflict);
    if (!v->found)
        return OK;
    v->grade = conflict.grade;
    buf_reset(&j->reason);
    buf_reset(&j->evidence);
    conflict_put_reason(&j->reason, &conflict, holder->name);
    conflict_put_evidence(&j->evidence, &conflict);
    if (j->reason.overflow || j->evidence.overflow)
        return fail_set(
            fail, ERR_LIMIT, "the evidence of a conflict of %.*s is too long",
            STR_ARG(holder->name));
    v->finding.reason = arena_str(&j->arena, buf_view(&j->reason));
    v->finding.evidence = arena_str(&j->arena, buf_view(&j->evidence));
    finding_identify(&v->finding);
    return number_of(j, db, &v->finding, &v->finding.no, fail);
}

/* Everything that the reason depends on. */
static uint64_t verdict_key(
    const struct holder *holder, const struct asset_entry *asset, enum chamber chamber,
    const struct conflict_list *list)
{
    assert(list->index < 1 << LIST_BITS);
    uint64_t key = holder->index;
    key = key << ASSET_BITS | asset->index;
    key = key << CHAMBER_BITS | (uint64_t)chamber;
    key = key << LIST_BITS | (uint64_t)list->index;
    return key << LATER_BITS | (list->basis == CONFLICT_LATER_LIST);
}

static struct conflict_trade case_of(const struct judge_trade *trade)
{
    return (struct conflict_trade){
        .chamber = trade->chamber,
        .asset_type = trade->asset_type,
        .ticker = trade->ticker,
        .asset_name = trade->asset_name,
        .day = trade->day,
        .confirmed = trade->confirmed,
    };
}

enum err judge_industry(
    struct judge *j, struct db *db, const struct judge_trade *trade, int *ret, struct fail *fail)
{
    struct conflict_trade is = case_of(trade);
    struct asset_entry *asset;
    enum err err = find_asset(j, db, trade, &is, &asset, fail);
    *ret = !err && asset ? asset->asset.industry : 0;
    return err;
}

/* *ret NULL: there is nothing to judge. */
static enum err find_verdict(
    struct judge *j, struct db *db, const struct judge_trade *trade, struct verdict **ret,
    struct fail *fail)
{
    struct conflict_trade is = case_of(trade);
    struct asset_entry *asset;
    struct holder *holder;
    *ret = NULL;
    TRY(need_roster(j, db, fail));
    enum err err = find_asset(j, db, trade, &is, &asset, fail);
    if (err || !asset || !asset->asset.industry)
        return err;
    err = find_holder(j, db, trade->member_no, &holder, fail);
    if (err || holder->seats.count == 0)
        return err;
    struct conflict_list list = conflict_list_of(&holder->seats, trade->chamber, trade->day);
    if (list.basis == CONFLICT_NO_LIST)
        return OK;
    uint64_t key = verdict_key(holder, asset, trade->chamber, &list);
    struct verdict *v = intmap_get(&j->verdicts, key);
    if (!v) {
        v = ARENA_NEW(&j->arena, struct verdict);
        err = make_verdict(j, db, &is, asset, holder, v, fail);
        if (err)
            return err;
        intmap_put(&j->verdicts, key, v);
    }
    *ret = v;
    return OK;
}

enum err judge_find(
    struct judge *j, struct db *db, const struct judge_trade *trade, struct finding **ret,
    struct fail *fail)
{
    struct verdict *v;
    enum err err = find_verdict(j, db, trade, &v, fail);
    *ret = !err && v && v->found ? &v->finding : NULL;
    return err;
}

enum err judge_grade(
    struct judge *j, struct db *db, const struct judge_trade *trade, enum conflict_grade *ret,
    struct fail *fail)
{
    struct verdict *v;
    enum err err = find_verdict(j, db, trade, &v, fail);
    *ret = !err && v ? v->grade : CONFLICT_NO_GRADE;
    return err;
}

enum err judge_has_list(
    struct judge *j, struct db *db, int64_t member_no, enum chamber chamber, int32_t day, bool *ret,
    struct fail *fail)
{
    struct holder *holder;
    TRY(need_roster(j, db, fail));
    TRY(find_holder(j, db, member_no, &holder, fail));
    *ret = conflict_list_of(&holder->seats, chamber, day).basis != CONFLICT_NO_LIST;
    return OK;
}

enum err judge_case(
    struct judge *j, struct db *db, const struct finding_case *is, struct finding **ret,
    struct fail *fail)
{
    const struct judge_trade trade = {
        .member_no = is->member_no,
        .chamber = is->chamber,
        .ticker = is->ticker,
        .confirmed = is->confirmed,
        .asset_type = is->asset_type,
        .day = is->day,
        .asset_name = STR_NULL,
        .trade_no = is->trade_no,
    };
    return judge_find(j, db, &trade, ret, fail);
}

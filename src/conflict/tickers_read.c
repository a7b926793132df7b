/* Collects the claims of the lists; see tickers_read.h. */
#include "conflict/tickers_read.h"

#include "base/hash.h"
#include "base/hidden.h"
#include "conflict/tickers_name.h"
#include "core/industry.h"
#include "base/json_in.h"

enum { NAME_SIZE_MAX = 300, SUB_INDUSTRY_SIZE_MAX = 100 };

static const struct str labels[TICKERS_LIST_COUNT] = {
    [TICKERS_SP500] = STR_INIT("S&P 500 list"),
    [TICKERS_SEC] = STR_INIT("SEC list of companies"),
    [TICKERS_CIK] = STR_INIT("SEC list by CIK"),
    [TICKERS_NASDAQ] = STR_INIT("Nasdaq list"),
    [TICKERS_OTHER] = STR_INIT("list of other exchanges"),
};

struct str tickers_list_label(enum tickers_list list)
{
    return labels[list];
}

void tickers_read_init(
    struct tickers_read *r, struct arena *arena, tickers_refused_fn *refused, void *ctx)
{
    *r = (struct tickers_read){.arena = arena, .refused = refused, .ctx = ctx};
    r->end = &r->first;
    intmap_init(&r->by_symbol);
}

void tickers_read_finish(struct tickers_read *r)
{
    intmap_finish(&r->by_symbol);
}

static struct tickers_entry *entry_of(struct tickers_read *r, struct str symbol)
{
    uint64_t key = hash_str(symbol);
    struct tickers_entry *same = intmap_get(&r->by_symbol, key);
    for (struct tickers_entry *e = same; e; e = e->same_hash)
        if (str_eq(e->symbol, symbol))
            return e;
    struct tickers_entry *entry = ARENA_NEW(r->arena, struct tickers_entry);
    entry->symbol = arena_str(r->arena, symbol);
    entry->same_hash = same;
    intmap_put(&r->by_symbol, key, entry);
    *r->end = entry;
    r->end = &entry->next;
    r->symbols++;
    return entry;
}

/* The S&P list decides every industry, even as too mixed; the listings identify funds. */
static void set_industry(struct tickers_claim *claim, const struct tickers_line *line)
{
    struct str fund = industry_get(industry_from_code(STR("funds")))->name;
    if (!str_is_null(line->sub_industry)) {
        int industry = industry_of_gics(line->sub_industry);
        claim->detail = line->sub_industry;
        claim->industry = industry ? industry_get(industry)->name : STR_NULL;
    } else if (line->fund == TICKERS_YES && line->test != TICKERS_YES) {
        claim->detail = STR("listed as a fund");
        claim->industry = fund;
    } else if (
        line->fund != TICKERS_NOT_SAID && line->test != TICKERS_YES &&
        tickers_name_is_fund(line->name)) {
        claim->detail = STR("a fund by its name");
        claim->industry = fund;
    }
}

/* Returns NULL, or why the line is refused. */
static const char *take(
    struct tickers_read *r, enum tickers_list list, const struct tickers_line *line)
{
    char space[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(line->symbol, space);
    const char *hidden = hidden_reason(r->arena, "the symbol", line->symbol);
    if (hidden)
        return hidden;
    if (n == 0)
        return line->symbol.n ? "not a symbol" : "no symbol";
    if (line->name.n == 0)
        return "no name";
    if (line->name.n > NAME_SIZE_MAX)
        return "the name is too long";
    hidden = hidden_reason(r->arena, "the name", line->name);
    if (!hidden)
        hidden = hidden_reason(r->arena, "the sub-industry", line->sub_industry);
    if (hidden)
        return hidden;
    if (!hidden_free_line(line->name))
        return "the name is not a line of text";
    if (line->sub_industry.n > SUB_INDUSTRY_SIZE_MAX || !hidden_free_line(line->sub_industry))
        return "the sub-industry is not a short line of text";
    if (line->fund == TICKERS_UNREADABLE || line->test == TICKERS_UNREADABLE)
        return "a flag is neither Y nor N";
    struct tickers_claim *claim = &entry_of(r, str_of(space, n))->claims[list];
    if (!str_is_null(claim->company))
        return "the list has the symbol twice";
    struct tickers_line kept = *line;
    kept.sub_industry = arena_str(r->arena, line->sub_industry);
    claim->company = arena_str(r->arena, tickers_name_clean(line->name));
    set_industry(claim, &kept);
    return NULL;
}

enum err tickers_read_begin(
    struct tickers_read *r, const struct import_file *file, enum tickers_list list,
    struct fail *fail)
{
    if (!str_is_null(r->file_of[list]))
        return fail_set(
            fail, ERR_INVALID, "%.*s: a second %.*s, after %.*s: pass only one",
            STR_ARG(file->name), STR_ARG(labels[list]), STR_ARG(r->file_of[list]));
    r->file_of[list] = file->name;
    return OK;
}

enum err tickers_read_line(
    struct tickers_read *r, const struct import_file *file, enum tickers_list list,
    const struct tickers_line *line, size_t number, struct fail *fail)
{
    if (number > TICKERS_LINES_MAX)
        return fail_set(
            fail, ERR_LIMIT, "%.*s: more than %d lines", STR_ARG(file->name), TICKERS_LINES_MAX);
    const char *reason = take(r, list, line);
    const struct tickers_refusal refusal = {file->name, number, line->symbol, reason};
    r->lines++;
    if (!reason)
        r->taken++;
    else if (r->refused)
        r->refused(r->ctx, &refusal);
    return OK;
}

static bool is_json(struct str text)
{
    char first = json_in_first(text);
    return first == '{' || first == '[';
}

enum err tickers_read_file(
    struct tickers_read *r, const struct import_file *file, struct fail *fail)
{
    if (file->text.n > TICKERS_FILE_SIZE_MAX)
        return fail_set(
            fail, ERR_LIMIT, "%.*s: larger than %d MiB", STR_ARG(file->name),
            TICKERS_FILE_SIZE_MAX >> 20);
    return is_json(file->text) ? tickers_read_sec(r, file, fail) : tickers_read_csv(r, file, fail);
}

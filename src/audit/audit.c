/* One audit in one snapshot; see audit.h. */
#include "audit/audit.h"

#include <assert.h>

#include "audit/audit_parts.h"
#include "base/enum_names.h"
#include "db/db.h"
#include "store/public/finding.h"

/* `count`: how many things it compares; NULL: not known. */
static const struct {
    struct str name;
    enum err (*run)(struct audit *audit, struct fail *fail);
    enum err (*count)(struct db *db, int64_t *ret, struct fail *fail);
} kinds[AUDIT_KIND_COUNT] = {
    [AUDIT_SYMBOLS] = {STR_INIT("symbols"), audit_symbols, finding_count_cases},
    [AUDIT_SEATS] = {STR_INIT("seats"), audit_seats, finding_count_cases},
    [AUDIT_MEMBERS] = {STR_INIT("members"), audit_members, audit_count_filings},
    [AUDIT_READING] = {STR_INIT("reading"), audit_reading, audit_count_filings},
    [AUDIT_LOG] = {STR_INIT("log"), audit_log, NULL},
    [AUDIT_TEXT] = {STR_INIT("text"), audit_text, finding_count_cases},
};

static const struct {
    struct str name;
    enum audit_kind kind;
} whats[AUDIT_WHAT_COUNT] = {
    [AUDIT_SYMBOL_UNKNOWN] = {STR_INIT("symbol_unknown"), AUDIT_SYMBOLS},
    [AUDIT_SYMBOL_NAME] = {STR_INIT("symbol_name"), AUDIT_SYMBOLS},
    [AUDIT_SIGNAL] = {STR_INIT("signal"), AUDIT_SEATS},
    [AUDIT_NO_LIST] = {STR_INIT("no_list"), AUDIT_SEATS},
    [AUDIT_PARTY] = {STR_INIT("party"), AUDIT_MEMBERS},
    [AUDIT_STATE] = {STR_INIT("state"), AUDIT_MEMBERS},
    [AUDIT_NAME] = {STR_INIT("name"), AUDIT_MEMBERS},
    [AUDIT_NO_TERM] = {STR_INIT("no_term"), AUDIT_MEMBERS},
    [AUDIT_ANSWER] = {STR_INIT("answer"), AUDIT_MEMBERS},
    [AUDIT_ALIAS] = {STR_INIT("alias"), AUDIT_MEMBERS},
    [AUDIT_HOLDERS] = {STR_INIT("seat_holders"), AUDIT_MEMBERS},
    [AUDIT_ROW_MISSING] = {STR_INIT("row_missing"), AUDIT_READING},
    [AUDIT_ROW_SURPLUS] = {STR_INIT("row_surplus"), AUDIT_READING},
    [AUDIT_VALUE] = {STR_INIT("value"), AUDIT_READING},
    [AUDIT_UNREADABLE] = {STR_INIT("unreadable"), AUDIT_READING},
    [AUDIT_CORRECTION] = {STR_INIT("correction"), AUDIT_LOG},
    [AUDIT_NEWER_DOCUMENT] = {STR_INIT("newer_document"), AUDIT_LOG},
    [AUDIT_GONE] = {STR_INIT("gone_from_index"), AUDIT_LOG},
    [AUDIT_HIDDEN] = {STR_INIT("hidden_character"), AUDIT_TEXT},
};

ENUM_NAME(audit_kind_name, audit_kind, kinds[value].name, AUDIT_KIND_COUNT)
ENUM_FIND(audit_kind_from_name, audit_kind, kinds[value].name, 0, AUDIT_KIND_COUNT)
ENUM_NAME(audit_what_name, audit_what, whats[value].name, AUDIT_WHAT_COUNT)

enum audit_kind audit_what_kind(enum audit_what what)
{
    assert(what < AUDIT_WHAT_COUNT);
    return whats[what].kind;
}

static enum err run_kind(struct audit *audit, enum audit_kind kind, struct fail *fail)
{
    audit->done = audit->total = 0;
    if (kinds[kind].count && audit->config->progress)
        TRY(kinds[kind].count(audit->config->db, &audit->total, fail));
    progress_enter(audit->config->progress, (int)kind, audit->total);
    return kinds[kind].run(audit, fail);
}

enum err audit_run(const struct audit_config *config, struct audit_counts *ret, struct fail *fail)
{
    struct audit_counts counts = {.total = 0};
    struct audit audit = {.config = config, .counts = &counts};
    enum err err = db_begin_read(config->db, fail);
    if (err)
        return err;
    for (int k = 0; k < AUDIT_KIND_COUNT && !err; k++)
        if (config->kinds[k])
            err = run_kind(&audit, (enum audit_kind)k, fail);
    db_rollback(config->db);
    if (!err)
        *ret = counts;
    return err;
}

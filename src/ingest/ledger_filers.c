/* Matches the filers of reports that an index names, whether their documents were imported or not;
 * see ledger.h. The member of a draft is not changed: it was matched with more, or by a person. */
#include "ingest/ingest.h"
#include "ingest/ledger_parts.h"
#include "store/public/known.h"

static void split(struct str filer, size_t comma, struct filer_query *query)
{
    query->last = str_trim(str_slice(filer, 0, comma));
    query->first = str_trim(str_slice(filer, comma + 1, filer.n));
}

void ledger_index_name(const struct document_entry *entry, struct filer_query *query)
{
    ptrdiff_t comma = str_find_char(entry->filer, ',');
    if (comma >= 0)
        split(entry->filer, (size_t)comma, query);
}

/* Degrees have commas too, after either name: "Dunn, MD, FACS, Neal Patrick". */
static enum err find_member(
    const struct ledger *l, const struct document_entry *entry, int district, struct arena *arena,
    struct str *ret_id, struct fail *fail)
{
    struct filer_query query = {
        .chamber = entry->chamber,
        .printed = entry->filer,
        .state = entry->filer_state,
        .district = district,
        .date = entry->filed_day,
    };
    struct str reason;
    for (size_t at = 0; at < entry->filer.n && str_is_null(*ret_id); at++) {
        if (entry->filer.p[at] != ',')
            continue;
        split(entry->filer, at, &query);
        TRY(filer_find(l->db, l->match, &query, arena, ret_id, &reason, fail));
    }
    return OK;
}

/* The index prints another district for a few members. Such a report counts as the
 * member's too, where the state has one of the name; its draft waits for a person. */
enum err ledger_match_entry(
    const struct ledger *l, const struct document_entry *entry, struct arena *arena,
    struct fail *fail)
{
    struct str id = STR_NULL;
    TRY(find_member(l, entry, entry->filer_district, arena, &id, fail));
    if (str_is_null(id) && !str_is_null(entry->filer_state))
        TRY(find_member(l, entry, MEMBER_DISTRICT_NONE, arena, &id, fail));
    return known_set_filer(l->db, entry->kind, entry->source_id, id, fail);
}

enum err ledger_match_filers(
    const struct ledger *l, bool again, struct arena *arena, struct fail *fail)
{
    struct document_entry *entries;
    size_t count = 0;
    enum err err =
        document_of_index(l->db, LEDGER_OTHER_FORM, again, arena, &entries, &count, fail);
    for (size_t i = 0; i < count && !err; i++)
        err = ledger_match_entry(l, &entries[i], arena, fail);
    return err ? err : known_set_matched(l->db, fail);
}

enum err ingest_match_filers(struct db *db, bool again, struct fail *fail)
{
    struct ledger l = {.db = db};
    struct member_list members;
    ARENA_SCOPED(arena);
    struct match *match = NULL;
    TRY(db_begin(db, fail));
    enum err err = member_load(db, &arena, &members, fail);
    if (!err)
        l.match = match = match_create(&members);
    if (!err)
        err = ledger_match_filers(&l, again, &arena, fail);
    if (!err)
        err = known_changed(db, STR_NULL, fail);
    match_destroy(match);
    return db_end(db, err, fail);
}

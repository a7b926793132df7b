/* Who filed; see filer.h. */
#include "people/filer.h"

#include <assert.h>

#include "base/csv_in.h"
#include "names/name.h"
#include "store/desk/filer_alias.h"

struct str filer_folded(struct str printed, struct arena *arena)
{
    struct name name;
    struct str folded = STR("");
    name_read_printed(&name, arena, STR_NULL, printed);
    for (int i = 0; i < name.count; i++)
        folded =
            arena_fmt(arena, "%.*s%s%.*s", STR_ARG(folded), i ? " " : "", STR_ARG(name.word[i]));
    if (!str_is_null(name.generation))
        folded = arena_fmt(arena, "%.*s %.*s", STR_ARG(folded), STR_ARG(name.generation));
    return folded;
}

/* All ways in which the name is printed must not lead to two members. */
static struct match_answer match_all(const struct match *match, const struct filer_query *query)
{
    struct match_answer answer = {.verdict = MATCH_NO_NAME};
    struct match_query q = {
        .chamber = query->chamber,
        .state = query->state,
        .district = query->district,
        .date = query->date,
    };
    if (!str_is_null(query->whole)) {
        q.last = query->whole;
        answer = match_agree(answer, match_find(match, &q));
    }
    if (!str_is_null(query->last)) {
        q.first = query->first;
        q.last = query->last;
        answer = match_agree(answer, match_find(match, &q));
    }
    if (!str_is_null(query->bracketed)) {
        ptrdiff_t comma = str_find_char(query->bracketed, ',');
        q.last = comma < 0 ? query->bracketed : str_slice(query->bracketed, 0, (size_t)comma);
        q.first = comma < 0 ? STR_NULL
                            : str_slice(query->bracketed, (size_t)comma + 1, query->bracketed.n);
        answer = match_agree(answer, match_find(match, &q));
    }
    return answer;
}

enum err filer_find(
    struct db *db, const struct match *match, const struct filer_query *query, struct arena *arena,
    struct str *ret_id, struct str *ret_reason, struct fail *fail)
{
    struct filer_alias alias = {
        .chamber = query->chamber,
        .name = filer_folded(query->printed, arena),
        .state = query->state,
        .district = query->district,
    };
    *ret_id = *ret_reason = STR_NULL;
    enum err err = filer_alias_find(db, &alias, arena, fail);
    if (!err)
        *ret_id = alias.politician_id;
    if (err != ERR_NOT_FOUND)
        return err;
    if (query->date == DAY_NONE) {
        *ret_reason = STR("when it was filed is not known, so nobody can be matched");
        return OK;
    }
    struct match_answer answer = match_all(match, query);
    if (answer.verdict == MATCH_ONE)
        *ret_id = arena_str(arena, answer.member->id);
    else
        *ret_reason = str_from(match_verdict_text(answer.verdict));
    return OK;
}

/* --- the curated names */

enum { ALIASES_MAX = 1000 };

extern const char member_aliases_csv[];
extern const size_t member_aliases_csv_size;

void aliases_read(struct arena *arena, struct aliases *ret)
{
    struct csv_in csv;
    struct alias *items = ARENA_ARRAY(arena, struct alias, ALIASES_MAX);
    size_t count = 0;
    csv_in_init(&csv, str_of(member_aliases_csv, member_aliases_csv_size), arena);
    bool header = csv_in_next(&csv);
    assert(header && csv.count == 4);
    while (csv_in_next(&csv)) {
        assert(csv.count == 4 && count < ALIASES_MAX);
        items[count++] = (struct alias){csv.field[0], csv.field[1], csv.field[2]};
    }
    assert(!csv.error);
    *ret = (struct aliases){items, count};
}

/* The marks of a copy; see copy_mark.h. */
#include "store/copy/copy_mark.h"

#include "store/row/name.h"

static const struct str role_names[] = {
    [COPY_SOURCE] = STR_INIT("source"), [COPY_TARGET] = STR_INIT("target")};

static const struct str state_names[] = {
    [COPY_NONE] = STR_INIT(""),         [COPY_FOLLOWING] = STR_INIT("following"),
    [COPY_CLOSED] = STR_INIT("closed"), [COPY_FILLING] = STR_INIT("filling"),
    [COPY_FILLED] = STR_INIT("filled"), [COPY_WHOLE] = STR_INIT("whole"),
};

enum err copy_mark_get(
    struct db *db, enum copy_role role, struct arena *arena, struct copy_mark *ret,
    struct fail *fail)
{
    *ret = (struct copy_mark){.state = COPY_NONE};
    QUERY(q, db, "SELECT state, id, other, at FROM copy_mark WHERE role = $1", V(role_names[role]));
    if (query_row(&q)) {
        int state = name_find(state_names, NAME_COUNT(state_names), query_get_str(&q, 0));
        ret->state = state < 0 ? COPY_NONE : (enum copy_state)state; /* a CHECK allows no other */
        ret->id = query_text(&q, 1, arena);
        ret->other = query_text(&q, 2, arena);
        ret->at = query_get_i64(&q, 3);
    }
    return query_end(&q, fail);
}

enum err copy_mark_set(
    struct db *db, enum copy_role role, const struct copy_mark *mark, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO copy_mark (role, id, other, state, at) VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT (role) DO UPDATE SET id = excluded.id, other = excluded.other,"
        " state = excluded.state, at = excluded.at",
        V(role_names[role]), V(mark->id), V(mark->other), V(state_names[mark->state]), V(mark->at));
}

enum err copy_mark_remove(struct db *db, enum copy_role role, struct fail *fail)
{
    return query_run(db, fail, "DELETE FROM copy_mark WHERE role = $1", V(role_names[role]));
}

/* Members by any spelling; see desk_pick.h. */
#include "site/desk/desk_pick.h"

#include "base/fold.h"
#include "site/frame/trade_words.h"
#include "store/public/member.h"

/* Words before a name that no stored name has. */
static bool is_title(struct str word)
{
    static const struct str titles[] = {
        STR_INIT("hon"), STR_INIT("honorable"), STR_INIT("rep"), STR_INIT("representative"),
        STR_INIT("sen"), STR_INIT("senator"),   STR_INIT("mr"),  STR_INIT("mrs"),
        STR_INIT("ms"),  STR_INIT("dr")};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (str_eq(word, titles[i]))
            return true;
    return false;
}

/* Null: the text has no word. */
static struct str words_of(struct page_call *call, struct str text)
{
    BUF_SCOPED(folded, FOLD_TEXT_MAX * 2);
    struct str words = STR_NULL, rest, word;
    bool any = fold_words(&folded, text, FOLD_ASCII);
    rest = buf_view(&folded);
    while (any && str_split(&rest, ' ', &word))
        if (!is_title(word))
            words = str_is_null(words)
                        ? arena_str(call->arena, word)
                        : arena_fmt(call->arena, "%.*s %.*s", STR_ARG(words), STR_ARG(word));
    return words;
}

enum err desk_pick_members(
    struct page_call *call, struct db *db, struct str text, enum chamber chamber,
    struct member_pick *ret, struct fail *fail)
{
    struct str words = words_of(call, text);
    *ret = (struct member_pick){.count = 0};
    return str_is_null(words)
               ? OK
               : member_pick_find(db, words, chamber, DESK_PICK_MAX, call->arena, ret, fail);
}

void desk_pick_put(struct page_call *call, struct view *list, const struct member_pick *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct member_picked *m = &found->items[i];
        struct view *item = view_item(list);
        int year = 0, month, day;
        if (m->end != DAY_NONE)
            day_to_civil(m->end, &year, &month, &day);
        struct str seat = m->state;
        if (m->district > 0)
            seat = arena_fmt(call->arena, "%.*s-%d", STR_ARG(m->state), m->district);
        view_str(item, "slug", m->slug);
        view_str(item, "name", m->name);
        view_str(
            item, "label",
            year ? arena_fmt(
                       call->arena, "%.*s, %.*s, until %d", STR_ARG(m->name), STR_ARG(seat), year)
                 : arena_fmt(call->arena, "%.*s, %.*s", STR_ARG(m->name), STR_ARG(seat)));
    }
}

enum err desk_pick_settle(
    struct page_call *call, struct db *db, enum chamber chamber, struct str *ret, struct fail *fail)
{
    struct member member;
    struct member_pick found;
    struct str choice = str_trim(form_value(call->form, "choice"));
    struct str text = choice.n ? choice : str_trim(form_value(call->form, "member"));
    *ret = text;
    if (!text.n)
        return OK;
    enum err err = member_find(db, text, call->arena, &member, fail);
    if (!err)
        *ret = member.slug;
    if (err != ERR_NOT_FOUND)
        return err;
    TRY(desk_pick_members(call, db, text, chamber, &found, fail));
    if (found.count == 1) {
        *ret = found.items[0].slug;
        return OK;
    }
    err = found.count ? fail_set(fail, ERR_INVALID, "several members match this name: choose one")
                      : fail_set(
                            fail, ERR_INVALID, "no member of the %.*s matches this name",
                            STR_ARG(words_chamber(chamber)));
    form_fault(call->form, "member", fail);
    return err;
}

enum err desk_pick_offer(struct page_call *call, enum chamber chamber, struct fail *fail)
{
    struct member_pick found;
    struct view *list = view_list(call->view, "choices");
    struct str text = call->form ? str_trim(form_value(call->form, "member")) : STR_NULL;
    if (!text.n || !form_is_faulty(call->form))
        return OK;
    enum err err = desk_pick_members(call, call->db, text, chamber, &found, fail);
    if (!err && found.count > 1)
        desk_pick_put(call, list, &found);
    view_bool(call->view, "anyChoice", !err && found.count > 1);
    return err;
}

/* Members with a name like the one that was typed; see member_hint.h. */
#include "cmd/term/member_hint.h"

#include "base/fold.h"
#include "names/likeness.h"
#include "store/public/member.h"

enum { SHOWN_MAX = 5, TEXT_MAX = 400 };

struct candidates {
    const struct member *items[SHOWN_MAX]; /* who left last comes first */
    size_t count, all;
};

static bool has_every_word(struct str slug, struct str words)
{
    struct str word;
    while (str_split(&words, ' ', &word))
        if (word.n && str_find(slug, word) < 0)
            return false;
    return true;
}

/* `words` are folded; `typed` is the same as a slug. */
static bool is_like(const struct member *member, struct str words, struct str typed)
{
    int slips = likeness_slips(typed, member->slug);
    return has_every_word(member->slug, words) ||
           likeness_edits(typed, member->slug, slips) <= slips;
}

static int32_t last_day(const struct member *member)
{
    const struct member_term *term = member_term_latest(member);
    return term ? term->end : DAY_NONE;
}

static void add(struct candidates *c, const struct member *member)
{
    size_t at = c->count < SHOWN_MAX ? c->count++ : SHOWN_MAX;
    c->all++;
    while (at > 0 && last_day(c->items[at - 1]) < last_day(member)) {
        if (at < SHOWN_MAX)
            c->items[at] = c->items[at - 1];
        at--;
    }
    if (at < SHOWN_MAX)
        c->items[at] = member;
}

static void collect(const struct member_list *members, struct str text, struct candidates *ret)
{
    BUF_SCOPED(typed, FOLD_TEXT_MAX * 2);
    BUF_SCOPED(words, FOLD_TEXT_MAX * 2);
    if (fold_words(&words, text, FOLD_ASCII)) {
        for (size_t i = 0; i < words.n; i++)
            buf_char(&typed, words.p[i] == ' ' ? '-' : words.p[i]);
        for (size_t i = 0; i < members->count; i++)
            if (is_like(&members->items[i], buf_view(&words), buf_view(&typed)))
                add(ret, &members->items[i]);
    }
}

enum err member_hint(struct db *db, struct str text, struct fail *fail)
{
    struct candidates found = {.count = 0};
    struct member_list members;
    ARENA_SCOPED(arena);
    BUF_SCOPED(names, TEXT_MAX);
    if (member_load(db, &arena, &members, NULL) == OK)
        collect(&members, text, &found);
    for (size_t i = 0; i < found.count; i++)
        buf_fmt(
            &names, "%s%.*s (%.*s)", i ? ", " : "", STR_ARG(found.items[i]->slug),
            STR_ARG(found.items[i]->name));
    if (found.all > found.count)
        buf_fmt(&names, " and %zu more", found.all - found.count);
    (void)fail_set(
        fail, ERR_NOT_FOUND, "there is no member \"%.*s\"%s%.*s%s", STR_ARG(text),
        found.count ? "; did you mean " : "", STR_ARG(buf_view(&names)), found.count ? "?" : "");
    return ERR_NOT_FOUND;
}

/* One word against another; see name_fit.h. */
#include "mcp/name_fit.h"

#include "mcp/word_like.h"

enum {
    BEGINNING_MIN = 4, /* letters, of a last name */
    SHORT_FORM_MIN = 2,
    FAR_SLIP_MIN = 4,
};

static const char *const texts[WHY_COUNT] = {
    [WHY_NOTHING] = "nothing in common",
    [WHY_SAME] = "same name",
    [WHY_SLUG] = "the slug itself",
    [WHY_NAMES] = "same first and last name",
    [WHY_NICKNAME] = "nickname or other form of the first name",
    [WHY_INITIAL] = "initial instead of the first name",
    [WHY_MIDDLE] = "one of the given names, not the first",
    [WHY_FIRST_SPELLING] = "first name spelled differently",
    [WHY_ONE_LETTER] = "one letter of the last name differs",
    [WHY_SPELLING] = "last name spelled differently",
    [WHY_SOUND] = "last name sounds alike",
    [WHY_BEGINNING] = "beginning of the last name",
    [WHY_PART] = "part of the last name",
    [WHY_MIDDLE_AS_LAST] = "middle name instead of the last name",
    [WHY_LAST_INITIAL] = "first name and initial of the last name",
    [WHY_ORDER] = "other order of the words",
    [WHY_SURPLUS] = "words that are not in the name",
    [WHY_TOGETHER] = "words written together",
    [WHY_LAST_ONLY] = "last name only",
    [WHY_FIRST_ONLY] = "given name only",
    [WHY_INITIALS] = "initials",
    [WHY_OTHER_FIRST] = "same last name, other first name",
    [WHY_GENERATION] = "other generation (Jr., Sr., III)",
};

const char *name_why_text(enum name_why why)
{
    return texts[why];
}

int name_fit_slip(struct str a, struct str b, int edits)
{
    size_t n = a.n > b.n ? a.n : b.n;
    return FIT_SLIP - edits * FIT_SLIP_COST / (int)n;
}

/* One slip more than words of their length are allowed, but nothing that begins otherwise. */
static bool is_far_slip(struct str typed, struct str last)
{
    return typed.n >= FAR_SLIP_MIN && last.n >= FAR_SLIP_MIN && typed.p[0] == last.p[0];
}

struct name_fit name_fit_last(struct str typed, struct str last)
{
    if (str_eq(typed, last))
        return (struct name_fit){FIT_SAME, WHY_NAMES};
    if (typed.n == 1 && typed.p[0] == last.p[0])
        return (struct name_fit){FIT_LAST_INITIAL, WHY_LAST_INITIAL};
    int slips = word_slips(typed, last), edits = word_edits(typed, last, slips + 1);
    if (edits <= slips)
        return (struct name_fit){
            name_fit_slip(typed, last, edits), edits == 1 ? WHY_ONE_LETTER : WHY_SPELLING};
    if (word_sounds_like(typed, last))
        return (struct name_fit){FIT_SOUND, WHY_SOUND};
    if (typed.n >= BEGINNING_MIN && str_starts(last, typed))
        return (struct name_fit){FIT_BEGINNING, WHY_BEGINNING};
    if (edits == slips + 1 && is_far_slip(typed, last))
        return (struct name_fit){FIT_FAR_SLIP, WHY_SPELLING};
    return (struct name_fit){0};
}

static bool is_known(struct str given)
{
    struct nicknames names;
    nicknames_find(given, &names);
    return names.count > 0;
}

/* Without the list of nicknames: one begins with the other, or there is a slip. */
static struct name_fit similar(struct str typed, struct str given)
{
    struct str shorter = typed.n < given.n ? typed : given,
               longer = typed.n < given.n ? given : typed;
    if (shorter.n >= SHORT_FORM_MIN && str_starts(longer, shorter))
        return (struct name_fit){
            shorter.n > SHORT_FORM_MIN ? FIT_SHORT_FORM : FIT_INITIAL, WHY_NICKNAME};
    int slips = word_slips(typed, given), edits = word_edits(typed, given, slips);
    if (edits <= slips)
        return (struct name_fit){name_fit_slip(typed, given, edits), WHY_FIRST_SPELLING};
    return (struct name_fit){0};
}

struct name_fit name_fit_given(
    struct str typed, const struct nicknames *nicknames, struct str given)
{
    if (typed.n == 1 || given.n == 1) {
        if (typed.p[0] != given.p[0])
            return (struct name_fit){0};
        return (struct name_fit){typed.n == given.n ? FIT_TWO_INITIALS : FIT_INITIAL, WHY_INITIAL};
    }
    if (str_eq(typed, given))
        return (struct name_fit){FIT_SAME, WHY_NAMES};
    enum nickname_fit known = nicknames_fit(nicknames, given);
    if (known != NICKNAME_NOT)
        return (struct name_fit){
            known == NICKNAME_SAME ? FIT_NICKNAME : FIT_BOTH_SHORT, WHY_NICKNAME};
    struct name_fit fit = similar(typed, given);
    if (fit.permille && nicknames->count && is_known(given))
        return (struct name_fit){0}; /* Mark and Mary are two names, not a slip */
    return fit;
}

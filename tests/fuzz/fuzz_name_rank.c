/* Any two lines as a typed text and a name, a third as a slug: scores stay in their range, are the
 * same each time and with any case and accents, and a name fits itself fully. */
#include "fuzz.h"

#include "base/buf.h"
#include "mcp/name_rank.h"
#include "names/likeness.h"

static struct arena arena;

static struct name_score score(struct str typed, struct str name, struct str slug)
{
    struct name_query q;
    if (name_query_init(&q, typed, &arena, NULL))
        return (struct name_score){0};
    struct name_score s = name_query_score(&q, name, slug);
    assert(s.permille >= 0 && s.permille <= NAME_SCORE_SAME);
    assert((s.permille == 0) == (s.why == WHY_NOTHING));
    assert(s.why < WHY_COUNT);
    return s;
}

static void assert_same(struct name_score a, struct name_score b)
{
    assert(a.permille == b.permille && a.why == b.why);
}

/* The text in upper-case ASCII, with an acute accent on each letter while there is room. */
static struct str dressed(struct buf *b, struct str text)
{
    bool accents = text.n * 3 <= FOLD_TEXT_MAX;
    for (size_t i = 0; i < text.n; i++) {
        buf_char(b, ascii_upper(text.p[i]));
        if (accents && ascii_is_alpha(text.p[i]))
            buf_text(b, "\xcc\x81");
    }
    return buf_view(b);
}

static void check_dress(struct str typed, struct str name, struct str slug)
{
    char typed_space[1 << 12], name_space[1 << 12];
    struct buf a = buf_over(typed_space, sizeof typed_space);
    struct buf b = buf_over(name_space, sizeof name_space);
    if (typed.n > FOLD_TEXT_MAX || name.n > FOLD_TEXT_MAX)
        return;
    assert_same(score(dressed(&a, typed), dressed(&b, name), slug), score(typed, name, slug));
}

static void check_likeness(struct str a, struct str b)
{
    for (int max = 0; max < 4; max++) {
        int edits = likeness_edits(a, b, max);
        assert(edits >= 0 && edits <= max + 1 && edits == likeness_edits(b, a, max));
        assert((edits == 0) == (a.n == b.n && memcmp(a.p, b.p, a.n) == 0));
    }
    assert(likeness_sounds(a, b) == likeness_sounds(b, a));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    struct str typed = fuzz_line(&rest), name = fuzz_line(&rest), slug = fuzz_line(&rest);
    struct name_query q;
    arena_init(&arena);
    assert_same(score(typed, name, slug), score(typed, name, slug));
    check_dress(typed, name, slug);
    check_likeness(typed, name);
    if (name_query_init(&q, name, &arena, NULL) == OK) {
        struct name_score self = name_query_score(&q, name, STR_NULL);
        assert(self.permille == NAME_SCORE_SAME && self.why == WHY_SAME);
    }
    arena_finish(&arena);
    return 0;
}

/* Numbered party names; see parties.h. */
#include "feed/parties.h"

#include "base/hash.h"

struct party {
    struct str text;
    uint32_t number;
};

/* The same for all letter cases of a text. */
static uint64_t hash_nocase(struct str text)
{
    char block[64];
    uint64_t hash = 0;
    for (size_t at = 0, n; at < text.n; at += n) {
        for (n = 0; n < sizeof block && at + n < text.n; n++)
            block[n] = ascii_lower(text.p[at + n]);
        hash = hash_seeded(str_of(block, n), hash);
    }
    return hash;
}

static uint64_t hash_text(const void *item)
{
    return hash_nocase(((const struct party *)item)->text);
}

static bool equal_text(const void *item, const void *key)
{
    return str_eq_nocase(((const struct party *)item)->text, *(const struct str *)key);
}

static const struct rcumap_type text_type = {hash_text, equal_text};

void parties_init(struct parties *p, struct rcu_retired *retired)
{
    *p = (struct parties){.by_text = rcumap_create(&text_type, 0, retired)};
    arena_init(&p->arena);
}

void parties_finish(struct parties *p)
{
    rcumap_destroy(p->by_text);
    arena_finish(&p->arena);
}

uint32_t parties_find(const struct parties *p, struct str text)
{
    const struct party *party = rcumap_find(p->by_text, hash_nocase(text), &text);
    return party ? party->number : 0;
}

struct names {
    struct buf *to;
    struct str between;
    size_t from, size_max;
};

static void put_name(void *item, void *ctx)
{
    const struct party *party = item;
    struct names *names = ctx;
    if (names->to->n + names->between.n + party->text.n > names->size_max)
        return;
    if (names->to->n > names->from)
        buf_str(names->to, names->between);
    buf_str(names->to, party->text);
}

void parties_put(const struct parties *p, struct buf *b, struct str between, size_t size_max)
{
    rcumap_each(p->by_text, put_name, &(struct names){b, between, b->n, size_max});
}

uint32_t parties_intern(struct parties *p, struct str text)
{
    if (str_is_null(text))
        return 0;
    uint32_t number = parties_find(p, text);
    if (number || p->n == PARTIES_MAX)
        return number;
    struct party *party = ARENA_NEW(&p->arena, struct party);
    *party = (struct party){arena_str(&p->arena, text), ++p->n};
    rcumap_insert(p->by_text, party);
    return party->number;
}

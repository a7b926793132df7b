/* Numbered party names; see parties.h. */
#include "feed/parties.h"

#include "base/hash.h"

struct party {
    struct str text;
    uint32_t number;
};

static uint64_t hash_text(const void *item)
{
    return hash_str(((const struct party *)item)->text);
}

static bool equal_text(const void *item, const void *key)
{
    return str_eq(((const struct party *)item)->text, *(const struct str *)key);
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
    const struct party *party = rcumap_find(p->by_text, hash_str(text), &text);
    return party ? party->number : 0;
}

uint32_t parties_intern(struct parties *p, struct str text)
{
    if (str_is_null(text))
        return 0;
    uint32_t number = parties_find(p, text);
    if (number)
        return number;
    struct party *party = ARENA_NEW(&p->arena, struct party);
    *party = (struct party){arena_str(&p->arena, text), ++p->n};
    rcumap_insert(p->by_text, party);
    return party->number;
}

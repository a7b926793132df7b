/* A bounded set of surrogate keys; see keys.h. */
#include "purge/keys.h"

static const struct str every = STR_INIT("all");

void purge_keys_init(struct purge_keys *keys)
{
    *keys = (struct purge_keys){.all = false};
    buf_init(&keys->text, PURGE_KEYS_BYTES);
}

void purge_keys_finish(struct purge_keys *keys)
{
    buf_finish(&keys->text);
}

void purge_keys_reset(struct purge_keys *keys)
{
    buf_reset(&keys->text);
    keys->all = false;
}

bool purge_keys_any(const struct purge_keys *keys)
{
    return keys->all || keys->text.n > 0;
}

void purge_keys_add_all(struct purge_keys *keys)
{
    purge_keys_reset(keys);
    keys->all = true;
}

static bool is_key(struct str key)
{
    for (size_t i = 0; i < key.n; i++)
        if (key.p[i] <= ' ' || key.p[i] > '~')
            return false;
    return key.n > 0 && key.n < PURGE_BATCH_BYTES;
}

static void add(struct purge_keys *keys, struct str key)
{
    if (keys->all)
        return;
    if (str_eq(key, every) || !is_key(key)) {
        purge_keys_add_all(keys);
        return;
    }
    if (!keys->text.n)
        buf_char(&keys->text, ' ');
    size_t before = keys->text.n;
    buf_str(&keys->text, key);
    buf_char(&keys->text, ' ');
    if (keys->text.overflow) {
        purge_keys_add_all(keys);
        return;
    }
    /* The key with the spaces around it stands in the text once, at the end, unless it was there */
    const char *at = keys->text.p + before - 1;
    size_t n = keys->text.n - before + 1;
    if (memmem(keys->text.p, keys->text.n, at, n) != at)
        keys->text.n = before;
}

void purge_keys_add(struct purge_keys *keys, const char *kind, struct str name)
{
    BUF_SCOPED(b, PURGE_BATCH_BYTES);
    buf_text(&b, kind);
    buf_char(&b, '-');
    buf_str(&b, name);
    add(keys, b.overflow ? every : buf_view(&b));
}

void purge_keys_add_batch(struct purge_keys *keys, struct str batch)
{
    struct str key;
    while (str_split(&batch, ' ', &key))
        if (key.n)
            add(keys, key);
}

void purge_keys_merge(struct purge_keys *to, const struct purge_keys *from)
{
    if (from->all)
        purge_keys_add_all(to);
    else
        purge_keys_add_batch(to, buf_view(&from->text));
}

void purge_keys_take(struct purge_keys *keys, struct buf *batch)
{
    struct purge_keys rest;
    struct str text = buf_view(&keys->text), key;
    size_t count = 0;
    buf_reset(batch);
    if (keys->all) {
        buf_str(batch, every);
        purge_keys_reset(keys);
        return;
    }
    purge_keys_init(&rest);
    while (str_split(&text, ' ', &key)) {
        if (!key.n)
            continue;
        if (count == PURGE_BATCH_KEYS || batch->n + key.n + 1 > PURGE_BATCH_BYTES) {
            add(&rest, key);
            continue;
        }
        buf_text(batch, batch->n ? " " : "");
        buf_str(batch, key);
        count++;
    }
    purge_keys_finish(keys);
    *keys = rest;
}

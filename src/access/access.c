/* Keys and plans in memory; see access.h. The table frees no key before it is destroyed: the store
 * keeps revoked keys too. */
#include "access/access.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/rcu.h"
#include "base/thread.h"
#include "store/account/account.h"
#include "store/account/key.h"

enum { LAST_USE_WRITE_MS = MINUTE_MS };

struct access_account {
    char id[24]; /* NUL-terminated */
    _Atomic int plan;
    _Atomic bool disabled;
};

/* The part of a key that readers change. A use pushes it on the stack `touched`. access_flush moves
 * it to `waiting`, and when it is due writes it and moves it to `written`. When the result of the
 * transaction is known, it leaves `written`; if the transaction failed, it returns to `touched`. */
struct access_use {
    int64_t key_no;
    struct access_use *next; /* in `touched` */
    _Atomic int64_t last_used_ms;
    _Atomic(const char *) last_path; /* of that use, or of one at the same time */
    _Atomic bool touched;            /* it is in `touched` or `waiting` */
    int64_t written_ms;              /* under flush_lock; INSTANT_NONE: never by this process */
    int64_t written_before_ms;       /* under flush_lock; written_ms before the transaction */
    struct access_use *written_next; /* in `written` */
    bool seen;                       /* under lock; found by the current load */
};

struct access {
    pthread_mutex_t lock; /* held to change the tables */
    struct rcu_retired retired;
    struct rcumap *keys;     /* by SHA-256 */
    struct rcumap *accounts; /* by id; accounts that have keys */

    struct usage *usage;

    struct access_key no_key; /* read if there is no such key, to take the same time */
    struct access_account no_owner;

    _Atomic(struct access_use *) touched; /* stack: readers push, a flush takes all */
    pthread_mutex_t flush_lock;           /* guards the fields below */
    struct access_use **waiting;
    size_t waiting_count, waiting_cap;
    struct access_use *written; /* list: in a transaction whose result is not known yet */
};

static uint64_t sha256_word(const uint8_t *sha256)
{
    uint64_t word;
    memcpy(&word, sha256, sizeof word);
    return word;
}

static uint64_t key_hash_of(const void *item)
{
    return sha256_word(((const struct access_key *)item)->sha256);
}

static bool key_has_hash(const void *item, const void *sha256)
{
    return crypto_equal(((const struct access_key *)item)->sha256, sha256, SHA256_SIZE);
}

static const struct rcumap_type key_map_type = {key_hash_of, key_has_hash};

static uint64_t account_hash_of(const void *item)
{
    return hash_str(str_from(((const struct access_account *)item)->id));
}

static bool account_has_id(const void *item, const void *id)
{
    return str_eq(str_from(((const struct access_account *)item)->id), *(const struct str *)id);
}

static const struct rcumap_type account_map_type = {account_hash_of, account_has_id};

struct access *access_create(void)
{
    struct access *access = MEM_NEW(struct access);
    pthread_mutex_init(&access->lock, NULL);
    pthread_mutex_init(&access->flush_lock, NULL);
    access->keys = rcumap_create(&key_map_type, 0, &access->retired);
    access->accounts = rcumap_create(&account_map_type, 0, &access->retired);
    access->usage = usage_create();
    atomic_init(&access->no_key.revoked, true);
    access->no_key.owner = &access->no_owner;
    atomic_init(&access->touched, NULL);
    return access;
}

static void key_destroy(void *item, void *ctx)
{
    struct access_key *key = item;
    mem_free(key->use);
    key_usage_destroy(key->usage);
    mem_free(key);
}

static void account_destroy(void *item, void *ctx)
{
    mem_free(item);
}

void access_destroy(struct access *access)
{
    if (!access)
        return;
    rcumap_each(access->keys, key_destroy, NULL);
    rcumap_destroy(access->keys);
    rcumap_each(access->accounts, account_destroy, NULL);
    rcumap_destroy(access->accounts);
    rcu_retired_free(&access->retired);
    usage_destroy(access->usage);
    mem_free(access->waiting);
    pthread_mutex_destroy(&access->flush_lock);
    pthread_mutex_destroy(&access->lock);
    mem_free(access);
}

/* --- loading; the caller holds `lock` */

static struct access_account *account_open(struct access *access, struct str id)
{
    struct access_account *account = rcumap_find(access->accounts, hash_str(id), &id);
    if (account)
        return account;
    account = MEM_NEW(struct access_account);
    assert(id.n < sizeof account->id);
    memcpy(account->id, id.p, id.n);
    rcumap_insert(access->accounts, account);
    return account;
}

static void account_set(struct access_account *account, enum plan plan, bool disabled)
{
    atomic_store_explicit(&account->plan, (int)plan, memory_order_relaxed);
    atomic_store_explicit(&account->disabled, disabled, memory_order_release);
}

static struct access_key *key_create(const struct key *row, const struct access_account *owner)
{
    struct access_key *key = MEM_NEW(struct access_key);
    struct access_use *use = MEM_NEW(struct access_use);
    assert(row->id.n < sizeof key->id && row->prefix.n < sizeof key->prefix);
    key->key_no = row->no;
    key->owner = owner;
    key->use = use;
    key->usage = key_usage_create(row->no);
    memcpy(key->id, row->id.p, row->id.n);
    memcpy(key->prefix, row->prefix.p, row->prefix.n);
    memcpy(key->sha256, row->sha256, SHA256_SIZE);
    use->key_no = row->no;
    use->written_ms = INSTANT_NONE;
    atomic_init(&use->last_used_ms, INSTANT_NONE);
    return key;
}

/* Adds or updates a key. A new key is complete before readers can find it. */
static void put_key(void *ctx, const struct key *row)
{
    struct access *access = ctx;
    struct access_account *owner = account_open(access, row->account_id);
    struct access_key *key = rcumap_find(access->keys, sha256_word(row->sha256), row->sha256);
    bool fresh = !key;
    account_set(owner, row->plan, row->account_disabled);
    if (fresh)
        key = key_create(row, owner);
    key->use->seen = true;
    atomic_store(&key->revoked, row->revoked_at != INSTANT_NONE || row->damaged);
    if (fresh)
        rcumap_insert(access->keys, key);
}

static void clear_seen(void *item, void *ctx)
{
    ((struct access_key *)item)->use->seen = false;
}

static void revoke_unseen(void *item, void *ctx)
{
    struct access_key *key = item;
    if (!key->use->seen)
        atomic_store(&key->revoked, true);
}

enum err access_load(struct access *access, struct db *db, struct fail *fail)
{
    pthread_mutex_lock(&access->lock);
    rcumap_each(access->keys, clear_seen, NULL);
    enum err err = key_each(db, put_key, access, fail);
    if (!err)
        rcumap_each(access->keys, revoke_unseen, NULL);
    pthread_mutex_unlock(&access->lock);
    rcu_retired_free(&access->retired);
    return err;
}

static enum err apply_key(struct access *access, struct db *db, struct str id, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct key row;
    enum err err = key_find(&(struct act){.db = db, .arena = &arena, .fail = fail}, id, &row);
    if (!err)
        put_key(access, &row);
    return err == ERR_NOT_FOUND ? OK : err;
}

static enum err apply_account(
    struct access *access, struct db *db, struct str id, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct account row = {.damaged = false};
    enum err err =
        account_find_id(&(struct act){.db = db, .arena = &arena, .fail = fail}, id, &row);
    if (!err || row.damaged)
        account_set(
            account_open(access, id), row.plan, row.disabled_at != INSTANT_NONE || row.damaged);
    return err == ERR_NOT_FOUND || row.damaged ? OK : err;
}

enum err access_apply(
    struct access *access, struct db *db, struct str noun, struct str key, struct fail *fail)
{
    enum err err = OK;
    pthread_mutex_lock(&access->lock);
    if (str_eq(noun, STR("key")))
        err = apply_key(access, db, key, fail);
    else if (str_eq(noun, STR("account")))
        err = apply_account(access, db, key, fail);
    pthread_mutex_unlock(&access->lock);
    rcu_retired_free(&access->retired);
    return err;
}

/* --- reading */

/* Reads both, so that a look-up takes the same time for every key. */
bool access_key_is_valid(const struct access_key *key)
{
    bool revoked = atomic_load_explicit(&key->revoked, memory_order_acquire);
    bool disabled = atomic_load_explicit(&key->owner->disabled, memory_order_acquire);
    return !revoked & !disabled;
}

const struct access_key *access_find(
    const struct access *access, enum key_kind kind, struct str text)
{
    uint8_t sha256[SHA256_SIZE];
    bool shaped = api_key_shaped(kind, text);
    api_key_hash(text, sha256);
    const struct access_key *key = rcumap_find(access->keys, sha256_word(sha256), sha256);
    if (!key)
        key = &access->no_key;
    bool same = crypto_equal(key->sha256, sha256, sizeof sha256);
    return (shaped & same & access_key_is_valid(key)) ? key : NULL;
}

enum plan access_key_plan(const struct access_key *key)
{
    return (enum plan)atomic_load_explicit(&key->owner->plan, memory_order_relaxed);
}

struct usage *access_usage(const struct access *access)
{
    return access->usage;
}

size_t access_count(const struct access *access)
{
    return rcumap_count(access->keys);
}

/* --- last use */

static void mark_touched(struct access *access, struct access_use *use)
{
    if (atomic_load_explicit(&use->touched, memory_order_acquire) ||
        atomic_exchange(&use->touched, true))
        return;
    use->next = atomic_load(&access->touched);
    while (!atomic_compare_exchange_weak(&access->touched, &use->next, use))
        ;
}

void access_touch(
    struct access *access, const struct access_key *key, int64_t now_ms, const char *path)
{
    struct access_use *use = key->use;
    int64_t last = atomic_load_explicit(&use->last_used_ms, memory_order_relaxed);
    if (now_ms >= last)
        atomic_store_explicit(&use->last_path, path, memory_order_relaxed);
    while (now_ms > last && !atomic_compare_exchange_weak(&use->last_used_ms, &last, now_ms))
        ;
    mark_touched(access, use);
}

/* Appends the touched uses to the waiting ones. */
static int by_key_no(const void *a, const void *b)
{
    int64_t x = (*(struct access_use *const *)a)->key_no,
            y = (*(struct access_use *const *)b)->key_no;
    return (x > y) - (x < y);
}

/* In the order of numbers: servers that write the same rows at the same time then wait for each
 * other and never deadlock. */
static void take_touched(struct access *access)
{
    for (struct access_use *use = atomic_exchange(&access->touched, NULL); use; use = use->next) {
        access->waiting = mem_grow(
            access->waiting, access->waiting_count, &access->waiting_cap, sizeof *access->waiting);
        access->waiting[access->waiting_count++] = use;
    }
    if (access->waiting_count)
        qsort(access->waiting, access->waiting_count, sizeof *access->waiting, by_key_no);
}

/* Due a minute after the last write, or at once if the clock was set back. */
static bool use_due(const struct access_use *use, int64_t now_ms)
{
    return use->written_ms == INSTANT_NONE || now_ms - use->written_ms >= LAST_USE_WRITE_MS ||
           now_ms < use->written_ms;
}

/* Clears `touched` before it reads the time: a concurrent use is written now or pushes it again. */
static enum err write_use(
    struct access *access, struct access_use *use, struct db *db, int64_t now_ms, struct fail *fail)
{
    atomic_store(&use->touched, false);
    use->written_before_ms = use->written_ms;
    use->written_ms = now_ms;
    use->written_next = access->written;
    access->written = use;
    const char *path = atomic_load_explicit(&use->last_path, memory_order_relaxed);
    return key_touch(
        db, use->key_no, atomic_load(&use->last_used_ms), path ? str_from(path) : STR_NULL, fail);
}

/* Handles the result of the transaction. */
static void settle(struct access *access, enum err err)
{
    struct access_use *use = access->written, *next;
    for (access->written = NULL; use; use = next) {
        next = use->written_next;
        if (err) {
            use->written_ms = use->written_before_ms;
            mark_touched(access, use);
        }
    }
}

static enum err write_due(
    struct access *access, struct db *db, int64_t now_ms, bool all, struct fail *fail)
{
    size_t kept = 0;
    enum err err = OK;
    for (size_t i = 0; i < access->waiting_count; i++) {
        struct access_use *use = access->waiting[i];
        if (err || !(all || use_due(use, now_ms)))
            access->waiting[kept++] = use;
        else
            err = write_use(access, use, db, now_ms, fail);
    }
    access->waiting_count = kept;
    return err;
}

static bool any_due(const struct access *access, int64_t now_ms, bool all)
{
    for (size_t i = 0; i < access->waiting_count; i++)
        if (all || use_due(access->waiting[i], now_ms))
            return true;
    return false;
}

enum err access_flush(
    struct access *access, struct db *db, int64_t now_ms, bool all, struct fail *fail)
{
    enum err err = OK;
    LOCKED(&access->flush_lock);
    settle(access, OK); /* no failure was reported */
    take_touched(access);
    if (any_due(access, now_ms, all)) {
        bool own = !db_in_transaction(db);
        if (own)
            err = db_begin(db, fail);
        if (!err)
            err = write_due(access, db, now_ms, all, fail);
        if (own && !err)
            err = db_commit(db, fail);
        if (own && err)
            db_rollback(db);
        if (own || err)
            settle(access, err);
    }
    return err;
}

void access_flush_done(struct access *access, enum err err)
{
    LOCKED(&access->flush_lock);
    settle(access, err);
}

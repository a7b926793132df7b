/* Keys and limits; see serve_secrets.h. */
#include "serve/serve_secrets.h"

#include "db/store.h"
#include "serve/master_key.h"
#include "webhook/secret.h"

static enum err read_key(
    const struct settings *settings, struct db *db, uint8_t ret[static SECRET_KEY_SIZE],
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    return master_key_open(
        settings_secret_key_file(settings, &arena), db,
        settings_embedded(settings) ? MASTER_KEY_CREATE : MASTER_KEY_READ, false, ret, fail);
}

enum err serve_secrets_open(
    struct serve_secrets *secrets, const struct settings *settings, struct db *db,
    struct fail *fail)
{
    TRY(read_key(settings, db, secrets->master_key, fail));
    secrets->mark = key_mark_of(secrets->master_key);
    const struct limits_options options = {
        .master_key = str_of((const char *)secrets->master_key, sizeof secrets->master_key),
        .redis_url = settings->redis,
        .redis_ca_file = settings->redis_ca_file,
        .redis_alone = settings->redis_alone,
        .redis_answer_ms = settings->test_redis_ms,
    };
    secret_seal_key(&secrets->seal_key, options.master_key);
    secrets->account = (struct account_config){
        .mail = !str_is_null(settings->smtp_url),
        .signup = settings->signup,
        .second_factor = settings->second_factor,
    };
    account_config_keys(&secrets->account, options.master_key);
    TRY(limits_create(&options, &secrets->limits, fail));
    return attempts_create(&options, &secrets->attempts, fail);
}

static enum err hold(struct db *db, const struct key_mark *mark, struct fail *fail)
{
    TRY(db_begin(db, fail));
    return db_end(db, key_mark_hold(db, mark, fail), fail);
}

enum err serve_secrets_confirm(
    const struct serve_secrets *secrets, const struct settings *settings, struct fail *fail)
{
    DB_SCOPED(db);
    if (settings_embedded(settings)) /* the server's lock keeps `secret rotate` out */
        return OK;
    TRY(store_open(settings->database, STORE_WRITE, &db, fail));
    return hold(db, &secrets->mark, fail);
}

void serve_secrets_wipe(struct serve_secrets *secrets)
{
    seal_key_finish(&secrets->seal_key);
    account_config_finish(&secrets->account);
    mem_wipe(secrets->master_key, sizeof secrets->master_key);
}

void serve_secrets_close(struct serve_secrets *secrets)
{
    attempts_destroy(secrets->attempts);
    limits_destroy(secrets->limits);
}

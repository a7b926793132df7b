/* Keys and limits; see serve_secrets.h. */
#include "serve/serve_secrets.h"

#include "webhook/secret.h"

static enum err read_key(
    const struct settings *settings, uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    struct str file = settings_secret_key_file(settings, &arena);
    enum err err =
        str_is_null(file)
            ? fail_set(
                  fail, ERR_REFUSED,
                  "STOCKACT_SECRET_KEY_FILE is not set: with PostgreSQL, create a file of 32 "
                  "random bytes with mode 0600 and give it to every server")
            : secret_key_load(file.p, settings_embedded(settings), ret, fail);
    arena_finish(&arena);
    return err;
}

enum err serve_secrets_open(
    struct serve_secrets *secrets, const struct settings *settings, struct fail *fail)
{
    enum err err = read_key(settings, secrets->master_key, fail);
    if (err)
        return err;
    const struct limits_options options = {
        .master_key = str_of((const char *)secrets->master_key, sizeof secrets->master_key),
        .redis_url = settings->redis,
        .redis_ca_file = settings->redis_ca_file,
    };
    secret_seal_key(&secrets->seal_key, options.master_key);
    secrets->account = (struct account_config){
        .mail = !str_is_null(settings->smtp_url),
        .signup = settings->signup,
        .second_factor = settings->second_factor,
    };
    account_config_keys(&secrets->account, options.master_key);
    err = limits_create(&options, &secrets->limits, fail);
    return err ? err
               : attempts_create(
                     options.master_key, options.redis_url, options.redis_ca_file,
                     &secrets->attempts, fail);
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

/* Settings and keys of the part; see config.h. */
#include "account/config.h"

#include "store/public/sealed.h"

void account_config_keys(struct account_config *config, struct str master_key)
{
    seal_key_init(&config->mail_key, master_key, STR(SEALED_MAIL));
    seal_key_init(&config->totp_key, master_key, STR(SEALED_FACTOR));
    hkdf_sha256(master_key, STR("known browsers"), config->known_key);
}

void account_config_finish(struct account_config *config)
{
    seal_key_finish(&config->mail_key);
    seal_key_finish(&config->totp_key);
    mem_wipe(config->known_key, sizeof config->known_key);
}

bool account_demands_factor(const struct account_config *config, enum role role)
{
    return config->second_factor == SECOND_FACTOR_REVIEWERS && role != ROLE_MEMBER;
}

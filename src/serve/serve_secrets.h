/* What the server derives from the master key: the keys that seal, and the limits, which hash
 * addresses. Private to src/serve. */
#pragma once

#include "account/attempts.h"
#include "account/config.h"
#include "config/secret_key.h"
#include "config/settings.h"
#include "limits/limits.h"
#include "store/account/key_mark.h"

struct serve_secrets {
    uint8_t master_key[SECRET_KEY_SIZE]; /* until the pages are created; then wiped */
    struct key_mark mark;
    struct seal_key seal_key;      /* seals the secrets of endpoints */
    struct account_config account; /* its base_url is set when the listener is open */
    struct attempts *attempts;     /* limits sign-ins */
    struct limits *limits;
};

/* Reads the master key, and creates it beside a new SQLite file. */
enum err serve_secrets_open(
    struct serve_secrets *secrets, const struct settings *settings, struct db *db,
    struct fail *fail);
/* After the first heartbeat. ERR_REFUSED: `stockact secret rotate` replaced the key in between. */
enum err serve_secrets_confirm(
    const struct serve_secrets *secrets, const struct settings *settings, struct fail *fail);
/* Wipes the keys. The limits are still used while the other parts stop. */
void serve_secrets_wipe(struct serve_secrets *secrets);
void serve_secrets_close(struct serve_secrets *secrets);

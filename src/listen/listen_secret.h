/*
 * The secret that signs forwarded events. It is derived from the API key and the machine, so that a
 * developer configures the receiver once, and nothing is stored. Neither the key nor the secret of
 * another machine follows from it.
 */
#pragma once

#include "webhook/secret.h"

/* `machine`: any text that stays the same on one machine. */
void listen_secret_derive(struct str api_key, struct str machine, struct secret *ret);

enum { LISTEN_ENDPOINT_SIZE = 16 };

/* The digits that stand for this listener in ids of deliveries, as those of an endpoint do. */
void listen_secret_endpoint(struct str secret, char ret[static LISTEN_ENDPOINT_SIZE]);

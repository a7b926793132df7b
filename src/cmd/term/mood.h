/* How good the states of deliveries, endpoints, e-mails and jobs are, for their colour and sign. */
#pragma once

#include "cmd/term/out.h"

/* By the name of the state; OUT_PLAIN for any other word. */
enum out_mood mood_of(struct str state);

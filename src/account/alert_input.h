/* An alert as people write it: the texts of a form or of a command's options. */
#pragma once

#include "rule/alert.h"
#include "store/row/act.h"

struct db;

/* The text of a field. Null: not given. */
typedef struct str alert_text(const void *ctx, const char *field);

/*
 * Changes the rule and the pace by the texts that are given. An empty one removes its criterion.
 *
 *     politician   slug, id, or the whole name if one member has it
 *     ticker       any letter case and class spelling
 *     chamber      house or senate
 *     seat         id of a full committee or of a subcommittee
 *     sector       name or code of an industry
 *     minimum      key of a bracket, 50k_100k
 *     pace         now, daily or weekly
 *
 * ERR_INVALID: *ret_field is the name of the field that is wrong. Strings live in the arena.
 */
enum err alert_input_read(
    const struct act *act, alert_text *text, const void *ctx, struct alert_rule *rule,
    enum alert_pace *pace, const char **ret_field);

/* An alert as people write it: the texts of a form or of a command's options. */
#pragma once

#include "base/mem.h"
#include "core/alert.h"

struct db;

/* Null or empty: not given. */
struct alert_input {
    struct str politician; /* slug, id, or the whole name if one member has it */
    struct str ticker;     /* any letter case and class spelling */
    struct str chamber;    /* house or senate */
    struct str committee;  /* id of a full committee or of a subcommittee */
    struct str industry;   /* name or code */
    struct str minimum;    /* key of a bracket, 50k_100k */
    struct str pace;       /* now, daily or weekly */
    bool flagged;
};

/* ERR_INVALID: *ret_field is the name of the member that is wrong. Strings live in the arena. */
enum err alert_input_read(
    struct db *db, const struct alert_input *input, struct arena *arena, struct alert_rule *ret,
    enum alert_pace *ret_pace, const char **ret_field, struct fail *fail) MUST_CHECK;

/*
 * The context of an action: where, who, when, and with which memory. What an action calls takes it
 * too, and so does what a page reads for its owner. It belongs to one transaction, or to one
 * snapshot, and lives on the stack of what began that.
 */
#pragma once

#include "db/db.h"
#include "rule/role.h"

enum actor_kind {
    ACTOR_KIND_VISITOR, /* nobody is signed in: holds a password, or a link from an e-mail */
    ACTOR_KIND_ACCOUNT,
    ACTOR_KIND_OPERATOR, /* the command line: may do everything */
    ACTOR_KIND_COUNT
};

/* Who acts. The strings outlive the action. */
struct actor {
    enum actor_kind kind;
    /* of an account */
    struct str account_id;
    int64_t account_no;
    enum role role;
    struct str session_id;
};

#define ACTOR_OPERATOR ((struct actor){.kind = ACTOR_KIND_OPERATOR, .role = ROLE_ADMIN})
#define ACTOR_VISITOR ((struct actor){.kind = ACTOR_KIND_VISITOR})

struct act {
    struct db *db;
    const struct actor *actor; /* NULL: nothing that is called asks who acts */
    int64_t now_ms;
    struct arena *arena; /* of what is returned: it outlives the transaction */
    struct fail *fail;
    const struct account_config *config; /* account/config.h; NULL: nothing sends a letter */
};

/* An action. Runs inside a write transaction, and must not begin, commit or roll back one. `work`
 * has what it is about and takes what comes of it; each action says of which type it is. */
typedef enum err act_run(const struct act *act, void *work);

/* What `listen` and `trigger` share: a developer's key, receiver and secret. Private to src/cmd. */
#pragma once

#include "cmd/term/command.h"
#include "webhook/secret.h"

/* Empty variables count as unset. */
struct str developer_variable(const char *name, struct str fallback);

/* The text of a small file, without white space around it. ERR_IO: it cannot be read, or is empty.
 */
enum err developer_read_line(
    struct str path, struct arena *arena, struct str *ret, struct fail *fail);

/* `localhost:3000/hook` is short for `http://localhost:3000/hook`. */
struct str developer_url(struct str to, struct arena *arena);

/* The secret of --secret-file, or one that is derived from the key (may be empty) and the machine.
 * *derived holds it; the caller ends it with secret_finish. */
enum err developer_secret(
    const struct options *options, struct str api_key, struct arena *arena, struct secret *derived,
    struct str *ret, struct fail *fail);

/*
 * Older programs beside a newer schema (docs/adr/0038-expand-contract.md). If the text of a step
 * has the words "usable from N", it can be applied while servers run whose program knows step N.
 * Without these words, only programs that know the step can use the database afterwards. Private to
 * src/db.
 */
#pragma once

#include "db/db.h"

/* The oldest program that can use the database after step `number`, as the newest step it knows.
 * `text` is that of the step. */
int migrate_usable_from(struct str text, int number);

/* ERR_REFUSED: a running server's program does not know step `usable_from`. Ignored for an SQLite
 * file, whose only server is the caller. */
enum err migrate_check_servers(struct db *db, int usable_from, struct fail *fail) MUST_CHECK;

/*
 * The files that a PostgreSQL connection reads (certificates, passwords), as named by its address
 * and the environment (PGSSLROOTCERT and the like). A confined server must be allowed to read them.
 * Files that libpq finds by itself in the home folder are not included.
 */
#pragma once

#include "base/str.h"

typedef void client_file_visit(void *ctx, const char *keyword, struct str path);

/* Visits every absolute path with the parameter that names it, those of the URL first. A parameter
 * of the URL overrides the environment. An invalid URL names none. */
void client_files_each(struct str url, client_file_visit *visit, void *ctx);

/* True if the server may be behind an abstract unix socket: a host that begins with @, or a
 * service, whose file can name one; in the address or, as PGHOST and PGSERVICE, in the environment.
 */
bool client_uses_abstract_socket(struct str url);

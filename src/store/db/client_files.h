/*
 * Files on this machine that a connection to PostgreSQL reads (certificates, passwords), as its
 * address and the environment (PGSSLROOTCERT and the like) name them: a confined server must be let
 * at them. Without those that libpq finds under the home folder by itself.
 */
#pragma once

#include "base/str.h"

typedef void client_file_visit(void *ctx, struct str path);

/* Every absolute path, once for each place that names it. An address that is none names none. */
void client_files_each(struct str url, client_file_visit *visit, void *ctx);

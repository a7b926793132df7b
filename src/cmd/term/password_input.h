/* The password of --password-stdin: one line of standard input. */
#pragma once

#include "account/password.h"

/* Reads a line and hashes it. On a terminal it asks first, and what is typed is not shown. */
enum err password_input(struct str email, char ret[static PASSWORD_HASH_SIZE], struct fail *fail);

/* The e-mail that `stockact doctor --send-to` sends, as a server sends its own. Private to
 * src/cmd/operate.
 */
#pragma once

#include "cmd/operate/doctor.h"
#include "mail/mail.h"

/* Blocks until the mail server has taken or refused it. */
enum err doctor_letter(
    struct doctor *d, const struct mail_server *server, struct str to,
    struct fail *fail) MUST_CHECK;

/*
 * The forms that values on the command line and in settings have, as pure functions. All return
 * false, with nothing written, for text of another form.
 */
#pragma once

#include <stdint.h>

#include "base/log.h"
#include "base/str.h"

enum { LISTEN_PATH_MAX = 107, HOST_MAX = 255 };

/* Where to listen: an IPv4 address or an IPv6 address in brackets, with a port from 0 to 65535 (0:
 * any free one); or `unix:` and a path. No names: which address one stands for is not for us to
 * choose. */
struct listen_address {
    struct str host; /* without brackets; null for a path */
    struct str path; /* null for a host */
    uint16_t port;
};

bool value_listen(struct str text, struct listen_address *ret);
bool value_database(struct str text); /* "sqlite:PATH", "postgresql://..." or "postgres://..." */

/* http:// or https://, host, perhaps a port and a path; *ret is the text without final slashes. */
bool value_base_url(struct str text, struct str *ret);

/* A base URL whose host is this machine itself: 127.x.y.z, [::1] or localhost. */
bool value_is_loopback_url(struct str text);
bool value_is_sync_url(struct str text); /* https://, or http:// of this machine */

bool value_switch(struct str text, bool *ret); /* 1 or 0, on or off, yes or no, true or false */
bool value_minute_of_day(struct str text, int *ret); /* hh:mm */
bool value_log_format(struct str text, enum log_format *ret);
bool value_i64_between(struct str text, int64_t min, int64_t max, int64_t *ret);

/* Hours that an old secret signs too: 0 to 24 (decision 36). */
bool value_grace(struct str text, int64_t *ret);

bool value_is_email(struct str text);   /* as accounts have them */
bool value_is_count(struct str text);   /* 0 to 2^31 - 1 */
bool value_is_day(struct str text);     /* yyyy-mm-dd */
bool value_is_year(struct str text);    /* 2008, from which the House has an index, to 9999 */
bool value_is_contact(struct str text); /* an email address or an https:// URL */
bool value_is_instant(struct str text); /* 2026-11-20T08:00:00Z */
bool value_is_grace(struct str text);   /* see value_grace */
bool value_is_plan(struct str text);
bool value_is_role(struct str text);
bool value_is_line(struct str text); /* not empty, not only spaces, no control bytes */
bool value_is_text(struct str text); /* and UTF-8: for what is stored and shown */

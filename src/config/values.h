/*
 * Pure functions that parse and check values of options and settings. They return false, and write
 * nothing, if the text is invalid.
 */
#pragma once

#include "base/log.h"

enum { LISTEN_PATH_MAX = 107, HOST_MAX = 255 };

/* An address to listen on: an IPv4 address, or an IPv6 address in brackets, with a port from 0 to
 * 65535 (0: any free port); or `unix:` and a path. Host names are invalid, because a name can
 * resolve to several addresses. */
struct listen_address {
    struct str host; /* without brackets; null for a path */
    struct str path; /* null for a host */
    uint16_t port;
};

bool value_listen(struct str text, struct listen_address *ret);
bool value_database(struct str text); /* "sqlite:PATH", "postgresql://..." or "postgres://..." */

/* http:// or https://, a host, and optionally a port and a path. *ret has no final slash. */
bool value_base_url(struct str text, struct str *ret);

/* A base URL whose host is 127.x.y.z, [::1] or localhost. */
bool value_is_loopback_url(struct str text);
bool value_is_sync_url(struct str text); /* https://, or http:// with a loopback host */

bool value_switch(struct str text, bool *ret); /* 1 or 0, on or off, yes or no, true or false */
bool value_minute_of_day(struct str text, int *ret); /* hh:mm */
bool value_log_format(struct str text, enum log_format *ret);
bool value_i64_between(struct str text, int64_t min, int64_t max, int64_t *ret);

/* A whole number with its unit: 500ms, 30s, 5m or 2h; at most 24 hours. */
bool value_duration(struct str text, int64_t *ret_ms);

/* Hours for which an old secret still signs: 0 to 24 (decision 36). */
bool value_grace(struct str text, int64_t *ret);

bool value_is_email(struct str text);   /* address/email.h */
bool value_is_count(struct str text);   /* 0 to 2^31 - 1 */
bool value_is_day(struct str text);     /* yyyy-mm-dd */
bool value_is_year(struct str text);    /* 2008, the first year with a House index, to 9999 */
bool value_is_contact(struct str text); /* an e-mail address or an https:// URL */
bool value_is_instant(struct str text); /* 2026-11-20T08:00:00Z */
bool value_is_grace(struct str text);   /* see value_grace */
bool value_is_duration(struct str text);
bool value_is_events(struct str text); /* rule/event_type.h */
bool value_is_cursor(struct str text); /* base64url, as the API prints it */
bool value_is_plan(struct str text);
bool value_is_role(struct str text);
bool value_is_line(struct str text); /* no control bytes, at least one that is not a space */
bool value_is_text(struct str text); /* a line in UTF-8: for values that are stored and displayed */

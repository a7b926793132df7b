/* Checks whether a form comes from a page of this site or of another site. Private to src/site. */
#pragma once

#include "http/http.h"

/* False if another site sent this request, by Sec-Fetch-Site, or by Origin where a browser sends
 * only that. A request with neither header is not refused here: the form's token decides. */
bool page_origin_is_ours(const struct http_request *request, struct str base_url);

/* False if the browser, an old one, names no origin: another site may have sent the form, so its
 * fields are not carried along. */
bool page_origin_is_named(const struct http_request *request);

/* Writes profiles; see profile.h. */
#include "api/profile.h"

void profile_put_members(struct json_out *j, const struct feed_politician *p)
{
    JSON_KEY_STR(j, "id", p->id);
    JSON_KEY_STR(j, "slug", p->slug);
    JSON_KEY_STR(j, "name", p->name);
    JSON_KEY_STR(j, "chamber", chamber_name(p->chamber));
    JSON_KEY_STR(j, "party", p->party);
    JSON_KEY_STR(j, "state", p->state);
    json_key(j, STR("district"));
    if (p->district < 0)
        json_no_value(j);
    else
        json_i64(j, p->district);
    JSON_KEY_BOOL(j, "inOffice", p->in_office);
    json_key(j, STR("committees"));
    json_raw(j, p->committees_json);
}

/* Writes profiles; see profile.h. */
#include "api/profile.h"

static void put_service(struct json_out *j, const struct feed_politician *p)
{
    json_key(j, STR("service"));
    json_array_begin(j);
    for (size_t i = 0; i < p->service_count; i++) {
        const struct member_service *is = &p->service[i];
        json_object_begin(j);
        JSON_KEY_STR(j, "chamber", chamber_name(is->chamber));
        json_key(j, STR("from"));
        json_day(j, is->from);
        json_key(j, STR("to"));
        json_day(j, i == 0 && p->in_office ? DAY_NONE : is->until);
        json_object_end(j);
    }
    json_array_end(j);
}

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
    put_service(j, p);
    json_key(j, STR("committees"));
    json_raw(j, p->committees_json);
}

/* get_committees; see committees.h. */
#include "mcp/committees.h"

#include "mcp/json_value.h"
#include "mcp/note.h"

static const struct str no_seats = STR_INIT(
    "No seat is known for today. The evidence in get_trade names the seats that the politician had "
    "on the day of a trade with a conflict signal.");

void committees_answered(struct call *call, const struct api_answer *answer)
{
    json_t *object = json_loadb(answer->text.p, answer->text.n, 0, NULL);
    const json_t *profile = json_object_get(json_object_get(object, "data"), "profile");
    BUF_SCOPED(members, SIZE_MAX);
    if (json_is_object(profile)) {
        buf_str(&members, STR("\"data\":"));
        json_put(&members, profile);
        if (json_array_size(json_object_get(profile, "committees")) == 0)
            note_put(&members, no_seats);
        call_result(call, buf_view(&members));
    } else {
        api_answer_put_unfit(&members);
        call_failed(call, buf_view(&members));
    }
    json_decref(object);
}

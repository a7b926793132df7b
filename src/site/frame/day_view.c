/* Days as members of a view; see day_view.h. */
#include "site/frame/day_view.h"

void day_view_put(struct view *v, const char *name, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    if (day == DAY_NONE) {
        view_null(v, name);
        return;
    }
    day_print(day, text);
    view_str(v, name, str_of(text, sizeof text));
}

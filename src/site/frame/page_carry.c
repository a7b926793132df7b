/* Carries forms; see page_carry.h. */
#include "site/frame/page_carry.h"

#include "site/frame/page_call_parts.h"

/* On /sign-in: the address of the carried form, and its fields as "carried.NUMBER.NAME". The number
 * makes each name unique: a carried field may be a list, and /sign-in has none. */
static const char path_field[] = "carried-path";
static const struct str prefix = STR_INIT("carried.");

/* Fields of ours, which are of one response and one session only. */
static bool is_own(struct str name)
{
    return str_eq(name, STR("csrf")) || str_eq(name, STR("once")) ||
           str_eq(name, STR(PAGE_PROOF_PASSWORD)) || str_eq(name, STR(PAGE_PROOF_CODE));
}

static void put_field(struct view *list, struct str name, struct str value)
{
    struct view *item = view_item(list);
    view_typed(item, "name", name);
    view_typed(item, "value", value);
}

static bool is_secret(struct str name)
{
    return str_find(name, STR("password")) >= 0 || str_find(name, STR("code")) >= 0 ||
           str_find(name, STR("token")) >= 0;
}

/* What a button is about to send, to read. */
static void show_field(struct page_call *call, struct str name, struct str value)
{
    struct view *facts = view_member(call->view, "facts");
    struct view *fact = view_item(facts ? facts : view_list(call->view, "facts"));
    view_str(fact, "label", name);
    view_str(fact, "value", is_secret(name) ? STR("not shown") : value);
}

/* carried: name, value; the partial `carried` prints hidden inputs. */
static struct view *begin(struct page_call *call)
{
    return view_list(call->view, "carried");
}

void page_carry_put(struct page_call *call)
{
    struct view *list = begin(call);
    for (size_t i = 0; i < call->form->count; i++)
        if (!is_own(call->form->pairs[i].name))
            put_field(list, call->form->pairs[i].name, call->form->pairs[i].value);
}

void page_carry_sign_in(struct page_call *call, const struct page *sign_in, struct fail *fail)
{
    struct view *list = begin(call);
    put_field(list, str_from(path_field), call->reply->path);
    int number = 0;
    for (size_t i = 0; i < call->form->count; i++) {
        const struct form_pair *pair = &call->form->pairs[i];
        if (is_own(pair->name))
            continue;
        struct str name =
            arena_fmt(call->arena, "%.*s%d.%.*s", STR_ARG(prefix), number++, STR_ARG(pair->name));
        put_field(list, name, pair->value);
    }
    view_bool(call->view, "sessionEnded", true);
    call->form = NULL; /* it is not the form of /sign-in */
    call->page = sign_in;
    page_template(call, 200, sign_in->template, sign_in->title);
    if (sign_in->load && sign_in->load(call, fail) != OK)
        page_problem(call, PROBLEM_UNAVAILABLE, STR_NULL);
}

void page_carry_show(struct page_call *call)
{
    struct view *list = begin(call);
    for (size_t i = 0; i < call->form->count; i++) {
        const struct form_pair *pair = &call->form->pairs[i];
        if (str_eq(pair->name, str_from(path_field)) || str_starts(pair->name, prefix))
            put_field(list, pair->name, pair->value);
    }
}

static void show_again(struct page_call *call, struct str path)
{
    view_str(call->view, "action", path);
    view_bool(call->view, "hasFacts", view_member(call->view, "facts"));
    view_str(call->view, "back", page_back(call));
    page_template(call, 200, STR("carried_form"), STR("Send it now"));
}

static void resume(struct page_call *call, struct str path)
{
    call->view = view_create(call->arena);
    struct view *list = begin(call);
    for (size_t i = 0; i < call->form->count; i++) {
        const struct form_pair *pair = &call->form->pairs[i];
        if (!str_starts(pair->name, prefix))
            continue;
        struct str name = str_slice(pair->name, prefix.n, pair->name.n), number;
        if (!str_split(&name, '.', &number) || str_is_null(name))
            continue;
        put_field(list, name, pair->value);
        show_field(call, name, pair->value);
    }
    show_again(call, path);
}

void page_carry_return(struct page_call *call, struct str next)
{
    struct str carried = page_local(call->form ? form_value(call->form, path_field) : STR_NULL);
    struct str path = page_local(next);
    const struct page *page = site_page(call->reply->site, carried);
    if (page && page->upload) /* files are not carried: they are chosen again */
        page_redirect(call, carried, FLASH_NONE);
    else if (!str_is_null(carried))
        resume(call, carried);
    else
        page_redirect(call, str_is_null(path) ? STR("/account") : path, FLASH_NONE);
}

void page_carry_again(struct page_call *call)
{
    page_carry_put(call);
    for (size_t i = 0; i < call->form->count; i++)
        if (!is_own(call->form->pairs[i].name))
            show_field(call, call->form->pairs[i].name, call->form->pairs[i].value);
    show_again(call, call->reply->path);
}

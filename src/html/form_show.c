/* Faults of a form, and the form as part of a view; see form.h. */
#include "html/form.h"

#include <stdarg.h>
#include <stdio.h>

enum { FAULT_TEXT_MAX = 512 };

static const struct form_complaint *complaint_of(const struct form *form, struct str name)
{
    const struct form_complaint *complaint = form ? form->complaints : NULL;
    while (complaint && !str_eq(complaint->name, name))
        complaint = complaint->next;
    return complaint;
}

static void add_fault(struct form *form, const char *name, struct str text)
{
    if (name && complaint_of(form, str_from(name)))
        return;
    struct form_complaint *complaint = ARENA_NEW(form->arena, struct form_complaint);
    complaint->name = arena_str(form->arena, str_from(name));
    complaint->text = text;
    if (form->last_complaint)
        form->last_complaint->next = complaint;
    else
        form->complaints = complaint;
    form->last_complaint = complaint;
}

/* "the name is too long" becomes "The name is too long." */
static struct str sentence(struct arena *arena, struct str text)
{
    bool stopped = text.n > 0 && strchr(".!?", text.p[text.n - 1]);
    if (text.n == 0)
        return STR("This value is not valid.");
    return arena_fmt(
        arena, "%c%.*s%s", ascii_upper(text.p[0]), STR_ARG(str_slice(text, 1, text.n)),
        stopped ? "" : ".");
}

void form_fault(struct form *form, const char *name, const struct fail *fail)
{
    add_fault(form, name, sentence(form->arena, str_from(fail->text)));
}

void form_fault_text(struct form *form, const char *name, const char *format, ...)
{
    char text[FAULT_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_fault(form, name, arena_str(form->arena, str_from(text)));
}

bool form_is_faulty(const struct form *form)
{
    return form->complaints;
}

/* fields.NAME, with its name and its fault. */
static struct view *field(struct view *view, const struct form *form, const char *name)
{
    struct view *fields = view_member(view, "fields");
    if (!fields)
        fields = view_object(view, "fields");
    struct view *field = view_object(fields, name);
    const struct form_complaint *complaint = complaint_of(form, str_from(name));
    view_text(field, "name", name);
    view_str(field, "error", complaint ? complaint->text : STR_NULL);
    return field;
}

void form_show(struct view *view, const struct form *form, const char *name, struct str initial)
{
    view_typed(field(view, form, name), "value", form ? form_value(form, name) : initial);
}

void form_show_secret(struct view *view, const struct form *form, const char *name)
{
    view_null(field(view, form, name), "value");
}

void form_show_check(struct view *view, const struct form *form, const char *name, bool initial)
{
    view_bool(field(view, form, name), "checked", form ? form_checked(form, name) : initial);
}

static struct view *add_option(struct view *options, const struct form_option *option)
{
    struct view *item = view_item(options);
    view_str(item, "value", option->value);
    view_str(item, "label", option->label);
    return item;
}

void form_show_choice(
    struct view *view, const struct form *form, const char *name, struct str initial,
    const struct form_option *options, size_t count)
{
    struct view *to = field(view, form, name);
    struct str value = form ? form_value(form, name) : initial;
    view_typed(to, "value", value);
    struct view *list = view_list(to, "options");
    for (size_t i = 0; i < count; i++)
        view_bool(add_option(list, &options[i]), "selected", str_eq(options[i].value, value));
}

static bool is_word_of(struct str words, struct str value)
{
    struct str word;
    while (str_next_word(&words, &word))
        if (str_eq(word, value))
            return true;
    return false;
}

void form_show_choices(
    struct view *view, const struct form *form, const char *name, struct str initial,
    const struct form_option *options, size_t count)
{
    struct view *list = view_list(field(view, form, name), "options");
    for (size_t i = 0; i < count; i++) {
        bool selected =
            form ? form_has(form, name, options[i].value) : is_word_of(initial, options[i].value);
        view_bool(add_option(list, &options[i]), "selected", selected);
    }
}

void form_show_faults(struct view *view, const struct form *form)
{
    view_bool(view, "hasFaults", form && form_is_faulty(form));
    struct view *faults = view_list(view, "faults");
    for (const struct form_complaint *complaint = form ? form->complaints : NULL; complaint;
         complaint = complaint->next) {
        struct view *item = view_item(faults);
        view_str(item, "name", complaint->name);
        view_str(item, "error", complaint->text);
    }
}

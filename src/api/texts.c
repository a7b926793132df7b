/* Builds the fixed texts; see texts.h. */
#include "api/texts.h"

#include "api/context.h"
#include "api/openapi.h"
#include "api/reference.h"
#include "api/resources.h"
#include "api/web.h"
#include "base/thread.h"
#include "rule/invented.h"

enum { TEXT_SIZE_MAX = 4 << 20 };

/* The prose of the OpenAPI document: sections of the reference. */
static void put_description(struct buf *b, struct str reference)
{
    static const struct {
        const char *title;
        struct str anchor;
    } parts[] = {
        {NULL, STR_INIT("overview")},
        {"Authentication", STR_INIT("authentication")},
        {"Plans", STR_INIT("plans")},
        {"Lawful use", STR_INIT("lawful-use")},
        {"Rate limits", STR_INIT("rate-limits")},
        {"Conflict signal", STR_INIT("conflict-signal")},
        {"Pages and cursors", STR_INIT("cursors")},
        {"Keeping a copy up to date", STR_INIT("sync")},
        {"Versions and deprecation", STR_INIT("versions")},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].title)
            buf_fmt(b, "\n\n## %s\n\n", parts[i].title);
        buf_str(b, reference_section(reference, parts[i].anchor));
    }
}

/* A paragraph of Markdown; nothing with real data. */
static void put_notice(struct buf *b, bool demo)
{
    if (demo)
        buf_text(b, "**" INVENTED_NOTICE "**\n\n");
}

/* A text without anchors, with the notice below its title. */
static void put_plain(struct buf *b, struct str text, bool demo)
{
    struct str title;
    str_split(&text, '\n', &title);
    reference_plain(b, title);
    buf_text(b, "\n\n");
    put_notice(b, demo);
    reference_plain(b, str_slice(text, str_starts(text, STR("\n")), text.n));
}

/* A line of HTML, such as a picture: GitHub shows it, the pages and the texts do not. */
static bool is_markup(struct str line)
{
    return str_starts(line, STR("<"));
}

/* A line of a guide, with this server's base URL instead of the example's. */
static void put_guide_line(struct buf *b, struct str rest, struct str base_url)
{
    const struct str any = STR("https://stockact.example.org");
    for (ptrdiff_t at; (at = str_find(rest, any)) >= 0;) {
        buf_str(b, str_slice(rest, 0, (size_t)at));
        buf_str(b, base_url);
        rest = str_slice(rest, (size_t)at + any.n, rest.n);
    }
    buf_str(b, rest);
}

static void put_guide(struct buf *b, struct str rest, struct str base_url)
{
    struct str line;
    bool in_code = false;
    while (str_split(&rest, '\n', &line)) {
        in_code ^= str_starts(line, STR("```"));
        if (!in_code && is_markup(line))
            continue;
        put_guide_line(b, line, base_url);
        if (!str_is_null(rest))
            buf_char(b, '\n');
    }
}

static struct buf *text_begin(struct api_texts *texts, enum operation_id id, enum media media)
{
    struct fixed_text *text = &texts->texts[id];
    text->media = media;
    buf_init(&text->plain, TEXT_SIZE_MAX);
    return &text->plain;
}

/* The pages of one text, from row `first` of the table. Returns the row of the next text. */
static size_t add_pages(struct api_texts *texts, size_t first, struct str text)
{
    struct doc_cut cuts[DOC_COUNT];
    struct buf page;
    size_t end = first + 1;
    for (; end < DOC_COUNT && guides[end].text == guides[first].text; end++)
        cuts[end - first - 1] = guides[end].cut;
    for (size_t i = first; i < end; i++) {
        buf_init(&page, TEXT_SIZE_MAX);
        if (i == first)
            doc_rest_put(&page, text, cuts, end - first - 1);
        else
            doc_cut_put(&page, text, &guides[i].cut, guides[i].title);
        texts->docs[i].markdown = arena_str(&texts->arena, buf_view(&page));
        buf_finish(&page);
    }
    return end;
}

/* Links lead to the page that has the section; then the page is also a text to read. */
static void finish_pages(struct api_texts *texts, bool demo)
{
    struct buf linked[DOC_COUNT], plain;
    for (size_t i = 0; i < DOC_COUNT; i++) {
        buf_init(&linked[i], TEXT_SIZE_MAX);
        doc_links_put(&linked[i], &texts->list, i);
    }
    for (size_t i = 0; i < DOC_COUNT; i++) {
        texts->docs[i].markdown = arena_str(&texts->arena, buf_view(&linked[i]));
        buf_init(&plain, TEXT_SIZE_MAX);
        put_plain(&plain, texts->docs[i].markdown, demo);
        texts->docs[i].plain = arena_str(&texts->arena, buf_view(&plain));
        buf_finish(&plain);
        buf_finish(&linked[i]);
    }
}

static void add_docs(struct api_texts *texts, struct str reference, struct str base_url, bool demo)
{
    struct buf text, *full = &texts->texts[OPERATION_LLMS_FULL].plain;
    buf_init(&text, TEXT_SIZE_MAX);
    for (size_t i = add_pages(texts, 0, reference); i < DOC_COUNT;) {
        put_guide(&text, guides[i].text(), base_url);
        bool of_api = !str_eq(guides[i].group, STR(DOC_OPERATORS));
        i = add_pages(texts, i, buf_view(&text));
        if (of_api) {
            buf_char(full, '\n');
            reference_plain(full, buf_view(&text));
        }
        buf_reset(&text);
    }
    finish_pages(texts, demo);
    buf_finish(&text);
}

static void build(struct api_texts *texts)
{
    struct str base_url = texts->base_url;
    bool demo = texts->demo;
    BUF_SCOPED(llms, TEXT_SIZE_MAX);
    BUF_SCOPED(description, TEXT_SIZE_MAX);
    BUF_SCOPED(reference, TEXT_SIZE_MAX);
    reference_expand(&reference, web_reference(), base_url);
    reference_expand(&llms, web_llms(), base_url);
    put_notice(&description, demo);
    put_description(&description, buf_view(&reference));

    openapi_put(
        text_begin(texts, OPERATION_OPENAPI, MEDIA_JSON), base_url, buf_view(&description), demo);
    put_plain(text_begin(texts, OPERATION_LLMS, MEDIA_TEXT), buf_view(&llms), demo);
    put_plain(text_begin(texts, OPERATION_LLMS_FULL, MEDIA_TEXT), buf_view(&reference), demo);
    reference_expand(text_begin(texts, OPERATION_REGISTRY, MEDIA_JSON), web_registry(), base_url);
    add_docs(texts, buf_view(&reference), base_url, demo);

    for (int id = 0; id < OPERATION_COUNT; id++)
        if (texts->texts[id].plain.n > 0)
            fixed_text_seal(&texts->texts[id]);
}

void texts_init(struct api_texts *texts, struct str base_url, bool demo)
{
    *texts = (struct api_texts){.base_url = base_url, .demo = demo};
    pthread_mutex_init(&texts->lock, NULL);
    arena_init(&texts->arena);
    for (size_t i = 0; i < DOC_COUNT; i++)
        texts->docs[i] = (struct doc){
            .name = guides[i].name,
            .title = guides[i].title,
            .link = guides[i].link,
            .group = guides[i].group,
            .is_part = i > 0 && guides[i].text == guides[i - 1].text,
        };
    texts->list = (struct doc_list){texts->docs, DOC_COUNT};
}

void texts_finish(struct api_texts *texts)
{
    for (int id = 0; id < OPERATION_COUNT; id++)
        fixed_text_finish(&texts->texts[id]);
    arena_finish(&texts->arena);
    pthread_mutex_destroy(&texts->lock);
}

static bool is_made(const struct api_texts *texts)
{
    return atomic_load_explicit(&texts->made, memory_order_acquire);
}

void texts_make(struct api_texts *texts)
{
    LOCKED(&texts->lock);
    if (!is_made(texts))
        build(texts);
    atomic_store_explicit(&texts->made, true, memory_order_release);
}

bool texts_ready(struct api_call *call)
{
    call->texts = call->api->texts[api_is_demo(call->api)];
    return is_made(call->texts);
}

static void work(struct http_exchange *x, void *worker)
{
    struct api_call *call = http_data(x);
    texts_make(call->texts);
}

bool texts_later(struct api_call *call, void (*done)(struct http_exchange *x))
{
    return http_defer(call->x, work, done);
}

void texts_answer(struct api_call *call)
{
    fixed_text_reply(call->x, &call->texts->texts[operation_id_of(call->operation)]);
}

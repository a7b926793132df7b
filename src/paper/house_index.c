/* Reads the Clerk's yearly index (sources.md 1): as XML, as tab separated text, or as a zip of
 * both. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <zip.h>

#include "base/hidden.h"
#include "base/utf8.h"
#include "paper/readers.h"

enum { FIELDS = 9 };

/* Elements of the XML and columns of the text, in the order of the text. */
static const struct {
    struct str name;
    size_t offset;
} fields[FIELDS] = {
    {STR_INIT("Prefix"), offsetof(struct reading_entry, prefix)},
    {STR_INIT("Last"), offsetof(struct reading_entry, last)},
    {STR_INIT("First"), offsetof(struct reading_entry, first)},
    {STR_INIT("Suffix"), offsetof(struct reading_entry, suffix)},
    {STR_INIT("FilingType"), offsetof(struct reading_entry, filing_type)},
    {STR_INIT("StateDst"), offsetof(struct reading_entry, state_district)},
    {STR_INIT("Year"), offsetof(struct reading_entry, year)},
    {STR_INIT("FilingDate"), offsetof(struct reading_entry, filing_date)},
    {STR_INIT("DocID"), offsetof(struct reading_entry, document_id)},
};

struct house_index_reader {
    struct arena *arena;
    struct reading *out;
    size_t room;
    size_t bad; /* rows without a document id, with a hidden character in it, or malformed */
};

static void refuse(struct reading *out, const char *reason)
{
    *out = (struct reading){.kind = READING_REFUSED, .reason = str_from(reason)};
}

/* Folds white space. */
static struct str clean(struct arena *arena, struct str text)
{
    char *out = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    bool space = false;
    for (size_t i = 0; i < text.n; i++) {
        if (ascii_is_space(text.p[i])) {
            space = true;
            continue;
        }
        if (space && n)
            out[n++] = ' ';
        space = false;
        out[n++] = text.p[i];
    }
    return str_of(out, n);
}

static struct str *field_of(struct reading_entry *entry, int field)
{
    return (struct str *)((char *)entry + fields[field].offset);
}

static void add_entry(struct house_index_reader *r, const struct reading_entry *entry)
{
    struct reading *out = r->out;
    if (str_is_null(entry->document_id) || entry->document_id.n == 0 ||
        hidden_in(entry->document_id) != HIDDEN_NONE || out->entry_count == READING_ENTRIES_MAX) {
        r->bad++;
        return;
    }
    out->entries =
        arena_grow(r->arena, out->entries, out->entry_count, &r->room, sizeof *out->entries);
    out->entries[out->entry_count++] = *entry;
}

/* --- XML */

static struct str element_text(struct house_index_reader *r, xmlNode *element)
{
    xmlChar *content = xmlNodeGetContent(element);
    struct str text = clean(r->arena, str_from(content ? (const char *)content : ""));
    xmlFree(content);
    return text;
}

static void read_member(struct house_index_reader *r, xmlNode *member)
{
    struct reading_entry entry = {.document_id = STR_NULL};
    for (xmlNode *at = member->children; at; at = at->next)
        for (int f = 0; f < FIELDS && at->type == XML_ELEMENT_NODE; f++)
            if (str_eq(str_from((const char *)at->name), fields[f].name))
                *field_of(&entry, f) = element_text(r, at);
    add_entry(r, &entry);
}

static void read_xml(struct house_index_reader *r, struct str xml)
{
    xmlDoc *document = xml.n == 0 || xml.n > INT_MAX
                           ? NULL
                           : xmlReadMemory(
                                 xml.p, (int)xml.n, NULL, NULL,
                                 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    if (!root) {
        refuse(r->out, "the XML cannot be read");
    } else if (document->intSubset) { /* a DTD could define entity bombs */
        refuse(r->out, "the XML has a document type declaration");
    } else if (strcmp((const char *)root->name, "FinancialDisclosure") != 0) {
        refuse(r->out, "this XML is not the Clerk's index");
    } else {
        for (xmlNode *at = root->children; at; at = at->next)
            if (at->type == XML_ELEMENT_NODE && strcmp((const char *)at->name, "Member") == 0)
                read_member(r, at);
            else
                r->bad += at->type == XML_ELEMENT_NODE;
    }
    xmlFreeDoc(document);
}

/* --- text */

static void read_text(struct house_index_reader *r, struct str text)
{
    struct str line, part;
    bool header = true;
    if (!utf8_is_valid(text)) {
        refuse(r->out, "the text is not in UTF-8");
        return;
    }
    while (str_split(&text, '\n', &line)) {
        struct reading_entry entry = {.document_id = STR_NULL};
        int f = 0;
        if (header || str_trim(line).n == 0) {
            header = false;
            continue;
        }
        while (f < FIELDS && str_split(&line, '\t', &part))
            *field_of(&entry, f++) = clean(r->arena, part);
        if (f == FIELDS && str_is_null(line))
            add_entry(r, &entry);
        else
            r->bad++;
    }
}

/* --- zip */

/* Returns the bytes of the entry; the null string: damaged, or larger than an index may be. */
static struct str unzip(struct arena *arena, zip_t *archive, zip_uint64_t index)
{
    zip_stat_t stat;
    if (zip_stat_index(archive, index, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE) ||
        stat.size > READING_INDEX_SIZE_MAX)
        return STR_NULL;
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    if (!file)
        return STR_NULL;
    char *bytes = arena_alloc(arena, stat.size + 1);
    zip_int64_t n = zip_fread(file, bytes, stat.size);
    bool good = zip_fclose(file) == 0 && n >= 0 && (zip_uint64_t)n == stat.size;
    return good ? str_of(bytes, (size_t)n) : STR_NULL;
}

/* Returns the XML entry, or else the text entry. */
static bool find_inside(zip_t *archive, zip_uint64_t *ret)
{
    static const struct str endings[] = {STR_INIT(".xml"), STR_INIT(".txt")};
    zip_int64_t count = zip_get_num_entries(archive, 0);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++)
        for (zip_int64_t i = 0; i < count; i++) {
            struct str name = str_from(zip_get_name(archive, (zip_uint64_t)i, 0));
            size_t from = name.n < endings[e].n ? 0 : name.n - endings[e].n;
            if (str_eq_nocase(str_slice(name, from, name.n), endings[e])) {
                *ret = (zip_uint64_t)i;
                return true;
            }
        }
    return false;
}

static void read_zip(struct house_index_reader *r, struct str bytes)
{
    zip_error_t error;
    zip_uint64_t index;
    struct str inside = STR_NULL;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(bytes.p, bytes.n, 0, &error);
    zip_t *archive = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
    if (!archive)
        zip_source_free(source);
    bool found = archive && find_inside(archive, &index);
    if (found)
        inside = unzip(r->arena, archive, index);
    if (archive)
        zip_discard(archive);
    zip_error_fini(&error);
    if (!archive)
        refuse(r->out, "the zip cannot be read");
    else if (!found)
        refuse(r->out, "there is no index in this zip");
    else if (str_is_null(inside))
        refuse(r->out, "what is in the zip is damaged or too large");
    else if (paper_sniff(str_slice(inside, 0, PAPER_SNIFF_SIZE)) == PAPER_INDEX_TEXT)
        read_text(r, inside);
    else
        read_xml(r, inside);
}

void house_index_read(struct str bytes, enum paper paper, struct arena *arena, struct reading *ret)
{
    struct house_index_reader r = {.arena = arena, .out = ret};
    *ret = (struct reading){.kind = READING_HOUSE_INDEX};
    switch (paper) {
    case PAPER_ZIP:
        read_zip(&r, bytes);
        break;
    case PAPER_XML:
        read_xml(&r, bytes);
        break;
    case PAPER_INDEX_TEXT:
        read_text(&r, bytes);
        break;
    default:
        refuse(ret, "this is not the Clerk's index");
        break;
    }
    if (ret->kind == READING_HOUSE_INDEX)
        reading_check_add(
            ret, STR("rows_whole"), r.bad == 0, /* the year's first index has none */
            arena_fmt(arena, "%zu rows, %zu not whole", ret->entry_count, r.bad));
}

/* The samples, with the URL instead of @; see samples.h. A test runs each of them. */
#include "api/samples.h"

static const struct {
    const char *fence, *keyless, *keyed, *stream;
} samples[] = {
    {"sh", "curl '@'\n",
     "curl -H 'Authorization: Bearer svc_YOUR_KEY' \\\n"
     "  '@'\n",
     "curl -N '@'\n"},
    {"javascript more",
     "const response = await fetch('@');\n"
     "const { data } = await response.json();\n"
     "console.log(data);\n",
     "const response = await fetch('@', {\n"
     "  headers: { Authorization: 'Bearer svc_YOUR_KEY' },\n"
     "});\n"
     "const { data } = await response.json();\n"
     "console.log(data);\n",
     "const stream = new EventSource('@');\n"
     "stream.addEventListener('trade', ({ data, lastEventId }) => {\n"
     "  console.log(lastEventId, JSON.parse(data));\n"
     "});\n"},
    {"python more",
     "import json\n"
     "from urllib.request import urlopen\n"
     "\n"
     "with urlopen('@') as response:\n"
     "    print(json.load(response)['data'])\n",
     "import json\n"
     "from urllib.request import Request, urlopen\n"
     "\n"
     "request = Request('@', headers={'Authorization': 'Bearer svc_YOUR_KEY'})\n"
     "with urlopen(request) as response:\n"
     "    print(json.load(response)['data'])\n",
     "import json\n"
     "from urllib.request import urlopen\n"
     "\n"
     "with urlopen('@') as stream:\n"
     "    for line in stream:\n"
     "        field, _, value = line.decode().rstrip().partition(': ')\n"
     "        if field == 'event':\n"
     "            event = value\n"
     "        elif field == 'data' and event == 'trade':\n"
     "            print(json.loads(value), flush=True)\n"},
    {"go more",
     "response, err := http.Get(\"@\")\n"
     "if err != nil {\n"
     "\tlog.Fatal(err)\n"
     "}\n"
     "defer response.Body.Close()\n"
     "io.Copy(os.Stdout, response.Body)\n",
     "request, _ := http.NewRequest(\"GET\", \"@\", nil)\n"
     "request.Header.Set(\"Authorization\", \"Bearer svc_YOUR_KEY\")\n"
     "response, err := http.DefaultClient.Do(request)\n"
     "if err != nil {\n"
     "\tlog.Fatal(err)\n"
     "}\n"
     "defer response.Body.Close()\n"
     "io.Copy(os.Stdout, response.Body)\n",
     "response, err := http.Get(\"@\")\n"
     "if err != nil {\n"
     "\tlog.Fatal(err)\n"
     "}\n"
     "defer response.Body.Close()\n"
     "io.Copy(os.Stdout, response.Body)\n"},
    {"r more",
     "library(jsonlite)\n"
     "answer <- fromJSON(\"@\")\n"
     "print(answer$data)\n",
     "library(jsonlite)\n"
     "address <- url(\"@\",\n"
     "  headers = c(Authorization = \"Bearer svc_YOUR_KEY\"))\n"
     "answer <- fromJSON(address)\n"
     "print(answer$data)\n",
     "stream <- url(\"@\", \"r\")\n"
     "while (length(line <- readLines(stream, n = 1))) cat(line, \"\\n\", sep = \"\")\n"},
};

static void put_sample(struct buf *b, const char *fence, const char *text, struct str url)
{
    struct str code = str_from(text), before;
    buf_fmt(b, "\n```%s\n", fence);
    str_split(&code, '@', &before);
    buf_str(b, before);
    buf_str(b, url);
    buf_str(b, code);
    buf_text(b, "```\n");
}

void samples_put(struct buf *b, struct str url, bool keyed)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        put_sample(b, samples[i].fence, keyed ? samples[i].keyed : samples[i].keyless, url);
}

void samples_stream_put(struct buf *b, struct str url)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        put_sample(b, samples[i].fence, samples[i].stream, url);
}

bool samples_is_more(struct str line)
{
    return str_starts(line, STR("```")) && str_ends(line, STR(" more"));
}

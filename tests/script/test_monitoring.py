"""The alert rules and the board of deploy/ name metrics and labels that /metrics has, and promtool
accepts and tests them. docs/metrics.md has the table of metrics, because `test_edge_metric` compares
the two.

Run by script/check: python3 -m unittest discover tests/script
"""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = ROOT / "deploy/prometheus/rules.yml"
RULES_TEST = ROOT / "deploy/prometheus/rules_test.yml"
BOARD = ROOT / "deploy/grafana/stockact.json"
# Added by Prometheus, and by its histograms.
OTHER_LABELS = {"instance", "job", "exported_job", "le"}
VARIABLES = {"$__rate_interval": "5m", "$instance": ".*"}

NAME = re.compile(r"\b(?:stockact|process)_[a-z0-9_]+")
ROW = re.compile(r"^\| `(\w+)(?:\{([\w, ]+)\})?` \| (\w+) \|", re.MULTILINE)


def documented():
    """{name: labels} of each metric, with the series of histograms."""
    found = {}
    for name, labels, kind in ROW.findall((ROOT / "docs/metrics.md").read_text()):
        for end in ("_bucket", "_sum", "_count") if kind == "histogram" else ("",):
            found[name + end] = set(re.findall(r"\w+", labels))
    return found


def panels():
    return json.loads(BOARD.read_text())["panels"]


def queries():
    """The expressions of the board, as Prometheus gets them."""
    for panel in panels():
        for target in panel.get("targets", ()):
            text = target["expr"]
            for variable, value in VARIABLES.items():
                text = text.replace(variable, value)
            yield panel["title"], text


def complaints(text, metrics):
    """The names and the labels in braces that no metric has."""
    for name in set(NAME.findall(text)) - set(metrics):
        yield f"there is no metric {name}"
    for name, matchers in re.findall(r"\b((?:stockact|process)_\w+)\{([^}]*)\}", text):
        for label in set(re.findall(r"(\w+) *[=!]~?\"", matchers)) - OTHER_LABELS:
            if name in metrics and label not in metrics[name]:
                yield f"{name} has no label {label}"


def promtool(*arguments):
    return subprocess.run(
        ["promtool", *map(str, arguments)], capture_output=True, text=True, check=False)


has_promtool = unittest.skipUnless(
    shutil.which("promtool"), "promtool is not installed (Debian package prometheus)")


class Rules(unittest.TestCase):
    alerts = re.findall(r"- alert: (\w+)", RULES.read_text())

    def test_rules_use_metrics_and_labels_that_exist(self):
        text = "\n".join(line for line in RULES.read_text().splitlines()
                         if not line.lstrip().startswith("#"))
        self.assertEqual(list(complaints(text, documented())), [])

    def test_each_alert_has_a_test_and_what_to_do(self):
        chapter = (ROOT / "docs/operate.md").read_text().split("\n## Monitoring\n")[1]
        tested = set(re.findall(r"alertname: (\w+)", RULES_TEST.read_text()))
        explained = re.findall(r"^\| `(Stockact\w+)` \| .+ \| .+ \|$", chapter, re.MULTILINE)
        self.assertGreater(len(self.alerts), 20)
        self.assertEqual(sorted(tested), sorted(self.alerts))
        self.assertEqual(explained, self.alerts)

    def test_status_knows_each_alert_by_the_same_metric_and_bound(self):
        """src/status/condition.h has the table of conditions, which `stockact status` prints."""
        table = re.sub(r" *\\\n *", " ", (ROOT / "src/status/condition.h").read_text())
        rows = dict(re.findall(
            r'ENTRY\( ?CONDITION_\w+, (?:URGENT|NOTICE), &\w+, "(Stockact\w+)"(.*?)(?= ENTRY\(|\n)',
            table))
        self.assertEqual(set(rows), set(self.alerts))
        rules = RULES.read_text().split("- alert: ")[1:]
        for rule in rules:
            alert, row = rule.split("\n")[0], rows[rule.split("\n")[0]]
            expr = rule.split("expr:")[1].split("labels:")[0]
            found = re.search(r'METRIC\(\s*(\w+), "(\w+).*?, ([\d.]+),\s', row)
            if not found:
                continue
            how, metric, bound = found.groups()
            self.assertIn(f"stockact_{metric}", expr, alert)
            if how == "ABOVE":
                self.assertRegex(expr, rf"> {bound}\b", alert)

    @has_promtool
    def test_alerts_fire_when_they_should(self):
        for arguments in (("check", "rules", RULES), ("test", "rules", RULES_TEST)):
            result = promtool(*arguments)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class Scraping(unittest.TestCase):
    """The examples of the documents."""

    def blocks(self):
        for name in ("metrics", "operate"):
            text = (ROOT / f"docs/{name}.md").read_text()
            yield from re.findall(r"^```yaml\n(scrape_configs:\n.+?)^```", text, re.M | re.S)

    @has_promtool
    def test_prometheus_accepts_each_example(self):
        blocks = list(self.blocks())
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            # Debian's promtool is built without this kind of discovery.
            block = re.sub(r"kubernetes_sd_configs:\n(?: {6}.*\n)+?(?= {4}\w)",
                           "static_configs: [{targets: [a]}]\n", block)
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "prometheus.yml"
                file.write_text(block)
                result = promtool("check", "config", file)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_pods_that_ended_are_not_scraped(self):
        block, = (b for b in self.blocks() if "role: pod" in b)
        rule = block.split("__meta_kubernetes_pod_phase]")[1].split("- source_labels")[0]
        self.assertRegex(rule, r"regex: Succeeded\|Failed\n +action: drop\n")


class Board(unittest.TestCase):
    def test_panels_use_metrics_and_labels_that_exist(self):
        metrics = documented()
        found = [f"{title}: {what}" for title, text in queries()
                 for what in complaints(text, metrics)]
        self.assertEqual(found, [])

    def test_panels_do_not_overlap(self):
        taken = set()
        for panel in panels():
            at = panel["gridPos"]
            self.assertLessEqual(at["x"] + at["w"], 24, panel["title"])
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"])
                     for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(cells & taken, panel["title"])
            taken |= cells
        self.assertEqual(len({panel["id"] for panel in panels()}), len(panels()))

    @has_promtool
    def test_prometheus_accepts_each_query(self):
        rules = [{"record": f"board:query{i}", "expr": text}
                 for i, (_, text) in enumerate(queries())]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rules.yml"
            file.write_text(json.dumps({"groups": [{"name": "board", "rules": rules}]}))
            result = promtool("check", "rules", file)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class Complaints(unittest.TestCase):
    METRICS = {"stockact_drafts": {"state"}}

    def test_unknown_names_and_labels_are_found(self):
        for text in ('max(stockact_draft{state="waiting"})', 'stockact_drafts{stat="waiting"}'):
            self.assertEqual(len(list(complaints(text, self.METRICS))), 1, text)
        self.assertEqual(
            list(complaints('sum(stockact_drafts{state=~"a|b", instance="c"})', self.METRICS)), [])


if __name__ == "__main__":
    unittest.main()

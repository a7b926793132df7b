"""What the build makes for an installation says what the programs say: manual pages, settings,
completions, the unit.

Run by script/check: python3 -m unittest discover tests/script
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build"
MADE = BUILD / "deploy"
PROGRAM = BUILD / "stockact"
TOOL_SERVER = BUILD / "stockact-mcp"
EXPOSURE_MAX = 1.1  # as deploy/README.md says
# Not for a server that answers strangers.
NOT_DEPLOYED = {"bench_unlimited", "test_clock", "allow_test_clock", "sync_base_url", "sync_pace_ms"}
PAGES = ["stockact.1", "stockact-mcp.1", "stockact.conf.5"]

is_built = unittest.skipUnless(PROGRAM.exists() and TOOL_SERVER.exists(), "build/ is not built")


def have(name):
    return unittest.skipUnless(shutil.which(name), f"there is no {name} here")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def manual(name):
    """The manual's text as people see it, on one line."""
    text = run("man", "--local-file", MADE / name, env={"MANWIDTH": "1000", "LC_ALL": "C"})
    return " ".join(re.sub(".\b", "", text).split())


def commands():
    """[name] of every command"""
    return re.findall(r"^  ([a-z-]+(?: [a-z-]+)?)(?: |$)", run(PROGRAM, "--help"), re.MULTILINE)


def settings():
    """{name in the file: default or None} of every setting that `serve` has"""
    help_text = run(PROGRAM, "serve", "--help").split("\nsettings:\n")[1].split("\n\n")[0]
    found = {}
    for entry in re.split(r"\n(?=  --)", help_text):
        entry = " ".join(entry.split())
        if match := re.match(r"--(\S+) .*\[STOCKACT_\w+\](?: \(default (.*)\))?$", entry):
            found[match[1].replace("-", "_")] = match[2]
    return found


@is_built
class Sample(unittest.TestCase):
    def test_the_sample_shows_each_setting_with_its_default(self):
        lines = (MADE / "stockact.conf").read_text().splitlines()
        shown = dict(re.findall(r"^#?(\w+) =(?: (.*))?$", "\n".join(lines), re.MULTILINE))
        expected = {k: v or "" for k, v in settings().items() if k not in NOT_DEPLOYED}
        self.assertGreater(len(expected), 10)
        expected["database"] = "sqlite:/var/lib/stockact/stockact.db"
        self.assertEqual(shown, expected)
        self.assertEqual([line for line in lines if line and line[0] != "#"],
                         ["database = sqlite:/var/lib/stockact/stockact.db"])

    def test_serve_accepts_the_sample(self):
        run(PROGRAM, "version", "--config", MADE / "stockact.conf")


@is_built
class Manual(unittest.TestCase):
    @have("man")
    def test_the_manual_has_every_command_with_its_options(self):
        text = manual("stockact.1")
        self.assertGreater(len(commands()), 10)
        for command in commands():
            self.assertRegex(text, rf"\b{command}\b")
            own = run(PROGRAM, *command.split(), "--help").split("\nsettings:")[0]
            for option in re.findall(r"^  (--[a-z-]+)", own, re.MULTILINE):
                self.assertIn(option, text)

    @have("man")
    def test_the_manual_has_every_setting(self):
        text = manual("stockact.conf.5")
        for setting in settings():
            self.assertIn(f" {setting} = ", text)
            self.assertIn(f"STOCKACT_{setting.upper()}, --{setting.replace('_', '-')}.", text)

    @have("man")
    def test_the_manual_has_every_tool_and_variable(self):
        text = manual("stockact-mcp.1")
        named = re.findall(r"(?:SVC|SSL)_\w+|--[a-z]+", run(TOOL_SERVER, "--help"))
        self.assertEqual(len(set(named)), 5)
        named += [tool["name"] for tool in manifest()["tools"]]
        for name in named:
            self.assertIn(name, text)

    @have("man")
    def test_man_warns_of_nothing(self):
        for page in PAGES:
            done = subprocess.run(
                ["man", "--warnings=w", "--encoding=UTF-8", "--local-file", "--troff-device=utf8",
                 "--ditroff", MADE / page], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True, env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    @have("man")
    @have("mandoc")
    def test_every_command_has_a_page_with_its_options(self):
        with tempfile.TemporaryDirectory() as folder:
            run(BUILD / "src/manual/manual", "--pages", folder, "version=1.2.3")
            pages = {"stockact-" + command.replace(" ", "-") + ".1" for command in commands()}
            self.assertEqual(set(os.listdir(folder)), pages)
            for command in commands():
                page = pathlib.Path(folder) / ("stockact-" + command.replace(" ", "-") + ".1")
                text = manual(page)
                own = run(PROGRAM, *command.split(), "--help")
                for option in re.findall(r"^  (--[a-z-]+)", own, re.MULTILINE):
                    self.assertIn(option, text)
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *sorted(pages)],
                                  cwd=folder, capture_output=True, text=True)
            self.assertEqual(
                [line for line in done.stdout.splitlines() if "missing date" not in line], [])

    @have("mandoc")
    def test_mandoc_warns_of_nothing(self):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *PAGES], cwd=MADE,
                              capture_output=True, text=True)
        # the pages have a version and no date
        self.assertEqual([line for line in done.stdout.splitlines() if "missing date" not in line],
                         [])


@is_built
class Completion(unittest.TestCase):
    def completed(self, *words):
        """What bash offers for the last word."""
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  '_stockact_complete; printf "%s\\n" "${COMPREPLY[@]}"')
        return run("bash", "-c", script, "bash", MADE / "stockact", "stockact", *words).split()

    def test_every_command_is_offered(self):
        offered = set()
        for first in self.completed(""):
            seconds = self.completed(first, "")
            known = [c for c in commands() if c.startswith(first + " ")]
            offered |= {f"{first} {second}" for second in seconds} if known else {first}
        self.assertEqual(offered, set(commands()))

    def test_every_option_of_a_command_is_offered(self):
        for command in commands():
            known = set(re.findall(r"^  (--[a-z-]+)", run(PROGRAM, *command.split(), "--help"),
                                   re.MULTILINE))
            known -= {"--" + name.replace("_", "-") for name in NOT_DEPLOYED}
            self.assertEqual(set(self.completed(*command.split(), "--")), known)

    @have("zsh")
    def test_zsh_offers_commands_options_and_values(self):
        script = """
            _describe() { print -rl -- $names }
            _arguments() { print -rl -- $@ }
            eval "complete() { $(<$1) }"; shift
            words=("$@"); CURRENT=$#; complete"""
        def offered(*words):
            return run("zsh", "-f", "-c", script, "zsh", MADE / "_stockact", "stockact", *words)
        self.assertIn("\nserve:run the HTTP server\n", "\n" + offered(""))
        self.assertIn("mint:create an API key", offered("keys", ""))
        self.assertIn("--plan=[plan of the account]:scout|wolf|pack|den:(scout wolf pack den)\n",
                      offered("accounts", "create", "--"))
        for command in commands():
            self.assertIn("--json[", offered(*command.split(), "--"))

    @have("fish")
    def test_fish_offers_commands_options_and_values(self):
        def offered(line):
            lines = run("fish", "--no-config", "-c",
                        f"source {MADE / 'stockact.fish'}; complete -C '{line}'").splitlines()
            return {one.split("\t")[0] for one in lines}
        self.assertEqual(offered("stockact "), {command.split()[0] for command in commands()})
        self.assertEqual(offered("stockact keys "), {command.split()[1] for command in commands()
                                                     if command.startswith("keys ")})
        self.assertEqual(offered("stockact accounts create --plan "),
                         {"scout", "wolf", "pack", "den"})
        self.assertLess({"--json", "--email", "--name"}, offered("stockact keys mint --"))

    def test_listed_values_are_offered(self):
        self.assertEqual(self.completed("accounts", "create", "--plan", ""),
                         ["scout", "wolf", "pack", "den"])
        self.assertEqual(self.completed("serve", "--log", "js"), ["json"])
        self.assertEqual(self.completed("serve", "--listen", ""), [])


def manifest():
    return json.loads((ROOT / "deploy/mcpb/manifest.json").read_text())


class Bundle(unittest.TestCase):
    def test_the_bundle_asks_for_the_settings_and_hides_the_key(self):
        settings = manifest()["user_config"]
        self.assertEqual({name: "sensitive" in of for name, of in settings.items()},
                         {"api_url": False, "api_key": True})
        self.assertEqual(manifest()["server"]["mcp_config"]["env"],
                         {f"SVC_{name.upper()}": f"${{user_config.{name}}}" for name in settings})


@is_built
class Unit(unittest.TestCase):
    unit = MADE / "stockact.service"

    def test_the_unit_runs_what_is_installed(self):
        installed = json.loads(run("meson", "introspect", "--installed", BUILD))
        options = {option["name"]: option["value"] for option in
                   json.loads(run("meson", "introspect", "--buildoptions", BUILD))}
        settings = pathlib.Path(options["prefix"]) / options["sysconfdir"] / "stockact/stockact.conf"
        self.assertIn(f"ExecStart={installed[str(PROGRAM)]} serve --config {settings}\n",
                      self.unit.read_text())
        self.assertTrue((ROOT / "deploy/stockact.sysusers").read_text().startswith("u stockact "))

    @have("systemd-analyze")
    def test_the_unit_exposes_little(self):
        done = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--no-pager",
             f"--threshold={int(EXPOSURE_MAX * 10)}", self.unit], capture_output=True, text=True)
        level = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
        self.assertIsNotNone(level, done.stderr)
        self.assertLessEqual(float(level[1]), EXPOSURE_MAX)
        guide = " ".join((ROOT / "deploy/README.md").read_text().split())
        self.assertIn(f"at {EXPOSURE_MAX} of 10", guide)

    @have("systemd-analyze")
    def test_systemd_finds_nothing_wrong_with_the_unit(self):
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", self.unit],
                              capture_output=True, text=True)
        ours = [line for line in done.stderr.splitlines() if "stockact" in line
                and "is not executable" not in line]  # the program need not be installed here
        self.assertEqual(ours, [])


LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
# Links to the sources lead nowhere in an installation.
SOURCES = ("src/", "script/", "tests/", "data/", "bench/", "web/", "deploy/debian", "deploy/man",
           "deploy/completion", "deploy/mcpb", "deploy/stockact.", "CONTRIBUTING.md")


@is_built
class Documents(unittest.TestCase):
    def installed(self):
        """{file of the tree: where it is installed}, with the files of installed folders"""
        found = {}
        for source, target in json.loads(run("meson", "introspect", "--installed", BUILD)).items():
            source, target = pathlib.Path(source), pathlib.Path(target)
            for file in source.rglob("*") if source.is_dir() else [source]:
                if file.is_file():
                    found[file.resolve()] = target / file.relative_to(source)
        return found

    def test_links_between_installed_documents_lead_to_installed_files(self):
        installed = self.installed()
        documents = [file for file in installed if file.suffix == ".md"]
        self.assertGreater(len(documents), 20)
        for document in documents:
            for target in LINK.findall(document.read_text()):
                file = (document.parent / target).resolve()
                if "://" in target or target.startswith(("/", "mailto:")) or not file.exists():
                    continue  # script/check-references checks that files exist
                if str(file.relative_to(ROOT)).startswith(SOURCES) or file.is_dir():
                    continue
                with self.subTest(document=document.name, link=target):
                    self.assertIn(file, installed)
                    there = os.path.relpath(installed[file], installed[document].parent)
                    self.assertEqual(there, os.path.relpath(file, document.parent))

    def test_the_guides_name_commands_that_exist(self):
        known = set(commands())
        groups = {command.split()[0] for command in known if " " in command}
        for file in [ROOT / "README.md", ROOT / "deploy/README.md", *(ROOT / "docs").glob("*.md")]:
            for words in re.findall(r"`stockact ([a-z][a-z -]*)", file.read_text()):
                first, *rest = words.split()
                name = f"{first} {rest[0]}" if first in groups and rest else first
                with self.subTest(document=file.name, command=words):
                    self.assertIn(name, known | groups)

    def test_the_guide_says_how_each_secret_is_rotated(self):
        guide = (ROOT / "docs/operate.md").read_text()
        chapters = "".join(part for part in guide.split("\n## ")
                           if part.startswith(("Rotate the secrets\n", "Keys and secrets\n")))
        help_text = run(PROGRAM, "serve", "--help")
        # Settings that can hold one: URLs with a password, headers, key files.
        holders = set(re.findall(r"^  --(\S*url|redis|database|\S*proxy|\S*header|secret-key-file) ",
                                 help_text, re.MULTILINE))
        holders = {name.replace("-", "_") for name in holders} - {"base_url", "sync_base_url"}
        self.assertGreater(len(holders), 5)
        for name in holders:
            self.assertRegex(chapters, rf"\b({name}|STOCKACT_{name.upper()})\b")

    def test_every_guide_and_example_is_installed(self):
        installed = self.installed()
        for name in ["docs/operate.md", "docs/accounts.md", "docs/images/admin-light.webp",
                     "deploy/nginx.conf", "examples/README.md", "examples/pandas/trades.py"]:
            self.assertIn(ROOT / name, installed)


if __name__ == "__main__":
    unittest.main()

"""What stands in deploy/ says what the program says: its manual, its settings, its unit.

Run by script/check: python3 -m unittest discover tests/script
"""
import json
import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
PROGRAM = ROOT / "build/stockact"
TOOL_SERVER = ROOT / "build/stockact-mcp"
EXPOSURE_MAX = 1.5
# Not for a server that answers strangers.
NOT_DEPLOYED = {"bench_unlimited", "test_clock", "allow_test_clock", "sync_base_url", "sync_pace_ms"}


def help_of(*command):
    return subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True,
                          check=True).stdout


def manual(name="stockact.1"):
    """The manual's text as people see it, on one line."""
    text = subprocess.run(["man", "--local-file", DEPLOY / name], capture_output=True,
                          text=True, check=True, env={"MANWIDTH": "1000", "LC_ALL": "C"}).stdout
    return " ".join(re.sub(".\b", "", text).split())


@unittest.skipUnless(PROGRAM.exists(), "build/stockact is not built")
class Program(unittest.TestCase):
    def settings(self):
        """{name in the file: default or None} of everything that `serve` can be told"""
        found = re.findall(r"^  --(\S+) .*\[STOCKACT_\w+\](?: \(default (.*)\))?$",
                           help_of("serve"), re.MULTILINE)
        return {name.replace("-", "_"): default or None for name, default in found}

    def test_the_file_of_settings_has_each_with_its_default(self):
        lines = (DEPLOY / "stockact.conf").read_text().splitlines()
        shown = dict(re.findall(r"^#?(\w+) =(?: (.*))?$", "\n".join(lines), re.MULTILINE))
        expected = {k: v or "" for k, v in self.settings().items() if k not in NOT_DEPLOYED}
        self.assertGreater(len(expected), 10)
        expected["database"] = "sqlite:/var/lib/stockact/stockact.db"
        self.assertEqual(shown, expected)
        self.assertEqual([line for line in lines if line and line[0] != "#"],
                         ["database = sqlite:/var/lib/stockact/stockact.db"])

    @unittest.skipUnless(shutil.which("man"), "there is no man here")
    def test_the_manual_names_every_command_and_setting(self):
        text = manual()
        commands = re.findall(r"^  ([a-z-]+(?: [a-z-]+)?) ", help_of(), re.MULTILINE)
        self.assertGreater(len(commands), 10)
        for command in commands:
            self.assertRegex(text, rf"\b{command}\b")
        for setting in self.settings():
            self.assertIn("--" + setting.replace("_", "-"), text)


class ToolServer(unittest.TestCase):
    @unittest.skipUnless(TOOL_SERVER.exists(), "build/stockact-mcp is not built")
    @unittest.skipUnless(shutil.which("man"), "there is no man here")
    def test_the_manual_names_every_setting_option_and_tool(self):
        text = manual("stockact-mcp.1")
        shown = subprocess.run([TOOL_SERVER, "--help"], capture_output=True, text=True,
                               check=True).stdout
        named = re.findall(r"SVC_\w+|--[a-z]+", shown)
        self.assertEqual(len(set(named)), 4)
        named += [tool["name"] for tool in self.manifest()["tools"]]
        for name in named:
            self.assertIn(name, text)

    def test_the_bundle_asks_for_the_settings_and_hides_the_key(self):
        settings = self.manifest()["user_config"]
        self.assertEqual({name: "sensitive" in of for name, of in settings.items()},
                         {"api_url": False, "api_key": True})
        self.assertEqual(self.manifest()["server"]["mcp_config"]["env"],
                         {f"SVC_{name.upper()}": f"${{user_config.{name}}}" for name in settings})

    def manifest(self):
        return json.loads((DEPLOY / "mcpb/manifest.json").read_text())


class Unit(unittest.TestCase):
    unit = DEPLOY / "stockact.service"

    def test_the_unit_runs_what_the_package_installs(self):
        installed = dict(line.split() for line in
                         (DEPLOY / "debian/stockact.install").read_text().splitlines())
        self.assertIn("ExecStart=/usr/bin/stockact serve --config /etc/stockact/stockact.conf\n",
                      self.unit.read_text())
        self.assertEqual(installed["deploy/stockact.conf"], "etc/stockact")
        self.assertEqual(installed["build-debian/stockact"], "usr/bin")
        self.assertEqual(installed["build-debian/stockact-mcp"], "usr/bin")
        self.assertTrue((DEPLOY / "debian/stockact.sysusers").read_text().startswith("u stockact "))

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze here")
    def test_the_unit_exposes_little(self):
        done = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--no-pager",
             f"--threshold={int(EXPOSURE_MAX * 10)}", self.unit], capture_output=True, text=True)
        level = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
        self.assertIsNotNone(level, done.stderr)
        self.assertLessEqual(float(level[1]), EXPOSURE_MAX)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze here")
    def test_systemd_finds_nothing_wrong_with_the_unit(self):
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", self.unit],
                              capture_output=True, text=True)
        ours = [line for line in done.stderr.splitlines() if "stockact" in line
                and "is not executable" not in line]  # the program need not be installed here
        self.assertEqual(ours, [])


if __name__ == "__main__":
    unittest.main()

"""script/check-hardening misses no flag: a program that lost one is reported.

Run by script/check: python3 -m unittest discover tests/script
"""
import pathlib
import platform
import subprocess
import tempfile
import unittest

from test_scripts import load

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

SOURCE = r"""
#include <stdio.h>
#include <string.h>

int shorten(char *into, const char *text);
int shorten(char *into, const char *text)
{
    char copy[64];
    snprintf(copy, sizeof(copy), "%s", text);
    strcpy(into, copy);
    return printf("%s\n", copy);
}

int main(int count, char **words)
{
    char place[64];
    return shorten(place, words[count - 1]) < 0;
}
"""
# Each with what replaces it in a program that lost it, and a word of the report.
FLAGS = [
    ("-pie", "-no-pie", "not PIE"),
    ("-fstack-protector-strong", "-fno-stack-protector", "canaries"),
    ("-fstack-clash-protection", "", "-fstack-clash-protection"),
    ("-ftrivial-auto-var-init=zero", "", "-ftrivial-auto-var-init"),
    ("-D_FORTIFY_SOURCE=3", "", "FORTIFY"),
    ("-Wl,-z,relro", "-Wl,-z,norelro", "RELRO"),
    ("-Wl,-z,now", "-Wl,-z,lazy", "BIND_NOW"),
    ("-Wl,-z,noexecstack", "-Wl,-z,execstack", "executable stack"),
    ("-fcf-protection=full", "-fcf-protection=none", "landing pad"),
    ("-fcf-protection=full", "-fcf-protection=return", "landing pad"),
    ("-Wl,-z,shstk", "", "SHSTK"),
    ("-Wl,--as-needed", "-Wl,-rpath,/opt/lib", "RPATH"),
]


@unittest.skipUnless(platform.machine() == "x86_64", "these are the flags of x86_64")
class CheckHardening(unittest.TestCase):
    hardening = load("check-hardening")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "a.c").write_text(SOURCE)

    def build(self, *flags):
        program = self.folder / "program"
        subprocess.run(["gcc", "-O2", "-g", "-w", "-fPIE", "-U_FORTIFY_SOURCE", *filter(None, flags),
                        "-o", program, self.folder / "a.c"], check=True, cwd=self.folder)
        return program

    def test_a_program_with_all_flags_passes(self):
        program = self.build(*[flag for flag, _, _ in FLAGS])
        self.assertEqual(list(self.hardening.complaints(program)), [])

    def test_each_lost_flag_is_reported(self):
        for lost, instead, words in FLAGS:
            with self.subTest(lost=lost, instead=instead):
                program = self.build(*[instead if flag == lost else flag for flag, _, _ in FLAGS])
                self.assertRegex("\n".join(self.hardening.complaints(program)), words)

    def test_a_stripped_program_keeps_the_properties_of_the_file(self):
        program = self.build(*[flag for flag, _, _ in FLAGS])
        subprocess.run(["strip", program], check=True)
        self.assertEqual(list(self.hardening.complaints(program)), [])

    def test_a_lower_level_of_fortify_is_found_in_the_commands(self):
        program = self.build(*[flag for flag, _, _ in FLAGS])
        (self.folder / "compile_commands.json").write_text(
            '[{"file": "a.c", "command": "gcc -D_FORTIFY_SOURCE=2 a.c"}]')
        self.assertEqual(list(self.hardening.complaints(program)),
                         ["a.c is compiled without level 3 of FORTIFY"])


class Built(unittest.TestCase):
    @unittest.skipUnless((ROOT / "build/stockact").exists(), "build/ is not built")
    def test_the_built_programs_have_every_property(self):
        for name in ("stockact", "stockact-mcp"):
            done = subprocess.run([ROOT / "script/check-hardening", ROOT / "build" / name],
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()

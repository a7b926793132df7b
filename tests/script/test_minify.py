"""Tests for script/minify, which makes stylesheets and scripts small."""
import pathlib
import subprocess
import tempfile
import unittest

MINIFY = pathlib.Path(__file__).resolve().parents[2] / "script/minify"


class Stylesheet(unittest.TestCase):
    def minified(self, text):
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder, "a.css"), pathlib.Path(folder, "out.css")
            source.write_text(text, encoding="utf-8")
            subprocess.run([MINIFY, target, source], check=True)
            return target.read_text(encoding="utf-8")

    def test_white_space_and_comments_are_removed(self):
        text = '/* it\'s "one" */\n.a > .b,\n.c { color: red; margin: 0 0.5em; }\n'
        self.assertEqual(self.minified(text), ".a>.b,.c{color:red;margin:0 .5em}\n")

    def test_text_in_quotes_is_kept(self):
        text = '.a + .a::before { content: "; "; }\n.b::after { content: " > 0.5, "; }\n'
        self.assertEqual(
            self.minified(text),
            '.a + .a::before{content:"; "}.b::after{content:" > 0.5, "}\n',
        )


if __name__ == "__main__":
    unittest.main()

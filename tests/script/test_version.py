"""A build has an identity: script/version in invented histories, and this tree's own release.

Run by script/check: python3 -m unittest discover tests/script
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def output_of(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          **options).stdout.strip()


def is_newer(one, other):
    return subprocess.run(["dpkg", "--compare-versions", one, "gt", other]).returncode == 0


class Tree:
    """A repository with script/version and VERSION only."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "script").mkdir(parents=True)
        shutil.copy(ROOT / "script/version", folder / "script")
        shutil.copy(ROOT / ".gitattributes", folder)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words, **environment):
        return output_of("git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", *words,
                         cwd=self.folder, env={**os.environ, **environment})

    def commit(self, version, time):
        """Commits this VERSION at this time of 1 January 2020, UTC; returns the hash."""
        (self.folder / "VERSION").write_text(version + "\n")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a change",
                 GIT_COMMITTER_DATE=f"2020-01-01T{time}Z")
        return self.git("rev-parse", "HEAD")


def version_of(folder, *words, **environment):
    return output_of(folder / "script/version", *words, env={**os.environ, **environment})


@unittest.skipUnless(shutil.which("git"), "there is no git here")
class Version(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.room = pathlib.Path(folder.name)
        self.tree = Tree(self.room / "tree")

    def test_the_release_is_the_number_and_later_builds_sort_after_it(self):
        found = []
        for version, time in [("1.2.0", "10:00:00"), ("1.2.0+git", "10:00:01"),
                              ("1.2.0+git", "23:59:59"), ("1.2.1", "10:00:00")]:
            commit = self.tree.commit(version, time)
            expected = version
            if "+" in version:
                expected += f"20200101{time.replace(':', '')}.{commit[:12]}"
            self.assertEqual(version_of(self.tree.folder), f"{expected} {commit}")
            found.append(f"{expected}-1")
        for older, newer in zip(found, found[1:]):
            self.assertTrue(is_newer(newer, older), (older, newer))

    def test_a_shallow_clone_and_an_archive_state_the_same_version(self):
        for version in ("1.2.0", "1.2.0+git"):
            self.tree.commit(version, "10:00:00")
            expected = version_of(self.tree.folder)
            shallow, archive = self.room / f"shallow-{version}", self.room / f"archive-{version}"
            output_of("git", "clone", "--quiet", "--depth=1", "--no-tags",
                      f"file://{self.tree.folder}", shallow)
            self.assertEqual(version_of(shallow), expected)
            archive.mkdir()
            self.tree.git("archive", f"--output={archive}/tar", "HEAD")
            output_of("tar", "-x", "-f", archive / "tar", "-C", archive)
            self.assertEqual(version_of(archive), expected)

    def test_an_archive_inside_another_repository_keeps_its_own_commit(self):
        self.tree.commit("1.2.0+git", "10:00:00")
        expected = version_of(self.tree.folder)
        inner = self.tree.folder / "inner"
        inner.mkdir()
        self.tree.git("archive", f"--output={inner}/tar", "HEAD")
        output_of("tar", "-x", "-f", inner / "tar", "-C", inner)
        self.tree.commit("1.2.0+git", "11:00:00")
        self.assertEqual(version_of(inner), expected)

    def test_without_git_the_commit_comes_from_outside_or_is_not_known(self):
        commit = self.tree.commit("1.2.0+git", "10:00:00")
        known = version_of(self.tree.folder)
        seconds = self.tree.git("log", "-1", "--format=%ct")
        shutil.rmtree(self.tree.folder / ".git")
        self.assertEqual(version_of(self.tree.folder), "1.2.0+git")
        self.assertNotIn("commit", version_of(self.tree.folder, "--source"))
        self.assertEqual(
            version_of(self.tree.folder, STOCKACT_COMMIT=f"{commit} {seconds}"), known)

    def test_uncommitted_changes_are_marked(self):
        for version, mark in (("1.2.0", "+changed"), ("1.2.0+git", ".changed")):
            commit = self.tree.commit(version, "10:00:00")
            clean = version_of(self.tree.folder).split()[0]
            (self.tree.folder / "VERSION").write_text(version + "\n\n")
            changed, named = version_of(self.tree.folder).split()
            self.assertEqual((changed, named), (clean + mark, commit))
            self.assertTrue(is_newer(changed, clean))

    def test_releases_are_the_commits_with_a_plain_number(self):
        self.tree.commit("0.9.0+git", "08:00:00")
        one = self.tree.commit("1.0.0", "09:00:00")
        self.tree.commit("1.0.0+git", "10:00:00")
        two = self.tree.commit("1.1.0", "11:00:00")
        self.tree.commit("1.1.0+git", "12:00:00")
        self.assertEqual(version_of(self.tree.folder, "--releases"), f"{one} 1.0.0\n{two} 1.1.0")


class Release(unittest.TestCase):
    def setUp(self):
        self.number = (ROOT / "VERSION").read_text().strip().split("+")[0]

    def test_the_release_has_its_schema_and_its_section_in_the_changelog(self):
        releases = (ROOT / "src/store/schema/releases").read_text().split("\n")
        self.assertTrue(releases[-2].startswith(self.number + " "), releases)
        self.assertIn(f"\n## {self.number}, ", (ROOT / "CHANGELOG.md").read_text())

    @unittest.skipUnless((ROOT / ".git").exists(), "this is no clone")
    def test_no_other_commit_has_the_number_of_the_release(self):
        before = subprocess.run(["git", "-C", ROOT, "show", "HEAD^:VERSION"], text=True,
                                capture_output=True)
        if before.returncode != 0:
            self.skipTest("the commit before is not in this clone")
        if "+" not in (ROOT / "VERSION").read_text():
            self.assertNotEqual(before.stdout.strip(), self.number,
                                "append +git to VERSION in the commit after a release")


if __name__ == "__main__":
    unittest.main()

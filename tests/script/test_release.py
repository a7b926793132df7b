"""A release can be verified as docs/supply-chain.md says, and a changed byte is found.

Run by script/check: python3 -m unittest discover tests/script
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/supply-chain.md"
SIGNERS = 'stockact-release namespaces="stockact-release" '


def section(title):
    return PAGE.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]


def commands(title):
    return re.search(r"```sh\n(.*?)```", section(title), re.DOTALL)[1].strip().split("\n")


def new_key(path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "throw-away", "-f", path],
                   check=True)
    return SIGNERS + " ".join(path.with_suffix(".pub").read_text().split()[:2]) + "\n"


def release(key, folder, signers=None, **environment):
    named = [] if signers is None else ["--signers", signers]
    return subprocess.run(
        [ROOT / "script/release", "--source-only", *named, key, folder], text=True,
        capture_output=True, env={**os.environ, **environment})


@unittest.skipUnless(shutil.which("ssh-keygen"), "there is no ssh-keygen here")
@unittest.skipUnless((ROOT / ".git").exists(), "this is no clone")
class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.room = pathlib.Path(folder.name)
        cls.key = cls.room / "key"
        cls.signer = new_key(cls.key)
        cls.signers = cls.room / "throw-away-signers"
        cls.signers.write_text(cls.signer)
        cls.released = cls.room / "release"
        cls.done = release(cls.key, cls.released, cls.signers)

    def setUp(self):
        self.assertEqual((self.done.returncode, self.done.stdout), (0, f"{self.released}\n"),
                         self.done.stderr)
        self.out = self.room / self.id()
        shutil.copytree(self.released, self.out)

    def failed_commands(self):
        """The documented commands that fail, by their first words."""
        (self.out / "release-signers").write_text(self.signer)
        lines = commands("Verify a release")
        self.assertEqual(len(lines), 2)
        return [line.split()[0] for line in lines if subprocess.run(
            line, shell=True, cwd=self.out, capture_output=True).returncode]

    def flip(self, path, at):
        content = bytearray(path.read_bytes())
        content[at] ^= 1
        path.write_bytes(content)

    def sign_anew(self):
        sums = subprocess.run(["sha256sum", *(p.name for p in self.artifacts())], cwd=self.out,
                              capture_output=True, check=True).stdout
        (self.out / "SHA256SUMS").write_bytes(sums)

    def artifacts(self):
        return sorted(path for path in self.out.iterdir()
                      if not path.name.startswith(("SHA256SUMS", "release-signers")))

    def test_the_documented_commands_verify_a_release(self):
        self.assertEqual(self.failed_commands(), [])

    @unittest.skipIf((ROOT / "deploy/release-signers").exists(), "there was a release")
    def test_the_first_release_prints_the_line_to_publish(self):
        done = release(self.key, self.room / "first")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(self.signer, done.stderr)

    def test_a_replaced_key_verifies_what_it_signed_before(self):
        replaced = self.signer.replace(" ssh-", ',valid-before="20200102" ssh-', 1)
        (self.out / "release-signers").write_text(replaced)
        for day, result in (("20200101", 0), ("20200103", 255)):
            line = commands("Replace the key")[0].replace("YYYYMMDD", day)
            done = subprocess.run(line, shell=True, cwd=self.out, capture_output=True)
            self.assertEqual(done.returncode, result, done.stderr)

    def test_every_file_has_a_checksum(self):
        sums = (self.out / "SHA256SUMS").read_text().splitlines()
        self.assertEqual([line.split("  ")[1] for line in sums],
                         [path.name for path in self.artifacts()])
        self.assertGreater(len(sums), 0)

    def test_a_flipped_byte_of_an_artifact_is_found(self):
        for path in self.artifacts():
            for at in (0, path.stat().st_size // 2, -1):
                self.flip(path, at)
                self.assertEqual(self.failed_commands(), ["sha256sum"])
                self.flip(path, at)
        self.assertEqual(self.failed_commands(), [])

    def test_new_checksums_of_a_changed_artifact_have_no_signature(self):
        self.flip(self.artifacts()[0], 100)
        self.sign_anew()
        self.assertEqual(self.failed_commands(), ["ssh-keygen"])

    def test_the_signature_of_another_key_or_purpose_fails(self):
        other = self.room / "other"
        new_key(other)
        for key, purpose in ((other, "stockact-release"), (self.key, "file")):
            (self.out / "SHA256SUMS.sig").unlink()
            subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", purpose,
                            self.out / "SHA256SUMS"], check=True, capture_output=True)
            self.assertEqual(self.failed_commands(), ["ssh-keygen"])

    def test_the_same_commit_gives_the_same_bytes(self):
        again = self.room / "again"
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        self.assertEqual(release(self.key, again, self.signers, TZ="Asia/Tokyo").returncode, 0)
        for path in self.out.iterdir():
            self.assertEqual(path.read_bytes(), (again / path.name).read_bytes(), path.name)

    def test_a_folder_with_files_is_refused(self):
        done = release(self.key, self.out, self.signers)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not empty", done.stderr)

    def test_a_key_that_is_not_published_is_refused(self):
        signers = self.room / "signers"
        signers.write_text(new_key(self.room / "published"))
        done = release(self.key, self.room / "refused", signers)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{signers} does not have the key that signed", done.stderr)
        self.assertFalse((self.room / "refused/SHA256SUMS.sig").exists())

    def test_signers_that_do_not_exist_are_refused(self):
        for signers in (self.room / "mistyped", self.room):
            done = release(self.key, self.room / "not-begun", signers)
            self.assertEqual(done.returncode, 1)
            self.assertIn(str(signers), done.stderr)
            self.assertFalse((self.room / "not-begun").exists())


class Secrets(unittest.TestCase):
    @unittest.skipUnless((ROOT / ".git").exists(), "this is no clone")
    def test_the_tree_has_no_private_key(self):
        pattern = "-----BEGIN [A-Z ]*PRIVATE" + " KEY-----"
        done = subprocess.run(["git", "grep", "-lE", pattern, "--", ":!tests"], cwd=ROOT,
                              capture_output=True, text=True)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()

"""The bill of materials has everything that is linked and nothing else, and a fault in it is found.

Run by script/check: python3 -m unittest discover tests/script
"""
import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from test_scripts import load

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/supply-chain.md"
PROGRAMS = [ROOT / "build/stockact", ROOT / "build/stockact-mcp"]


def write_bill(path, *options, **environment):
    subprocess.run([ROOT / "script/sbom", *options, path], check=True,
                   env={**os.environ, "SOURCE_DATE_EPOCH": "1000000000", **environment})
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def rows_of_page(title, kind):
    """{(library or "", package): programs} of a table in the page"""
    text = PAGE.read_text().split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
            if line.startswith("|") and not line.startswith("|-")][1:]
    if kind == "DYNAMIC_LINK":
        return {(row[0].strip("`"), row[1]): row[2] for row in rows}
    return {("", row[0]): row[2] for row in rows if len(row) == 3}


@unittest.skipUnless(all(map(os.path.exists, PROGRAMS)), "build/ is not built")
@unittest.skipUnless(shutil.which("dpkg-query"), "this is not a Debian system")
class Bill(unittest.TestCase):
    check = load("check-sbom")

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.bill = write_bill(cls.folder / "bill.json")

    def complaints(self, bill, programs=()):
        return "\n".join(self.check.complaints(bill, programs))

    def linked(self, kind, program):
        names = {package["SPDXID"]: package for package in self.bill["packages"]}
        return [names[r["relatedSpdxElement"]] for r in self.bill["relationships"]
                if r["relationshipType"] == kind
                and r["spdxElementId"] == f"SPDXRef-File-{program}"]

    def test_the_bill_of_the_build_is_right(self):
        self.assertEqual(self.complaints(self.bill, PROGRAMS), "")

    def test_the_same_build_gives_the_same_bytes(self):
        write_bill(self.folder / "again.json", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
        self.assertEqual((self.folder / "again.json").read_bytes(),
                         (self.folder / "bill.json").read_bytes())

    def test_compiled_in_sources_are_listed_with_their_package(self):
        for program in PROGRAMS:
            symbols = subprocess.run(["nm", program], capture_output=True, text=True).stdout
            compiled = [package["name"] for package in self.linked("STATIC_LINK", program.name)
                        if "source" in package["comment"]]
            self.assertEqual(bool(re.search(" llhttp_execute$", symbols, re.MULTILINE)),
                             any("llhttp" in name for name in compiled))

    def test_each_data_file_in_the_program_is_listed_with_its_licence(self):
        listed = {file["fileName"]: file for file in self.bill["files"]}
        image = PROGRAMS[0].read_bytes()
        data = [path for folder in ("data", "web")
                for path in sorted((ROOT / folder).rglob("*.*"))]
        self.assertGreater(len(data), 10)
        for path in data:
            name = f"./{path.relative_to(ROOT)}"
            # seats are embedded as tables, stylesheets and scripts without white space, and the
            # lists of `stockact setup` compressed
            if (path.read_bytes() in image or "seat" in name or "committees" in name
                    or path.suffix in (".css", ".js") or path.parent.name == "setup"):
                self.assertIn(name, listed)
            else:
                self.assertNotIn(name, listed)
        self.assertEqual(listed["./data/symbol_holders.csv"]["licenseConcluded"], "MIT")
        self.assertEqual(listed["./data/seats.csv"]["licenseConcluded"], "CC0-1.0")
        self.assertEqual(listed["./data/setup/sp500-constituents.csv"]["licenseConcluded"],
                         "PDDL-1.0")
        self.assertEqual(
            listed["./data/setup/sec-company-tickers-exchange.json"]["licenseConcluded"],
            "LicenseRef-public-domain")
        self.assertEqual(listed["./web/site.js"]["licenseConcluded"], "Apache-2.0")

    def test_the_page_lists_what_is_linked(self):
        if "distro=debian-12" not in json.dumps(self.bill):
            self.skipTest("the page has the names of Debian 12's packages")
        for title, kind in (("Libraries that are loaded", "DYNAMIC_LINK"),
                            ("Parts that are compiled in", "STATIC_LINK")):
            built = {}
            for program in PROGRAMS:
                needed = subprocess.run(["readelf", "-d", program], capture_output=True,
                                        text=True).stdout
                for package in self.linked(kind, program.name):
                    # The comment has the libraries of a package that either program loads.
                    for name in (re.findall(r"([\w-]+)\.so", package["comment"])
                                 if kind == "DYNAMIC_LINK" else [""]):
                        if not name or f"[{name}.so" in needed:
                            built.setdefault((name, package["name"]), []).append(program.name)
            built = {key: "both" if len(programs) == 2 else f"`{programs[0]}`"
                     for key, programs in built.items()}
            self.assertEqual(rows_of_page(title, kind), built)

    def test_the_page_lists_the_files_of_the_repository(self):
        listed = {file["fileName"].removeprefix("./") for file in self.bill["files"]}
        page = PAGE.read_text()
        patterns = re.findall(r"`((?:data|web)/[\w./*-]+)`", page)
        named = {str(path.relative_to(ROOT)) for pattern in patterns for path in ROOT.glob(pattern)}
        self.assertEqual(named, {name for name in listed if name.startswith(("data/", "web/"))})

    def test_an_added_library_is_missed(self):
        program = self.folder / "stockact"
        source = self.folder / "a.c"
        source.write_text("int main(void) { return 0; }\n")
        subprocess.run(["gcc", "-o", program, source, "-Wl,--no-as-needed", "-lcmocka"], check=True)
        bill = copy.deepcopy(self.bill)
        found = self.complaints(bill, [program])
        self.assertRegex(found, r"needs libcmocka\.so\.0 of libcmocka0: not in the document")
        self.assertRegex(found, "another checksum")
        self.assertRegex(found, "does not need libcurl")

    def test_a_missing_package_is_found(self):
        for package in self.linked("DYNAMIC_LINK", "stockact"):
            bill = copy.deepcopy(self.bill)
            bill["packages"].remove(package)
            bill["relationships"] = [r for r in bill["relationships"]
                                     if r["relatedSpdxElement"] != package["SPDXID"]]
            self.assertIn(f"of {package['name']}: not in the document",
                          self.complaints(bill, PROGRAMS))

    def test_a_package_that_nothing_links_is_found(self):
        bill = copy.deepcopy(self.bill)
        extra = copy.deepcopy(self.linked("DYNAMIC_LINK", "stockact")[0])
        extra.update(SPDXID="SPDXRef-Package-idle", name="idle")
        extra["externalRefs"][0]["referenceLocator"] = "pkg:deb/debian/idle@1"
        extra["versionInfo"] = "1"
        bill["packages"].append(extra)
        self.assertEqual(self.complaints(bill), "idle is in the document, and nothing links it")
        bill["relationships"].append({
            "spdxElementId": "SPDXRef-File-stockact", "relationshipType": "DYNAMIC_LINK",
            "relatedSpdxElement": "SPDXRef-Package-idle"})
        self.assertIn("does not need idle", self.complaints(bill, PROGRAMS))

    def test_a_document_that_spdx_forbids_is_found(self):
        def change(path, value):
            bill = copy.deepcopy(self.bill)
            *outer, last = path
            place = bill
            for step in outer:
                place = place[step]
            if value is None:
                del place[last]
            else:
                place[last] = value
            return self.complaints(bill)

        for path, value, words in [
            (["dataLicense"], None, "has no dataLicense"),
            (["spdxVersion"], "SPDX-2.2", "spdxVersion"),
            (["documentNamespace"], "urn:uuid:1#2", "documentNamespace"),
            (["documentNamespace"], "stockact", "documentNamespace"),
            (["creationInfo", "created"], "2026-13-01T00:00:00Z", "no date"),
            (["creationInfo", "creators"], [], "creators is empty"),
            (["creationInfo", "creators", 0], "stockact", "creators"),
            (["packages", 0, "downloadLocation"], None, "has no downloadLocation"),
            (["packages", 0, "downloadLocation"], "somewhere", "downloadLocation"),
            (["packages", 0, "licenseDeclared"], "GPL", "licenseDeclared"),
            (["packages", 0, "licenseDeclared"], "MIT AND", "licenseDeclared"),
            (["packages", 0, "supplier"], "Debian", "supplier"),
            (["packages", 0, "filesAnalyzed"], True, "do not go together"),
            (["packages", 0, "versionInfo"], "0", "another name or version"),
            (["packages", 0, "extra"], "1", "unknown member extra"),
            (["packages", 0, "SPDXID"], self.bill["packages"][1]["SPDXID"], "of 2 elements"),
            (["packages", 0, "SPDXID"], "SPDXRef-a_b", "SPDXID"),
            (["files", 0, "checksums", 0, "checksumValue"], "a" * 39, "39 digits"),
            (["files", 0, "checksums"], [], "checksums is empty"),
            (["files", 0, "fileName"], "/etc/passwd", "fileName"),
            (["relationships", 0, "relatedSpdxElement"], "SPDXRef-x", "does not exist"),
            (["relationships", 0, "relationshipType"], "USES", "relationshipType"),
        ]:
            with self.subTest(path=path, value=value):
                self.assertIn(words, change(path, value))
        product = next(i for i, p in enumerate(self.bill["packages"]) if p["name"] == "stockact")
        code = ["packages", product, "packageVerificationCode", "packageVerificationCodeValue"]
        self.assertIn("is not that of its files", change(code, "0" * 40))


@unittest.skipUnless(all(map(shutil.which, ("meson", "ninja", "gcc"))), "no build tools here")
class StaticLibrary(unittest.TestCase):
    def test_an_archive_counts_if_the_linker_took_something_of_it(self):
        sbom = load("sbom")
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder).resolve()
            (tree / "meson.build").write_text(
                "project('t', 'c')\nz = dependency('zlib', static: true)\n"
                "executable('takes', 'takes.c', dependencies: z)\n"
                "executable('leaves', 'leaves.c', dependencies: z)\n")
            (tree / "takes.c").write_text(
                "#include <zlib.h>\nint main(void) { return (int)crc32(0, 0, 0); }\n")
            (tree / "leaves.c").write_text("int main(void) { return 0; }\n")
            subprocess.run(["meson", "setup", tree / "build", tree], check=True,
                           capture_output=True)
            subprocess.run(["ninja", "-C", tree / "build"], check=True, capture_output=True)
            build = sbom.Build(tree / "build")
            taken, left = (list(build.static_files(name)) for name in ("takes", "leaves"))
        self.assertIn(tree / "takes.c", taken)
        self.assertIn("libz.a", [path.name for path in taken])
        self.assertNotIn("libz.a", [path.name for path in left])


if __name__ == "__main__":
    unittest.main()

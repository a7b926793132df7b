"""Creates the sites of runs. A database of each kind is filled once, and every site starts with a
copy of it. Everything is in one temporary folder, which is removed at the end.
"""
import pathlib
import shutil
import tempfile
import threading

from checker import Checker
from database import Cluster, Sqlite
from ledger import Ledger
from operations import OPERATOR, Driver
from service import Site

TRADES = 60
AS_OF = "2026-06-30"


class Stand:
    """A site with its ledger, driver and checker."""

    def __init__(self, site, ledger):
        self.site, self.ledger = site, ledger
        self.driver, self.checker = Driver(site, ledger), Checker(site, ledger)

    def serve(self, **how):
        self.driver.server = self.site.serve(**how)
        return self.driver.server

    def close(self):
        self.site.close()
        self.ledger.close()


class Workshop:
    def __init__(self, *, parent=None, cluster_flushes=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stockact-fault-", dir=parent))
        self.cluster_flushes, self._cluster = cluster_flushes, None
        self._templates, self._lock, self._made = {}, threading.Lock(), 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._cluster:
            self._cluster.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def cluster(self):
        if not self._cluster:
            self._cluster = Cluster(flushes=self.cluster_flushes)
        return self._cluster

    def _new_folder(self):
        self._made += 1
        folder = self.folder / f"{self._made}"
        folder.mkdir()
        return folder

    def _fill(self, site):
        site.must("demo", "--trades", str(TRADES), "--as-of", AS_OF)
        site.must("accounts", "create", "--email", OPERATOR, "--plan", "den")

    def _template(self, kind):
        if kind not in self._templates:
            folder = self._new_folder()
            database = Sqlite(folder) if kind == "sqlite" else self.cluster.create("template_site")
            site = Site(folder, database)
            self._fill(site)
            self._templates[kind] = site
        return self._templates[kind]

    def _stand(self, site):
        """The ledger is beside the site's folder, not in it."""
        with self._lock:
            self._made += 1
            ledger = Ledger(self.folder / f"{self._made}.ledger")
        return Stand(site, ledger)

    @staticmethod
    def _begin(stand):
        """Creates the operator and its key, which every run uses."""
        account = stand.ledger.intend("account", email=OPERATOR, plan="den")
        stand.ledger.acknowledge(account, "when it was filled")
        stand.driver.mint(OPERATOR, "standing")
        return stand

    def stand(self, kind):
        """Returns a site with a copy of the filled database."""
        with self._lock:
            template = self._template(kind)
            folder = self._new_folder()
            database = template.database.copy_to(folder)
        return self._begin(self._stand(Site(folder, database)))

    def stand_in(self, folder):
        """Returns a site in this folder, whose database the program creates and fills there."""
        site = Site(folder, Sqlite(folder))
        self._fill(site)
        return self._begin(self._stand(site))

    def empty(self, kind):
        """Returns a site without a database."""
        with self._lock:
            folder = self._new_folder()
            database = (Sqlite(folder) if kind == "sqlite" else
                        self.cluster.create(f"empty_{folder.name}"))
        return self._stand(Site(folder, database))
